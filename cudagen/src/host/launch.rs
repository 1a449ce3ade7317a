//! Launches and transfers inside the host function.

use std::collections::BTreeSet;

use scop::ast::expression::{binary, value};
use scop::ast::{AstExpr, AstOp, Node};
use scop::c_text::{Dialect, Fragment};
use scop::{ArrayId, Axis, BinaryOp, CType, DeviceMemory, Diagnostic, Diagnostics, Kernel};

use crate::code::body::{Special, undefined};
use crate::code::frame::Frame;
use crate::host::boxes;
use crate::host::grids;
use crate::host::packing;
use crate::host::slices;
use crate::kernel::outline::{Argument, KernelText, outline};
use crate::model::data::{Datum, HostForm};
use crate::model::facts::Facts;
use crate::print::layout::Stmt;
use crate::program::names::Names;

/// Writes launches and transfers, and with each launch its kernel.
pub struct Launcher<'a> {
    frame: &'a Frame<'a>,
    names: &'a mut Names,
    /// The kernels written so far, with the nodes that they came from and the axes along which they are launched in
    /// parts.
    kernels: Vec<(Node, BTreeSet<Axis>, KernelText)>,
}

impl<'a> Launcher<'a> {
    /// A launcher for a host function.
    pub fn new(frame: &'a Frame<'a>, names: &'a mut Names) -> Self {
        Self { frame, names, kernels: Vec::new() }
    }

    /// The kernels, in the order of their launches.
    pub fn kernels(self) -> Vec<KernelText> {
        self.kernels.into_iter().map(|(.., text)| text).collect()
    }

    /// The kernel's text; the same launched at another place is not written again.
    fn kernel(&mut self, node: &Node, parts: &BTreeSet<Axis>) -> Result<KernelText, Diagnostics> {
        let same =
            |(other, of, _): &&(Node, BTreeSet<Axis>, KernelText)| of == parts && same_kernel(other, node);
        if let Some((.., text)) = self.kernels.iter().find(same) {
            return Ok(text.clone());
        }
        let view = self.frame.view;
        let name = self.names.fresh(&format!("{}_kernel{}", view.model.name, self.kernels.len()));
        let text = outline(view, &name, node, parts)?;
        self.kernels.push((node.clone(), parts.clone(), text.clone()));
        Ok(text)
    }

    fn launch(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt>, Diagnostics> {
        let Node::Kernel { kernel: id, lower, extent, .. } = node else { return Err(undefined("a launch")) };
        let kernel = self.frame.view.kernel(*id);
        let kernel = kernel.ok_or_else(|| Diagnostic::bug("cudagen", format!("{id} is not mapped")))?;
        let parts = grids::in_parts(self.frame.view, facts, kernel, extent);
        let text = self.kernel(node, &parts)?;
        let launch = Launch { frame: self.frame, kernel, lower, extent, parts: &parts };
        let arguments = launch.arguments(&text)?;
        let call = vec![
            Stmt::line(format!(
                "{}<<<{}, {}{}>>>({});",
                text.name,
                launch.grid(),
                launch.block(),
                if text.dynamic_bytes > 0 { format!(", {}", text.dynamic_bytes) } else { String::new() },
                arguments
            )),
            Stmt::line("cuda_check(cudaGetLastError());"),
        ];
        let call = launch.over_parts(call);
        Ok(match unless_positive(facts, launch.extent) {
            Some(condition) => {
                let condition = self.frame.index(&condition).text;
                vec![Stmt::If { condition, then: call, otherwise: Vec::new() }]
            }
            None => call,
        })
    }
}

impl Special for Launcher<'_> {
    fn special(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt>, Diagnostics> {
        match node {
            Node::Kernel { .. } => self.launch(node, facts),
            Node::Transfer { array, to_device, part: Some(part) } => {
                let copy = boxes::part(self.frame, *array, part, facts, *to_device);
                copy.map(|copy| vec![copy]).ok_or_else(|| undefined(&format!("a part of {array}")))
            }
            _ => Err(undefined("an element on the host")),
        }
    }

    fn transfers(
        &mut self,
        arrays: &[ArrayId],
        to_device: bool,
        facts: &Facts,
    ) -> Result<Vec<Stmt>, Diagnostics> {
        packing::transfers(self.frame, arrays, to_device, facts)
    }
}

/// The condition that some extents are positive, if it is not known to hold: CUDA has no empty launches, and a box
/// may be empty in one dimension and larger than memory in another.
pub fn unless_positive(facts: &Facts, extents: &[AstExpr]) -> Option<AstExpr> {
    let positive = |extent: &AstExpr| binary(AstOp::Gt, extent.clone(), AstExpr::Int(0));
    let mut unknown: Vec<AstExpr> =
        extents.iter().map(positive).filter(|condition| !facts.imply(condition)).collect();
    unknown.dedup();
    unknown.into_iter().reduce(|left, right| binary(AstOp::And, left, right))
}

/// True if two launches, in parts along the same axes, run the same function. Where the blocks begin is an argument,
/// unless it is zero.
fn same_kernel(one: &Node, other: &Node) -> bool {
    let (
        Node::Kernel { kernel: k1, lower: l1, body: b1, .. },
        Node::Kernel { kernel: k2, lower: l2, body: b2, .. },
    ) = (one, other)
    else {
        return false;
    };
    let zeros = |lower: &[AstExpr]| lower.iter().map(|expr| value(expr) == Some(0)).collect::<Vec<_>>();
    k1 == k2 && b1 == b2 && zeros(l1) == zeros(l2)
}

struct Launch<'a> {
    frame: &'a Frame<'a>,
    kernel: &'a Kernel,
    lower: &'a [AstExpr],
    extent: &'a [AstExpr],
    parts: &'a BTreeSet<Axis>,
}

impl Launch<'_> {
    fn grid(&self) -> String {
        dim3(
            Axis::ALL.map(|axis| {
                if self.parts.contains(&axis) { Some(grids::size(axis)) } else { self.blocks(axis) }
            }),
        )
    }

    /// The number of all blocks along an axis.
    fn blocks(&self, axis: Axis) -> Option<String> {
        let position = self.kernel.grid.iter().position(|grid| grid.axis == axis)?;
        self.extent.get(position).map(|expr| self.frame.index(expr).text)
    }

    /// The launches of all parts, for that of one.
    fn over_parts(&self, call: Vec<Stmt>) -> Vec<Stmt> {
        self.parts.iter().fold(call, |body, &axis| match self.blocks(axis) {
            Some(blocks) => vec![grids::over_parts(axis, &blocks, body)],
            None => body,
        })
    }

    fn block(&self) -> String {
        dim3(Axis::ALL.map(|axis| {
            let block = self.kernel.block.iter().find(|block| block.axis == axis);
            block.map(|block| block.size.to_string())
        }))
    }

    fn arguments(&self, text: &KernelText) -> Result<String, Diagnostics> {
        let spelled = |argument| {
            self.argument(argument).ok_or_else(|| undefined(&format!("an argument of {}", text.name)))
        };
        Ok(text.arguments.iter().map(spelled).collect::<Result<Vec<_>, _>>()?.join(", "))
    }

    fn argument(&self, argument: &Argument) -> Option<String> {
        let view = self.frame.view;
        match argument {
            Argument::Integer(name) => Some(self.frame.index(&AstExpr::Name(name.clone())).text),
            Argument::Lower(axis) => {
                let position = self.kernel.grid.iter().position(|grid| grid.axis == *axis)?;
                let lower = self.lower.get(position)?;
                let whole = self.frame.index(lower);
                let first = Fragment::atom(grids::first(*axis), CType::Long);
                let coordinate = match (self.parts.contains(axis), value(lower)) {
                    (false, _) => whole,
                    (true, Some(0)) => first,
                    (true, _) => Fragment::infix(BinaryOp::Add, &whole, &first, CType::Long),
                };
                Some(coordinate.text)
            }
            Argument::Value(array) => {
                let datum = view.datum(*array)?;
                if datum.memory == DeviceMemory::Argument {
                    return Some(view.device_names(*array)?.pointer.clone());
                }
                self.frame.note(*array, false);
                Some(scalar(datum))
            }
            Argument::Pointer { array, .. } => slices::device_origin(self.frame, *array),
        }
    }
}

/// The value of a scalar. Where C does not read it, nothing may be there; then its value does not matter.
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

/// `dim3(x, y)`, or a plain number where only x is more than one.
fn dim3(sizes: [Option<String>; 3]) -> String {
    let used = sizes.iter().rposition(Option::is_some).map_or(1, |last| last + 1);
    let sizes: Vec<String> =
        sizes.into_iter().take(used).map(|size| size.unwrap_or_else(|| "1".to_owned())).collect();
    if used == 1 { sizes.concat() } else { format!("dim3({})", sizes.join(", ")) }
}

#[cfg(test)]
mod tests {
    use scop::{IslSet, KernelId};

    use super::*;

    /// A kernel whose blocks do not begin at zero has an argument more; which coordinate it is given does not matter.
    #[test]
    fn kernels_that_begin_elsewhere_are_others() {
        let at = |lower: AstExpr| Node::Kernel {
            kernel: KernelId(0),
            lower: vec![AstExpr::Int(0), lower],
            extent: vec![AstExpr::Int(1), AstExpr::Int(1)],
            body: Box::new(Node::Barrier),
        };
        let named = |name: &str| at(AstExpr::Name(name.to_owned()));
        assert!(same_kernel(&at(AstExpr::Int(0)), &at(AstExpr::Int(0))));
        assert!(same_kernel(&named("n"), &named("m")));
        assert!(same_kernel(&named("n"), &at(AstExpr::Int(2))));
        assert!(!same_kernel(&named("n"), &at(AstExpr::Int(0))));
        assert!(!same_kernel(&at(AstExpr::Int(0)), &named("n")));
    }

    /// Sizes stand in the places of their axes.
    #[test]
    fn an_axis_without_a_size_has_one() {
        let size = |size: &str| Some(size.to_owned());
        assert_eq!(dim3([None, None, None]), "1");
        assert_eq!(dim3([size("n"), None, None]), "n");
        assert_eq!(dim3([None, size("n"), None]), "dim3(1, n)");
        assert_eq!(dim3([size("n"), None, size("m")]), "dim3(n, 1, m)");
    }

    /// A grid may be empty along any of its axes.
    #[test]
    fn each_extent_that_may_be_empty_is_asked() {
        let facts = Facts::new(&IslSet("[n, m, k] -> { : k >= 1 }".to_owned()));
        let [n, m, k] = ["n", "m", "k"].map(|name| AstExpr::Name(name.to_owned()));
        let positive = |extent: &AstExpr| binary(AstOp::Gt, extent.clone(), AstExpr::Int(0));
        let asked = |extents: &[&AstExpr]| {
            unless_positive(&facts, &extents.iter().map(|extent| (*extent).clone()).collect::<Vec<_>>())
        };
        let both = binary(AstOp::And, positive(&n), positive(&m));
        assert_eq!(asked(&[&n, &m]), Some(both.clone()));
        assert_eq!(asked(&[&n, &k, &m]), Some(both));
        assert_eq!(asked(&[&k, &m]), Some(positive(&m)));
        assert_eq!(asked(&[&k]), None);
    }
}
