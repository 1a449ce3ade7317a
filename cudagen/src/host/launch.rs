//! Launches and transfers inside the host function.

use std::collections::{BTreeMap, BTreeSet};

use scop::ast::expression::value;
use scop::ast::{AstExpr, Node};
use scop::c_text::Dialect;
use scop::{ArrayId, Axis, DeviceMemory, Diagnostics, Kernel};

use crate::code::body::OwnNodes;
use crate::code::frame::Frame;
use crate::code::stmt::Stmt;
use crate::code::undefined::undefined;
use crate::host::extents::device_origin;
use crate::host::operation::{HostOp, Launch, LaunchArgument};
use crate::host::{boxes, grids, transfers};
use crate::kernel::outline::outline;
use crate::kernel::program::{Given, KernelProgram};
use crate::model::data::{Datum, HostForm};
use crate::model::facts::Facts;
use crate::program::names::Names;

/// The writer of launches and transfers, which also collects the kernels.
pub struct Launcher<'a> {
    frame: &'a Frame<'a>,
    names: &'a mut Names,
    /// The kernels written so far, with their nodes and the axes along which they are launched in parts.
    kernels: Vec<(Node, BTreeSet<Axis>, KernelProgram)>,
}

impl<'a> Launcher<'a> {
    /// Creates a launcher for a host function.
    pub fn new(frame: &'a Frame<'a>, names: &'a mut Names) -> Self {
        Self { frame, names, kernels: Vec::new() }
    }

    /// Returns the kernels in the order of their launches.
    pub fn kernels(self) -> Vec<KernelProgram> {
        self.kernels.into_iter().map(|(.., kernel)| kernel).collect()
    }

    /// Returns the kernel of a launch. A kernel that is launched at several places is written once.
    fn kernel(&mut self, node: &Node, parts: BTreeSet<Axis>) -> Result<KernelProgram, Diagnostics> {
        let same = |(other, of, _): &&(Node, BTreeSet<Axis>, KernelProgram)| {
            *of == parts && same_kernel(other, node)
        };
        if let Some((.., kernel)) = self.kernels.iter().find(same) {
            return Ok(kernel.clone());
        }
        let view = self.frame.view;
        let name = self.names.fresh(&format!("{}_kernel{}", view.model.name, self.kernels.len()));
        let kernel = outline(view, &name, node, &parts, self.names)?;
        self.kernels.push((node.clone(), parts, kernel.clone()));
        Ok(kernel)
    }

    fn launch(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
        let Node::Kernel { kernel: id, lower, extent, ranked, .. } = node else {
            return Err(undefined("a launch"));
        };
        let mapped = self.frame.view.kernel(*id)?;
        let parts = match ranked {
            Some(ranked) => grids::in_parts_of_ranks(&ranked.blocks),
            None => grids::in_parts(self.frame.view, facts, mapped, extent),
        };
        let kernel = self.kernel(node, parts.keys().copied().collect())?;
        let numbered = kernel.ranks.as_ref().map(|ranks| &ranks.blocks);
        let blocks = numbered.map(|blocks| {
            let number = |name: &String| self.frame.index(&AstExpr::Name(name.clone())).text;
            let arguments: Vec<String> = blocks.parameters.iter().map(number).collect();
            format!("{}({})", blocks.name, arguments.join(", "))
        });
        let shape = Shape { frame: self.frame, mapped, lower, extent, blocks, parts: &parts };
        let arguments = kernel.arguments.iter().map(|argument| shape.argument(&argument.given));
        let call = vec![Stmt::Op(HostOp::Launch(Launch {
            kernel: kernel.name.clone(),
            grid: Axis::ALL.map(|axis| shape.blocks(axis)),
            block: Axis::ALL.map(|axis| {
                let block = mapped.block.iter().find(|block| block.axis == axis);
                block.map(|block| block.size)
            }),
            parts: parts.iter().map(|(axis, limit)| (*axis, *limit)).collect(),
            dynamic_bytes: kernel.dynamic_bytes,
            arguments: arguments.collect::<Result<_, _>>()?,
        }))];
        let condition = match &shape.blocks {
            // There are no parts of nothing.
            Some(_) if !parts.is_empty() => None,
            Some(blocks) => Some(format!("{blocks} > 0")),
            None => facts.unless_positive(extent).map(|condition| self.frame.index(&condition).text),
        };
        Ok(match condition {
            Some(condition) => {
                vec![Stmt::If { condition, then: call, otherwise: Vec::new() }]
            }
            None => call,
        })
    }
}

impl OwnNodes<HostOp> for Launcher<'_> {
    fn write(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
        match node {
            Node::Kernel { .. } => self.launch(node, facts),
            Node::Transfer { array, to_device, part: Some(part) } => {
                Ok(vec![boxes::part(self.frame, *array, part, facts, *to_device)?])
            }
            _ => Err(undefined("an element or a barrier on the host")),
        }
    }

    fn transfers(
        &mut self,
        arrays: &[ArrayId],
        to_device: bool,
        facts: &Facts,
    ) -> Result<Vec<Stmt<HostOp>>, Diagnostics> {
        transfers::transfers(self.frame, arrays, to_device, facts)
    }
}

/// True if two launches, in parts along the same axes, run the same function. The coordinate of the first block is an
/// argument, unless it is zero.
fn same_kernel(one: &Node, other: &Node) -> bool {
    let (
        Node::Kernel { kernel: k1, lower: l1, ranked: r1, body: b1, .. },
        Node::Kernel { kernel: k2, lower: l2, ranked: r2, body: b2, .. },
    ) = (one, other)
    else {
        return false;
    };
    let zeros = |lower: &[AstExpr]| lower.iter().map(|expr| value(expr) == Some(0)).collect::<Vec<_>>();
    k1 == k2 && b1 == b2 && r1 == r2 && (r1.is_some() || zeros(l1) == zeros(l2))
}

/// The blocks of a launch.
struct Shape<'a> {
    frame: &'a Frame<'a>,
    mapped: &'a Kernel,
    lower: &'a [AstExpr],
    extent: &'a [AstExpr],
    /// The number of all blocks, if they are numbered.
    blocks: Option<String>,
    parts: &'a BTreeMap<Axis, i64>,
}

impl Shape<'_> {
    /// Returns the expression for an axis in one of its lists.
    fn along<'e>(&self, axis: Axis, list: &'e [AstExpr]) -> Option<&'e AstExpr> {
        list.get(self.mapped.grid.iter().position(|grid| grid.axis == axis)?)
    }

    /// Returns the number of all blocks along an axis.
    fn blocks(&self, axis: Axis) -> Option<String> {
        if self.blocks.is_some() {
            return self.blocks.clone().filter(|_| axis == Axis::X);
        }
        self.along(axis, self.extent).map(|expr| self.frame.index(expr).text)
    }

    fn argument(&self, given: &Given) -> Result<LaunchArgument, Diagnostics> {
        let view = self.frame.view;
        Ok(LaunchArgument::Value(match given {
            Given::Integer(name) => self.frame.index(&AstExpr::Name(name.clone())).text,
            Given::Lower(axis) if self.blocks.is_some() => {
                return Ok(LaunchArgument::FirstBlock { axis: *axis, lower: None });
            }
            Given::Lower(axis) => {
                let lower = self.along(*axis, self.lower);
                let lower = lower.ok_or_else(|| undefined(&format!("the first block along {axis}")))?;
                let whole = self.frame.index(lower);
                if self.parts.contains_key(axis) {
                    let lower = (value(lower) != Some(0)).then_some(whole);
                    return Ok(LaunchArgument::FirstBlock { axis: *axis, lower });
                }
                whole.text
            }
            Given::Value(array) => {
                let datum = view.datum(*array)?;
                if datum.memory == DeviceMemory::Argument {
                    view.device_names(*array)?.pointer.clone()
                } else {
                    self.frame.note(*array, false);
                    scalar(datum)
                }
            }
            Given::Pointer(array) => device_origin(self.frame, *array)?,
        }))
    }
}

/// Returns the value of a scalar. If C does not read it, its pointer may be null, and its value does not matter.
fn scalar(datum: &Datum<'_>) -> String {
    let name = &datum.array.name;
    let element = datum.array.element;
    let nothing =
        if element.is_complex() { format!("{}()", Dialect::Cxx.type_name(element)) } else { "0".to_owned() };
    match datum.host {
        HostForm::Pointer if datum.pointers.is_empty() => format!("*{name}"),
        HostForm::Pointer => format!("{name} ? *{name} : {nothing}"),
        _ => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use scop::KernelId;

    use super::*;

    /// A kernel whose blocks do not begin at zero has an additional argument, whatever its value is.
    #[test]
    fn kernels_that_begin_elsewhere_are_others() {
        let at = |lower: AstExpr| Node::Kernel {
            kernel: KernelId(0),
            lower: vec![AstExpr::Int(0), lower],
            extent: vec![AstExpr::Int(1), AstExpr::Int(1)],
            ranked: None,
            body: Box::new(Node::Barrier),
        };
        let named = |name: &str| at(AstExpr::Name(name.to_owned()));
        assert!(same_kernel(&at(AstExpr::Int(0)), &at(AstExpr::Int(0))));
        assert!(same_kernel(&named("n"), &named("m")));
        assert!(same_kernel(&named("n"), &at(AstExpr::Int(2))));
        assert!(!same_kernel(&named("n"), &at(AstExpr::Int(0))));
        assert!(!same_kernel(&at(AstExpr::Int(0)), &named("n")));
    }
}
