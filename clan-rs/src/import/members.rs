//! Members of structures as variables of their own.
//!
//! *before → after*: every `s.x`, `q->x` and `p[i].pos.x` refers to a variable that stands for the member: `s.x` and
//! `q->x` for one object, `p[].pos.x` for an array with the dimensions of p. What holds for variables then holds for
//! members: integers that do not change are parameters, pointers and arrays in structures are arrays.
//!
//! A pointer that is used with subscripts somewhere in the file leads to an array of structures, and `p->x` is
//! `p[0].x`.

use std::collections::{BTreeSet, HashMap};

use scop::BinaryOp;

use crate::c::ctree::{
    Expr, ExprKind, Length, Lifetime, Member, Stmt, StmtKind, Tree, Type, TypeKind, Variable, VariableId,
};

/// Finds the variables of all members in a file.
pub fn resolve(tree: &mut Tree) {
    let mut members = Members { known: HashMap::new(), indexed: BTreeSet::new() };
    members.note_all(tree);
    let mut functions = std::mem::take(&mut tree.functions);
    for function in &mut functions {
        members.stmt(tree, &mut function.body);
    }
    tree.functions = functions;
    for number in 0..tree.variables.len() {
        let mut lengths = std::mem::take(&mut tree.variables[number].lengths);
        let mut initial = tree.variables[number].initial.take();
        for expr in lengths.iter_mut().flatten().chain(&mut initial) {
            members.expr(tree, expr);
        }
        tree.variables[number].lengths = lengths;
        tree.variables[number].initial = initial;
    }
}

struct Members {
    known: HashMap<(VariableId, String), VariableId>,
    /// What is used with a subscript other than 0 before a member, as in `p[i].x`.
    indexed: BTreeSet<String>,
}

/// The structure that a member belongs to.
struct Owner {
    variable: VariableId,
    /// How C and messages refer to it, up to the member: `.`, `->`, `[0].`, after the variable, and `p[].`.
    text: String,
    name: String,
    member: Member,
    ctype: Type,
    lifetime: Lifetime,
    lengths: Vec<Option<Expr>>,
}

impl Members {
    fn note_all(&mut self, tree: &Tree) {
        for function in &tree.functions {
            function.body.walk_expressions(tree, &mut |expr| self.note(expr));
        }
    }

    fn note(&mut self, expr: &Expr) {
        let ExprKind::Member { base, .. } = &expr.kind else { return };
        let ExprKind::Subscript { base: pointer, index } = &base.kind else { return };
        let (pointer, moved) = without_offsets(pointer);
        if moved || !matches!(index.kind, ExprKind::Integer(0)) {
            self.indexed.extend(path(pointer));
        }
    }

    fn stmt(&mut self, tree: &mut Tree, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Compound(parts) | StmtKind::Other { parts, .. } => {
                parts.iter_mut().for_each(|part| self.stmt(tree, part));
            }
            StmtKind::For { init, condition, step, body } => {
                self.stmt(tree, init);
                self.expr(tree, condition);
                self.expr(tree, step);
                self.stmt(tree, body);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(tree, condition);
                self.stmt(tree, then);
                if let Some(otherwise) = otherwise {
                    self.stmt(tree, otherwise);
                }
            }
            StmtKind::While { condition, body, .. } => {
                self.expr(tree, condition);
                self.stmt(tree, body);
            }
            StmtKind::Expression(expr) | StmtKind::Return(Some(expr)) => self.expr(tree, expr),
            StmtKind::Return(None) | StmtKind::Declaration(_) | StmtKind::Empty => {}
        }
    }

    fn expr(&mut self, tree: &mut Tree, expr: &mut Expr) {
        for part in expr.parts_mut() {
            self.expr(tree, part);
        }
        let ctype = expr.ctype.clone();
        let ExprKind::Member { base, field, size, variable } = &mut expr.kind else { return };
        let Some(owner) = self.owner(tree, base, *size) else { return };
        if owner.member.structures == 0
            && let ExprKind::Subscript { base: pointer, .. } = &base.kind
        {
            *base = pointer.clone();
        }
        *variable = Some(self.variable(tree, owner, field, &ctype));
    }

    /// The structure that an expression denotes, whose size is `size`.
    fn owner(&self, tree: &Tree, base: &Expr, size: u32) -> Option<Owner> {
        if let Some(id) = variable_of(base) {
            return Some(direct(tree, id));
        }
        let ExprKind::Subscript { .. } = &base.kind else { return None };
        let (array, subscripts) = peel(base);
        let id = variable_of(array)?;
        let variable = tree.variable(id);
        if variable.member.as_ref().is_some_and(|member| member.structures > 0)
            || subscripts != rank(&variable.ctype)
        {
            return None;
        }
        let is_pointer = matches!(variable.ctype.kind, TypeKind::Pointer { .. });
        if is_pointer && subscripts == 1 && !path(array).is_some_and(|path| self.indexed.contains(&path)) {
            return Some(pointed_to(tree, id));
        }
        Some(element(tree, id, subscripts, size))
    }

    fn variable(&mut self, tree: &mut Tree, owner: Owner, field: &str, ctype: &Type) -> VariableId {
        let key = (owner.variable, format!("{}{field}", owner.name));
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = VariableId(tree.variables.len());
        let root = tree.variable(owner.variable);
        let structures = owner.member.structures;
        let mut lengths = owner.lengths;
        lengths.extend(std::iter::repeat_n(None, rank(ctype)));
        let (declared_at, attribute, external) = (root.declared_at, root.attribute.clone(), root.external);
        tree.variables.push(Variable {
            name: key.1.clone(),
            ctype: if structures > 0 { with_leaf(&owner.ctype, structures, ctype) } else { ctype.clone() },
            lifetime: owner.lifetime,
            lengths,
            initial: None,
            constant: None,
            declared_at,
            attribute,
            reference: false,
            register: false,
            external,
            leaves_pointer: false,
            class: None,
            enumeration: false,
            member: Some(Member { suffix: format!("{}{field}", owner.text), ..owner.member }),
        });
        self.known.insert(key, id);
        id
    }
}

/// A structure that is a variable, or a member itself: `s.`
fn direct(tree: &Tree, id: VariableId) -> Owner {
    let variable = tree.variable(id);
    let of_variable = || Member { pointer: variable.reference, ..Member::of(id) };
    let member = variable.member.clone().unwrap_or_else(of_variable);
    // A structure that is passed is a copy.
    let is_copy = variable.lifetime == Lifetime::Parameter && member.structures == 0;
    Owner {
        variable: member.of,
        text: format!("{}.", variable.suffix()),
        name: format!("{}.", variable.name),
        ctype: variable.ctype.clone(),
        lifetime: if is_copy { Lifetime::Automatic } else { variable.lifetime },
        lengths: variable.lengths.clone(),
        member,
    }
}

/// The one structure that a pointer leads to: `q->`
fn pointed_to(tree: &Tree, id: VariableId) -> Owner {
    let variable = tree.variable(id);
    let restrict = matches!(variable.ctype.kind, TypeKind::Pointer { restrict: true, .. });
    let root = variable.member.as_ref().map_or(id, |member| member.of);
    Owner {
        variable: root,
        text: format!("{}->", variable.suffix()),
        name: format!("{}->", variable.name),
        member: Member { pointer: true, restrict, through: Some(id), ..Member::of(root) },
        ctype: variable.ctype.clone(),
        lifetime: Lifetime::Static,
        lengths: Vec::new(),
    }
}

/// An element of an array of structures: `p[0].`
fn element(tree: &Tree, id: VariableId, subscripts: usize, size: u32) -> Owner {
    let variable = tree.variable(id);
    let of_variable = || Member { pointer: variable.reference, ..Member::of(id) };
    let outer = variable.member.clone().unwrap_or_else(of_variable);
    let base = variable.suffix().to_owned();
    let member = Member { structures: subscripts as u32, base, stride: size, ..outer };
    let lengths = variable.lengths.clone();
    Owner {
        variable: member.of,
        text: format!("{}{}.", variable.suffix(), "[0]".repeat(subscripts)),
        name: format!("{}{}.", variable.name, "[]".repeat(subscripts)),
        member,
        ctype: variable.ctype.clone(),
        lifetime: variable.lifetime,
        lengths,
    }
}

fn variable_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Variable(id) => Some(*id),
        ExprKind::Member { variable, .. } => *variable,
        _ => None,
    }
}

/// An array or pointer and the number of subscripts after it.
fn peel(expr: &Expr) -> (&Expr, usize) {
    match &expr.kind {
        ExprKind::Subscript { base, .. } => {
            let (array, inner) = peel(without_offsets(base).0);
            (array, inner + 1)
        }
        _ => (expr, 0),
    }
}

/// `p + i` is p, and true.
fn without_offsets(expr: &Expr) -> (&Expr, bool) {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            let pointer = if left.ctype.is_pointer_like() { left } else { right };
            (without_offsets(pointer).0, true)
        }
        _ => (expr, false),
    }
}

/// What tells variables and members of them apart, whatever the subscripts.
fn path(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Variable(id) => Some(format!("#{}", id.0)),
        ExprKind::Member { base, field, .. } => Some(format!("{}.{field}", path(base)?)),
        ExprKind::Subscript { base, .. } => path(without_offsets(base).0),
        _ => None,
    }
}

/// The number of subscripts that lead to what is neither array nor pointer, but for pointers to pointers.
fn rank(ctype: &Type) -> usize {
    match &ctype.kind {
        TypeKind::Array { element, .. } => 1 + rank(element),
        TypeKind::Pointer { target, .. } => 1 + rank(target),
        TypeKind::Arithmetic(_) | TypeKind::Other(_) => 0,
    }
}

/// A type whose first `levels` levels are those of an array of structures, and the others those of a member.
fn with_leaf(ctype: &Type, levels: u32, leaf: &Type) -> Type {
    if levels == 0 {
        return leaf.clone();
    }
    let kind = match &ctype.kind {
        TypeKind::Array { element, length, restrict } => TypeKind::Array {
            element: Box::new(with_leaf(element, levels - 1, leaf)),
            length: *length,
            restrict: *restrict,
        },
        TypeKind::Pointer { target, restrict } => {
            TypeKind::Pointer { target: Box::new(with_leaf(target, levels - 1, leaf)), restrict: *restrict }
        }
        _ => TypeKind::Array { element: Box::new(leaf.clone()), length: Length::Incomplete, restrict: false },
    };
    Type { kind, ..ctype.clone() }
}
