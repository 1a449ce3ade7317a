//! The leaves of a schedule tree, with everything that the path to them determines.

use polyhedra::{Error, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, UnionSet};
use scop::{KernelId, mark};

/// A leaf of a schedule tree.
pub struct Leaf {
    /// From the instances that reach the leaf to the schedule dimensions above it. The coordinates of blocks and
    /// threads are parameters.
    pub relation: UnionMap,
    /// The instances that contexts and guards on the path admit.
    pub admitted: UnionSet,
    /// The path to it.
    pub path: Path,
}

/// The path to a node.
#[derive(Debug, Clone, Default)]
pub struct Path {
    /// What decides when something below the node runs, outermost first.
    pub steps: Vec<Step>,
    /// The kernel around it, and the number of schedule dimensions above that kernel.
    pub kernel: Option<(KernelId, usize)>,
    /// The extension nodes above it.
    pub extensions: Vec<Extension>,
}

/// A part of a path that decides when something runs.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// A member of a band.
    Dimension,
    /// The position among the children of a sequence.
    Child(i32),
    /// The position among the children of a set, which may run in any order.
    Unordered(i32),
}

/// An extension node: its number in the tree, and the number of schedule dimensions above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension {
    /// Its number.
    pub number: usize,
    /// The dimensions above.
    pub depth: usize,
}

impl Path {
    /// Returns the number of schedule dimensions above the node.
    pub fn dimensions(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Dimension)).count()
    }

    /// Records the kernel that a mark announces.
    fn enter(&mut self, mark: &str) {
        if let Some(kernel) = mark::kernel_of(mark) {
            self.kernel = Some((kernel, self.dimensions()));
        }
    }
}

/// Returns all leaves, in the order of the tree; instances are admitted for parameters in `context`.
///
/// # Errors
/// Returns isl's error if an isl operation fails, or an error if the tree has an expansion node.
pub fn leaves(schedule: &Schedule, context: &Set) -> Result<Vec<Leaf>> {
    let mut walker = Walker { leaves: Vec::new(), extensions: 0 };
    let domain = schedule.get_domain()?.intersect_params(context.copy()?)?;
    let nothing = UnionSet::from_set(Set::parse("{ [] }")?)?;
    let relation = UnionMap::from_domain_and_range(schedule.get_domain()?, nothing)?;
    walker.visit(&schedule.get_root()?, Leaf { relation, admitted: domain, path: Path::default() })?;
    Ok(walker.leaves)
}

struct Walker {
    leaves: Vec<Leaf>,
    extensions: usize,
}

impl Walker {
    /// Visits a node, given what the path to it determines.
    fn visit(&mut self, node: &ScheduleNode, mut above: Leaf) -> Result<()> {
        match node.get_type()? {
            ScheduleNodeType::Leaf => {
                self.leaves.push(above);
                return Ok(());
            }
            ScheduleNodeType::Sequence => return self.children(node, &above, Step::Child),
            ScheduleNodeType::Set => return self.children(node, &above, Step::Unordered),
            ScheduleNodeType::Band => {
                let band = node.band_get_partial_schedule_union_map()?;
                above.relation = above.relation.flat_range_product(band)?;
                above.path.steps.extend((0..node.band_n_member()?).map(|_| Step::Dimension));
            }
            ScheduleNodeType::Filter => {
                above.relation = above.relation.intersect_domain(node.filter_get_filter()?)?;
            }
            ScheduleNodeType::Context => above.admit(node.context_get_context()?)?,
            ScheduleNodeType::Guard => above.admit(node.guard_get_guard()?)?,
            ScheduleNodeType::Extension => above = self.extended(above, node.extension_get_extension()?)?,
            ScheduleNodeType::Mark => above.path.enter(node.mark_get_id()?.get_name()?),
            ScheduleNodeType::Expansion => return Err(Error::new("a schedule tree with an expansion node")),
            _ => {}
        }
        self.visit(&node.get_child(0)?, above)
    }

    /// Adds the instances of an extension node.
    fn extended(&mut self, above: Leaf, extension: UnionMap) -> Result<Leaf> {
        let Leaf { relation, admitted, mut path } = above;
        path.extensions.push(Extension { number: self.extensions, depth: path.dimensions() });
        self.extensions += 1;
        Ok(Leaf { relation: relation.union(extension.reverse()?)?, admitted, path })
    }

    fn children(&mut self, node: &ScheduleNode, above: &Leaf, step: fn(i32) -> Step) -> Result<()> {
        for position in 0..node.n_children()? {
            let mut above = above.copy()?;
            above.path.steps.push(step(position));
            self.visit(&node.get_child(position)?, above)?;
        }
        Ok(())
    }
}

impl Leaf {
    fn copy(&self) -> Result<Self> {
        Ok(Self { relation: self.relation.copy()?, admitted: self.admitted.copy()?, path: self.path.clone() })
    }

    /// Admits only instances whose schedule dimensions are in `condition`.
    fn admit(&mut self, condition: Set) -> Result<()> {
        let reached = if condition.is_params()? {
            self.relation.copy()?.domain()?.intersect_params(condition)?
        } else {
            self.relation.copy()?.intersect_range(UnionSet::from_set(condition)?)?.domain()?
        };
        self.admitted = self.admitted.copy()?.intersect(reached)?;
        Ok(())
    }
}
