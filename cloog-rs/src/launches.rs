//! The launch of a kernel: the sizes of its grid in terms of the loops around it.
//!
//! The mapping gives them in terms of the outer schedule dimensions of the tree. isl drops dimensions of which it knows the
//! value, so the loops of the AST are not those dimensions; what connects them are the instances, which isl schedules along the
//! loops and the tree along its dimensions.

use std::collections::BTreeMap;

use polyhedra::ast::Build;
use polyhedra::{Error, Map, PwAff, PwMultiAff, Result, ScheduleNode, ScheduleNodeType, Text, UnionMap};
use scop::ast::{AstExpr, Node};
use scop::{Kernel, KernelId, mark};

use scop::from_isl::translate;

/// The kernels of a scop.
pub struct Launches<'a> {
    kernels: &'a [Kernel],
    /// For each kernel, from the instances to the schedule dimensions around it.
    outer: BTreeMap<KernelId, UnionMap>,
}

impl<'a> Launches<'a> {
    /// Reads where the kernels stand in a tree.
    pub fn new(kernels: &'a [Kernel], root: ScheduleNode) -> Result<Self> {
        let mut outer = BTreeMap::new();
        collect(&root, &mut outer)?;
        Ok(Self { kernels, outer })
    }

    /// No kernels.
    pub fn none() -> Self {
        Self { kernels: &[], outer: BTreeMap::new() }
    }

    /// The launch of a kernel at this place; its body is still empty.
    pub fn launch(&self, id: KernelId, build: &Build) -> Result<Node> {
        let kernel = self.kernels.get(id.index());
        let kernel =
            kernel.ok_or_else(|| Error::new(format!("the tree marks {id}, which the mapping lacks")))?;
        let outer = self.outer_dimensions(kernel, build)?;
        let value = |text: &str| -> Result<AstExpr> {
            let function = PwAff::parse(text)?.pullback_pw_multi_aff(outer.copy()?)?;
            translate(&build.expression(function)?)
        };
        Ok(Node::Kernel {
            kernel: kernel.id,
            lower: kernel.grid.iter().map(|grid| value(&grid.lower.0)).collect::<Result<_>>()?,
            extent: kernel.grid.iter().map(|grid| value(&grid.extent.0)).collect::<Result<_>>()?,
            body: Box::new(Node::Block { children: Vec::new() }),
        })
    }

    /// From the loops of the AST to the schedule dimensions around a kernel.
    fn outer_dimensions(&self, kernel: &Kernel, build: &Build) -> Result<PwMultiAff> {
        let outer = self.outer.get(&kernel.id);
        let outer = outer.ok_or_else(|| Error::new(format!("the tree has no mark for {}", kernel.id)))?;
        let loops = build.schedule()?;
        let relation: Map = loops.reverse()?.apply_range(outer.copy()?)?.as_map()?;
        Ok(PwMultiAff::from_map(Map::from_basic_map(relation.simple_hull()?)?)?)
    }
}

fn collect(node: &ScheduleNode, outer: &mut BTreeMap<KernelId, UnionMap>) -> Result<()> {
    if node.get_type()? == ScheduleNodeType::Mark
        && let Some(id) = mark::kernel_of(node.mark_get_id()?.get_name()?)
    {
        outer.insert(id, node.get_prefix_schedule_union_map()?);
        return Ok(());
    }
    for position in 0..node.n_children()? {
        collect(&node.get_child(position)?, outer)?;
    }
    Ok(())
}
