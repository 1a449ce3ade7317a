//! Builds a kernel: the function that each thread executes, and the arguments that its launch passes.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::value;
use scop::ast::{AstExpr, AstOp, Node, Ranked};
use scop::{Axis, CType, DeviceMemory, Diagnostic, Diagnostics, Kernel, Memory, Statement};

use crate::code::body::{Body, Counted, OwnNodes};
use crate::code::frame::{Frame, Side, Uses};
use crate::code::stmt::{Stmt, append};
use crate::code::undefined::undefined;
use crate::kernel::program::{
    Argument, ArgumentForm, BoundedLoop, Given, KernelOp, KernelProgram, Level, PositionFunction,
};
use crate::kernel::ranks::{Coordinate, Found, Ranks};
use crate::kernel::shared::{self, SharedMemory};
use crate::model::facts::Facts;
use crate::model::view::View;
use crate::model::{comments, lacking};
use crate::program::loops;
use crate::program::names::Names;

/// Returns the program of a kernel, which is launched in parts along the axes in `parts`.
///
/// # Errors
///
/// Returns `E0602` if the kernel computes with a type that the device lacks, `E0606` if it needs too much shared
/// memory; reports a bug if the document uses something that it does not define.
pub fn outline(
    view: &View<'_>,
    name: &str,
    node: &Node,
    parts: &BTreeSet<Axis>,
    names: &mut Names,
) -> Result<KernelProgram, Diagnostics> {
    let Node::Kernel { kernel, lower, ranked, body, .. } = node else {
        return Err(Diagnostic::bug("cudagen", "a kernel was expected").into());
    };
    let mapped = view.kernel(*kernel)?;
    let statements = view.statements(body)?;
    let frame = Frame::new(view, Side::Device);
    let mut inner = Inside { frame: &frame };
    let mut writer = Body { frame: &frame, own: &mut inner, lines: statements.len() > 1 };
    let inside = writer.write(body, &Facts::new(&view.model.context))?;
    let ranks = ranked.as_ref().map(|ranked| Ranks::new(name, ranked, names));
    let located = match (&ranks, ranked) {
        (Some(ranks), Some(ranked)) => located(&frame, ranks, ranked, parts),
        _ => Vec::new(),
    };
    let uses = frame.uses();
    check_types(view, &statements, &uses)?;
    let shared = SharedMemory::of(view, name, &uses)?;
    let offset = match ranks {
        Some(_) if located.is_empty() => BTreeSet::new(),
        Some(_) => parts.clone(),
        None => offset_axes(mapped, lower, parts, &uses),
    };
    let mut block = declarations(view, &uses, &shared)?;
    if ranks.is_some() {
        block.extend(located);
        block.extend(coordinates(view, &[Level::Thread], &offset, &uses));
    } else {
        block.extend(coordinates(view, &[Level::Block, Level::Thread], &offset, &uses));
    }
    append(&mut block, inside);
    Ok(KernelProgram {
        name: name.to_owned(),
        origin: comments::statements(view, &statements),
        arguments: arguments(view, ranks.is_some(), &offset, body, &uses)?,
        body: block,
        positions: positions(view, &uses)?,
        ranks,
        dynamic_bytes: shared.dynamic_bytes(),
        helpers: uses.helpers,
        warp_sums: uses.warp_sums,
        shared_sums: uses.shared_sums,
        calls_library: uses.calls_library,
    })
}

/// The writer of nodes inside kernels: it accepts barriers, but neither launches nor transfers.
struct Inside<'a> {
    frame: &'a Frame<'a>,
}

impl OwnNodes<KernelOp> for Inside<'_> {
    fn write(&mut self, node: &Node, _facts: &Facts) -> Result<Vec<Stmt<KernelOp>>, Diagnostics> {
        match node {
            Node::Barrier => Ok(vec![Stmt::Op(KernelOp::Barrier)]),
            _ => Err(undefined("a launch or transfer inside a kernel")),
        }
    }

    fn counted(&mut self, head: Counted<'_>, body: Vec<Stmt<KernelOp>>) -> Stmt<KernelOp> {
        let AstExpr::Op(operator @ (AstOp::Le | AstOp::Lt), sides) = head.condition else {
            return Stmt::Loop { head: head.text(), body };
        };
        match sides.as_slice() {
            [counted, bound] if head.ctype == CType::Int && smallest_of(bound) >= 3 => {
                Stmt::Op(KernelOp::Bounded(BoundedLoop {
                    ctype: head.ctype,
                    iterator: head.iterator.to_owned(),
                    first: head.first.text,
                    counted: self.frame.index(counted),
                    comparison: if *operator == AstOp::Lt { "<" } else { "<=" },
                    bound: self.frame.index(bound).text,
                    step: head.step,
                    body,
                }))
            }
            _ => Stmt::Loop { head: head.text(), body },
        }
    }
}

/// Returns the number of expressions of which a bound is the minimum.
fn smallest_of(bound: &AstExpr) -> usize {
    match bound {
        AstExpr::Op(AstOp::Min, operands) => operands.iter().map(smallest_of).sum(),
        _ => 1,
    }
}

fn positions(view: &View<'_>, uses: &Uses) -> Result<BTreeMap<String, PositionFunction>, Diagnostics> {
    let mut functions = BTreeMap::new();
    for id in &uses.positions {
        let named = view.buffer(*id)?;
        let positions = named.positions.as_ref();
        let positions = positions.ok_or_else(|| undefined(&format!("a position in {id}")))?;
        let function = PositionFunction {
            name: named.function.clone(),
            buffer: named.name.clone(),
            coordinates: positions.coordinates().to_vec(),
            value: positions.value().text,
        };
        functions.insert(named.function.clone(), function);
    }
    Ok(functions)
}

/// Checks that neither data nor intermediate values have a type that GPUs lack.
fn check_types(view: &View<'_>, statements: &[&Statement], uses: &Uses) -> Result<(), Diagnostics> {
    for id in uses.data.keys() {
        let array = view.datum(*id)?.array;
        if !array.element.exists_on_device() {
            let message = format!("`{}` is of type `{}`, which GPUs lack", array.name, array.element);
            return Err(lacking::refused(message, "statement"));
        }
    }
    match statements.iter().find(|statement| lacking::is_computed_with(&statement.body)) {
        Some(statement) => {
            let (line, file) = (statement.range.line, view.file());
            let message = format!("line {line} of {file} computes in `long double`, which GPUs lack");
            Err(lacking::refused(message, "statement"))
        }
        None => Ok(()),
    }
}

fn arguments(
    view: &View<'_>,
    is_ranked: bool,
    offset: &BTreeSet<Axis>,
    body: &Node,
    uses: &Uses,
) -> Result<Vec<Argument>, Diagnostics> {
    let parameters = view.model.parameters.iter().map(|parameter| parameter.name.as_str());
    let parameters: Vec<&str> = parameters.filter(|name| uses.integers.contains(*name)).collect();
    let inside = loops::iterators(body);
    let is_outer = |name: &&str| !is_coordinate(name) && !parameters.contains(name) && !inside.contains(name);
    let outer = uses.integers.iter().map(String::as_str).filter(is_outer);
    let integer = |name: &str| Argument {
        given: Given::Integer(name.to_owned()),
        form: ArgumentForm::Value(view.integers.type_of(name)),
        name: name.to_owned(),
    };
    let mut arguments: Vec<_> = parameters.iter().copied().chain(outer).map(integer).collect();
    arguments.extend(offset.iter().map(|axis| Argument {
        given: Given::Lower(*axis),
        form: ArgumentForm::Value(if is_ranked { CType::Long } else { view.integers.index }),
        name: lower_name(*axis),
    }));
    for (id, written) in &uses.data {
        let datum = view.datum(*id)?;
        let (array, ctype) = (datum.array, datum.array.element);
        let (given, form) = match datum.memory {
            DeviceMemory::Constant => continue,
            _ if datum.on_device => (Given::Pointer(*id), ArgumentForm::Pointer { ctype, written: *written }),
            DeviceMemory::Argument => {
                let structure = view.device_names(*id)?.constant_type.clone();
                (Given::Value(*id), ArgumentForm::Structure(structure))
            }
            DeviceMemory::Global => (Given::Value(*id), ArgumentForm::Value(ctype)),
        };
        arguments.push(Argument { given, form, name: array.name.clone() });
    }
    Ok(arguments)
}

fn is_coordinate(name: &str) -> bool {
    Axis::ALL.iter().any(|axis| [axis.block_parameter(), axis.thread_parameter()].contains(&name))
}

/// Returns the axes whose block coordinates the kernel uses and whose blocks do not count from zero in every launch.
fn offset_axes(kernel: &Kernel, lower: &[AstExpr], parts: &BTreeSet<Axis>, uses: &Uses) -> BTreeSet<Axis> {
    let axes = kernel.grid.iter().zip(lower).filter(|(grid, lower)| {
        uses.integers.contains(grid.axis.block_parameter())
            && (value(lower) != Some(0) || parts.contains(&grid.axis))
    });
    axes.map(|(grid, _)| grid.axis).collect()
}

/// Declares the buffers in the order of their ids; those that are parts of one array come first.
fn declarations(
    view: &View<'_>,
    uses: &Uses,
    shared: &SharedMemory<'_>,
) -> Result<Vec<Stmt<KernelOp>>, Diagnostics> {
    let mut block = shared.parts(view)?;
    for id in &uses.buffers {
        let named = view.buffer(*id)?;
        let is_part = named.buffer.memory == Memory::Shared && shared.dynamic_bytes() > 0;
        if !is_part {
            block.push(shared::declaration(view, named)?);
        }
    }
    Ok(block)
}

/// Declares the coordinates of a numbered block, as far as they are used, and notes the integers that this needs.
fn located(frame: &Frame<'_>, ranks: &Ranks, ranked: &Ranked, parts: &BTreeSet<Axis>) -> Vec<Stmt<KernelOp>> {
    let used = frame.uses().integers;
    let is_used = |one: &Coordinate| used.contains(one.axis.block_parameter());
    let Some(last) = ranks.coordinates.iter().rposition(is_used) else { return Vec::new() };
    let first = parts.contains(&Axis::X).then(|| lower_name(Axis::X));
    let mut block = vec![Stmt::Op(KernelOp::Rank { first })];
    let mut before = Vec::new();
    for (one, written) in ranks.coordinates.iter().zip(&ranked.coordinates).take(last + 1) {
        for expr in
            [Some(&written.lower), Some(&written.upper), written.before.as_ref()].into_iter().flatten()
        {
            frame.note_use(|uses| {
                expr.visit_names(&mut |name| {
                    uses.integers.insert(name.to_owned());
                });
            });
        }
        block.push(Stmt::Op(KernelOp::Located {
            ctype: frame.view.integers.index,
            name: one.axis.block_parameter().to_owned(),
            before: before.clone(),
            found: one.found.clone(),
        }));
        if let Found::Searched(search) = &one.found {
            before.push(search.before.call());
        }
    }
    block
}

/// Declares the coordinates of the block and the thread.
fn coordinates(
    view: &View<'_>,
    levels: &[Level],
    offset: &BTreeSet<Axis>,
    uses: &Uses,
) -> Vec<Stmt<KernelOp>> {
    let coordinate = |level: Level, axis: Axis| {
        let (name, lower) = match level {
            Level::Block => (axis.block_parameter(), offset.contains(&axis).then(|| lower_name(axis))),
            Level::Thread => (axis.thread_parameter(), None),
        };
        let op = || KernelOp::Coordinate {
            ctype: view.integers.index,
            name: name.to_owned(),
            level,
            axis,
            lower: lower.clone(),
        };
        uses.integers.contains(name).then(|| Stmt::Op(op()))
    };
    let levels = levels.iter();
    levels.flat_map(|&level| Axis::ALL.map(|axis| coordinate(level, axis))).flatten().collect()
}

/// Returns the name of the argument for the first block along an axis.
fn lower_name(axis: Axis) -> String {
    format!("lower_{axis}")
}
