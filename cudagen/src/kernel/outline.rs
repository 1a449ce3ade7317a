//! One kernel: the function that each thread executes, and the arguments that its launch passes.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::value;
use scop::ast::tree::walk;
use scop::ast::{AstExpr, Node};
use scop::c_text::{Dialect, Helper};
use scop::{
    ArrayId, Axis, DeviceMemory, Diagnostic, Diagnostics, Kernel, Memory, Statement, walk_expressions,
};

use crate::code::body::{Body, Nothing};
use crate::code::frame::{Frame, Side, Uses};
use crate::host::constant;
use crate::kernel::shared::{self, SharedMemory};
use crate::model::comments;
use crate::model::facts::Facts;
use crate::model::view::{NamedBuffer, View};
use crate::print::layout::{self, Stmt, append};

/// A kernel of the program text.
#[derive(Debug, Clone)]
pub struct KernelText {
    /// The function's name.
    pub name: String,
    /// What it is given.
    pub arguments: Vec<Argument>,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
    /// Whether it keeps bounds from the compiler.
    pub hidden_bounds: bool,
    /// Whether the threads of a warp add to one element ([`Frame::warp_sum`]).
    pub warp_sums: bool,
    /// The functions that give positions in its buffers, by name.
    pub positions: BTreeMap<String, String>,
    /// The bytes of shared memory that its launch has to ask for.
    pub dynamic_bytes: u64,
    /// Its definition, with a comment before it.
    pub text: String,
}

/// One argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A parameter of the scop, or the iterator of a loop on the host.
    Integer(String),
    /// The coordinate of the first block, on an axis.
    Lower(Axis),
    /// A scalar by value, or a small array.
    Value(ArrayId),
    /// An array or scalar in device memory.
    Pointer {
        /// The array.
        array: ArrayId,
        /// True if the kernel writes it.
        written: bool,
    },
}

/// Writes a kernel, which is launched in parts along some axes.
///
/// # Errors
///
/// A kernel that computes with a type that the device lacks, or a document that uses what it does not define.
pub fn outline(
    view: &View<'_>,
    name: &str,
    node: &Node,
    parts: &BTreeSet<Axis>,
) -> Result<KernelText, Diagnostics> {
    let Node::Kernel { kernel, lower, body, .. } = node else {
        return Err(Diagnostic::bug("cudagen", "a kernel was expected").into());
    };
    let mapped = view.kernel(*kernel);
    let mapped = mapped.ok_or_else(|| Diagnostic::bug("cudagen", format!("{kernel} is not mapped")))?;
    let statements = view.statements(body);
    let frame = Frame::new(view, Side::Device);
    let mut writer = Body { frame: &frame, special: &mut Nothing, lines: statements.len() > 1 };
    let inside = writer.write(body, &Facts::new(&view.model.context))?;
    let uses = frame.uses();
    check_types(view, &statements, &uses)?;
    let shared = SharedMemory::of(view, name, &uses)?;
    let offset = offset_axes(mapped, lower, parts, &uses);
    let arguments = arguments(view, &offset, body, &uses);
    let mut block = declarations(view, &uses, &shared);
    block.extend(coordinates(view, &offset, &uses));
    append(&mut block, inside);
    let text = definition(view, name, &arguments, &block, &comments::statements(view, &statements));
    let positions = positions(view, &uses);
    let dynamic_bytes = shared.dynamic_bytes();
    let Uses { helpers, hidden_bounds, warp_sums, .. } = uses;
    Ok(KernelText {
        name: name.to_owned(),
        arguments,
        helpers,
        hidden_bounds,
        warp_sums,
        positions,
        dynamic_bytes,
        text,
    })
}

fn positions(view: &View<'_>, uses: &Uses) -> BTreeMap<String, String> {
    let buffers = uses.positions.iter().filter_map(|id| view.buffer(*id));
    let function = |named: &NamedBuffer<'_>| {
        let text = named.positions.as_ref()?.function(&named.function, &named.name);
        Some((named.function.clone(), text))
    };
    buffers.filter_map(function).collect()
}

/// Neither data nor intermediate values may be of a type that GPUs lack: nvcc would take `double` instead.
fn check_types(view: &View<'_>, statements: &[&Statement], uses: &Uses) -> Result<(), Diagnostics> {
    let data = uses.data.keys().filter_map(|array| view.datum(*array));
    if let Some(datum) = data.into_iter().find(|datum| !datum.array.element.exists_on_device()) {
        let name = &datum.array.name;
        return Err(foreign_type(format!("`{name}` is of type `{}`, which GPUs lack", datum.array.element)));
    }
    for statement in statements {
        let mut foreign = false;
        walk_expressions(&statement.body, &mut |expr| foreign |= !expr.ctype.exists_on_device());
        if foreign {
            let line = statement.range.line;
            return Err(foreign_type(format!(
                "line {line} of {} computes in `long double`, which GPUs lack",
                view.file()
            )));
        }
    }
    Ok(())
}

fn foreign_type(message: String) -> Diagnostics {
    let help = "use `double`, or leave the statement out of the region";
    Diagnostic::error("E0602", message).with_help(help).into()
}

fn arguments(view: &View<'_>, offset: &BTreeSet<Axis>, body: &Node, uses: &Uses) -> Vec<Argument> {
    let parameters = view.model.parameters.iter().map(|parameter| parameter.name.as_str());
    let parameters: Vec<&str> = parameters.filter(|name| uses.integers.contains(*name)).collect();
    let inside = iterators(body);
    let is_outer = |name: &&str| !is_coordinate(name) && !parameters.contains(name) && !inside.contains(name);
    let outer = uses.integers.iter().map(String::as_str).filter(is_outer);
    let integers = parameters.iter().copied().chain(outer);
    let mut arguments: Vec<_> = integers.map(|name| Argument::Integer(name.to_owned())).collect();
    arguments.extend(offset.iter().copied().map(Argument::Lower));
    let given = uses.data.iter().filter(|(array, _)| !constant::is_variable(view, **array));
    arguments.extend(given.map(|(array, written)| {
        let on_device = view.datum(*array).is_some_and(|datum| datum.on_device);
        let pointer = Argument::Pointer { array: *array, written: *written };
        if on_device { pointer } else { Argument::Value(*array) }
    }));
    arguments
}

/// The iterators of the loops in a kernel.
fn iterators(body: &Node) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    walk(body, &mut |node| {
        if let Node::For { iterator, .. } = node {
            found.insert(iterator.as_str());
        }
    });
    found
}

fn is_coordinate(name: &str) -> bool {
    Axis::ALL.iter().any(|axis| [axis.block_parameter(), axis.thread_parameter()].contains(&name))
}

/// The axes on which blocks are counted and not from zero, or not in every launch.
fn offset_axes(kernel: &Kernel, lower: &[AstExpr], parts: &BTreeSet<Axis>, uses: &Uses) -> BTreeSet<Axis> {
    let axes = kernel.grid.iter().zip(lower).filter(|(grid, lower)| {
        uses.integers.contains(grid.axis.block_parameter())
            && (value(lower) != Some(0) || parts.contains(&grid.axis))
    });
    axes.map(|(grid, _)| grid.axis).collect()
}

/// The buffers, in the order of their ids; those that are parts of one array come first.
fn declarations(view: &View<'_>, uses: &Uses, shared: &SharedMemory<'_>) -> Vec<Stmt> {
    let mut block = shared.parts(view);
    let is_part = |memory| memory == Memory::Shared && shared.dynamic_bytes() > 0;
    let buffers = uses.buffers.iter().filter_map(|id| view.buffer(*id));
    let declared = buffers.filter(|named| !is_part(named.buffer.memory));
    block.extend(declared.map(|named| shared::declaration(view, named)));
    block
}

/// The coordinates of the block and the thread.
fn coordinates(view: &View<'_>, offset: &BTreeSet<Axis>, uses: &Uses) -> Vec<Stmt> {
    let mut block = Vec::new();
    for (letter, builtin) in [("b", "blockIdx"), ("t", "threadIdx")] {
        for axis in Axis::ALL {
            let name = format!("{letter}{axis}");
            if !uses.integers.contains(&name) {
                continue;
            }
            let plus = if letter == "b" && offset.contains(&axis) {
                format!(" + {}", lower_name(axis))
            } else {
                String::new()
            };
            let text = format!("const {} {name} = {builtin}.{axis}{plus};", view.integers.index);
            block.push(Stmt::declare(&name, text));
        }
    }
    block
}

/// The name of the argument that says where the blocks of an axis begin.
pub fn lower_name(axis: Axis) -> String {
    format!("lower_{axis}")
}

fn definition(
    view: &View<'_>,
    name: &str,
    arguments: &[Argument],
    block: &[Stmt],
    comment: &[String],
) -> String {
    let arguments: Vec<String> =
        arguments.iter().filter_map(|argument| declaration(view, argument)).collect();
    let mut text = String::new();
    for line in comment {
        text.push_str(&format!("// {}\n", line.trim_end()));
    }
    layout::wrap(&format!("__global__ void {name}({})", arguments.join(", ")), 0, &mut text);
    text.push_str("{\n");
    text.push_str(&layout::render(block, 1));
    text.push_str("}\n");
    text
}

fn declaration(view: &View<'_>, argument: &Argument) -> Option<String> {
    Some(match argument {
        Argument::Integer(name) => format!("{} {name}", Dialect::Cxx.type_name(view.integers.type_of(name))),
        Argument::Lower(axis) => format!("{} {}", view.integers.index, lower_name(*axis)),
        Argument::Value(id) => {
            let datum = view.datum(*id)?;
            let name = &datum.array.name;
            if datum.memory == DeviceMemory::Argument {
                format!("const {} {name}", view.device_names(*id)?.constant_type)
            } else {
                format!("{} {name}", Dialect::Cxx.type_name(datum.array.element))
            }
        }
        Argument::Pointer { array, written } => {
            let array = view.datum(*array)?.array;
            let qualifier = if *written { "" } else { "const " };
            format!("{qualifier}{} *__restrict__ {}", Dialect::Cxx.type_name(array.element), array.name)
        }
    })
}
