//! Transfers of boxes of elements, one call for each box.
//!
//! Rows of a slice are equally far apart on host and device, so one shape describes a box on both sides. Dimensions
//! that a box covers completely are merged with those before them; those with one index affect only the address.

use scop::ast::expression::{binary, folded, negated, value};
use scop::ast::{AstExpr, AstOp};
use scop::c_text::{Dialect, Fragment};
use scop::{ArrayId, BinaryOp, Boxes, CType, Diagnostic, Diagnostics, ElementBox};

use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::host::extents::slice_of;
use crate::host::operation::{Copy, CopyForm, HostOp};
use crate::model::data::Datum;
use crate::model::facts::Facts;

/// Returns the copies of an array's boxes in one direction.
///
/// # Errors
/// Reports a bug if a box has too many dimensions or the device does not hold the array.
pub fn copies(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    boxes: &Boxes<AstExpr>,
    facts: &Facts,
    to_device: bool,
) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    frame.note(datum.array.id, !to_device);
    let boxes = if to_device { &boxes.to_device } else { &boxes.from_device };
    boxes.iter().map(|one| copy(frame, datum, one, facts, to_device)).collect()
}

/// Returns the copy of a part of an array in one direction.
///
/// # Errors
/// Fails as [`copies`] does.
pub fn part(
    frame: &Frame<'_>,
    array: ArrayId,
    part: &ElementBox<AstExpr>,
    facts: &Facts,
    to_device: bool,
) -> Result<Stmt<HostOp>, Diagnostics> {
    frame.note(array, !to_device);
    copy(frame, frame.view.datum(array)?, part, facts, to_device)
}

/// How the dimensions of a box are copied.
struct Shape {
    /// The dimension from which on the box is contiguous.
    row: usize,
    /// The dimensions before it in which the box has more than one index.
    outer: Vec<usize>,
}

impl Shape {
    fn of(one: &ElementBox<AstExpr>, inner_extents: &[AstExpr]) -> Self {
        let is_whole = |position: usize| {
            value(&one.lower[position]) == Some(0)
                && inner_extents.get(position - 1) == Some(&one.extent[position])
        };
        let mut row = one.extent.len().saturating_sub(1);
        while row > 0 && is_whole(row) {
            row -= 1;
        }
        let outer = (0..row).filter(|position| value(&one.extent[*position]) != Some(1)).collect();
        Self { row, outer }
    }
}

fn copy(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    one: &ElementBox<AstExpr>,
    facts: &Facts,
    to_device: bool,
) -> Result<Stmt<HostOp>, Diagnostics> {
    let (exists, one) = taken_apart(one);
    let facts = &exists.iter().fold(facts.clone(), |facts, condition| facts.and(condition));
    let names = frame.view.device_names(datum.array.id)?;
    let device = address(frame, datum, &names.pointer, &on_device(datum, &one)?);
    let host = address(frame, datum, &datum.array.name, &one.lower);
    let form = form(frame, datum, &one)?;
    let copy = Stmt::Op(HostOp::Copy(Copy { host, device, to_device, form }));
    let conditions = exists.into_iter().chain(facts.unless_positive(&one.extent));
    Ok(match conditions.reduce(|left, right| binary(AstOp::And, left, right)) {
        Some(condition) => {
            Stmt::If { condition: frame.index(&condition).text, then: vec![copy], otherwise: Vec::new() }
        }
        None => copy,
    })
}

/// Returns the first index of a box relative to the slice that the device holds.
fn on_device(datum: &Datum<'_>, one: &ElementBox<AstExpr>) -> Result<Vec<AstExpr>, Diagnostics> {
    let slice = slice_of(datum)?;
    let mut index = one.lower.clone();
    let first = index.first_mut().ok_or_else(|| no_such_box(datum))?;
    *first = if *first == slice.lower {
        AstExpr::Int(0)
    } else {
        folded(&binary(AstOp::Sub, first.clone(), slice.lower.clone()))
    };
    Ok(index)
}

fn form(frame: &Frame<'_>, datum: &Datum<'_>, one: &ElementBox<AstExpr>) -> Result<CopyForm, Diagnostics> {
    let inner = datum.inner_extents();
    let Shape { row, outer } = Shape::of(one, inner);
    let width = bytes(frame, datum, &one.extent[row..]);
    let count = |position: usize| frame.index(&one.extent[position]).text;
    Ok(match outer.as_slice() {
        [] => CopyForm::Whole(width),
        [rows] => {
            let pitch = bytes(frame, datum, &inner[*rows..]);
            CopyForm::Rows { host_pitch: pitch.clone(), device_pitch: pitch, width, rows: count(*rows) }
        }
        [slices, rows] => CopyForm::Slices {
            pitch: bytes(frame, datum, &inner[*rows..]),
            height: product(frame, None, &inner[*slices..*rows]),
            width,
            rows: count(*rows),
            slices: count(*slices),
        },
        _ => return Err(no_such_box(datum)),
    })
}

/// Splits a box whose outermost extent is a choice between a value and zero into the condition under which the box
/// exists and the box with that value.
fn taken_apart(one: &ElementBox<AstExpr>) -> (Option<AstExpr>, ElementBox<AstExpr>) {
    let mut one = one.clone();
    let mut exists = None;
    if let Some(outermost) = one.extent.first_mut()
        && let AstExpr::Op(AstOp::Select, choice) = outermost.clone()
        && let [condition, then, otherwise] = choice.as_slice()
    {
        if *otherwise == AstExpr::Int(0) {
            exists = Some(condition.clone());
            *outermost = then.clone();
        } else if *then == AstExpr::Int(0) {
            exists = Some(negated(condition.clone()));
            *outermost = otherwise.clone();
        }
    }
    (exists, one)
}

/// Returns the address of an element: `A + n + 1`.
fn address(frame: &Frame<'_>, datum: &Datum<'_>, pointer: &str, index: &[AstExpr]) -> String {
    let offset = frame.offset(datum, index);
    match offset.text.as_str() {
        "0" => pointer.to_owned(),
        _ => format!("{pointer} + {}", offset.at_least(BinaryOp::Add.precedence())),
    }
}

/// Returns the size in bytes of a box that is not empty.
fn bytes(frame: &Frame<'_>, datum: &Datum<'_>, extents: &[AstExpr]) -> String {
    let size = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
    product(frame, Some(Fragment::atom(size, CType::ULong)), extents)
}

fn product(frame: &Frame<'_>, unit: Option<Fragment>, extents: &[AstExpr]) -> String {
    let factors = extents.iter().filter(|extent| value(extent) != Some(1)).map(|extent| frame.index(extent));
    let all = unit.into_iter().chain(factors);
    let product = all.reduce(|left, right| Fragment::infix(BinaryOp::Mul, &left, &right, CType::ULong));
    product.map_or_else(|| "1".to_owned(), |product| product.text)
}

/// Reports a bug, never a fault of the user: the verifier rejects such documents.
fn no_such_box(datum: &Datum<'_>) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("no call copies a box of {}", datum.array.id)).into()
}
