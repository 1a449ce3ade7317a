//! Builds a kernel: the function that each thread executes, and the arguments that its launch passes.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::value;
use scop::ast::{AstExpr, AstOp, Node};
use scop::{Axis, CType, DeviceMemory, Diagnostic, Diagnostics, Kernel, Memory, Statement};

use crate::code::body::{Body, Counted, OwnNodes};
use crate::code::frame::{Frame, Side, Uses};
use crate::code::stmt::{Stmt, append};
use crate::code::undefined::undefined;
use crate::kernel::program::{
    Argument, ArgumentForm, BoundedLoop, Given, KernelOp, KernelProgram, Level, PositionFunction,
};
use crate::kernel::shared::{self, SharedMemory};
use crate::model::facts::Facts;
use crate::model::view::View;
use crate::model::{comments, lacking};
use crate::program::loops;

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
) -> Result<KernelProgram, Diagnostics> {
    let Node::Kernel { kernel, lower, body, .. } = node else {
        return Err(Diagnostic::bug("cudagen", "a kernel was expected").into());
    };
    let mapped = view.kernel(*kernel)?;
    let statements = view.statements(body)?;
    let frame = Frame::new(view, Side::Device);
    let mut inner = Inside { frame: &frame };
    let mut writer = Body { frame: &frame, own: &mut inner, lines: statements.len() > 1 };
    let inside = writer.write(body, &Facts::new(&view.model.context))?;
    let uses = frame.uses();
    check_types(view, &statements, &uses)?;
    let shared = SharedMemory::of(view, name, &uses)?;
    let offset = offset_axes(mapped, lower, parts, &uses);
    let mut block = declarations(view, &uses, &shared)?;
    block.extend(coordinates(view, &offset, &uses));
    append(&mut block, inside);
    Ok(KernelProgram {
        name: name.to_owned(),
        origin: comments::statements(view, &statements),
        arguments: arguments(view, &offset, body, &uses)?,
        body: block,
        positions: positions(view, &uses)?,
        dynamic_bytes: shared.dynamic_bytes(),
        helpers: uses.helpers,
        warp_sums: uses.warp_sums,
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
        form: ArgumentForm::Value(view.integers.index),
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

/// Declares the coordinates of the block and the thread.
fn coordinates(view: &View<'_>, offset: &BTreeSet<Axis>, uses: &Uses) -> Vec<Stmt<KernelOp>> {
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
    let levels = [Level::Block, Level::Thread].into_iter();
    levels.flat_map(|level| Axis::ALL.map(|axis| coordinate(level, axis))).flatten().collect()
}

/// Returns the name of the argument for the first block along an axis.
fn lower_name(axis: Axis) -> String {
    format!("lower_{axis}")
}
