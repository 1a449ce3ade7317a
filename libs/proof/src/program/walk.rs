//! The walk through a loop program to its leaves.

use std::collections::BTreeMap;

use polyhedra::{DimType, Result, Set, Simplify, Text};
use scop::ast::{AstExpr, AstOp, Node, Ranked};
use scop::{BlockDimension, Kernel, KernelId, Model, part};

use super::bounds::{step, stride, upper_bound};
use super::leaf::{Apart, Launch, Leaf, Numbered, Step, Walked};
use super::rank;
use super::value::{Scope, operation};

/// The blocks that points may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// Any: without the bounds of grids, the sets of points are simpler.
    Any,
    /// Those that their launch starts.
    Started,
}

/// Takes a loop program apart, for parameters in the context.
///
/// # Errors
/// Fails if an expression is not quasi-affine, or a loop does not count upwards to an upper bound.
pub fn walk<'a>(model: &Model, kernels: &'a [Kernel], root: &'a Node, blocks: Blocks) -> Result<Walked<'a>> {
    let names: Vec<&str> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let parameters = Set::parse(&format!("[{}] -> {{ : }}", names.join(", ")))?;
    let context = Set::parse(&model.context.0)?.align_params(parameters.get_space()?)?;
    let mut walker = Walker {
        kernels,
        path: Vec::new(),
        names: Vec::new(),
        thread_dependent: Vec::new(),
        divergent: false,
        launch: None,
        blocks,
        fixed: Vec::new(),
        found: Walked { leaves: Vec::new(), grids: Vec::new(), numbered: Vec::new(), apart: Vec::new() },
    };
    walker.visit(root, &context.from_params()?)?;
    Ok(walker.found)
}

struct Walker<'a> {
    kernels: &'a [Kernel],
    path: Vec<Step>,
    names: Vec<String>,
    /// The names whose values differ from thread to thread.
    thread_dependent: Vec<String>,
    divergent: bool,
    launch: Option<Launch>,
    /// The iterators of loops that run once, with their values.
    fixed: Vec<(String, AstExpr)>,
    blocks: Blocks,
    found: Walked<'a>,
}

impl<'a> Walker<'a> {
    fn visit(&mut self, node: &'a Node, domain: &Set) -> Result<()> {
        match node {
            Node::Block { children } => {
                for (position, child) in children.iter().enumerate() {
                    self.below(Step::Child(position), child, domain)?;
                }
                Ok(())
            }
            Node::If { condition, then, otherwise } => {
                let divergent = self.divergent;
                self.divergent |= self.depends_on_thread(condition);
                let holds = self.scope(domain).condition(condition)?;
                let inside = domain.copy()?.intersect(holds.copy()?)?.simplified()?;
                self.below(Step::Branch(true), then, &inside)?;
                if let Some(otherwise) = otherwise {
                    let outside = domain.copy()?.subtract(holds)?.simplified()?;
                    self.below(Step::Branch(false), otherwise, &outside)?;
                }
                self.divergent = divergent;
                Ok(())
            }
            Node::Specialised { guard, specialised, general } => {
                self.take_apart(guard, specialised, general, domain)
            }
            Node::For { iterator, init, condition, increment, degenerate, body, .. } => {
                let bounds = if *degenerate { None } else { Some((condition, step(increment)?)) };
                self.iterate(iterator, init, bounds, body, domain)
            }
            Node::Kernel { kernel, lower, extent, ranked, body } => {
                self.enter(*kernel, (lower, extent, ranked.as_deref()), body, domain)
            }
            Node::Instance { .. }
            | Node::Copy { .. }
            | Node::Barrier
            | Node::Element { .. }
            | Node::Transfer { .. } => {
                self.found.leaves.push(Leaf {
                    node,
                    path: self.path.clone(),
                    names: self.names.clone(),
                    domain: domain.copy()?,
                    launch: self.launch,
                    divergent: self.divergent,
                    fixed: self.fixed.clone(),
                });
                Ok(())
            }
        }
    }

    fn below(&mut self, step: Step, node: &'a Node, domain: &Set) -> Result<()> {
        self.path.push(step);
        self.visit(node, domain)?;
        self.path.pop();
        Ok(())
    }

    /// Visits a specialised nest and the general one that it replaces. The program gets the leaves of the general
    /// one.
    fn take_apart(
        &mut self,
        guard: &AstExpr,
        specialised: &'a Node,
        general: &'a Node,
        domain: &Set,
    ) -> Result<()> {
        let first = self.found.leaves.len();
        self.visit(general, domain)?;
        let leaves = &self.found.leaves[first..];
        let general = leaves.iter().map(Leaf::copy).collect::<Result<_>>()?;
        let divergent = self.divergent;
        self.divergent |= self.depends_on_thread(guard);
        let holds = self.scope(domain).condition(guard)?;
        let inside = domain.copy()?.intersect(holds)?.simplified()?;
        let leaves = std::mem::take(&mut self.found.leaves);
        self.visit(specialised, &inside)?;
        let specialised = std::mem::replace(&mut self.found.leaves, leaves);
        self.divergent = divergent;
        let steps = self.path.len();
        self.found.apart.push(Apart { steps, inside, specialised, general });
        Ok(())
    }

    /// Visits a loop. Without bounds, its iterator has only the first value.
    fn iterate(
        &mut self,
        iterator: &str,
        init: &AstExpr,
        bounds: Option<(&AstExpr, i64)>,
        body: &'a Node,
        domain: &Set,
    ) -> Result<()> {
        let divergent = self.divergent;
        let dependent = self.depends_on_thread(init)
            || bounds.is_some_and(|(condition, _)| self.depends_on_thread(condition));
        // The iterator need not become thread-dependent: everything in the loop is divergent anyway.
        self.divergent |= dependent;
        if bounds.is_none() {
            let values = self.fixed.iter().cloned().collect::<BTreeMap<_, _>>();
            let value = init.with_values(&|name| values.get(name).cloned());
            self.fixed.push((iterator.to_owned(), value));
        }
        self.names.push(iterator.to_owned());
        let all = domain.copy()?.add_dims(DimType::Set, 1)?;
        let scope = Scope { names: &self.names, domain: &all };
        let name = AstExpr::Name(iterator.to_owned());
        let values = match bounds {
            None => scope.condition(&operation(AstOp::Eq, name, init.clone()))?,
            Some((condition, step)) => {
                upper_bound(condition, iterator)?;
                let first = scope.condition(&operation(AstOp::Ge, name.clone(), init.clone()))?;
                let values = first.intersect(scope.condition(condition)?)?;
                if step == 1 { values } else { values.intersect(stride(&scope, &name, init, step)?)? }
            }
        };
        self.below(Step::Loop, body, &all.intersect(values)?.simplified()?)?;
        self.names.pop();
        if bounds.is_none() {
            self.fixed.pop();
        }
        self.divergent = divergent;
        Ok(())
    }

    fn enter(
        &mut self,
        id: KernelId,
        (lower, extent, ranked): (&[AstExpr], &[AstExpr], Option<&'a Ranked>),
        body: &'a Node,
        domain: &Set,
    ) -> Result<()> {
        let kernel = part(self.kernels, id.index(), id)?;
        let first = self.names.len();
        let outer = self.names.clone();
        self.names.extend(kernel.grid.iter().map(|grid| grid.axis.block_parameter().to_owned()));
        let blocks = domain.copy()?.add_dims(DimType::Set, kernel.grid.len() as u32)?;
        let mut grid = Set::universe(blocks.get_space()?)?;
        for ((dimension, lower), extent) in kernel.grid.iter().zip(lower).zip(extent) {
            let name = AstExpr::Name(dimension.axis.block_parameter().to_owned());
            let scope = Scope { names: &self.names, domain: &blocks };
            let after = operation(AstOp::Add, lower.clone(), extent.clone());
            grid = grid
                .intersect(scope.condition(&operation(AstOp::Ge, name.clone(), lower.clone()))?)?
                .intersect(scope.condition(&operation(AstOp::Lt, name, after))?)?;
        }
        if let Some(ranked) = ranked {
            let axes: Vec<&str> = kernel.grid.iter().map(|grid| grid.axis.block_parameter()).collect();
            grid = rank::started(&outer, Set::universe(domain.get_space()?)?, ranked, &axes)?;
            let domain = domain.copy()?;
            self.found.numbered.push(Numbered { kernel: id, names: outer, domain, ranked });
        }
        let mut threads = match self.blocks {
            Blocks::Any => blocks,
            Blocks::Started => blocks.intersect(grid.copy()?)?,
        };
        for dimension in &kernel.block {
            let position = self.names.len() as u32;
            self.names.push(dimension.axis.thread_parameter().to_owned());
            self.thread_dependent.push(dimension.axis.thread_parameter().to_owned());
            let last = size(dimension) - 1;
            threads = threads
                .add_dims(DimType::Set, 1)?
                .lower_bound_si(DimType::Set, position, 0)?
                .upper_bound_si(DimType::Set, position, last)?;
        }
        let (blocks, lanes) = (kernel.grid.len(), kernel.block.len());
        let (step, grid_number) = (self.path.len(), self.found.grids.len());
        self.found.grids.push(grid);
        let mut sizes = [1; 3];
        sizes.iter_mut().zip(&kernel.block).for_each(|(known, dimension)| *known = size(dimension));
        self.launch = Some(Launch { step, first, blocks, threads: lanes, sizes, grid: grid_number });
        self.below(Step::Kernel(blocks + lanes), body, &threads)?;
        self.launch = None;
        self.thread_dependent.clear();
        self.names.truncate(first);
        Ok(())
    }

    fn scope<'s>(&'s self, domain: &'s Set) -> Scope<'s> {
        Scope { names: &self.names, domain }
    }

    fn depends_on_thread(&self, expr: &AstExpr) -> bool {
        let mut found = false;
        expr.visit_names(&mut |name| found |= self.thread_dependent.iter().any(|known| known == name));
        found
    }
}

fn size(dimension: &BlockDimension) -> i32 {
    i32::try_from(dimension.size).unwrap_or(i32::MAX)
}
