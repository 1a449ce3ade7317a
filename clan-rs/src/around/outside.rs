//! How the code around a region uses the variables of the region.
//!
//! The region is replaced as a whole, so nothing that it declares may be used outside it.

use scop::SourceRange;

use crate::c::assignments::effects;
use crate::c::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, Tree, Unsupported, VariableId};
use crate::errors::{DECLARATION, Fault, Faults};
use crate::regions::facts::RegionFacts;

/// Refuses regions whose declarations are used outside.
pub fn check_declarations(facts: &RegionFacts, faults: &mut Faults) {
    for &id in &facts.in_region.declared {
        let Some(place) = facts.first_use_outside(id) else { continue };
        let name = facts.name(id);
        let message = format!("`{name}` is declared in the region and used outside of it");
        let label = match facts.tree.variable(id).declared_at {
            Some(range) => format!("`{name}` is declared on line {}", range.line),
            None => "it does not exist here".to_owned(),
        };
        let fault = Fault::new(DECLARATION, message, place, label);
        faults.push(fault.with_help(format!("declare `{name}` before the region")));
    }
}

/// True if the value that an iterator has after the region may be read.
pub fn outlives_region(facts: &RegionFacts, id: VariableId) -> bool {
    if facts.in_region.declared.contains(&id) {
        return false;
    }
    // When the region runs again, it reads the value that its previous run left.
    let looks_inside = facts.entered.contains(&id);
    let repeated = is_repeated(facts);
    facts.is_reachable(id) || search(facts, id, repeated, repeated && looks_inside).is_some()
}

/// True if a variable may be read with the value that the region gave it: by code after the region, or by the region
/// itself when it runs again.
pub fn may_be_read_after(facts: &RegionFacts, id: VariableId) -> bool {
    let repeated = is_repeated(facts);
    search(facts, id, repeated, repeated).is_some()
}

/// Returns the first place that may read a variable with its value from the region. Every use after the region
/// counts, or every use in the function if a loop leads back to the region, except uses in `for` loops that set the
/// variable first.
fn search(facts: &RegionFacts, id: VariableId, repeated: bool, looks_inside: bool) -> Option<SourceRange> {
    let mut search = Search {
        tree: facts.tree,
        region: facts.region.range,
        variable: id,
        repeated,
        looks_inside,
        found: None,
    };
    search.statement(&facts.function.body);
    search.found.or_else(|| hidden(facts, id, repeated, looks_inside))
}

/// Returns the first mention of a variable that is not in the syntax tree and may read its value from the region.
fn hidden(facts: &RegionFacts, id: VariableId, repeated: bool, looks_inside: bool) -> Option<SourceRange> {
    let region = facts.region.range;
    let name = &facts.tree.variable(id).name;
    facts.tree.hidden.of_variable(id, name).find_map(|place| {
        let Some(range) = place else { return Some(region) };
        let is_inside = region.start <= range.start && range.end <= region.end;
        let may_read = if is_inside { looks_inside } else { repeated || range.start >= region.end };
        may_read.then_some(range)
    })
}

/// True for a variable of the function that is used only in `for` loops that begin by setting it: no code reads the
/// value that such a loop leaves in it.
pub fn is_counter(facts: &RegionFacts, id: VariableId) -> bool {
    let variable = facts.tree.variable(id);
    let own = variable.lifetime != Lifetime::Static && variable.arithmetic().is_some();
    own && !variable.ctype.volatile
        && !facts.in_function.address_taken.contains(&id)
        && search(facts, id, true, true).is_none()
}

/// True if the region is in a loop, or if labels or calls that return again may form one.
pub fn is_repeated(facts: &RegionFacts) -> bool {
    repeated(facts).is_some()
}

/// Functions of C libraries that return again when other code jumps back to the place of their call. gcc knows most of
/// them by their names, with up to two underscores before them.
const RETURNING_AGAIN: [&str; 6] = ["getcontext", "savectx", "setjmp", "sigsetjmp", "swapcontext", "vfork"];

/// True for a call that may return more than once, so that what follows it runs again. An attribute may say so
/// (`returns_twice`), or that the function is another one (a label for the assembler).
pub fn may_return_again(expr: &Expr) -> bool {
    let ExprKind::Call { callee: Some(callee), .. } = &expr.kind else { return false };
    callee.attribute.is_some() || RETURNING_AGAIN.contains(&callee.name.trim_start_matches('_'))
}

/// Returns where code may run again before the region does: the outermost loop around the region or, if labels or calls
/// that return again may form loops, the whole function.
fn repeated(facts: &RegionFacts) -> Option<SourceRange> {
    let region = facts.region.range;
    let body = &facts.function.body;
    let (mut outermost, mut leads_back) = (None, false);
    body.walk(&mut |stmt| {
        let around = stmt.range.start < region.start && region.end <= stmt.range.end;
        match &stmt.kind {
            StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Other { what: Unsupported::Loop(_) | Unsupported::Range, .. }
                if around =>
            {
                outermost = outermost.or(Some(stmt.range));
            }
            StmtKind::Other { what: Unsupported::Label(_), .. } => leads_back = true,
            _ => {}
        }
    });
    body.walk_expressions(facts.tree, &mut |expr| leads_back |= may_return_again(expr));
    if leads_back { Some(body.range) } else { outermost }
}

/// Returns a predicate that checks whether the code at a place may run before the region, perhaps in an earlier
/// iteration of a loop around it.
pub fn may_be_before(facts: &RegionFacts) -> impl Fn(SourceRange) -> bool {
    let region = facts.region.range;
    let repeated = repeated(facts);
    let is_in = move |range: SourceRange, all: SourceRange| all.start <= range.start && range.start < all.end;
    move |range| range.start < region.start || repeated.is_some_and(|all| is_in(range, all))
}

/// True if a statement contains a label, or a `case` of a `switch` around the statement.
fn may_be_jumped_into(stmt: &Stmt) -> bool {
    fn has_target(stmt: &Stmt, in_switch: bool) -> bool {
        let in_switch = in_switch || matches!(stmt.kind, StmtKind::Other { what: Unsupported::Switch, .. });
        match stmt.kind {
            StmtKind::Other { what: Unsupported::Label(_), .. } => true,
            StmtKind::Other { what: Unsupported::Case, .. } if !in_switch => true,
            _ => stmt.parts().into_iter().any(|part| has_target(part, in_switch)),
        }
    }
    has_target(stmt, false)
}

struct Search<'t> {
    tree: &'t Tree,
    region: SourceRange,
    variable: VariableId,
    repeated: bool,
    /// True if uses in the region itself count.
    looks_inside: bool,
    found: Option<SourceRange>,
}

impl Search<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        let skipped = self.is_region(stmt.range) && !self.looks_inside;
        if self.found.is_some() || skipped || self.sets_first(stmt) {
            return;
        }
        for expr in stmt.expressions(self.tree) {
            self.expression(expr);
        }
        for part in stmt.parts() {
            self.statement(part);
        }
    }

    fn is_region(&self, range: SourceRange) -> bool {
        self.region.start <= range.start && range.end <= self.region.end
    }

    /// True for a `for` loop that begins by setting the variable to a value that does not depend on it, that is not
    /// around the region, and into which no jump leads.
    fn sets_first(&self, stmt: &Stmt) -> bool {
        let StmtKind::For { init, body, .. } = &stmt.kind else { return false };
        let StmtKind::Expression(expr) = &init.kind else { return false };
        let around = stmt.range.start < self.region.start && self.region.end <= stmt.range.end;
        !around && self.is_set_first(&effects(expr)) && !may_be_jumped_into(body)
    }

    /// True if the first of these expressions that mentions the variable assigns it a value that does not depend on
    /// it.
    fn is_set_first(&self, parts: &[&Expr]) -> bool {
        let first = parts.iter().find(|part| self.mentions(part));
        let Some(ExprKind::Assign { operator: None, target, value }) = first.map(|part| &part.kind) else {
            return false;
        };
        target.as_variable() == Some(self.variable) && !self.mentions(value)
    }

    fn mentions(&self, expr: &Expr) -> bool {
        let mut mentions = false;
        expr.walk(&mut |inner| mentions |= inner.as_variable() == Some(self.variable));
        mentions
    }

    fn expression(&mut self, expr: &Expr) {
        if let ExprKind::Assign { operator: None, target, value } = &expr.kind
            && target.as_variable() == Some(self.variable)
        {
            return self.expression(value);
        }
        let is_after = expr.range.start >= self.region.end || self.repeated;
        if expr.as_variable() == Some(self.variable) && is_after {
            self.found = self.found.or(Some(expr.range));
        }
        for part in expr.parts() {
            self.expression(part);
        }
    }
}
