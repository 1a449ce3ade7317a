//! What must hold at run time, asked before anything is done. Where it does not hold, the caller executes the
//! original C.
//!
//! 1. Parameters are small enough that no index expression overflows ([`crate::model::overflow`]).
//! 2. What clan-rs assumed of the parameters holds: that an unsigned value does not wrap around, that `j < n` in
//!    `a[i * n + j]`.
//! 3. No pointer is null that C perhaps does not follow.
//! 4. Memory that C perhaps does not write is not constant: it comes back from the device whether it has changed or
//!    not.
//! 5. Arrays that pointers without `restrict` lead to do not overlap another array, if one of the two is written, and
//!    those that `restrict` pointers lead to do not if both are. The dependences were computed for arrays that are
//!    apart, and on the device they are.

use scop::ast::expression::binary;
use scop::ast::{ArraySlice, AstExpr, AstOp};
use scop::c_text::Fragment;
use scop::{CType, Parameter};

use crate::code::frame::Frame;
use crate::host::residency;
use crate::host::slices;
use crate::model::data::{Datum, HostForm};
use crate::model::members;
use crate::print::layout::Stmt;

/// The conditions under which a host function gives up, with comments that say why.
#[derive(Debug, Default)]
pub struct Checks {
    /// On the parameters alone, before anything is computed from them.
    pub parameters: Vec<Stmt>,
    /// On expressions of the parameters.
    pub assumptions: Vec<Stmt>,
    /// On sizes and addresses.
    pub memory: Vec<Stmt>,
    /// True if arrays are compared.
    pub overlap: bool,
    /// True if memory is asked whether it may be written.
    pub writable: bool,
}

impl Checks {
    /// True if the function may give up.
    pub fn any(&self) -> bool {
        [&self.parameters, &self.assumptions, &self.memory].into_iter().any(|checks| !checks.is_empty())
    }
}

/// Collects the checks; `spelled` gives the variable that holds a parameter as the caller passed it.
pub fn collect(frame: &Frame<'_>, spelled: impl Fn(&Parameter) -> String) -> Checks {
    let mut checks = Checks::default();
    let ranges = frame.view.model.parameters.iter().flat_map(|p| range(frame, p, &spelled(p))).collect();
    give_up_if(frame, ranges, &index_reason(frame), &mut checks.parameters);
    let assumed = frame
        .view
        .assumed
        .as_ref()
        .map(|condition| Fragment::prefix("!", &frame.index(condition), CType::Int).text);
    let reason = ["The translation rests on this.".to_owned()];
    give_up_if(frame, assumed.into_iter().collect(), &reason, &mut checks.assumptions);
    let nulls = frame.view.data.values().filter(|datum| datum.may_be_null);
    // The caller gives none where nothing is needed.
    let nulls: Vec<Vec<String>> = nulls
        .map(|datum| [&datum.needed_if[..], &[format!("{} == NULL", datum.array.name)]].concat())
        .collect();
    let is_alone = nulls.len() == 1;
    let nulls = nulls.into_iter().map(|conditions| match conditions.len() {
        1 => conditions.concat(),
        _ if is_alone => conditions.join(" && "),
        _ => format!("({})", conditions.join(" && ")),
    });
    let nulls = nulls.collect();
    give_up_if(frame, nulls, &["C may not follow these pointers.".to_owned()], &mut checks.memory);
    let constants = frame.view.data.values().filter(|datum| datum.may_be_constant && datum.on_device);
    let constants: Vec<String> =
        constants.map(|datum| format!("!cuda_writable({})", range_text(frame, datum))).collect();
    checks.writable = !constants.is_empty();
    give_up_if(frame, constants, &["C may not write to this memory.".to_owned()], &mut checks.memory);
    let overlaps = overlaps(frame);
    checks.overlap = !overlaps.is_empty();
    let reason = ["The dependences are those of arrays that do not overlap.".to_owned()];
    give_up_if(frame, overlaps, &reason, &mut checks.memory);
    checks
}

fn index_reason(frame: &Frame<'_>) -> [String; 1] {
    [format!("Index expressions must not overflow `{}`.", frame.view.integers.index)]
}

fn give_up_if(frame: &Frame<'_>, conditions: Vec<String>, reason: &[String], block: &mut Vec<Stmt>) {
    if !conditions.is_empty() {
        let decline = Stmt::line("return 0;");
        block.push(Stmt::Comment(reason.to_vec()));
        block.push(Stmt::If {
            condition: conditions.join(" || "),
            then: residency::before_declining(frame).into_iter().chain([decline]).collect(),
            otherwise: Vec::new(),
        });
    }
}

/// `n < -bound`, `n > bound`, unless the type or the context says so. Assumptions, which are in the context, do not
/// count: they are asked later, in expressions that must not overflow either.
fn range(frame: &Frame<'_>, parameter: &Parameter, variable: &str) -> Vec<String> {
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
    conditions
}

fn overlaps(frame: &Frame<'_>) -> Vec<String> {
    let pointers: Vec<&Datum<'_>> =
        frame.view.data.values().filter(|datum| datum.host == HostForm::Pointer).collect();
    let mut conditions = Vec::new();
    for (position, first) in pointers.iter().enumerate() {
        for second in &pointers[position + 1..] {
            if may_meet(first, second) && !members::are_siblings(first.array, second.array) {
                conditions.push(format!(
                    "cuda_overlap({}, {})",
                    range_text(frame, first),
                    range_text(frame, second)
                ));
            }
        }
    }
    conditions
}

/// True if what a region leaves in one array may be lost if the memory of two overlaps. Of elements between those of
/// a `restrict` array, what comes back from the device with them is what went there, which is old only if the region
/// has written it meanwhile.
fn may_meet(first: &Datum<'_>, second: &Datum<'_>) -> bool {
    let pair = [first, second];
    if pair.iter().any(|datum| datum.array.may_alias) {
        return first.written || second.written;
    }
    pair.iter().any(|datum| datum.array.restrict) && first.written && second.written
}

/// The address and the size of what instances may touch of an array.
pub fn range_text(frame: &Frame<'_>, datum: &Datum<'_>) -> String {
    let scalar = ArraySlice {
        array: datum.array.id,
        lower: AstExpr::Int(0),
        extent: AstExpr::Int(1),
        inner_extents: Vec::new(),
        boxes: None,
        packing: None,
    };
    let slice = datum.touched.as_ref().or(datum.slice.as_ref()).unwrap_or(&scalar);
    let declared =
        if datum.on_device && datum.touched.is_none() && members::of_structures(datum.array).is_none() {
            slices::copied_name(frame, datum)
        } else {
            None
        };
    let size = declared.unwrap_or_else(|| slices::reach(frame, datum, slice));
    format!("{}, {size}", slices::host_start(frame, datum, slice))
}
