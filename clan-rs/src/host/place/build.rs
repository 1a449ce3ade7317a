//! Which integers and lvalues expressions are.

use std::collections::BTreeSet;

use scop::{BinaryOp, CType, UnaryOp};

use super::terms::{Loaded, Lvalue, Step, Term, in_long};
use crate::c::ctree::{
    Class, Container, Expr, ExprKind, Lifetime, Tree, TypeKind, Understood, Unnamed, VariableId,
};
use crate::host::expressions::{
    arguments_of, elements_of_own, is_array_object, is_array_type, is_other, is_vector, object_of,
    operands_of, understood, without_address,
};
use crate::host::library;
use crate::host::pointers::Pointers;
use crate::host::solver::Node;

impl Term {
    /// Returns the term that an expression is.
    pub fn of(pointers: &Pointers, expr: &Expr) -> Option<Self> {
        let tree = pointers.tree();
        let ctype = expr.ctype.arithmetic().filter(|ctype| ctype.is_integer())?;
        Some(match &expr.kind {
            ExprKind::Integer(value) => Self::Integer(*value, ctype),
            ExprKind::Variable(id) if let Some(value) = tree.variable(*id).constant => {
                Self::Integer(value, ctype)
            }
            ExprKind::Variable(id) if is_readable(tree, *id) && !tree.variable(*id).enumeration => {
                Self::Variable(*id, ctype)
            }
            ExprKind::Unary(UnaryOp::Minus, operand) => Self::Negated(Box::new(Self::of(pointers, operand)?)),
            ExprKind::Unary(UnaryOp::Plus, operand) => Self::of(pointers, operand)?,
            ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
                let [left, right] = [left, right].map(|part| Self::of(pointers, part));
                Self::Binary(*operator, Box::new(left?), Box::new(right?))
            }
            ExprKind::Binary(operator @ (BinaryOp::Div | BinaryOp::Rem), left, right) => {
                let divisor = Self::of(pointers, right)?;
                let is_positive = matches!(divisor, Self::Integer(value, _) if value > 0);
                let left = Self::of(pointers, left)?;
                return is_positive.then(|| Self::Binary(*operator, Box::new(left), Box::new(divisor)));
            }
            ExprKind::Cast { operand, .. } => Self::of(pointers, operand)?.converted(ctype),
            ExprKind::Member { .. } | ExprKind::Subscript { .. } => {
                Self::Member(Box::new(Loaded::of(pointers, expr, ctype)?))
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Property(container), plain), .. } => {
                let is_length = matches!(&**plain, Unnamed::MemberCall(name) if name == "size");
                return length(pointers, expr, *container).filter(|_| is_length);
            }
            _ => return None,
        })
    }
}

impl Loaded {
    fn of(pointers: &Pointers, member: &Expr, ctype: CType) -> Option<Self> {
        let mut place = Builder::new(pointers);
        let lvalue = place.lvalue(member).filter(|_| !member.ctype.volatile)?;
        let Builder { mut loads, reads, .. } = place;
        loads.push(pointers.address(member));
        Some(Self { lvalue, ctype, loads, reads })
    }
}

impl Lvalue {
    /// Returns a member of what an argument is, points to, or is bound to by a reference, with the memory and the
    /// variables that are read to find it. Each member has its name, and whether an arrow leads to it.
    pub fn member_of(
        pointers: &Pointers,
        argument: &Expr,
        is_bound: bool,
        members: &[(bool, &str)],
    ) -> Option<(Self, Vec<Node>, BTreeSet<VariableId>)> {
        let tree = pointers.tree();
        let mut place = Builder::new(pointers);
        let mut argument = argument.without_casts();
        if let ExprKind::AddressOf(operand) = &argument.kind {
            argument = operand;
        }
        let mut lvalue = match argument.ctype.is_pointer_like() {
            true => place.pointer(argument).filter(|(_, offset)| offset.is_none())?.0,
            false => place.lvalue(argument)?,
        };
        let is_object = !argument.ctype.is_pointer_like();
        for (number, (arrow, name)) in members.iter().enumerate() {
            if tree.macros.contains(*name) {
                return None;
            }
            // A pointer to an object, and an object to which a reference is bound, stand in the text as they are.
            let arrow = if number == 0 && (is_bound || *arrow) { !is_object } else { *arrow };
            let step = if arrow { Step::Arrow } else { Step::Field };
            lvalue.steps.push(step((*name).to_owned()));
        }
        Some((lvalue, place.loads, place.reads))
    }
}

/// Makes lvalues of expressions, and notes what is read to find them.
pub struct Builder<'a, 't> {
    pointers: &'a Pointers<'t>,
    tree: &'a Tree,
    pub loads: Vec<Node>,
    pub reads: BTreeSet<VariableId>,
    pub follows: bool,
}

impl<'a, 't> Builder<'a, 't> {
    pub fn new(pointers: &'a Pointers<'t>) -> Self {
        let (loads, reads) = (Vec::new(), BTreeSet::new());
        Self { pointers, tree: pointers.tree(), loads, reads, follows: false }
    }

    pub fn term(&mut self, expr: &Expr) -> Option<Term> {
        let term = Term::of(self.pointers, expr)?;
        self.note(&term);
        Some(term)
    }

    /// Notes what is read to compute a number.
    fn note(&mut self, term: &Term) {
        term.add_variables(&mut self.reads);
        term.add_loads(&mut self.loads);
        self.follows |= term.follows(self.tree);
    }

    pub fn lvalue(&mut self, expr: &Expr) -> Option<Lvalue> {
        match &expr.kind {
            ExprKind::Variable(id) => {
                if let Some(element) = element_of_range(self.tree, *id) {
                    return self.lvalue(element);
                }
                let is_nameable = is_nameable(self.tree, *id) && !self.tree.variable(*id).register;
                is_nameable.then(|| Lvalue { root: *id, steps: Vec::new(), loaded: 0 })
            }
            ExprKind::Subscript { base, index } => {
                let index = self.term(index)?;
                let (mut lvalue, offset) = self.pointer(base)?;
                let index = match offset {
                    Some(offset) if matches!(index, Term::Integer(0, _)) => offset,
                    Some(offset) => in_long(BinaryOp::Add, offset, index),
                    None => index,
                };
                lvalue.steps.push(Step::Index(index));
                Some(lvalue)
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Element(container), plain), .. } => {
                let mut lvalue = self.elements(expr, *container)?;
                let index = match (&**plain, arguments_of(expr)) {
                    (Unnamed::Operator(_), [index]) => without_conversion(self.term(index)?),
                    (Unnamed::MemberCall(name), [index]) if name == "at" => {
                        without_conversion(self.term(index)?)
                    }
                    (Unnamed::MemberCall(name), []) if name == "front" => Term::Integer(0, CType::Int),
                    (Unnamed::MemberCall(name), []) if name == "back" => {
                        self.length(expr, *container)?.minus_one()
                    }
                    _ => return None,
                };
                lvalue.steps.push(Step::Index(index));
                Some(lvalue)
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Member(..), _), .. } => {
                self.own_element(expr)
            }
            ExprKind::Member { base, field, .. } if !self.tree.macros.contains(field) => {
                let mut lvalue = match matches!(base.ctype.kind, TypeKind::Pointer { .. }) {
                    true => self.pointer(base).filter(|(_, offset)| offset.is_none())?.0,
                    false => self.lvalue(base)?,
                };
                let is_arrow = matches!(base.ctype.kind, TypeKind::Pointer { .. });
                let step = if is_arrow { Step::Arrow } else { Step::Field };
                lvalue.steps.push(step(field.clone()));
                Some(lvalue)
            }
            _ => None,
        }
    }

    /// `u[i]`, where the class of `u` has an `operator[]` that gives the element `i` of one of its members: the text
    /// names it as the source does, since the member may be private.
    fn own_element(&mut self, call: &Expr) -> Option<Lvalue> {
        let (object, [index]) = (without_address(object_of(call)?), arguments_of(call)) else { return None };
        let elements = elements_of_own(self.tree, call)?;
        let index = without_conversion(self.term(index)?);
        let mut lvalue = self.lvalue(object)?;
        if !is_array_type(&elements.ctype) {
            self.follows |= lvalue.loaded > 0 || !lvalue.is_in_variable(self.tree);
            self.loads.push(self.pointers.address(elements));
            self.reads.insert(lvalue.root);
            lvalue.loaded = lvalue.steps.len();
        }
        lvalue.steps.push(Step::Index(index));
        Some(lvalue)
    }

    /// The elements of the container before a member function or operator.
    fn elements(&mut self, call: &Expr, container: Container) -> Option<Lvalue> {
        match container {
            Container::Vector => self.elements_of(object_of(call)?),
            Container::Array(_) => {
                let object = object_of(call)?;
                let object = if let ExprKind::AddressOf(operand) = &object.kind { operand } else { object };
                let mut lvalue = self.lvalue(object)?;
                lvalue.steps.push(Step::Data);
                Some(lvalue)
            }
        }
    }

    /// The elements of a vector, whose address is read from it.
    pub fn elements_of(&mut self, vector: &Expr) -> Option<Lvalue> {
        let vector = without_address(vector);
        let mut lvalue = self.vector(vector)?;
        match vector.as_variable() {
            Some(root) => {
                self.reads.insert(root);
            }
            None => {
                self.follows |= lvalue.loaded > 0 || !lvalue.is_in_variable(self.tree);
                self.loads.push(self.pointers.address(vector));
            }
        }
        lvalue.steps.push(Step::Data);
        lvalue.loaded = lvalue.steps.len();
        Some(lvalue)
    }

    /// A vector that is a variable or a member, if the text can name it.
    pub fn vector(&mut self, vector: &Expr) -> Option<Lvalue> {
        match vector.as_variable() {
            Some(_) => Some(Lvalue { root: named_vector(self.tree, vector)?, steps: Vec::new(), loaded: 0 }),
            None if is_vector(self.tree, vector) => self.lvalue(vector),
            None => None,
        }
    }

    /// The number of elements of the container before a member function or operator.
    fn length(&mut self, call: &Expr, container: Container) -> Option<Term> {
        let length = length(self.pointers, call, container)?;
        self.note(&length);
        Some(length)
    }

    /// An array, a pointer or an iterator, with what is added to it.
    pub fn iterator(&mut self, expr: &Expr) -> Option<(Lvalue, Option<Term>)> {
        match (&expr.kind, understood(expr)) {
            (ExprKind::AddressOf(operand), _) if is_other(operand) => self.iterator(operand),
            (ExprKind::Cast { operand, .. }, _) if is_other(operand) => self.iterator(operand),
            (ExprKind::Other { what, .. }, Some((Understood::Data(container), _))) => {
                let Unnamed::MemberCall(name) = what.plain() else { return None };
                let is_end = name.ends_with("end");
                let lvalue = self.elements(expr, *container)?;
                let length = if is_end { Some(self.length(expr, *container)?) } else { None };
                Some((lvalue, length))
            }
            (ExprKind::Other { what, .. }, Some((Understood::Iterator { changes: false }, _))) => {
                let operands: Vec<&Expr> = operands_of(expr).collect();
                match (what.plain(), &operands[..]) {
                    (Unnamed::Operator(name), [iterator, offset])
                        if ["operator+", "operator-"].contains(&name.as_str()) =>
                    {
                        let operator = if name == "operator+" { BinaryOp::Add } else { BinaryOp::Sub };
                        let (lvalue, inner) = self.iterator(iterator)?;
                        let inner = inner.unwrap_or(Term::Integer(0, CType::Int));
                        let offset = without_conversion(self.term(offset)?);
                        Some((lvalue, Some(Term::binary(operator, inner, offset))))
                    }
                    (Unnamed::Other(_), [inner]) => self.iterator(inner),
                    _ => None,
                }
            }
            _ => self.pointer(expr.without_casts()),
        }
    }

    /// An array or a pointer, with what is added to it.
    pub fn pointer(&mut self, expr: &Expr) -> Option<(Lvalue, Option<Term>)> {
        match &expr.kind {
            ExprKind::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                if is_of_void(expr) {
                    return None;
                }
                let (pointer, offset) = match (left.ctype.is_pointer_like(), right.ctype.is_pointer_like()) {
                    (true, false) => (left, right),
                    (false, true) if *operator == BinaryOp::Add => (right, left),
                    _ => return None,
                };
                let offset = self.term(offset)?;
                let (lvalue, inner) = self.pointer(pointer)?;
                let all = match (inner, operator) {
                    (None, BinaryOp::Add) => offset,
                    (None, _) => in_long(*operator, Term::Integer(0, CType::Long), offset),
                    (Some(inner), _) => in_long(*operator, inner, offset),
                };
                Some((lvalue, Some(all)))
            }
            ExprKind::AddressOf(operand) => {
                let mut lvalue = self.lvalue(operand)?;
                match lvalue.steps.pop() {
                    Some(Step::Index(index)) => Some((lvalue, Some(index))),
                    _ => None,
                }
            }
            _ if !expr.ctype.is_pointer_like() => None,
            ExprKind::Other { what: Unnamed::Understood(Understood::Data(container), _), .. } => {
                Some((self.elements(expr, *container)?, None))
            }
            _ => {
                let mut lvalue = self.lvalue(expr)?;
                if !is_array_object(self.tree, expr) {
                    let is_there = lvalue.loaded == 0;
                    lvalue.loaded = lvalue.steps.len();
                    match expr.as_variable() {
                        Some(id) => {
                            self.reads.insert(id);
                        }
                        None => {
                            self.follows |= !(is_there && lvalue.is_in_variable(self.tree));
                            self.loads.push(self.pointers.address(expr));
                        }
                    }
                }
                Some((lvalue, None))
            }
        }
    }
}

/// Returns the range in which the element that an lvalue denotes was found: `*std::max_element(first, last)`.
pub fn range_of_found<'t>(tree: &Tree, lvalue: &'t Expr) -> Option<[&'t Expr; 2]> {
    let mut found = match &lvalue.kind {
        ExprKind::Subscript { base, index } if matches!(index.kind, ExprKind::Integer(0)) => &**base,
        ExprKind::Other { what: Unnamed::Understood(Understood::Pointed, plain), .. } => {
            let is_star = matches!(&**plain, Unnamed::Operator(name) if name == "operator*");
            operands_of(lvalue).next().filter(|_| is_star)?
        }
        _ => return None,
    };
    while let ExprKind::Cast { operand, .. } = &found.kind {
        found = operand;
    }
    let ExprKind::Call { callee: Some(callee), arguments } = &found.kind else { return None };
    let is_finding = library::known(tree, callee, arguments)?.finds;
    match &arguments[..] {
        [first, last, ..] if is_finding => Some([first, last]),
        _ => None,
    }
}

/// Returns the subscript of a vector as it was before its conversion to the type of lengths: none that is negative has
/// an element.
fn without_conversion(index: Term) -> Term {
    match index {
        Term::Cast(CType::ULong, inner) if inner.ctype().is_integer() => *inner,
        index => index,
    }
}

/// Returns the number of elements of the container before a member function or operator.
fn length(pointers: &Pointers, call: &Expr, container: Container) -> Option<Term> {
    let vector = match container {
        Container::Vector => without_address(object_of(call)?),
        Container::Array(length) => return Some(Term::Integer(i128::from(length), CType::ULong)),
    };
    length_of(pointers, vector)
}

/// Returns the number of elements of a vector.
pub fn length_of(pointers: &Pointers, vector: &Expr) -> Option<Term> {
    if vector.as_variable().is_some() {
        return Some(Term::Variable(named_vector(pointers.tree(), vector)?, CType::ULong));
    }
    let mut place = Builder::new(pointers);
    let mut lvalue = place.vector(vector)?;
    lvalue.steps.push(Step::Size);
    let Builder { mut loads, reads, .. } = place;
    loads.push(pointers.address(vector));
    Some(Term::Member(Box::new(Loaded { lvalue, ctype: CType::ULong, loads, reads })))
}

/// Returns the variable that a vector is, or that refers to it, if its name can stand in the text.
fn named_vector(tree: &Tree, vector: &Expr) -> Option<VariableId> {
    let id = vector.as_variable()?;
    let variable = tree.variable(id);
    let is_nameable = variable.attribute.is_none() && !tree.macros.contains(&variable.name);
    (is_nameable && variable.class == Some(Class::Vector)).then_some(id)
}

/// Returns the element that a variable refers to in a loop over a range.
fn element_of_range(tree: &Tree, id: VariableId) -> Option<&Expr> {
    let variable = tree.variable(id);
    let ExprKind::AddressOf(element) = &variable.initial.as_ref().filter(|_| variable.reference)?.kind else {
        return None;
    };
    let index = match &element.kind {
        ExprKind::Subscript { index, .. } => index,
        ExprKind::Other { parts, .. } => parts.last()?,
        _ => return None,
    };
    index.as_variable().filter(|counter| tree.variable(*counter).name.is_empty())?;
    Some(element)
}

/// True for a pointer to `void`, which GNU C can add numbers to, but which has no elements.
fn is_of_void(pointer: &Expr) -> bool {
    let TypeKind::Pointer { target, .. } = &pointer.ctype.kind else { return false };
    matches!(&target.kind, TypeKind::Other(name) if name == "void")
}

/// True for an integer variable whose name in C text is that of the variable, and whose value stays until the program
/// changes it.
fn is_readable(tree: &Tree, id: VariableId) -> bool {
    !tree.variable(id).reference && is_nameable(tree, id)
}

/// True for a variable whose name in C text is that of the variable, or of what it refers to.
fn is_nameable(tree: &Tree, id: VariableId) -> bool {
    let variable = tree.variable(id);
    let is_plain = variable.attribute.is_none() && !variable.ctype.volatile;
    // Elsewhere, the name alone may stand for another variable.
    let is_qualified = || tree.qualified.iter().any(|mention| mention.variable == id);
    is_plain && variable.member.is_none() && !tree.macros.contains(&variable.name) && !is_qualified()
}

/// True for a variable that only its own function can name.
pub fn is_local(tree: &Tree, id: VariableId) -> bool {
    tree.variable(id).lifetime != Lifetime::Static
}
