//! The memory that a pointer points to, as far as the code before a region shows it.
//!
//! The memory counts only if the pointer points to no other memory until the region ends, if the pointer is set
//! before the region in a block around it, and if nothing frees the memory in between (`freed`).

use scop::{BinaryOp, SourceRange};

use crate::around::freed;
use crate::around::outside;
use crate::c::ctree::{
    Expr, ExprKind, Length, Lifetime, Stmt, StmtKind, Type, TypeKind, Unnamed, Unsupported, VariableId,
};
use crate::c::library;
use crate::regions::facts::RegionFacts;

/// The memory that a pointer points to.
pub enum Memory<'t> {
    /// Allocated memory; the product of these factors is its size in bytes.
    Bytes(&'t [Expr]),
    /// Allocated memory; the product of these factors is its size in elements.
    Elements(&'t [Expr]),
    /// A declared array with this number of elements.
    Array(u64),
}

impl<'t> Memory<'t> {
    /// Returns the expressions whose product is its size; none for a declared array.
    pub fn lengths(self) -> &'t [Expr] {
        match self {
            Self::Bytes(factors) | Self::Elements(factors) => factors,
            Self::Array(_) => &[],
        }
    }
}

/// Returns the memory that a variable points to or, for a member of an array of structures, the memory of that array.
pub fn allocation<'t>(facts: &RegionFacts<'t>, id: VariableId) -> Option<Memory<'t>> {
    let owner = match &facts.tree.variable(id).member {
        Some(member) if member.structures > 0 => member.of,
        _ => id,
    };
    let is_owner = facts
        .tree
        .variable(id)
        .member
        .as_ref()
        .is_none_or(|member| member.base == facts.tree.variable(owner).name);
    only_memory(facts, owner).filter(|_| is_owner)
}

/// Returns the memory that a pointer points to, if it stays the same until the region has ended.
fn only_memory<'t>(facts: &RegionFacts<'t>, id: VariableId) -> Option<Memory<'t>> {
    let variable = facts.tree.variable(id);
    let is_own = variable.lifetime != Lifetime::Static && variable.member.is_none();
    let is_pointer = matches!(variable.ctype.kind, TypeKind::Pointer { .. });
    if !is_own || !is_pointer || facts.in_function.address_taken.contains(&id) {
        return None;
    }
    let writes = writes_before(facts, id);
    let value = match (&variable.initial, &writes[..]) {
        (Some(initial), []) => initial,
        (_, [write]) if !may_be_jumped_over(facts, **write) => {
            assigned(facts, &facts.function.body, **write)?
        }
        _ => return None,
    };
    let memory = memory(facts, &variable.ctype, value.without_casts())?;
    let is_kept = matches!(memory, Memory::Array(_)) || !freed::may_be_freed(facts, id);
    is_kept.then_some(memory)
}

/// True if a parameter that is declared as an array may be changed before the region. Such a parameter is a pointer,
/// and after the change its declaration says nothing about where it points.
pub fn may_be_moved(facts: &RegionFacts, id: VariableId) -> bool {
    let variable = facts.tree.variable(id);
    variable.lifetime == Lifetime::Parameter
        && !variable.reference
        && (facts.in_function.address_taken.contains(&id) || !writes_before(facts, id).is_empty())
}

/// Returns the writes of a variable that may give it the value that it has when the region begins.
fn writes_before<'t>(facts: &'t RegionFacts, id: VariableId) -> Vec<&'t SourceRange> {
    let is_before = outside::may_be_before(facts);
    let writes = facts.in_function.writes.get(&id).into_iter().flatten();
    writes.filter(|write| is_before(**write)).collect()
}

/// Returns the memory that a pointer of type `pointer` points to if it has this value.
fn memory<'t>(facts: &RegionFacts<'t>, pointer: &Type, value: &'t Expr) -> Option<Memory<'t>> {
    match &value.kind {
        ExprKind::Call { callee: Some(callee), arguments } if !callee.of_user => {
            match (callee.name.as_str(), arguments.len()) {
                ("aligned_alloc", 2) => Some(Memory::Bytes(&arguments[1..])),
                (name, _) if library::ALLOCATING.contains(&name) => Some(Memory::Bytes(arguments)),
                _ => None,
            }
        }
        ExprKind::Other { what: Unnamed::NewArray, parts } => {
            target(pointer)?.arithmetic().map(|_| Memory::Elements(&parts[..parts.len().min(1)]))
        }
        ExprKind::Variable(id) => {
            let variable = facts.tree.variable(*id);
            let TypeKind::Array { element, length: Length::Constant(length), .. } = &variable.ctype.kind
            else {
                return None;
            };
            let is_array = variable.lifetime != Lifetime::Parameter && !variable.reference;
            let same =
                element.arithmetic().is_some() && element.arithmetic() == target(pointer)?.arithmetic();
            (is_array && same).then_some(Memory::Array(*length))
        }
        _ => None,
    }
}

fn target(pointer: &Type) -> Option<&Type> {
    match &pointer.kind {
        TypeKind::Pointer { target, .. } => Some(target),
        _ => None,
    }
}

/// Returns the value of an assignment, if the assignment is a statement before the region in a block around it.
fn assigned<'t>(facts: &RegionFacts<'t>, block: &'t Stmt, write: SourceRange) -> Option<&'t Expr> {
    let region = facts.region.range;
    let StmtKind::Compound(parts) = &block.kind else {
        if let StmtKind::If { condition, .. } = &block.kind
            && let Some(value) = assigned_within(condition, write)
        {
            return Some(value);
        }
        let mut around = block.parts().into_iter();
        let around = around.find(|part| part.range.start <= region.start && region.end <= part.range.end)?;
        return assigned(facts, around, write);
    };
    for part in parts.iter().take_while(|part| part.range.start < region.start) {
        match &part.kind {
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign { operator: None, value, .. },
                range,
                ..
            }) if *range == write => {
                return Some(value);
            }
            StmtKind::If { condition, .. } if assigned_within(condition, write).is_some() => {
                return assigned_within(condition, write);
            }
            _ if region.end <= part.range.end => return assigned(facts, part, write),
            _ => {}
        }
    }
    None
}

/// Returns the value of an assignment in a condition, if it is always evaluated: `if ((p = malloc(n)) == NULL)`.
fn assigned_within(condition: &Expr, write: SourceRange) -> Option<&Expr> {
    match &condition.kind {
        ExprKind::Assign { operator: None, value, .. } if condition.range == write => Some(value),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => assigned_within(first, write),
        ExprKind::Conditional { condition, .. } => assigned_within(condition, write),
        ExprKind::Other { .. } => None,
        _ => condition.parts().into_iter().find_map(|part| assigned_within(part, write)),
    }
}

/// True if there is a label between an assignment and the region, or a `case` of a `switch` around both: control may
/// then reach the region without the assignment.
fn may_be_jumped_over(facts: &RegionFacts, write: SourceRange) -> bool {
    let region = facts.region.range;
    let is_between = |stmt: &Stmt| write.start < stmt.range.start && stmt.range.start <= region.start;
    let mut passed = false;
    facts.function.body.walk(&mut |stmt| {
        let is_target = match &stmt.kind {
            StmtKind::Other { what: Unsupported::Label(_), .. } => true,
            StmtKind::Other { what: Unsupported::Case, .. } => {
                !is_in_switch_after(&facts.function.body, stmt, write)
            }
            _ => false,
        };
        passed |= is_target && is_between(stmt);
    });
    passed
}

/// True if the innermost `switch` around a `case` begins after an assignment.
fn is_in_switch_after(body: &Stmt, case: &Stmt, write: SourceRange) -> bool {
    let mut innermost = None;
    body.walk(&mut |stmt| {
        let is_switch = matches!(stmt.kind, StmtKind::Other { what: Unsupported::Switch, .. });
        if is_switch && stmt.range.start <= case.range.start && case.range.end <= stmt.range.end {
            innermost = Some(stmt.range);
        }
    });
    innermost.is_some_and(|switch| write.start < switch.start)
}
