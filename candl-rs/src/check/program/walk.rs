//! The leaves of a loop program, with everything that the way to them says.

use std::ops::Range;

use polyhedra::{DimType, Error, Result, Set, Simplify, Text};
use scop::ast::{AstExpr, AstOp, Node};
use scop::{BlockDimension, KernelId, Mapping, Model};

use super::value::Scope;

/// A leaf of a loop program: an instance, a copy, a barrier or a transfer.
///
/// Its *points* are the values of the loops around it, outermost first; in a kernel those of the loops on the host, the coordinates of
/// the block and of the thread, and those of the loops in the kernel.
pub struct Leaf<'a> {
    /// What stands there.
    pub node: &'a Node,
    /// The way to it.
    pub path: Vec<Step>,
    /// The names of the points' dimensions.
    pub names: Vec<String>,
    /// The points at which it is reached, if any block may exist.
    pub domain: Set,
    /// The kernel around it.
    pub launch: Option<Launch>,
    /// True if a condition or the bound of a loop on the way depends on the thread.
    pub divergent: bool,
}

/// One step from the root of a loop program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To a child of a block.
    Child(usize),
    /// To a branch of a condition.
    Branch(bool),
    /// Into the body of a loop.
    Loop,
    /// Into a kernel with so many coordinates of blocks and threads.
    Kernel(usize),
}

impl Step {
    /// The dimensions that points get by the step.
    fn dimensions(self) -> usize {
        match self {
            Self::Loop => 1,
            Self::Kernel(coordinates) => coordinates,
            Self::Child(_) | Self::Branch(_) => 0,
        }
    }
}

/// The number of dimensions of points below a path.
pub fn dimensions(path: &[Step]) -> usize {
    path.iter().map(|step| step.dimensions()).sum()
}

/// The launch of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Launch {
    /// The position of the step into it.
    pub step: usize,
    /// The dimensions before the coordinates: the loops on the host.
    pub first: usize,
    /// The number of coordinates of a block.
    pub blocks: usize,
    /// The number of coordinates of a thread.
    pub threads: usize,
    /// The number of threads along each of them.
    pub sizes: [i32; 3],
    /// The position of the blocks that exist in [`Walked::grids`].
    pub grid: usize,
}

impl Launch {
    /// The dimensions of points that are the coordinates of the thread.
    pub fn thread_dimensions(&self) -> Range<usize> {
        let first = self.first + self.blocks;
        first..first + self.threads
    }
}

/// A loop program, taken apart.
pub struct Walked<'a> {
    /// The leaves, in the order of the text.
    pub leaves: Vec<Leaf<'a>>,
    /// For each launch, the blocks that it starts: the loops on the host, then the coordinates of the block.
    pub grids: Vec<Set>,
}

impl Walked<'_> {
    /// The points in the space of a leaf whose block is started; nothing on the host.
    pub fn started(&self, leaf: &Leaf<'_>) -> Result<Option<Set>> {
        let Some(launch) = leaf.launch else { return Ok(None) };
        let Some(grid) = self.grids.get(launch.grid) else { return Ok(None) };
        let more = leaf.names.len().saturating_sub(launch.first + launch.blocks);
        Ok(Some(grid.copy()?.add_dims(DimType::Set, more as u32)?))
    }
}

/// Takes a loop program apart, for parameters in the context.
///
/// # Errors
/// If an expression is not quasi-affine, or a loop does not count upwards to an upper bound.
pub fn walk<'a>(model: &Model, mapping: &'a Mapping, root: &'a Node) -> Result<Walked<'a>> {
    let names: Vec<&str> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let parameters = Set::parse(&format!("[{}] -> {{ : }}", names.join(", ")))?;
    let context = Set::parse(&model.context.0)?.align_params(parameters.get_space()?)?;
    let mut walker = Walker {
        mapping,
        path: Vec::new(),
        names: Vec::new(),
        thread_dependent: Vec::new(),
        divergent: false,
        launch: None,
        found: Walked { leaves: Vec::new(), grids: Vec::new() },
    };
    walker.visit(root, &context.from_params()?)?;
    Ok(walker.found)
}

struct Walker<'a> {
    mapping: &'a Mapping,
    path: Vec<Step>,
    names: Vec<String>,
    /// The names whose values differ from thread to thread.
    thread_dependent: Vec<String>,
    divergent: bool,
    launch: Option<Launch>,
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
            Node::For { iterator, init, condition, increment, degenerate, body } => {
                let bounds = if *degenerate { None } else { Some((condition, step(increment)?)) };
                self.iterate(iterator, init, bounds, body, domain)
            }
            Node::Kernel { kernel, lower, extent, body } => self.enter(*kernel, lower, extent, body, domain),
            Node::Instance { .. } | Node::Copy { .. } | Node::Barrier | Node::Transfer { .. } => {
                self.found.leaves.push(Leaf {
                    node,
                    path: self.path.clone(),
                    names: self.names.clone(),
                    domain: domain.copy()?,
                    launch: self.launch,
                    divergent: self.divergent,
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

    /// A loop; without bounds its iterator has the first value alone.
    fn iterate(
        &mut self,
        iterator: &str,
        init: &AstExpr,
        bounds: Option<(&AstExpr, i64)>,
        body: &'a Node,
        domain: &Set,
    ) -> Result<()> {
        let (divergent, known) = (self.divergent, self.thread_dependent.len());
        let dependent = self.depends_on_thread(init)
            || bounds.is_some_and(|(condition, _)| self.depends_on_thread(condition));
        if dependent {
            self.divergent = true;
            self.thread_dependent.push(iterator.to_owned());
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
        self.thread_dependent.truncate(known);
        self.divergent = divergent;
        Ok(())
    }

    fn enter(
        &mut self,
        id: KernelId,
        lower: &[AstExpr],
        extent: &[AstExpr],
        body: &'a Node,
        domain: &Set,
    ) -> Result<()> {
        let unknown = || Error::new(format!("a launch of {id}, which the mapping lacks"));
        let kernel = self.mapping.kernels.get(id.index()).ok_or_else(unknown)?;
        let first = self.names.len();
        self.names.extend(kernel.grid.iter().map(|grid| grid.axis.block_parameter().to_owned()));
        let blocks = domain.copy()?.add_dims(DimType::Set, kernel.grid.len() as u32)?;
        let mut grid = Set::universe(blocks.get_space()?)?;
        for ((dimension, lower), extent) in kernel.grid.iter().zip(lower).zip(extent) {
            let name = AstExpr::Name(dimension.axis.block_parameter().to_owned());
            let scope = Scope { names: &self.names, domain: &blocks };
            let behind = operation(AstOp::Add, lower.clone(), extent.clone());
            grid = grid
                .intersect(scope.condition(&operation(AstOp::Ge, name.clone(), lower.clone()))?)?
                .intersect(scope.condition(&operation(AstOp::Lt, name, behind))?)?;
        }
        let mut threads = blocks;
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
        match expr {
            AstExpr::Int(_) => false,
            AstExpr::Name(name) => self.thread_dependent.contains(name),
            AstExpr::Op(_, operands) => operands.iter().any(|operand| self.depends_on_thread(operand)),
        }
    }
}

fn operation(operator: AstOp, left: AstExpr, right: AstExpr) -> AstExpr {
    AstExpr::Op(operator, vec![left, right])
}

fn size(dimension: &BlockDimension) -> i32 {
    i32::try_from(dimension.size).unwrap_or(i32::MAX)
}

/// The step of a loop.
fn step(increment: &AstExpr) -> Result<i64> {
    match increment {
        AstExpr::Int(step) if *step > 0 => Ok(*step),
        other => Err(Error::new(format!("a loop with the step {other}"))),
    }
}

/// Where `iterator - init` is a multiple of `step`.
fn stride(scope: &Scope<'_>, iterator: &AstExpr, init: &AstExpr, step: i64) -> Result<Set> {
    let distance = operation(AstOp::Sub, iterator.clone(), init.clone());
    let floor = operation(AstOp::FloorDiv, distance.clone(), AstExpr::Int(step));
    scope.condition(&operation(AstOp::Eq, distance, operation(AstOp::Mul, AstExpr::Int(step), floor)))
}

/// A loop ends where its condition fails for the first time, so the values at which it holds are those of the loop only if it is a
/// bound from above.
fn upper_bound(condition: &AstExpr, iterator: &str) -> Result<()> {
    let is_bounded = |value: &AstExpr, bound: &AstExpr| {
        matches!(value, AstExpr::Name(name) if name == iterator) && !mentions(bound, iterator)
    };
    if let AstExpr::Op(operator, sides) = condition
        && let [left, right] = &sides[..]
    {
        match operator {
            AstOp::And => return upper_bound(left, iterator).and_then(|()| upper_bound(right, iterator)),
            AstOp::Le | AstOp::Lt if is_bounded(left, right) => return Ok(()),
            AstOp::Ge | AstOp::Gt if is_bounded(right, left) => return Ok(()),
            _ => {}
        }
    }
    Err(Error::new(format!("a loop that runs while {condition}")))
}

fn mentions(expr: &AstExpr, name: &str) -> bool {
    match expr {
        AstExpr::Int(_) => false,
        AstExpr::Name(known) => known == name,
        AstExpr::Op(_, operands) => operands.iter().any(|operand| mentions(operand, name)),
    }
}
