//! The leaves of a loop program, and the paths to them.

use std::ops::Range;

use polyhedra::{DimType, Result, Set};
use scop::KernelId;
use scop::ast::{AstExpr, Node, Ranked};

/// A leaf of a loop program: an instance, a copy, a barrier, a transfer, or an element that is packed.
///
/// Its *points* consist of the values of the loops around it, outermost first. In a kernel they consist of the loops
/// on the host, the coordinates of the block and of the thread, and the loops in the kernel.
pub struct Leaf<'a> {
    /// The node.
    pub node: &'a Node,
    /// The path to it from the root.
    pub path: Vec<Step>,
    /// The names of the points' dimensions.
    pub names: Vec<String>,
    /// The points at which it is reached, in any block or in one that is started ([`super::walk::Blocks`]).
    pub domain: Set,
    /// The launch of the kernel around it.
    pub launch: Option<Launch>,
    /// True if a condition or a loop bound on the path depends on the thread.
    pub divergent: bool,
    /// The iterators of loops around it that run once, with their values in terms of the other iterators.
    pub fixed: Vec<(String, AstExpr)>,
}

impl Leaf<'_> {
    /// True if a dimension of its points is the iterator of a loop that runs once.
    pub fn is_fixed(&self, dimension: usize) -> bool {
        self.names.get(dimension).is_some_and(|name| self.fixed.iter().any(|(fixed, _)| fixed == name))
    }

    /// Copies the leaf.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails.
    pub fn copy(&self) -> Result<Self> {
        Ok(Self {
            node: self.node,
            path: self.path.clone(),
            names: self.names.clone(),
            domain: self.domain.copy()?,
            launch: self.launch,
            divergent: self.divergent,
            fixed: self.fixed.clone(),
        })
    }
}

/// One step of the path from the root of a loop program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To a child of a block.
    Child(usize),
    /// To a branch of a condition.
    Branch(bool),
    /// Into the body of a loop.
    Loop,
    /// Into a kernel with this number of block and thread coordinates.
    Kernel(usize),
}

impl Step {
    /// Returns the number of dimensions that the step adds to points.
    fn dimensions(self) -> usize {
        match self {
            Self::Loop => 1,
            Self::Kernel(coordinates) => coordinates,
            Self::Child(_) | Self::Branch(_) => 0,
        }
    }
}

/// Returns the number of dimensions of points below a path.
pub fn dimensions(path: &[Step]) -> usize {
    path.iter().map(|step| step.dimensions()).sum()
}

/// The launch of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Launch {
    /// The position of the step into the kernel.
    pub step: usize,
    /// The number of dimensions before the coordinates: the loops on the host.
    pub first: usize,
    /// The number of coordinates of a block.
    pub blocks: usize,
    /// The number of coordinates of a thread.
    pub threads: usize,
    /// The number of threads along each dimension of the block.
    pub sizes: [i32; 3],
    /// The position in [`Walked::grids`] of the blocks that exist.
    pub grid: usize,
}

impl Launch {
    /// Returns the dimensions of points that are the coordinates of the thread.
    pub fn thread_dimensions(&self) -> Range<usize> {
        let first = self.first + self.blocks;
        first..first + self.threads
    }
}

/// A specialised nest and the general one that it replaces.
pub struct Apart<'a> {
    /// The number of steps from the root to the two nests.
    pub steps: usize,
    /// The points of the loops around them at which the specialised nest runs.
    pub inside: Set,
    /// The leaves of the specialised nest, at the points where it runs.
    pub specialised: Vec<Leaf<'a>>,
    /// The leaves of the general nest, as if it always ran.
    pub general: Vec<Leaf<'a>>,
}

/// A launch whose blocks are numbered.
pub struct Numbered<'a> {
    /// The kernel.
    pub kernel: KernelId,
    /// The loops on the host around the launch.
    pub names: Vec<String>,
    /// Their values.
    pub domain: Set,
    /// The numbering.
    pub ranked: &'a Ranked,
}

/// A loop program, taken apart into leaves.
pub struct Walked<'a> {
    /// The leaves in text order, without those of specialised nests.
    pub leaves: Vec<Leaf<'a>>,
    /// The specialised nests.
    pub apart: Vec<Apart<'a>>,
    /// For each launch, the blocks that it starts: the loops on the host, then the coordinates of the block.
    pub grids: Vec<Set>,
    /// The launches whose blocks are numbered.
    pub numbered: Vec<Numbered<'a>>,
}

impl Walked<'_> {
    /// Returns the points in the space of a leaf whose block is started; nothing for a leaf on the host.
    pub fn started(&self, leaf: &Leaf<'_>) -> Result<Option<Set>> {
        let Some(launch) = leaf.launch else { return Ok(None) };
        let Some(grid) = self.grids.get(launch.grid) else { return Ok(None) };
        let more = leaf.names.len().saturating_sub(launch.first + launch.blocks);
        Ok(Some(grid.copy()?.add_dims(DimType::Set, more as u32)?))
    }
}
