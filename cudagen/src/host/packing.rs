//! Packed arrays: the device holds only the elements that are used, one after the other (PoCC-GPU, section 5.1).
//!
//! ```text
//! static long f_at_L(long e0, long e1) { return (e0 * e0 + e0 + 2 * e1) / 2; }      the number of an element
//! static long f_count_L(long n) { return (n * n + n) / 2; }                         how many there are
//!
//! for (int c0 = 0; c0 < n; c0++)                                                    the host packs
//!     for (int c1 = 0; c1 <= c0; c1++)
//!         packed_L[f_at_L(c0, c1)] = L[c0 * n + c1];
//! cuda_check(cudaMemcpy(dev_L, packed_L, dev_L_bytes, cudaMemcpyHostToDevice));     one copy for all arrays
//! … x[i] -= L[f_at_L(i, j)] * x[j]; …                                               kernels
//! ```
//!
//! All packed arrays of a function share one allocation on the device and one on the host, with the same layout:
//! first the arrays that only go to the device, then those that go there and come back, then those that only come
//! back. Data that moves in one direction is therefore contiguous. Positions are computed in 64 bits.

use std::cmp::Reverse;

use scop::ast::{Node, Packing};
use scop::{AccessKind, ArrayId, CType, Diagnostics};

use crate::code::body::{Body, OwnNodes};
use crate::code::element::{element, number};
use crate::code::frame::Frame;
use crate::code::number::NumberFunction;
use crate::code::stmt::Stmt;
use crate::code::undefined::undefined;
use crate::host::operation::{Copy, CopyForm, HostOp, Pointer};
use crate::host::program::Numbering;
use crate::model::data::Datum;
use crate::model::facts::Facts;
use crate::model::view::{DeviceNames, View};

/// Returns the functions that number the elements of a scop's arrays.
///
/// # Errors
/// Reports a bug if an array has no names.
pub fn numberings(view: &View<'_>) -> Result<Vec<Numbering>, Diagnostics> {
    let numbering = |one: Packed<'_>| {
        let subscripts = &one.packing.subscripts;
        let brackets: String = subscripts.iter().map(|name| format!("[{name}]")).collect();
        Numbering {
            element: format!("{}{brackets}", one.datum.array.name),
            position: NumberFunction::new(&one.names.position, subscripts, &one.packing.position),
            count: NumberFunction::new(&one.names.count, &[], &one.packing.count),
        }
    };
    Ok(packed(view)?.into_iter().map(numbering).collect())
}

/// A packed array.
#[derive(Clone, Copy)]
struct Packed<'a> {
    datum: &'a Datum<'a>,
    names: &'a DeviceNames,
    packing: &'a Packing,
}

impl Packed<'_> {
    /// True if it is transferred.
    fn is_staged(self) -> bool {
        moves(&self.packing.to_device) || moves(&self.packing.from_device)
    }

    /// True if it begins where the previous array in memory ends, because its elements need no stricter alignment.
    fn follows(self, before: Self) -> bool {
        self.datum.array.element.size() <= before.datum.array.element.size()
    }
}

/// Returns the packed arrays of a scop in the order of their layout.
fn packed<'a>(view: &'a View<'_>) -> Result<Vec<Packed<'a>>, Diagnostics> {
    let mut arrays = Vec::new();
    for datum in view.data.values() {
        if let Some(packing) = datum.packing() {
            arrays.push(Packed { datum, names: view.device_names(datum.array.id)?, packing });
        }
    }
    arrays.sort_by_key(|one| {
        let way = match (moves(&one.packing.to_device), moves(&one.packing.from_device)) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        (way, Reverse(one.datum.array.element.size()), one.datum.array.id)
    });
    Ok(arrays)
}

fn moves(loops: &Node) -> bool {
    !matches!(loops, Node::Block { children } if children.is_empty())
}

/// Allocates the memory of all packed arrays and declares the pointers into it.
///
/// # Errors
/// Reports a bug if an array has no names.
pub fn allocate(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let arrays = packed(frame.view)?;
    let shared = &frame.view.packed;
    let mut end: Option<(Packed<'_>, String)> = None;
    let mut places = Vec::new();
    for one in &arrays {
        let ctype = one.datum.array.element;
        let start = end.as_ref().map(|(before, end)| {
            if one.follows(*before) { end.clone() } else { format!("({end} + 15) / 16 * 16") }
        });
        let place = |name: &str, memory: &str| {
            Stmt::Op(HostOp::PointInto {
                pointer: Pointer { ctype, name: name.to_owned() },
                memory: memory.to_owned(),
                start: start.clone(),
            })
        };
        places.push(place(&one.names.pointer, &shared.device));
        if one.is_staged() {
            places.push(place(&one.names.staging, &shared.host));
        }
        let bytes = &one.names.bytes;
        end = Some((*one, start.map_or(bytes.clone(), |start| format!("{start} + {bytes}"))));
    }
    let Some((_, size)) = end else { return Ok(Vec::new()) };
    let bytes = |name: &str| Pointer { ctype: CType::Char, name: name.to_owned() };
    let mut block = vec![Stmt::Op(HostOp::Allocate {
        pointer: bytes(&shared.device),
        bytes: size.clone(),
        makes_room: frame.view.residency.is_some(),
    })];
    if arrays.iter().any(|one| one.is_staged()) {
        block.push(Stmt::Op(HostOp::AllocateOnHost { pointer: bytes(&shared.host), bytes: size }));
    }
    block.extend(places);
    Ok(block)
}

/// Frees the memory of all packed arrays.
///
/// # Errors
/// Reports a bug if an array has no names.
pub fn free(frame: &Frame<'_>) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let shared = &frame.view.packed;
    let arrays = packed(frame.view)?;
    let mut block = Vec::new();
    if !arrays.is_empty() {
        block.push(Stmt::Op(HostOp::Free(shared.device.clone())));
    }
    if arrays.iter().any(|one| one.is_staged()) {
        block.push(Stmt::Op(free_on_host(frame, &shared.host)));
    }
    Ok(block)
}

/// Frees memory on the host.
pub fn free_on_host(frame: &Frame<'_>, pointer: &str) -> HostOp {
    let is_qualified = frame.view.names.contains("free");
    HostOp::FreeOnHost { pointer: pointer.to_owned(), is_qualified }
}

/// Transfers packed arrays at one place, all in one direction, with one copy for each contiguous piece of memory.
///
/// # Errors
/// Reports a bug if the document uses something that it does not define.
pub fn transfers(
    frame: &Frame<'_>,
    arrays: &[ArrayId],
    to_device: bool,
) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    let moved: Vec<(usize, Packed<'_>)> = packed(frame.view)?
        .into_iter()
        .enumerate()
        .filter(|(_, one)| arrays.contains(&one.datum.array.id))
        .collect();
    let mut block = Vec::new();
    for (_, one) in moved.iter().filter(|_| to_device) {
        block.extend(loops(frame, one.datum, &one.packing.to_device, true)?);
    }
    let together = |(place, one): &(usize, Packed<'_>), (next_place, next): &(usize, Packed<'_>)| {
        place + 1 == *next_place && next.follows(*one)
    };
    block.extend(moved.chunk_by(together).map(|run| copy(run, to_device)));
    for (_, one) in moved.iter().filter(|_| !to_device) {
        block.extend(loops(frame, one.datum, &one.packing.from_device, false)?);
    }
    Ok(block)
}

fn copy(run: &[(usize, Packed<'_>)], to_device: bool) -> Stmt<HostOp> {
    let first = run.first().map(|(_, one)| one.names);
    let named = |name: fn(&DeviceNames) -> &String| first.map(name).cloned().unwrap_or_default();
    let sizes: Vec<&str> = run.iter().map(|(_, one)| one.names.bytes.as_str()).collect();
    Stmt::Op(HostOp::Copy(Copy {
        host: named(|names| &names.staging),
        device: named(|names| &names.pointer),
        to_device,
        form: CopyForm::Whole(sizes.join(" + ")),
    }))
}

/// Returns the loops that pack or unpack an array.
fn loops(
    frame: &Frame<'_>,
    datum: &Datum<'_>,
    loops: &Node,
    pack: bool,
) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
    frame.note(datum.array.id, !pack);
    let mut leaf = Leaf { frame, datum, pack };
    let block = Body { frame, own: &mut leaf, lines: false }.write(loops, &frame.view.facts)?;
    Ok(block.into_iter().flat_map(in_parallel).collect())
}

/// Adds an OpenMP pragma to a loop. Elements are independent, so a compiler that uses OpenMP may run it in parallel.
fn in_parallel(stmt: Stmt<HostOp>) -> Vec<Stmt<HostOp>> {
    match stmt {
        Stmt::Loop { .. } => vec![Stmt::line("#pragma omp parallel for"), stmt],
        other => vec![other],
    }
}

/// The writer of a copy of an element between array and staging buffer.
struct Leaf<'a, 'b> {
    frame: &'a Frame<'a>,
    datum: &'b Datum<'b>,
    pack: bool,
}

impl OwnNodes<HostOp> for Leaf<'_, '_> {
    fn write(&mut self, node: &Node, _facts: &Facts) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
        let Node::Element { index } = node else { return Err(undefined("the loops of a packing")) };
        let array = self.datum.array.id;
        let kind = if self.pack { AccessKind::Read } else { AccessKind::Write };
        let element = element(self.frame, array, index, kind)?;
        let position = number(self.frame, self.datum, index)?;
        let place = format!("{}[{position}]", self.frame.view.device_names(array)?.staging);
        Ok(vec![Stmt::line(if self.pack {
            format!("{place} = {element};")
        } else {
            format!("{element} = {place};")
        })])
    }
}
