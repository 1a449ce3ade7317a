//! The sizes of parts of arrays, and where these parts begin.
//!
//! Copies and allocations of zero bytes are legal, so nothing checks whether a slice is empty.

use scop::ast::expression::{binary, folded, value};
use scop::ast::{ArraySlice, AstExpr, AstOp};
use scop::c_text::{Dialect, Fragment, Helper};
use scop::{ArrayId, BinaryOp, CType, Diagnostic, Diagnostics};

use crate::code::element::member_address;
use crate::code::frame::Frame;
use crate::host::operation::Range;
use crate::model::data::{Datum, HostForm};
use crate::model::members;
use crate::model::view::DeviceNames;

/// Returns the size of a slice in bytes; it is zero if the slice is empty.
pub fn bytes(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let element = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
    if datum.array.is_scalar() {
        return element;
    }
    let outer = product(frame, Fragment::atom(element, CType::ULong), std::slice::from_ref(&slice.extent));
    product(frame, outer, &slice.inner_extents).text
}

/// Returns the size in bytes of an array local to the region, from index zero to the end of its slice.
pub fn bytes_from_zero(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let extent = folded(&binary(AstOp::Add, slice.lower.clone(), slice.extent.clone()));
    bytes(frame, datum, &ArraySlice { extent, ..slice.clone() })
}

/// Returns an extent, or zero if it is negative.
fn count(frame: &Frame<'_>, extent: &AstExpr) -> Fragment {
    let not_negative = binary(AstOp::Ge, extent.clone(), AstExpr::Int(0));
    if frame.view.facts.imply(&not_negative) {
        return frame.index(extent);
    }
    let clamped = binary(AstOp::Max, extent.clone(), AstExpr::Int(0));
    match extent {
        AstExpr::Name(name) if frame.view.integers.type_of(name) != frame.view.integers.index => {
            let zero = if frame.view.integers.type_of(name) == CType::Long { "0L" } else { "0" };
            frame.index(extent);
            frame.note_use(|uses| {
                uses.helpers.insert(Helper::Max);
            });
            Fragment::atom(format!("max({name}, {zero})"), frame.view.integers.type_of(name))
        }
        _ => frame.index(&clamped),
    }
}

/// Returns the address of the first element of a slice on the host: `A`, `A + (ptrdiff_t)lower * m`.
pub fn host_start(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let name = &datum.array.name;
    if datum.host == HostForm::Local || datum.host == HostForm::Value {
        return format!("&{name}");
    }
    match start(frame, datum, slice) {
        Some(_) if members::of_structures(datum.array).is_some() => first_structure(frame, datum, slice),
        Some(offset) => format!("{name} + {}", offset.at_least(BinaryOp::Mul.precedence())),
        None => name.clone(),
    }
}

/// Returns the address of a member in the first structure of a slice.
fn first_structure(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let (structures, stride) = members::of_structures(datum.array).unwrap_or_default();
    let mut index = vec![slice.lower.clone()];
    index.resize(structures, AstExpr::Int(0));
    member_address(datum.array, &frame.offset(datum, &index), stride)
}

/// Multiplies `unit` by the number of elements of a box.
fn product(frame: &Frame<'_>, unit: Fragment, extents: &[AstExpr]) -> Fragment {
    extents
        .iter()
        .filter(|extent| value(extent) != Some(1))
        .fold(unit, |size, extent| Fragment::infix(BinaryOp::Mul, &size, &count(frame, extent), CType::ULong))
}

/// Returns the number of structures of a slice, and the number of bytes of the member in each.
pub fn rows(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice, structures: usize) -> (String, String) {
    let all: Vec<AstExpr> = std::iter::once(&slice.extent).chain(&slice.inner_extents).cloned().collect();
    let (outer, inner) = all.split_at(structures.min(all.len()));
    let size = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
    let width = product(frame, Fragment::atom(size, CType::ULong), inner).text;
    let rows = match up_to_last(frame, datum, structures) {
        Some(rows) => rows.text,
        None => number(frame, outer).text,
    };
    (rows, width)
}

/// Returns the product of some extents, computed in `size_t` if there are several.
fn number(frame: &Frame<'_>, extents: &[AstExpr]) -> Fragment {
    let mut factors = extents.iter().filter(|extent| value(extent) != Some(1));
    let Some(first) = factors.next() else { return Fragment::atom("1", CType::Int) };
    let first = count(frame, first);
    factors.fold(first, |product, extent| {
        let wide = if product.ctype == CType::ULong {
            product
        } else {
            Fragment::prefix("(size_t)", &product, CType::ULong)
        };
        Fragment::infix(BinaryOp::Mul, &wide, &count(frame, extent), CType::ULong)
    })
}

/// Returns the size of a slice on the host in bytes, gaps included. For a member of structures, it ends with the
/// member of the last structure: the memory after that may belong to another array.
pub fn reach(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    match members::of_structures(datum.array) {
        Some((structures, stride)) => {
            let (rows, width) = rows(frame, datum, slice, structures);
            match rows.parse::<u64>() {
                Ok(1) => width,
                Ok(rows) if rows > 0 => format!("(size_t){stride} * {} + {width}", rows - 1),
                _ => format!("({rows}) > 0 ? {stride} * ((size_t)({rows}) - 1) + {width} : 0"),
            }
        }
        None => bytes(frame, datum, slice),
    }
}

/// Returns the offset of a slice in its array; `None` if it is zero.
fn start(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> Option<Fragment> {
    if datum.array.is_scalar() || value(&slice.lower) == Some(0) {
        return None;
    }
    let mut index = vec![slice.lower.clone()];
    index.resize(slice.inner_extents.len() + 1, AstExpr::Int(0));
    Some(frame.offset(datum, &index))
}

/// Returns a device pointer for which the subscripts of the C source are valid on the device.
///
/// # Errors
/// Reports a bug if the device does not hold the array.
pub fn device_origin(frame: &Frame<'_>, array: ArrayId) -> Result<String, Diagnostics> {
    let datum = frame.view.datum(array)?;
    let pointer = &frame.view.device_names(array)?.pointer;
    if datum.packing().is_some() {
        return Ok(pointer.clone());
    }
    Ok(match start(frame, datum, slice_of(datum)?) {
        Some(offset) => format!("{pointer} - {}", offset.at_least(BinaryOp::Mul.precedence())),
        None => pointer.clone(),
    })
}

/// Returns the part of an array that the device holds.
///
/// # Errors
/// Reports a bug if the device holds none.
pub fn slice_of<'d>(datum: &'d Datum<'_>) -> Result<&'d ArraySlice, Diagnostics> {
    let lacks = || Diagnostic::bug("cudagen", format!("the device holds nothing of {}", datum.array.id));
    Ok(datum.slice.as_ref().ok_or_else(lacks)?)
}

/// Returns the arrays that the device holds in global memory, with their names there.
///
/// # Errors
/// Reports a bug if one of them has no slice or no names.
pub fn on_device<'a>(
    frame: &'a Frame<'_>,
) -> Result<Vec<(&'a Datum<'a>, &'a ArraySlice, &'a DeviceNames)>, Diagnostics> {
    let held = frame.view.data.values().filter(|datum| datum.on_device);
    held.map(|datum| Ok((datum, slice_of(datum)?, frame.view.device_names(datum.array.id)?))).collect()
}

/// Returns the size in bytes, at most `all`, of a slice that may end within a row; `None` for other slices.
pub fn up_to_last_element(frame: &Frame<'_>, datum: &Datum<'_>, all: &str) -> Option<String> {
    datum.last.as_ref().map(|last| bytes_to(frame, datum, last, all))
}

/// Returns the size in bytes, at most `all`, of a slice up to the last element that is touched.
pub fn bytes_to(frame: &Frame<'_>, datum: &Datum<'_>, last: &[AstExpr], all: &str) -> String {
    let elements = up_to(frame, datum, last);
    let size =
        Fragment::atom(format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element)), CType::ULong);
    let size = Fragment::infix(BinaryOp::Mul, &size, &elements, CType::ULong);
    format!("{all} == 0 ? 0 : {size} < {all} ? {size} : {all}")
}

/// Returns the number of elements, or of structures with this many dimensions, up to the last one that is touched.
fn up_to_last(frame: &Frame<'_>, datum: &Datum<'_>, dimensions: usize) -> Option<Fragment> {
    Some(up_to(frame, datum, datum.last.as_ref()?.get(..dimensions)?))
}

fn up_to(frame: &Frame<'_>, datum: &Datum<'_>, last: &[AstExpr]) -> Fragment {
    let offset = frame.offset(datum, last);
    let one = Fragment::atom("1", CType::Int);
    let ctype = offset.ctype;
    Fragment::infix(BinaryOp::Add, &offset, &one, ctype)
}

/// Returns the size of a slice on the device: a variable declared before, or the size of a scalar.
///
/// # Errors
/// Reports a bug if the device holds nothing of the array.
pub fn size_name(frame: &Frame<'_>, datum: &Datum<'_>) -> Result<String, Diagnostics> {
    if datum.array.is_scalar() {
        return Ok(bytes(frame, datum, slice_of(datum)?));
    }
    Ok(frame.view.device_names(datum.array.id)?.bytes.clone())
}

/// Returns the size of a slice on the host: a variable declared before, unless the array is a scalar or packed.
///
/// # Errors
/// Reports a bug if the device holds nothing of the array.
pub fn copied_name(frame: &Frame<'_>, datum: &Datum<'_>) -> Result<String, Diagnostics> {
    if datum.array.is_scalar() {
        return size_name(frame, datum);
    }
    if datum.packing().is_some() {
        let all = bytes(frame, datum, slice_of(datum)?);
        return Ok(up_to_last_element(frame, datum, &all).map_or(all, |size| format!("({size})")));
    }
    Ok(frame.view.device_names(datum.array.id)?.copied.clone())
}

/// Returns the host memory of an array that instances may touch.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn range(frame: &Frame<'_>, datum: &Datum<'_>) -> Result<Range, Diagnostics> {
    let scalar = ArraySlice {
        array: datum.array.id,
        lower: AstExpr::Int(0),
        extent: AstExpr::Int(1),
        inner_extents: Vec::new(),
        boxes: None,
        packing: None,
    };
    let slice = datum.touched.as_ref().or(datum.slice.as_ref()).unwrap_or(&scalar);
    let is_declared =
        datum.on_device && datum.touched.is_none() && members::of_structures(datum.array).is_none();
    let bytes = if is_declared { copied_name(frame, datum)? } else { reach(frame, datum, slice) };
    Ok(Range { start: host_start(frame, datum, slice), bytes })
}
