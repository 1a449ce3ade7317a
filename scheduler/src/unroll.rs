//! Finds the loops of threads that are to be unrolled by a factor: the user asks for it, or it is in a kernel's plan.

use std::collections::BTreeMap;

use polyhedra::{Result, ScheduleNode, ScheduleNodeType, Text, UnionMap};
use scop::mark::{self, statements_at};
use scop::{KernelId, Model};

use crate::shape::ThreadLoop;
use crate::stride;
use crate::tree::insert_mark;
use crate::wishes::Wishes;

/// Inserts marks above the loops of threads for which the user asks for a factor, and above the innermost loops of
/// kernels for which there is a factor in `planned`. Takes and returns the root.
///
/// *Rewrite:* `band (m0, m1, m2)` → `band (m0) (mark "unroll_8" (band (m1) (band (m2))))`
pub fn unroll(
    root: ScheduleNode,
    model: &Model,
    wishes: &Wishes<'_>,
    planned: &BTreeMap<KernelId, u32>,
) -> Result<(ScheduleNode, Vec<ThreadLoop>)> {
    let mut search = Search { model, wishes, planned, kernel: None, in_thread: false, found: Vec::new() };
    let (root, _) = search.visit(root)?;
    Ok((root, search.found))
}

struct Search<'a> {
    model: &'a Model,
    wishes: &'a Wishes<'a>,
    planned: &'a BTreeMap<KernelId, u32>,
    kernel: Option<KernelId>,
    in_thread: bool,
    found: Vec<ThreadLoop>,
}

impl Search<'_> {
    /// Visits a subtree and returns its root, and whether it contains a loop of a thread. Loops over registers do not
    /// count, because they are unrolled completely.
    fn visit(&mut self, mut node: ScheduleNode) -> Result<(ScheduleNode, bool)> {
        let around = (self.kernel, self.in_thread);
        if node.get_type()? == ScheduleNodeType::Mark {
            let id = node.mark_get_id()?;
            let name = id.get_name()?;
            if name == mark::UNROLL || name == mark::HOST {
                return Ok((node, false));
            }
            self.kernel = mark::kernel_of(name).or(self.kernel);
            self.in_thread |= name == mark::THREAD;
        }
        let mut has_loops = false;
        for position in 0..node.n_children()? {
            let (child, has) = self.visit(node.child(position)?)?;
            node = child.parent()?;
            has_loops |= has;
        }
        if let Some(kernel) = self.kernel.filter(|_| self.in_thread)
            && node.get_type()? == ScheduleNodeType::Band
        {
            (node, has_loops) = self.band(node, kernel, has_loops)?;
        }
        (self.kernel, self.in_thread) = around;
        Ok((node, has_loops))
    }

    /// Visits the members of a band in a thread, from the last to the first: later members are inside the loops of
    /// earlier ones.
    fn band(
        &mut self,
        mut band: ScheduleNode,
        kernel: KernelId,
        mut has_loops: bool,
    ) -> Result<(ScheduleNode, bool)> {
        let statements = statements_at(&band)?;
        let schedule = band.band_get_partial_schedule_union_map()?;
        for member in (0..band.band_n_member()? as usize).rev() {
            if !runs_more_than_once(&band, member)? {
                continue;
            }
            let source_loop = stride::loop_of(self.model, &statements, &schedule, member)?;
            let innermost = !has_loops;
            let planned = self.planned.get(&kernel).copied().filter(|_| innermost);
            let factor = self.wishes.unroll(kernel, source_loop, innermost).or(planned);
            self.found.push(ThreadLoop { kernel, source_loop, innermost, factor });
            has_loops = true;
            if let Some(factor) = factor {
                band = mark_member(band, member, factor)?;
            }
        }
        Ok((band, has_loops))
    }
}

/// True if a member of a band has more than one value for fixed values of the earlier members and the surrounding
/// loops. A thread then has a loop there.
fn runs_more_than_once(band: &ScheduleNode, member: usize) -> Result<bool> {
    let members = band.band_n_member()? as usize;
    let own = band.band_get_partial_schedule_union_map()?;
    let names = polyhedra::numbered("m", members);
    let part = |wanted: &[String]| -> Result<UnionMap> {
        let map = UnionMap::parse(&format!("{{ [{}] -> [{}] }}", names.join(", "), wanted.join(", ")))?;
        Ok(own.copy()?.apply_range(map)?)
    };
    let prefix = band.get_prefix_schedule_union_map()?.intersect_domain(band.get_domain()?)?;
    let around = prefix.range_product(part(&names[..member])?)?;
    Ok(!around.reverse()?.apply_range(part(&names[member..=member])?)?.is_single_valued()?)
}

/// Gives a member a band of its own below a mark. Returns the outermost of the bands.
fn mark_member(band: ScheduleNode, member: usize, factor: u32) -> Result<ScheduleNode> {
    let members = band.band_n_member()? as usize;
    let name = mark::unroll_by(factor);
    let alone = |node: ScheduleNode, members: usize| -> Result<ScheduleNode> {
        let node = if members > 1 { node.band_split(1)? } else { node };
        insert_mark(node, &name)
    };
    if member == 0 {
        return alone(band, members);
    }
    let inner = band.band_split(member as i32)?.child(0)?;
    Ok(alone(inner, members - member)?.parent()?)
}
