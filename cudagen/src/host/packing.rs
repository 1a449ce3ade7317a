//! Arrays of which the device holds the elements that are used, one behind the other (001, section 5.1).
//!
//! ```text
//! static long f_at_L(long e0, long e1) { return (e0 * e0 + e0 + 2 * e1) / 2; }      the number of an element
//! static long f_count_L(long n) { return (n * n + n) / 2; }                         how many there are
//!
//! for (int c0 = 0; c0 < n; c0++)                                                    the host packs
//!     for (int c1 = 0; c1 <= c0; c1++)
//!         packed_L[f_at_L(c0, c1)] = L[c0 * n + c1];
//! cuda_check(cudaMemcpy(dev_L, packed_L, dev_L_bytes, cudaMemcpyHostToDevice));     one copy for all arrays that are moved here
//! … x[i] -= L[f_at_L(i, j)] * x[j]; …                                               kernels
//! ```
//!
//! All packed arrays of a function share one piece of memory on the device and one on the host, of the same layout:
//! first those that only go to the device, then those that go there and come back, then those that only come back. So
//! what moves in one direction lies together. Positions are computed in 64 bits.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use scop::ast::{AstExpr, Node, Packing};
use scop::c_text::{self, Dialect, Fragment, Helper};
use scop::{AccessKind, ArrayId, CType, Diagnostics};

use crate::code::body::{Body, Special};
use crate::code::frame::Frame;
use crate::host::slices;
use crate::model::data::Datum;
use crate::model::facts::Facts;
use crate::model::view::{DeviceNames, View};
use crate::print::layout::Stmt;

/// The packing of an array, if its elements are numbered on the device.
pub fn of<'a>(datum: &'a Datum<'_>) -> Option<&'a Packing> {
    datum.slice.as_ref()?.packing.as_ref().filter(|_| datum.on_device)
}

/// The functions that number the elements of a scop's arrays.
pub fn definitions(view: &View<'_>) -> (String, BTreeSet<Helper>) {
    let mut text = String::new();
    let mut helpers = BTreeSet::new();
    for (datum, names, packing) in packed(view) {
        let subscripts: String = packing.subscripts.iter().map(|name| format!("[{name}]")).collect();
        text.push_str(&format!(
            "\n// Where the device holds {}{subscripts}: elements that are used lie one behind the other.\n",
            datum.array.name
        ));
        text.push_str(&function(&names.position, &packing.subscripts, &packing.position));
        text.push_str("\n// How many there are.\n");
        text.push_str(&function(&names.count, &[], &packing.count));
        helpers.extend(c_text::helpers(&packing.position));
        helpers.extend(c_text::helpers(&packing.count));
    }
    (text, helpers)
}

fn function(name: &str, subscripts: &[String], value: &AstExpr) -> String {
    let arguments = subscripts.iter().cloned().chain(parameters(value, subscripts));
    let arguments: Vec<String> = arguments.map(|argument| format!("long {argument}")).collect();
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    let value = c_text::index_text(value, CType::Long);
    format!("static __host__ __device__ inline long {name}({arguments})\n{{\n    return {value};\n}}\n")
}

/// The names in an expression that are no subscripts.
fn parameters(value: &AstExpr, subscripts: &[String]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    value.visit_names(&mut |name| {
        if !subscripts.iter().any(|subscript| subscript == name) {
            names.insert(name.to_owned());
        }
    });
    names
}

/// The position of an element on the device: `f_at_L(c0, c1, n)`.
pub fn position(frame: &Frame<'_>, datum: &Datum<'_>, index: &[AstExpr]) -> Option<Fragment> {
    let packing = of(datum)?;
    let names = frame.view.device_names(datum.array.id)?;
    let mut arguments: Vec<String> = index.iter().map(|expr| frame.index(expr).text).collect();
    arguments.extend(passed(frame, &parameters(&packing.position, &packing.subscripts)));
    Some(Fragment::atom(format!("{}({})", names.position, arguments.join(", ")), CType::Long))
}

/// The number of elements on the device: `f_count_L(n)`.
pub fn count(frame: &Frame<'_>, datum: &Datum<'_>) -> Option<String> {
    let packing = of(datum)?;
    let names = frame.view.device_names(datum.array.id)?;
    let arguments: Vec<String> = passed(frame, &parameters(&packing.count, &[])).collect();
    Some(format!("{}({})", names.count, arguments.join(", ")))
}

fn passed<'a>(frame: &'a Frame<'_>, parameters: &'a BTreeSet<String>) -> impl Iterator<Item = String> + 'a {
    parameters.iter().map(|name| frame.index(&AstExpr::Name(name.clone())).text)
}

fn packed<'a>(view: &'a View<'_>) -> Vec<(&'a Datum<'a>, &'a DeviceNames, &'a Packing)> {
    let names = |datum: &'a Datum<'a>| Some((datum, view.device_names(datum.array.id)?, of(datum)?));
    let mut arrays: Vec<_> = view.data.values().filter_map(names).collect();
    arrays.sort_by_key(|(datum, _, packing)| {
        let way = match (moves(&packing.to_device), moves(&packing.from_device)) {
            (true, false) => 0,
            (true, true) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        (way, Reverse(datum.array.element.size()), datum.array.id)
    });
    arrays
}

/// True if some array is packed.
pub fn any(view: &View<'_>) -> bool {
    !packed(view).is_empty()
}

fn moves(loops: &Node) -> bool {
    !matches!(loops, Node::Block { children } if children.is_empty())
}

/// True if an array begins where the one before it in memory ends: its elements need no stricter alignment.
fn follows(before: &Datum<'_>, datum: &Datum<'_>) -> bool {
    datum.array.element.size() <= before.array.element.size()
}

/// Declares the memory of all packed arrays.
pub fn allocate(frame: &Frame<'_>) -> Vec<Stmt> {
    let mut block = Vec::new();
    let arrays = packed(frame.view);
    let shared = &frame.view.packed;
    let mut end: Option<(&Datum<'_>, String)> = None;
    let mut places = Vec::new();
    for (datum, names, _) in &arrays {
        let ctype = Dialect::Cxx.type_name(datum.array.element);
        let start = end.as_ref().map(|(before, end)| {
            if follows(before, datum) { end.clone() } else { format!("({end} + 15) / 16 * 16") }
        });
        let offset = start.as_ref().map_or(String::new(), |start| format!(" + {start}"));
        let from = |base: &str| match offset.as_str() {
            "" => format!("({ctype} *){base}"),
            offset => format!("({ctype} *)({base}{offset})"),
        };
        let (pointer, staging) = (&names.pointer, &names.staging);
        places.push(Stmt::declare(pointer, format!("{ctype} *{pointer} = {};", from(&shared.device))));
        if staged(datum) {
            places.push(Stmt::declare(staging, format!("{ctype} *{staging} = {};", from(&shared.host))));
        }
        end = Some((datum, start.map_or(names.bytes.clone(), |start| format!("{start} + {}", names.bytes))));
    }
    let Some((_, size)) = end else { return block };
    block.push(Stmt::declare(&shared.device, format!("char *{} = NULL;", shared.device)));
    block.push(Stmt::line(format!("cuda_check(cudaMalloc(&{}, {size}));", shared.device)));
    if arrays.iter().any(|(datum, ..)| staged(datum)) {
        let text = format!("char *{} = (char *)cuda_host_memory({size});", shared.host);
        block.push(Stmt::declare(&shared.host, text));
    }
    block.extend(places);
    block
}

/// True if an array is transferred.
fn staged(datum: &Datum<'_>) -> bool {
    of(datum).is_some_and(|packing| moves(&packing.to_device) || moves(&packing.from_device))
}

/// Gives the memory of all packed arrays back.
pub fn free(frame: &Frame<'_>) -> Vec<Stmt> {
    let shared = &frame.view.packed;
    let arrays = packed(frame.view);
    let mut block = Vec::new();
    if !arrays.is_empty() {
        block.push(Stmt::line(format!("cuda_check(cudaFree({}));", shared.device)));
    }
    if arrays.iter().any(|(datum, ..)| staged(datum)) {
        let free = if frame.view.names.contains("free") { "::free" } else { "free" };
        block.push(Stmt::line(format!("{free}({});", shared.host)));
    }
    block
}

/// Transfers of arrays at one place, all in one direction: those of slices and boxes, and of packed arrays as few as
/// there are pieces of memory.
///
/// # Errors
/// A document that uses what it does not define.
pub fn transfers(
    frame: &Frame<'_>,
    arrays: &[ArrayId],
    to_device: bool,
    facts: &Facts,
) -> Result<Vec<Stmt>, Diagnostics> {
    let is_packed = |array: &&ArrayId| frame.view.datum(**array).is_some_and(|datum| of(datum).is_some());
    let slices = arrays.iter().filter(|array| !is_packed(array));
    let mut block = Vec::new();
    for array in slices {
        let copies = slices::copies(frame, *array, facts, to_device);
        block.extend(copies.ok_or_else(|| crate::code::body::undefined(&format!("a transfer of {array}")))?);
    }
    let moved: Vec<_> = packed(frame.view)
        .into_iter()
        .enumerate()
        .filter(|(_, (datum, ..))| arrays.contains(&datum.array.id))
        .collect();
    if to_device {
        for (_, (datum, _, packing)) in &moved {
            block.extend(loops(frame, datum, &packing.to_device, true)?);
        }
    }
    let mut runs: Vec<Vec<(usize, &Datum<'_>, &DeviceNames)>> = Vec::new();
    for (place, (datum, names, _)) in &moved {
        match runs.last_mut() {
            Some(run)
                if run
                    .last()
                    .is_some_and(|(last, before, _)| last + 1 == *place && follows(before, datum)) =>
            {
                run.push((*place, datum, names));
            }
            _ => runs.push(vec![(*place, datum, names)]),
        }
    }
    block.extend(runs.iter().map(|run| copy(run, to_device)));
    if !to_device {
        for (_, (datum, _, packing)) in &moved {
            block.extend(loops(frame, datum, &packing.from_device, false)?);
        }
    }
    Ok(block)
}

fn copy(run: &[(usize, &Datum<'_>, &DeviceNames)], to_device: bool) -> Stmt {
    let first = run.first().map(|(_, _, names)| *names);
    let (device, host) = first.map_or(("", ""), |names| (names.pointer.as_str(), names.staging.as_str()));
    let size: Vec<&str> = run.iter().map(|(_, _, names)| names.bytes.as_str()).collect();
    let size = size.join(" + ");
    Stmt::line(if to_device {
        format!("cuda_check(cudaMemcpy({device}, {host}, {size}, cudaMemcpyHostToDevice));")
    } else {
        format!("cuda_check(cudaMemcpy({host}, {device}, {size}, cudaMemcpyDeviceToHost));")
    })
}

/// The loops that pack or unpack an array.
fn loops(frame: &Frame<'_>, datum: &Datum<'_>, loops: &Node, pack: bool) -> Result<Vec<Stmt>, Diagnostics> {
    frame.note(datum.array.id, !pack);
    let mut leaf = Leaf { frame, datum, pack };
    let block = Body { frame, special: &mut leaf, lines: false }.write(loops, &frame.view.facts)?;
    Ok(block.into_iter().flat_map(in_parallel).collect())
}

/// Elements are independent, so a compiler that is told to use OpenMP may share the work.
fn in_parallel(stmt: Stmt) -> Vec<Stmt> {
    match stmt {
        Stmt::Loop { .. } => vec![Stmt::line("#pragma omp parallel for"), stmt],
        other => vec![other],
    }
}

/// Spells an element's way between array and staging buffer.
struct Leaf<'a, 'b> {
    frame: &'a Frame<'a>,
    datum: &'b Datum<'b>,
    pack: bool,
}

impl Special for Leaf<'_, '_> {
    fn special(&mut self, node: &Node, _facts: &Facts) -> Result<Vec<Stmt>, Diagnostics> {
        let Node::Element { index } = node else { return Err(undefined()) };
        let array = self.datum.array.id;
        let kind = if self.pack { AccessKind::Read } else { AccessKind::Write };
        let element = self.frame.element(array, index, kind);
        let position = position(self.frame, self.datum, index);
        let names = self.frame.view.device_names(array);
        let (Some(element), Some(position), Some(names)) = (element, position, names) else {
            return Err(undefined());
        };
        let place = format!("{}[{position}]", names.staging);
        Ok(vec![Stmt::line(if self.pack {
            format!("{place} = {element};")
        } else {
            format!("{element} = {place};")
        })])
    }
}

/// The verifier rejects such documents, so this is never the user's fault.
fn undefined() -> Diagnostics {
    scop::Diagnostic::bug("cudagen", "the loops of a packing cannot be spelled").into()
}
