//! Checks that values which the translation treats as constant remain constant even if pointers overlap.

use scop::Array;

use crate::c::ctree::{TypeKind, VariableId};
use crate::c::strict_aliasing::{is_character, may_hold};
use crate::errors::{ALIAS, Fault, Faults};
use crate::variables::environment::Environment;

/// Refuses a region that writes memory which may hold a variable that the translation treats as constant. `written`
/// lists the arrays that the region writes, with their variables.
pub fn check(environment: &Environment, written: &[(&Array, VariableId)], faults: &mut Faults) {
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
        let label = format!("the translation treats this {what} as constant");
        let fault = Fault::new(ALIAS, message, range.unwrap_or(environment.region.opening), label);
        let or = if array.may_alias { ", or declare the pointer `restrict`" } else { "" };
        faults.push(fault.with_help(format!("copy `{name}` to a local variable before the region{or}")));
    }
}

/// True if a variable that is reached through a pointer or a reference may be one that the region writes by its
/// name. An array of numbers contains no structure, unless its elements are characters.
fn is_another_name(environment: &Environment, id: VariableId, array: &Array, written: VariableId) -> bool {
    let tree = environment.tree;
    let (variable, target) = (tree.variable(id), tree.variable(written));
    let member = variable.member.as_ref();
    let by_pointer = member.is_some_and(|member| member.pointer && !member.restrict);
    let elsewhere = variable.reference || tree.variable(tree.root(id)).reference || by_pointer;
    let fits = member.is_none() || target.member.is_some() || is_character(array.element);
    elsewhere && !array.restrict && fits && environment.is_reachable(tree.root(written))
}

/// True for two members of one structure, such as `p->x` and `p->y`, which never overlap. This does not apply to
/// memory that a pointer in the structure points to.
fn are_in_one_object(environment: &Environment, one: VariableId, other: VariableId) -> bool {
    let owner = |id: VariableId| {
        let member = environment.tree.variable(id).member.as_ref().filter(|member| member.structures == 0)?;
        Some((member.of, member.suffix.rsplit_once("->").map_or("", |(owner, _)| owner)))
    };
    let is_pointer = matches!(environment.tree.variable(other).ctype.kind, TypeKind::Pointer { .. });
    one != other && !is_pointer && owner(one).is_some() && owner(one) == owner(other)
}

/// Returns the variables that the translation reads only once.
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
