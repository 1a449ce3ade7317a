//! What the code around a region may notice of its variables.
//!
//! The region is replaced as a whole. So nothing that it declares may be used behind it, and what it takes for
//! constant must be so even if pointers overlap.

use scop::{Array, CType, SourceRange};

use crate::c::ctree::{Expr, ExprKind, Lifetime, Stmt, StmtKind, Tree, TypeKind, Unsupported, VariableId};
use crate::control::runs::effects;
use crate::errors::{ALIAS, DECLARATION, Fault, Faults};
use crate::variables::environment::Environment;

/// Refuses regions whose declarations are used outside.
pub fn check_declarations(environment: &Environment, faults: &mut Faults) {
    for &id in &environment.in_region.declared {
        let Some(place) = environment.first_use_outside(id) else { continue };
        let name = environment.name(id);
        let message = format!("`{name}` is declared in the region and used outside of it");
        let label = match environment.tree.variable(id).declared_at {
            Some(range) => format!("`{name}` is declared on line {}", range.line),
            None => "it does not exist here".to_owned(),
        };
        let fault = Fault::new(DECLARATION, message, place, label);
        faults.push(fault.with_help(format!("declare `{name}` before the region")));
    }
}

/// True if the value of an iterator behind the region may be noticed.
pub fn outlives_region(environment: &Environment, id: VariableId) -> bool {
    if environment.in_region.declared.contains(&id) {
        return false;
    }
    // The next time, the region itself reads what it left.
    let looks_inside = environment.entered.contains(&id);
    let repeated = is_repeated(environment);
    environment.is_reachable(id) || search(environment, id, repeated, repeated && looks_inside).is_some()
}

/// True if a variable may be read with its value from the region: by code behind it, or by the region itself the next
/// time.
pub fn may_be_read_after(environment: &Environment, id: VariableId) -> bool {
    let repeated = is_repeated(environment);
    search(environment, id, repeated, repeated).is_some()
}

/// The first place that may read a variable with its value from the region: any use behind the region, or anywhere if
/// a loop leads back, but for those in `for` loops that set it first.
fn search(
    environment: &Environment,
    id: VariableId,
    repeated: bool,
    looks_inside: bool,
) -> Option<SourceRange> {
    let mut search = Search {
        tree: environment.tree,
        region: environment.region.range,
        variable: id,
        repeated,
        looks_inside,
        found: None,
    };
    search.statement(&environment.function.body);
    search.found.or_else(|| hidden(environment, id, repeated, looks_inside))
}

/// The first mention of a variable that the syntax tree does not have and that may read its value from the region.
fn hidden(
    environment: &Environment,
    id: VariableId,
    repeated: bool,
    looks_inside: bool,
) -> Option<SourceRange> {
    let region = environment.region.range;
    let name = &environment.tree.variable(id).name;
    environment.tree.hidden.of_variable(id, name).find_map(|place| {
        let Some(range) = place else { return Some(region) };
        let is_inside = region.start <= range.start && range.end <= region.end;
        let may_read = if is_inside { looks_inside } else { repeated || range.start >= region.end };
        may_read.then_some(range)
    })
}

/// True for a variable of the function that only serves `for` loops which begin by setting it: nobody sees the value
/// that such a loop leaves in it.
pub fn is_counter(environment: &Environment, id: VariableId) -> bool {
    let variable = environment.tree.variable(id);
    let own = variable.lifetime != Lifetime::Static && variable.arithmetic().is_some();
    own && !variable.ctype.volatile
        && !environment.in_function.address_taken.contains(&id)
        && search(environment, id, true, true).is_none()
}

/// True if the region is in a loop, or labels may make one.
pub fn is_repeated(environment: &Environment) -> bool {
    repeated(environment).is_some()
}

/// The code that may run once more before the region does: the outermost loop around it, or, if labels may make loops,
/// the whole function.
fn repeated(environment: &Environment) -> Option<SourceRange> {
    let region = environment.region.range;
    let body = &environment.function.body;
    let (mut outermost, mut has_labels) = (None, false);
    body.walk(&mut |stmt| {
        let around = stmt.range.start < region.start && region.end <= stmt.range.end;
        match &stmt.kind {
            StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Other { what: Unsupported::Loop(_), .. }
                if around =>
            {
                outermost = outermost.or(Some(stmt.range));
            }
            StmtKind::Other { what: Unsupported::Label, .. } => has_labels = true,
            _ => {}
        }
    });
    if has_labels { Some(body.range) } else { outermost }
}

/// Whether what stands at a place may run before the region, perhaps in an earlier iteration of a loop around it.
pub fn may_be_before(environment: &Environment) -> impl Fn(SourceRange) -> bool {
    let region = environment.region.range;
    let repeated = repeated(environment);
    let is_in = move |range: SourceRange, all: SourceRange| all.start <= range.start && range.start < all.end;
    move |range| range.start < region.start || repeated.is_some_and(|all| is_in(range, all))
}

/// True if a label stands in a statement, or a `case` of a `switch` around it.
fn may_be_jumped_into(stmt: &Stmt) -> bool {
    fn has_target(stmt: &Stmt, in_switch: bool) -> bool {
        let in_switch = in_switch || matches!(stmt.kind, StmtKind::Other { what: Unsupported::Switch, .. });
        match stmt.kind {
            StmtKind::Other { what: Unsupported::Label, .. } => true,
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
    /// True if the region itself counts.
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

    /// True for a `for` loop that begins by setting the variable, to something else than itself, that is not around
    /// the region, and into which nothing jumps.
    fn sets_first(&self, stmt: &Stmt) -> bool {
        let StmtKind::For { init, body, .. } = &stmt.kind else { return false };
        let StmtKind::Expression(expr) = &init.kind else { return false };
        let around = stmt.range.start < self.region.start && self.region.end <= stmt.range.end;
        !around && self.is_set_first(&effects(expr)) && !may_be_jumped_into(body)
    }

    /// True if the first of some expressions that mentions the variable gives it a value.
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
        let behind = expr.range.start >= self.region.end || self.repeated;
        if expr.as_variable() == Some(self.variable) && behind {
            self.found = self.found.or(Some(expr.range));
        }
        for part in expr.parts() {
            self.expression(part);
        }
    }
}

/// Refuses regions that write what may be a variable that they take for constant. `written` are the arrays that the
/// region writes, with their variables.
pub fn check_aliases(environment: &Environment, written: &[(&Array, VariableId)], faults: &mut Faults) {
    for (id, what) in constants(environment) {
        let variable = environment.tree.variable(id);
        if !environment.is_reachable(id) || variable.is_constant_object() {
            continue;
        }
        let may_change = |array: &Array, written: VariableId| {
            may_hold(array.element, variable.arithmetic())
                && (array.may_alias || is_another_name(environment, id, array, written))
                && !are_in_one_object(environment, id, written)
        };
        let Some(&(array, written)) = written.iter().find(|(array, written)| may_change(array, *written))
        else {
            continue;
        };
        let (name, written) = (environment.name(id), environment.name(written));
        let range = environment.in_region.uses.get(&id).and_then(|uses| uses.first()).copied();
        let message = format!("writing to `{written}` may change `{name}`");
        let label = format!("the translation takes this {what} for constant");
        let fault = Fault::new(ALIAS, message, range.unwrap_or(environment.region.opening), label);
        let or = if array.may_alias { ", or declare the pointer `restrict`" } else { "" };
        faults.push(fault.with_help(format!("copy `{name}` to a local variable before the region{or}")));
    }
}

/// True if a variable that is reached through a pointer or a reference may be one that the region writes by its name.
/// A structure is in no array of numbers, unless of characters.
fn is_another_name(environment: &Environment, id: VariableId, array: &Array, written: VariableId) -> bool {
    let tree = environment.tree;
    let (variable, target) = (tree.variable(id), tree.variable(written));
    let member = variable.member.as_ref();
    let by_pointer = member.is_some_and(|member| member.pointer && !member.restrict);
    let elsewhere = variable.reference || tree.variable(tree.root(id)).reference || by_pointer;
    let fits = member.is_none() || target.member.is_some() || is_character(array.element);
    elsewhere && !array.restrict && fits && environment.is_reachable(tree.root(written))
}

/// True for two members of one structure, `p->x` and `p->y`, which never overlap. Where a pointer in it leads is
/// another matter.
fn are_in_one_object(environment: &Environment, one: VariableId, other: VariableId) -> bool {
    let owner = |id: VariableId| {
        let member = environment.tree.variable(id).member.as_ref().filter(|member| member.structures == 0)?;
        Some((member.of, member.suffix.rsplit_once("->").map_or("", |(owner, _)| owner)))
    };
    let is_pointer = matches!(environment.tree.variable(other).ctype.kind, TypeKind::Pointer { .. });
    one != other && !is_pointer && owner(one).is_some() && owner(one) == owner(other)
}

/// The variables that the translation reads once.
fn constants<'a>(environment: &'a Environment) -> impl Iterator<Item = (VariableId, &'static str)> + 'a {
    let pointers = environment
        .in_region
        .uses
        .keys()
        .copied()
        .filter(|&id| matches!(environment.tree.variable(id).ctype.kind, TypeKind::Pointer { .. }));
    let integers = environment.parameters.keys().chain(&environment.iterators);
    integers.map(|&id| (id, "integer")).chain(pointers.map(|id| (id, "pointer")))
}

/// True if C allows to access a variable of type `stored`, or a pointer if there is none, as an element of type
/// `element`.
pub fn may_hold(element: CType, stored: Option<CType>) -> bool {
    // A complex number is two of its parts (C11, 6.2.5p13).
    let same =
        |a: CType, b: CType| a.part() == b.part() || a.size() == b.size() && a.is_integer() && b.is_integer();
    is_character(element) || stored.is_some_and(|stored| same(element, stored))
}

/// True for the types of which C lets every object be an array.
fn is_character(ctype: CType) -> bool {
    matches!(ctype, CType::Char | CType::SChar | CType::UChar)
}
