//! Spells elements of arrays and places in buffers inside one function.

use std::collections::BTreeSet;

use scop::ast::expression::{binary, folded};
use scop::ast::{AstExpr, AstOp};
use scop::c_text::{Dialect, Fragment};
use scop::{AccessKind, Array, ArrayId, BinaryOp, BufferId, CType, DeviceMemory, Diagnostic, Diagnostics};

use crate::code::frame::{Frame, Side};
use crate::model::data::{Datum, HostForm};
use crate::model::members;
use crate::model::positions::Positions;
use crate::model::view::NamedBuffer;

/// Spells an element of an array, or a scalar.
///
/// # Errors
/// Reports a bug if the document does not define it.
pub fn element(
    frame: &Frame<'_>,
    array: ArrayId,
    index: &[AstExpr],
    kind: AccessKind,
) -> Result<Fragment, Diagnostics> {
    let datum = frame.view.datum(array)?;
    frame.note(array, kind == AccessKind::Write);
    let (name, ctype) = (&datum.array.name, datum.array.element);
    if datum.array.is_scalar() {
        let is_pointer = match frame.side {
            Side::Device => datum.on_device,
            Side::Host => datum.host == HostForm::Pointer,
        };
        let value = Fragment::atom(name, ctype);
        return Ok(if is_pointer { Fragment::dereferenced(name, ctype) } else { value });
    }
    if frame.side == Side::Host
        && let Some((structures, stride)) = members::of_structures(datum.array)
    {
        return member(frame, datum, index, (structures, stride));
    }
    if frame.side == Side::Device && !datum.memory.is_global() {
        return in_constant_memory(frame, datum, index);
    }
    let offset = match frame.side {
        Side::Device if datum.packing().is_some() => number(frame, datum, index)?,
        _ => frame.offset(datum, index),
    };
    Ok(Fragment::atom(format!("{name}[{offset}]"), ctype))
}

/// Spells an element of an array whose subscripts the program computes.
///
/// # Errors
/// Reports a bug if the document does not define it.
pub fn indirect(
    frame: &Frame<'_>,
    array: ArrayId,
    subscripts: &[Fragment],
    kind: AccessKind,
) -> Result<Fragment, Diagnostics> {
    let datum = frame.view.datum(array)?;
    frame.note(array, kind == AccessKind::Write);
    let counted: Vec<Fragment> = subscripts
        .iter()
        .enumerate()
        .map(|(position, subscript)| from_origin(frame, datum, position, subscript))
        .collect();
    let (name, ctype) = (&datum.array.name, datum.array.element);
    let extents = datum.inner_extents();
    if frame.side == Side::Host
        && let Some((structures, stride)) = members::of_structures(datum.array)
    {
        let (outer, inner) = counted.split_at_checked(structures).ok_or_else(|| too_few_subscripts(array))?;
        let position = computed(frame, datum, outer, extents).ok_or_else(|| too_few_subscripts(array))?;
        let start = member_address(datum.array, &position, stride);
        let inner = computed(frame, datum, inner, extents.get(structures..).unwrap_or_default());
        let inner = inner.unwrap_or_else(|| Fragment::atom("0", CType::Int));
        return Ok(Fragment::atom(format!("({start})[{inner}]"), ctype));
    }
    let offset = computed(frame, datum, &counted, extents).ok_or_else(|| too_few_subscripts(array))?;
    Ok(Fragment::atom(format!("{name}[{offset}]"), ctype))
}

/// Spells a subscript of the source relative to the origin of the device's slice.
fn from_origin(frame: &Frame<'_>, datum: &Datum<'_>, position: usize, subscript: &Fragment) -> Fragment {
    let origin = datum.origin.get(position).map(|origin| frame.index(origin));
    match origin.filter(|origin| origin.text != "0") {
        None => subscript.clone(),
        Some(origin) => {
            let ctype = subscript.ctype.common_with(origin.ctype);
            Fragment::infix(BinaryOp::Sub, subscript, &origin, ctype)
        }
    }
}

/// Spells the position of an element in row-major order; `None` without subscripts.
fn computed(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    subscripts: &[Fragment],
    extents: &[AstExpr],
) -> Option<Fragment> {
    let (first, rest) = subscripts.split_first()?;
    Some(extents.iter().zip(rest).fold(first.clone(), |offset, (extent, next)| {
        let offset = frame.row(offset, extent, datum.small);
        Fragment::infix(BinaryOp::Add, &offset, next, offset.ctype.common_with(next.ctype))
    }))
}

/// Spells an element of a member of structures on the host.
fn member(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    index: &[AstExpr],
    (structures, stride): (usize, u32),
) -> Result<Fragment, Diagnostics> {
    let (outer, inner) =
        index.split_at_checked(structures).ok_or_else(|| too_few_subscripts(datum.array.id))?;
    let start = member_address(datum.array, &frame.offset(datum, outer), stride);
    let extents = datum.inner_extents().get(structures..).unwrap_or_default();
    let offset = frame.row_major(inner, extents, datum.small);
    Ok(Fragment::atom(format!("({start})[{offset}]"), datum.array.element))
}

/// Spells the address of the member in the structure number `position`.
pub fn member_address(array: &Array, position: &Fragment, stride: u32) -> String {
    let ctype = Dialect::Cxx.type_name(array.element);
    let position = match position.text.as_str() {
        "0" => return array.name.clone(),
        _ if position.ctype == CType::Long => position.clone(),
        _ => Fragment::prefix("(ptrdiff_t)", position, CType::Long),
    };
    let stride = Fragment::atom(stride.to_string(), CType::Int);
    let bytes = Fragment::infix(BinaryOp::Mul, &position, &stride, CType::Long);
    let constant = if array.constant { "const " } else { "" };
    format!("({constant}{ctype} *)(({constant}char *){} + {bytes})", array.name)
}

/// Spells an element of an array in constant memory, in a kernel: `weight.at[k]`, or `cuda_constants.f.weight[k]`.
fn in_constant_memory(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    index: &[AstExpr],
) -> Result<Fragment, Diagnostics> {
    let lacks = || Diagnostic::bug("cudagen", format!("{} has no slice or no subscripts", datum.array.id));
    let slice = datum.slice.as_ref().ok_or_else(lacks)?;
    let mut index = index.to_vec();
    let first = index.first_mut().ok_or_else(lacks)?;
    *first = folded(&binary(AstOp::Sub, first.clone(), slice.lower.clone()));
    let offset = frame.offset(datum, &index);
    let name = &datum.array.name;
    let text = match datum.memory {
        DeviceMemory::Argument => format!("{name}.at[{offset}]"),
        DeviceMemory::Constant => {
            format!("{}.{}.{name}[{offset}]", frame.view.constants, frame.view.model.name)
        }
        DeviceMemory::Global => return Err(not_constant(datum)),
    };
    Ok(Fragment::atom(text, datum.array.element))
}

/// Reports the bug that an array in global memory was taken for one in constant memory.
pub fn not_constant(datum: &Datum<'_>) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("{} is not in constant memory", datum.array.id)).into()
}

/// Spells the number of an element of a packed array: `f_at_L(i, j, n)`.
///
/// # Errors
/// Reports a bug if the array's elements are not numbered.
pub fn number(frame: &Frame<'_>, datum: &Datum<'_>, index: &[AstExpr]) -> Result<Fragment, Diagnostics> {
    let packing = datum.packing().ok_or_else(|| not_numbered(datum))?;
    let names = frame.view.device_names(datum.array.id)?;
    let subscripts = index.iter().map(|expr| frame.index(expr).text);
    let passed = parameters(&packing.position, &packing.subscripts);
    let arguments: Vec<String> = subscripts.chain(spelled(frame, &passed)).collect();
    Ok(Fragment::atom(format!("{}({})", names.position, arguments.join(", ")), CType::Long))
}

/// Spells the number of elements of a packed array that the device holds: `f_count_L(n)`.
///
/// # Errors
/// Reports a bug if the array's elements are not numbered.
pub fn number_of_all(frame: &Frame<'_>, datum: &Datum<'_>) -> Result<String, Diagnostics> {
    let packing = datum.packing().ok_or_else(|| not_numbered(datum))?;
    let names = frame.view.device_names(datum.array.id)?;
    let arguments = spelled(frame, &parameters(&packing.count, &[]));
    Ok(format!("{}({})", names.count, arguments.join(", ")))
}

/// Returns the names in an expression that are not subscripts, in order.
pub fn parameters(value: &AstExpr, subscripts: &[String]) -> Vec<String> {
    let mut names = BTreeSet::new();
    value.visit_names(&mut |name| {
        if !subscripts.iter().any(|subscript| subscript == name) {
            names.insert(name.to_owned());
        }
    });
    names.into_iter().collect()
}

fn spelled(frame: &Frame<'_>, names: &[String]) -> Vec<String> {
    names.iter().map(|name| frame.index(&AstExpr::Name(name.clone())).text).collect()
}

/// Spells a place in a buffer.
///
/// # Errors
/// Reports a bug if the document does not define it.
pub fn place(frame: &Frame<'_>, buffer: BufferId, index: &[AstExpr]) -> Result<Fragment, Diagnostics> {
    let named = frame.view.buffer(buffer)?;
    frame.note_use(|uses| {
        uses.buffers.insert(buffer);
    });
    let subscripts = match &named.positions {
        Some(positions) => format!("[{}]", position(frame, named, positions, index)),
        None => index.iter().map(|expr| format!("[{}]", frame.index(expr))).collect(),
    };
    Ok(Fragment::atom(format!("{}{subscripts}", named.name), frame.view.element_of(named)?))
}

/// Spells a place in a buffer with sums of a block: the subscripts are those that the program computes for the element.
///
/// # Errors
/// Reports a bug if the document does not define it.
pub fn chosen_place(
    frame: &Frame<'_>,
    buffer: BufferId,
    subscripts: &[Fragment],
) -> Result<Fragment, Diagnostics> {
    let named = frame.view.buffer(buffer)?;
    frame.note_use(|uses| {
        uses.buffers.insert(buffer);
    });
    let subscripts: String = subscripts.iter().map(|subscript| format!("[{}]", subscript.text)).collect();
    Ok(Fragment::atom(format!("{}{subscripts}", named.name), frame.view.element_of(named)?))
}

/// Spells the position of a place in a dense buffer.
fn position(frame: &Frame<'_>, buffer: &NamedBuffer<'_>, positions: &Positions, place: &[AstExpr]) -> String {
    if let Some(position) = positions.inline(place) {
        return frame.index(&position).text;
    }
    let coordinates: Vec<String> = place.iter().map(|expr| frame.index(expr).text).collect();
    frame.note_use(|uses| {
        uses.helpers.extend(positions.helpers());
        uses.positions.insert(buffer.buffer.id);
    });
    format!("{}({})", buffer.function, coordinates.join(", "))
}

/// Reports a bug, never a fault of the user: the verifier rejects such documents.
fn too_few_subscripts(array: ArrayId) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("an access to {array} has too few subscripts")).into()
}

fn not_numbered(datum: &Datum<'_>) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("the elements of {} are not numbered", datum.array.id)).into()
}
