//! V14: what the schedule has besides the instances of statements.

use polyhedra::{DimType, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, Text, maps_of, tuple_name};

use super::report::Report;
use super::tree_text;
use crate::mark::{self, Added};
use crate::{BufferId, KernelId, Model, Placement, Stage};

/// Extension nodes add barriers and copies in kernels, each copy of a buffer of the kernel, and transfers outside of them, of arrays on the
/// device and parts that they have.
pub fn check_added<S: Stage>(model: &Model, placement: &Placement, stage: &S, report: &mut Report) {
    // What does not parse is V3's.
    let text = stage.schedule().map(|text| &text.0).filter(|text| tree_text::check(text).is_ok());
    let Some(Ok(schedule)) = text.map(|text| Schedule::parse(text)) else { return };
    let walked = schedule.get_root().map_err(polyhedra::Error::from);
    let walked = walked.and_then(|root| Walker { model, placement, report }.node(&root, None));
    report.answer(14, "the schedule", walked);
}

struct Walker<'a> {
    model: &'a Model,
    placement: &'a Placement,
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
                let device = self.placement.device.iter().find(|device| device.array == array);
                let exists = |number| device.is_some_and(|device| number < device.parts.len());
                device.is_some() && part.is_none_or(exists) && dimensions == around
            }
            _ => false,
        };
        self.report.require(14, sound, || {
            format!("the schedule adds `{name}` in {dimensions} dimensions, which does not belong there")
        });
        Ok(())
    }

    /// A copy is of the schedule dimensions that fix the contents of its buffer, and of an element.
    fn copies(&self, id: BufferId, kernel: KernelId, dimensions: usize) -> bool {
        let placed = self.placement.kernels.iter().find(|placed| placed.kernel == kernel);
        let buffer = placed.and_then(|placed| placed.buffers.iter().find(|buffer| buffer.id == id));
        let array = buffer.and_then(|buffer| self.model.arrays.get(buffer.array.index()));
        buffer.zip(array).is_some_and(|(buffer, array)| {
            dimensions == (buffer.depth as usize).saturating_add(array.extents.len())
        })
    }
}
