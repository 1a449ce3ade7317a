//! Which objects expressions denote and point to.

use scop::{BinaryOp, MemoryLifetime, UnaryOp};

use crate::c::ctree::{Expr, ExprKind, Understood, Unnamed};
use crate::host::expressions::{
    harmless, has_own_new, is_array_object, is_atomic, is_floating, is_lvalue, is_member, is_number,
    is_other, is_other_member, is_part_of_real,
};
use crate::host::objects::Object;
use crate::host::pointers::Pointers;
use crate::host::solver::{EXPOSED, NOTHING, Node};

impl<'t> Pointers<'t> {
    /// Returns the objects that an lvalue may denote, and visits all of it. A value that is no lvalue is in memory of
    /// its own.
    pub(super) fn place(&mut self, expr: &'t Expr) -> Node {
        let key = std::ptr::from_ref(expr);
        if let Some(&node) = self.addresses.get(&key) {
            return node;
        }
        let node = match &expr.kind {
            ExprKind::Variable(id) if self.tree.variable(*id).reference => self.contents_of(*id),
            ExprKind::Variable(id) => self.of_variable(*id).0,
            ExprKind::Subscript { base, index } => {
                let (pointer, offset) = (self.value(base), self.value(index));
                match [base, index].into_iter().find(|part| is_other(part)) {
                    Some(vector) => {
                        let element = self.place(vector);
                        let pointers = self.union(pointer, offset);
                        self.union(element, pointers)
                    }
                    None if is_number(base) => self.union(pointer, offset),
                    None => pointer,
                }
            }
            ExprKind::Member { base, .. } => self.structure(base),
            ExprKind::Other { what, parts } if is_other_member(what, parts) => {
                let structure = self.structure(&parts[0]);
                match self.tree.is_cxx {
                    // Members of C++ may be references.
                    true => {
                        let bound = self.load(structure);
                        self.union(structure, bound)
                    }
                    false => structure,
                }
            }
            ExprKind::Other { what, .. } if self.tree.is_cxx && is_member(what) => {
                let object = self.this.map_or(NOTHING, |this| self.contents_of(this));
                let bound = self.load(object);
                let known = self.union(object, bound);
                self.union(known, EXPOSED)
            }
            ExprKind::Other { what: Unnamed::Text, .. } => self.text(),
            ExprKind::Other { what: Unnamed::Understood(Understood::Element(container), _), .. } => {
                self.operands(expr);
                self.elements(expr, *container)
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Pointed, _), .. } => self.iterators(expr),
            ExprKind::Conditional { then, otherwise, .. } if self.tree.is_cxx => {
                self.value_kind(expr);
                let (then, otherwise) = (self.place(then), self.place(otherwise));
                self.union(then, otherwise)
            }
            ExprKind::Comma(_, last) if self.tree.is_cxx => {
                self.value_kind(expr);
                self.place(last)
            }
            ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } if self.tree.is_cxx => {
                self.value_kind(expr);
                self.place(target)
            }
            ExprKind::Cast { operand, .. } if self.tree.is_cxx => {
                self.value_kind(expr);
                self.place(operand)
            }
            ExprKind::Cast { operand, .. } if is_lvalue(operand) => self.place(operand),
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imaginary, number) => self.place(number),
            ExprKind::Other { what, parts: number } if is_part_of_real(what) && number.len() == 1 => {
                self.place(&number[0])
            }
            _ => {
                let value = self.value_kind(expr);
                match self.addresses.get(&key) {
                    Some(&denoted) => denoted,
                    None => self.temporary(expr, value),
                }
            }
        };
        if expr.ctype.volatile {
            self.expose(node);
        }
        self.addresses.insert(key, node);
        node
    }

    /// Returns the memory of a value that is no lvalue.
    fn temporary(&mut self, expr: &'t Expr, value: Node) -> Node {
        let object = Object::unnamed("a temporary object", MemoryLifetime::Unknown, Some(expr.range));
        let (node, object) = self.set_with(object);
        let contents = self.solver.contents(object);
        self.solver.copy(value, contents);
        // The value of a call of C++ may be a reference.
        if self.tree.is_cxx { self.union(node, value) } else { node }
    }

    /// Returns the objects that the structure before a member may be. Its base may be a pointer, without a `*`: see
    /// [`crate::import::members`].
    fn structure(&mut self, base: &'t Expr) -> Node {
        match &base.ctype {
            ctype if ctype.is_pointer_like() => self.value(base),
            ctype if is_atomic(ctype) => {
                let (pointer, structure) = (self.value(base), self.place(base));
                self.union(pointer, structure)
            }
            _ => self.place(base),
        }
    }

    fn text(&mut self) -> Node {
        if let Some(node) = self.texts {
            return node;
        }
        let (node, _) = self.set_with(Object::unnamed("string literals", MemoryLifetime::Program, None));
        self.texts = Some(node);
        node
    }

    /// Returns what a value may point to, and visits all of the expression.
    pub(super) fn value(&mut self, expr: &'t Expr) -> Node {
        let key = std::ptr::from_ref(expr);
        if let Some(&node) = self.values.get(&key) {
            return node;
        }
        let node = match &expr.kind {
            _ if is_lvalue(expr) => {
                let address = self.place(expr);
                match &expr.kind {
                    _ if is_array_object(self.tree, expr) => address,
                    ExprKind::Other { what: Unnamed::Text, .. } => address,
                    ExprKind::Variable(id) if !self.tree.variable(*id).reference => self.contents_of(*id),
                    _ => self.load(address),
                }
            }
            _ => self.value_kind(expr),
        };
        self.values.insert(key, node);
        node
    }

    /// Returns what the value of an operator may point to, and visits all of the expression. The result of arithmetic
    /// with floating-point numbers is no address, although such a number may contain the bytes of one.
    fn value_kind(&mut self, expr: &'t Expr) -> Node {
        let value = self.value_of_any(expr);
        match &expr.kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Increment { .. } if is_floating(expr) => {
                NOTHING
            }
            ExprKind::Cast { operand, .. } if is_floating(expr) != is_floating(operand) => NOTHING,
            _ => value,
        }
    }

    fn value_of_any(&mut self, expr: &'t Expr) -> Node {
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Imaginary(_) => NOTHING,
            ExprKind::Variable(_) | ExprKind::Subscript { .. } | ExprKind::Member { .. } => self.value(expr),
            ExprKind::Unary(operator, operand) => {
                let value = self.value(operand);
                if *operator == UnaryOp::Not { NOTHING } else { value }
            }
            ExprKind::Cast { operand, .. } => self.value(operand),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            ExprKind::Assign { operator, target, value } => {
                let value = self.value(value);
                let (old, address) = (self.value(target), self.place(target));
                let old = if operator.is_some() { old } else { NOTHING };
                let value = if operator.is_some() && is_floating(target) { NOTHING } else { value };
                match target.as_variable() {
                    Some(id) => {
                        let contents = self.contents_of(id);
                        self.solver.copy(value, contents);
                    }
                    None => self.solver.store(value, address),
                }
                self.union(value, old)
            }
            ExprKind::Increment { target, .. } => self.value(target),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.value(condition);
                let (then, otherwise) = (self.value(then), self.value(otherwise));
                self.union(then, otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.value(first);
                self.value(second)
            }
            ExprKind::AddressOf(operand) => {
                let place = self.place(operand);
                // The lengths in the type of what is pointed to may be evaluated.
                self.value(operand);
                place
            }
            ExprKind::Call { callee, arguments } => self.call(expr, callee.as_ref(), arguments),
            ExprKind::Other { what: Unnamed::Understood(known, _), parts } => {
                self.understood(expr, known, parts)
            }
            ExprKind::Other { what, parts } => self.other(expr, what, parts),
        }
    }

    fn binary(&mut self, operator: BinaryOp, left: &'t Expr, right: &'t Expr) -> Node {
        use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
        let values = (self.value(left), self.value(right));
        if [And, Eq, Ge, Gt, Le, Lt, Ne, Or].contains(&operator) {
            return NOTHING;
        }
        // What is added to a pointer leads to no other object.
        match (left.ctype.is_pointer_like(), right.ctype.is_pointer_like()) {
            (true, false) if !is_number(left) => values.0,
            (false, true) if !is_number(right) => values.1,
            _ => self.union(values.0, values.1),
        }
    }

    fn other(&mut self, expr: &'t Expr, what: &'t Unnamed, parts: &'t [Expr]) -> Node {
        if *what == Unnamed::NewArray && !has_own_new(self.tree) {
            return self.new_array(expr, parts);
        }
        let mut all = NOTHING;
        for part in parts {
            let value = self.value(part);
            all = self.union(all, value);
        }
        match harmless(self.tree, expr, what, parts) {
            Some(true) => all,
            Some(false) => NOTHING,
            None => {
                parts.iter().for_each(|part| self.expose_all(part));
                EXPOSED
            }
        }
    }
}
