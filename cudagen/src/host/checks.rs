//! The checks that a host function makes before anything else. If one fails, the caller executes the original C.
//!
//! 1. Parameters are small enough that no index expression overflows ([`crate::model::overflow`]).
//! 2. What clan-rs assumed about the parameters holds: that an unsigned value does not wrap around, that `j < n` in
//!    `a[i * n + j]`.
//! 3. The sizes are so large that the device is faster.
//! 4. A pointer that C does not certainly follow is not null.
//! 5. Memory that C does not certainly write is not constant: it is copied back from the device whether it has
//!    changed or not.
//! 6. An array reached through a pointer without `restrict` does not overlap another array if one of the two is
//!    written. An array reached through a `restrict` pointer does not overlap another one if both are written. The
//!    dependences were computed for arrays that do not overlap, and on the device they do not.

use scop::ast::expression::binary;
use scop::ast::{AstExpr, AstOp};
use scop::c_text::Fragment;
use scop::{CType, Diagnostics, Parameter};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::range;
use crate::host::operation::{Condition, HostOp};
use crate::host::residency;
use crate::model::data::{Datum, HostForm};
use crate::model::members;

/// The conditions under which a host function declines.
#[derive(Debug, Default)]
pub struct Checks {
    /// Conditions on the parameters under which the host is faster.
    pub threshold: Vec<Stmt<HostOp>>,
    /// Conditions on the parameters alone, checked before anything is computed from them.
    pub parameters: Vec<Stmt<HostOp>>,
    /// Conditions on expressions in the parameters.
    pub assumptions: Vec<Stmt<HostOp>>,
    /// Conditions on sizes and addresses.
    pub memory: Vec<Stmt<HostOp>>,
}

impl Checks {
    /// True if the function may decline.
    pub fn any(&self) -> bool {
        [&self.threshold, &self.parameters, &self.assumptions, &self.memory]
            .into_iter()
            .any(|checks| !checks.is_empty())
    }
}

/// Collects the checks; `spelled` returns the variable that holds a parameter as the caller passed it.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn collect(frame: &Frame<'_>, spelled: impl Fn(&Parameter) -> String) -> Result<Checks, Diagnostics> {
    let view = frame.view;
    let decline = |reason: &str, conditions: Vec<Condition>| {
        let before = residency::before_original(view);
        let reason = reason.to_owned();
        let some = !conditions.is_empty();
        some.then_some(Stmt::Op(HostOp::Decline { reason, conditions, before }))
    };
    let sizes = view.model.parameters.iter().flat_map(|p| size(frame, p, &spelled(p)));
    let index = format!("Index expressions must not overflow `{}`.", view.integers.index);
    let assumed = view.assumed.as_ref().map(|condition| {
        Condition::Expression(Fragment::prefix("!", &frame.index(condition), CType::Int).text)
    });
    let memory = [
        decline("C may not follow these pointers.", nulls(frame)),
        decline("C may not write to this memory.", constants(frame)?),
        decline("The dependences are those of arrays that do not overlap.", overlaps(frame)?),
    ];
    let faster =
        view.faster_on_host.as_ref().map(|condition| Condition::Expression(frame.index(condition).text));
    Ok(Checks {
        threshold: decline("For these sizes, the host is faster.", faster.into_iter().collect())
            .into_iter()
            .collect(),
        parameters: decline(&index, sizes.collect()).into_iter().collect(),
        assumptions: decline("The translation rests on this.", assumed.into_iter().collect())
            .into_iter()
            .collect(),
        memory: memory.into_iter().flatten().collect(),
    })
}

/// Returns the conditions that pointers are null. The caller passes a null pointer if nothing is needed.
fn nulls(frame: &Frame<'_>) -> Vec<Condition> {
    let nulls = frame.view.data.values().filter(|datum| datum.may_be_null);
    let nulls: Vec<Vec<String>> = nulls
        .map(|datum| [&datum.needed_if[..], &[format!("{} == NULL", datum.array.name)]].concat())
        .collect();
    let is_alone = nulls.len() == 1;
    let nulls = nulls.into_iter().map(|conditions| match conditions.len() {
        1 => conditions.concat(),
        _ if is_alone => conditions.join(" && "),
        _ => format!("({})", conditions.join(" && ")),
    });
    nulls.map(Condition::Expression).collect()
}

fn constants(frame: &Frame<'_>) -> Result<Vec<Condition>, Diagnostics> {
    let on_device = frame.view.data.values().filter(|datum| datum.on_device);
    let constants = on_device.filter_map(|datum| Some((datum, datum.may_be_constant.as_ref()?)));
    constants
        .map(|(datum, asked)| {
            let asked = (*asked != AstExpr::Int(1)).then(|| frame.index(asked));
            Ok(Condition::Constant(asked, range(frame, datum)?))
        })
        .collect()
}

/// Returns `n < -bound` and `n > bound`, unless the type or the context excludes them. A context with assumptions
/// does not count: these are checked later, in expressions that must not overflow either.
fn size(frame: &Frame<'_>, parameter: &Parameter, variable: &str) -> Vec<Condition> {
    let integers = &frame.view.integers;
    let Ok(bound) = i64::try_from(integers.bound) else { return Vec::new() };
    if !integers.bounded.contains(&parameter.name) {
        return Vec::new();
    }
    let name = || AstExpr::Name(parameter.name.clone());
    let (low, high) = parameter.ctype.range();
    let literal = |value: i64| match i32::try_from(value) {
        Ok(value) => value.to_string(),
        Err(_) => format!("{value}L"),
    };
    let implied = |condition| frame.view.assumed.is_none() && frame.view.facts.imply(&condition);
    let mut conditions = Vec::new();
    if low < -integers.bound && !implied(binary(AstOp::Ge, name(), AstExpr::Int(-bound))) {
        conditions.push(format!("{variable} < {}", literal(-bound)));
    }
    if high > integers.bound && !implied(binary(AstOp::Le, name(), AstExpr::Int(bound))) {
        conditions.push(format!("{variable} > {}", literal(bound)));
    }
    conditions.into_iter().map(Condition::Expression).collect()
}

fn overlaps(frame: &Frame<'_>) -> Result<Vec<Condition>, Diagnostics> {
    let pointers: Vec<&Datum<'_>> =
        frame.view.data.values().filter(|datum| datum.host == HostForm::Pointer).collect();
    let mut conditions = Vec::new();
    for (position, first) in pointers.iter().enumerate() {
        for second in &pointers[position + 1..] {
            if may_meet(first, second) && !members::are_siblings(first.array, second.array) {
                conditions.push(Condition::Overlap(range(frame, first)?, range(frame, second)?));
            }
        }
    }
    Ok(conditions)
}

/// True if an overlap of the memory of two arrays could lose a value that the region writes. With `restrict`,
/// elements of the other array may only lie between those of the array. They are copied back with its slice as they
/// were copied to the device, so they are stale only if the region has written them meanwhile.
fn may_meet(first: &Datum<'_>, second: &Datum<'_>) -> bool {
    let pair = [first, second];
    if pair.iter().any(|datum| datum.array.may_alias) {
        return first.written || second.written;
    }
    pair.iter().any(|datum| datum.array.restrict) && first.written && second.written
}
