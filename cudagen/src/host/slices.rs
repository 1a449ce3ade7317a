//! The parts of arrays that the device holds: their sizes, their memory, and copies of them.
//!
//! A copy of no bytes and an allocation of no bytes are legal in CUDA, so nothing asks whether a slice is empty.

use scop::ast::expression::{binary, folded, value};
use scop::ast::{ArraySlice, AstExpr, AstOp};
use scop::c_text::{Dialect, Fragment};
use scop::{ArrayId, BinaryOp, CType};

use crate::code::frame::Frame;
use crate::host::boxes;
use crate::host::constant;
use crate::host::packing;
use crate::host::residency;
use crate::model::data::{Datum, HostForm};
use crate::model::facts::Facts;
use crate::model::members;
use crate::model::view::DeviceNames;
use crate::print::layout::Stmt;

/// The size of a slice in bytes, zero where it is empty.
pub fn bytes(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let element = format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element));
    if datum.array.is_scalar() {
        return element;
    }
    let outer = product(frame, Fragment::atom(element, CType::ULong), std::slice::from_ref(&slice.extent));
    product(frame, outer, &slice.inner_extents).text
}

/// The size in bytes of an array of the region, from index zero to the end of its slice.
pub fn bytes_from_zero(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let extent = folded(&binary(AstOp::Add, slice.lower.clone(), slice.extent.clone()));
    bytes(frame, datum, &ArraySlice { extent, ..slice.clone() })
}

/// An extent, or zero where it is negative.
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
            Fragment::atom(format!("max({name}, {zero})"), frame.view.integers.type_of(name))
        }
        _ => frame.index(&clamped),
    }
}

/// The first element of a slice of an array on the host: `A`, `A + (ptrdiff_t)lower * m`.
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

/// The address of a member in the first structure of a slice.
fn first_structure(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> String {
    let (structures, stride) = members::of_structures(datum.array).unwrap_or_default();
    let mut index = vec![slice.lower.clone()];
    index.resize(structures, AstExpr::Int(0));
    match frame.offset(datum, &index) {
        Some(position) => members::address(datum.array, &position, stride),
        None => datum.array.name.clone(),
    }
}

/// The number of elements of a box.
fn product(frame: &Frame<'_>, unit: Fragment, extents: &[AstExpr]) -> Fragment {
    extents
        .iter()
        .filter(|extent| value(extent) != Some(1))
        .fold(unit, |size, extent| Fragment::infix(BinaryOp::Mul, &size, &count(frame, extent), CType::ULong))
}

/// The number of structures of a slice, and the bytes of the member in each.
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

/// The product of some extents; that of several is computed in `size_t`.
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

/// How far a slice reaches on the host, in bytes. For a member of structures that is from the first structure's to
/// the end of the last one's: what stands behind it may be another array.
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

/// The offset of a slice in its array; none if it is zero.
fn start(frame: &Frame<'_>, datum: &Datum<'_>, slice: &ArraySlice) -> Option<Fragment> {
    if datum.array.is_scalar() || value(&slice.lower) == Some(0) {
        return None;
    }
    let mut index = vec![slice.lower.clone()];
    index.resize(slice.inner_extents.len() + 1, AstExpr::Int(0));
    frame.offset(datum, &index)
}

/// A device pointer such that the subscripts of the C source are those of the device.
pub fn device_origin(frame: &Frame<'_>, array: ArrayId) -> Option<String> {
    let datum = frame.view.datum(array)?;
    let pointer = &frame.view.device_names(array)?.pointer;
    if packing::of(datum).is_some() {
        return Some(pointer.clone());
    }
    Some(match start(frame, datum, datum.slice.as_ref()?) {
        Some(offset) => format!("{pointer} - {}", offset.at_least(BinaryOp::Mul.precedence())),
        None => pointer.clone(),
    })
}

/// The arrays on the device.
fn on_device<'a>(
    frame: &'a Frame<'_>,
) -> impl Iterator<Item = (&'a Datum<'a>, &'a ArraySlice, &'a DeviceNames)> {
    frame
        .view
        .data
        .values()
        .filter(|datum| datum.on_device)
        .filter_map(|datum| Some((datum, datum.slice.as_ref()?, frame.view.device_names(datum.array.id)?)))
}

/// Declares the sizes of the slices.
pub fn sizes(frame: &Frame<'_>) -> Vec<Stmt> {
    let arrays = on_device(frame).filter(|(datum, ..)| !datum.array.is_scalar());
    let declare = |name: &str, size: String| Stmt::declare(name, format!("const size_t {name} = {size};"));
    let mut block = Vec::new();
    for (datum, slice, names) in arrays {
        if let Some(count) = packing::count(frame, datum) {
            let element = Dialect::Cxx.type_name(datum.array.element);
            block.push(declare(&names.bytes, format!("sizeof({element}) * {count}")));
            continue;
        }
        block.push(declare(&names.bytes, bytes(frame, datum, slice)));
        if let Some(size) = copied(frame, datum, &names.bytes)
            && members::of_structures(datum.array).is_none()
        {
            block.push(declare(&names.copied, size));
        }
    }
    block
}

/// The bytes of a slice that may end within a row.
fn copied(frame: &Frame<'_>, datum: &Datum<'_>, all: &str) -> Option<String> {
    bytes_to(frame, datum, datum.last.as_ref()?, all)
}

/// The bytes of a slice, which are `all` at most, up to the last element that is touched.
pub fn bytes_to(frame: &Frame<'_>, datum: &Datum<'_>, last: &[AstExpr], all: &str) -> Option<String> {
    let elements = up_to(frame, datum, last)?;
    let size =
        Fragment::atom(format!("sizeof({})", Dialect::Cxx.type_name(datum.array.element)), CType::ULong);
    let size = Fragment::infix(BinaryOp::Mul, &size, &elements, CType::ULong);
    Some(format!("{all} == 0 ? 0 : {size} < {all} ? {size} : {all}"))
}

/// The number of elements (or structures, given their number of dimensions) up to the last that is touched.
fn up_to_last(frame: &Frame<'_>, datum: &Datum<'_>, dimensions: usize) -> Option<Fragment> {
    up_to(frame, datum, datum.last.as_ref()?.get(..dimensions)?)
}

fn up_to(frame: &Frame<'_>, datum: &Datum<'_>, last: &[AstExpr]) -> Option<Fragment> {
    let offset = frame.offset(datum, last)?;
    let one = Fragment::atom("1", CType::Int);
    let ctype = offset.ctype;
    Some(Fragment::infix(BinaryOp::Add, &offset, &one, ctype))
}

/// The size of a slice on the device, as declared by [`sizes`].
pub fn size_name(frame: &Frame<'_>, datum: &Datum<'_>) -> Option<String> {
    if datum.array.is_scalar() {
        return Some(bytes(frame, datum, datum.slice.as_ref()?));
    }
    Some(frame.view.device_names(datum.array.id)?.bytes.clone())
}

/// The size of a slice on the host, as declared by [`sizes`] unless its elements are packed.
pub fn copied_name(frame: &Frame<'_>, datum: &Datum<'_>) -> Option<String> {
    if datum.array.is_scalar() {
        return size_name(frame, datum);
    }
    if packing::of(datum).is_some() {
        let all = bytes(frame, datum, datum.slice.as_ref()?);
        return Some(copied(frame, datum, &all).map_or(all, |size| format!("({size})")));
    }
    Some(frame.view.device_names(datum.array.id)?.copied.clone())
}

/// Declares the device pointers and allocates memory for them.
pub fn allocate(frame: &Frame<'_>) -> Vec<Stmt> {
    let mut block = residency::reserve(frame);
    let malloc = if frame.view.in_stay { "cuda_stay_malloc" } else { "cudaMalloc" };
    for (datum, _, names) in on_device(frame).filter(|(datum, ..)| packing::of(datum).is_none()) {
        let DeviceNames { pointer, .. } = names;
        if datum.stay.is_some() {
            block.extend(residency::pointer(frame, datum, pointer));
            continue;
        }
        let Some(size) = size_name(frame, datum) else { continue };
        let ctype = Dialect::Cxx.type_name(datum.array.element);
        block.push(Stmt::declare(pointer, format!("{ctype} *{pointer} = NULL;")));
        block.push(Stmt::line(format!("cuda_check({malloc}(&{pointer}, {size}));")));
    }
    block.extend(packing::allocate(frame));
    block.extend(constant::declare(frame));
    block
}

/// Gives the device's memory back.
pub fn free(frame: &Frame<'_>) -> Vec<Stmt> {
    on_device(frame)
        .filter(|(datum, ..)| packing::of(datum).is_none() && datum.stay.is_none())
        .map(|(_, _, names)| Stmt::line(format!("cuda_check(cudaFree({}));", names.pointer)))
        .chain(packing::free(frame))
        .chain(residency::done(frame))
        .chain(constant::release(frame))
        .collect()
}

/// The copies of a slice, or of boxes of it, between host and device.
pub fn copies(frame: &Frame<'_>, array: ArrayId, facts: &Facts, to_device: bool) -> Option<Vec<Stmt>> {
    let datum = frame.view.datum(array)?;
    match boxes::of(datum) {
        _ if !datum.memory.is_global() => Some(vec![constant::fill(frame, datum)?]),
        _ if datum.stay.is_some() => Some(vec![residency::transfer(frame, datum, to_device)?]),
        Some(_) => boxes::copies(frame, datum, facts, to_device),
        None => Some(vec![Stmt::line(copy(frame, datum, to_device)?)]),
    }
}

/// A copy of a slice between host and device.
fn copy(frame: &Frame<'_>, datum: &Datum<'_>, to_device: bool) -> Option<String> {
    let array = datum.array.id;
    let pointer = &frame.view.device_names(array)?.pointer;
    let host = host_start(frame, datum, datum.slice.as_ref()?);
    let size = copied_name(frame, datum)?;
    frame.note(array, !to_device);
    if let Some((structures, stride)) = members::of_structures(datum.array) {
        let (rows, width) = rows(frame, datum, datum.slice.as_ref()?, structures);
        return Some(if to_device {
            format!(
                "cuda_check(cudaMemcpy2D({pointer}, {width}, {host}, {stride}, {width}, {rows}, cudaMemcpyHostToDevice));"
            )
        } else {
            format!(
                "cuda_check(cudaMemcpy2D({host}, {stride}, {pointer}, {width}, {width}, {rows}, cudaMemcpyDeviceToHost));"
            )
        });
    }
    Some(if to_device {
        format!("cuda_check(cudaMemcpy({pointer}, {host}, {size}, cudaMemcpyHostToDevice));")
    } else {
        format!("cuda_check(cudaMemcpy({host}, {pointer}, {size}, cudaMemcpyDeviceToHost));")
    })
}
