//! V14: the statements that trees contain besides those of the model.

use polyhedra::{DimType, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, maps_of, tuple_name};

use super::report::Report;
use crate::mark::{self, Added};
use crate::{BufferId, KernelId, Model, Placement};

/// Checks the extension nodes of a tree. In the tree of the placement they may add barriers and copies in
/// kernels, each copy of a buffer of the kernel, and transfers outside of kernels, of arrays on the device and
/// of their existing parts. In the tree of the mapping, where no placement is known, they may add only
/// barriers.
pub fn check_added(model: &Model, placement: Option<&Placement>, tree: &Schedule, report: &mut Report) {
    let what = if placement.is_some() { "the tree of the placement" } else { "the schedule" };
    let walked = tree.get_root().map_err(polyhedra::Error::from);
    let walked = walked.and_then(|root| Walker { what, model, placement, report }.node(&root, None));
    report.answer(14, what, walked);
}

struct Walker<'a> {
    what: &'static str,
    model: &'a Model,
    placement: Option<&'a Placement>,
    report: &'a mut Report,
}

impl Walker<'_> {
    fn node(&mut self, node: &ScheduleNode, kernel: Option<KernelId>) -> Result<()> {
        let mut kernel = kernel;
        match node.get_type()? {
            ScheduleNodeType::Mark => kernel = mark::kernel_of(node.mark_get_id()?.get_name()?).or(kernel),
            ScheduleNodeType::Extension => {
                for map in maps_of(&node.extension_get_extension()?)? {
                    self.added(&map, kernel)?;
                }
            }
            _ => {}
        }
        for child in 0..node.n_children()? {
            self.node(&node.get_child(child)?, kernel)?;
        }
        Ok(())
    }

    fn added(&mut self, map: &Map, kernel: Option<KernelId>) -> Result<()> {
        let name = tuple_name(&map.copy()?.range()?)?.unwrap_or_default();
        let dimensions = map.dim(DimType::Out)? as usize;
        let around = map.dim(DimType::In)? as usize;
        let sound = match (Added::parse(&name), kernel) {
            (Some(Added::Barrier), Some(_)) => true,
            (Some(Added::Copy { buffer, .. }), Some(kernel)) => self.copies(buffer, kernel, dimensions),
            (Some(Added::Transfer { array, part, .. }), None) => {
                let device = self
                    .placement
                    .and_then(|placement| placement.device.iter().find(|device| device.array == array));
                let exists = |number| device.is_some_and(|device| number < device.parts.len());
                device.is_some() && part.is_none_or(exists) && dimensions == around
            }
            _ => false,
        };
        let what = self.what;
        self.report.require(14, sound, || {
            format!("{what} adds `{name}` in {dimensions} dimensions, which does not belong there")
        });
        Ok(())
    }

    /// Checks that a copy has the schedule dimensions that fix the contents of its buffer, and those of an
    /// element.
    fn copies(&self, id: BufferId, kernel: KernelId, dimensions: usize) -> bool {
        let kernels = self.placement.map_or(&[][..], |placement| &placement.kernels);
        let placed = kernels.iter().find(|placed| placed.kernel == kernel);
        let buffer = placed.and_then(|placed| placed.buffers.iter().find(|buffer| buffer.id == id));
        let array = buffer.and_then(|buffer| self.model.arrays.get(buffer.array.index()));
        buffer.zip(array).is_some_and(|(buffer, array)| {
            dimensions == (buffer.depth as usize).saturating_add(array.extents.len())
        })
    }
}
