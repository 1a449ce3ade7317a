//! Small operations on schedule trees.

use polyhedra::{
    Id, MultiUnionPwAff, MultiVal, Result, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, UnionSet,
    Val, context,
};

/// Returns the positions of the parallel members of a band.
pub fn coincident_members(band: &ScheduleNode) -> Result<Vec<usize>> {
    let mut members = Vec::new();
    for member in 0..band.band_n_member()? {
        if band.band_member_get_coincident(member)? {
            members.push(member as usize);
        }
    }
    Ok(members)
}

/// True if a band in the subtree has a parallel member.
pub fn has_parallel_band(node: &ScheduleNode) -> Result<bool> {
    if node.get_type()? == ScheduleNodeType::Band && !coincident_members(node)?.is_empty() {
        return Ok(true);
    }
    for position in 0..node.n_children()? {
        if has_parallel_band(&node.get_child(position)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if there is a band below a node.
pub fn has_band_below(node: &ScheduleNode) -> Result<bool> {
    for position in 0..node.n_children()? {
        let child = node.get_child(position)?;
        if child.get_type()? == ScheduleNodeType::Band || has_band_below(&child)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// *Rewrite:* `N` → `mark name (N)`; returns the mark.
///
/// A leaf first gets a filter of its own instances, because isl prints a mark on a leaf but cannot read it again.
pub fn insert_mark(node: ScheduleNode, name: &str) -> Result<ScheduleNode> {
    let node = if node.get_type()? == ScheduleNodeType::Leaf {
        let own = node.get_universe_domain()?;
        node.insert_filter(own)?
    } else {
        node
    };
    Ok(node.insert_mark(Id::read_from_str(context(), name)?)?)
}

/// *Rewrite:* `N` → `band (schedule) (N)`, permutable and with the flags in `coincident`; returns the band.
pub fn insert_band(
    node: ScheduleNode,
    schedule: MultiUnionPwAff,
    coincident: &[bool],
) -> Result<ScheduleNode> {
    let mut node = node.insert_partial_schedule(schedule)?;
    for (member, &parallel) in coincident.iter().enumerate() {
        node = node.band_member_set_coincident(member as i32, i32::from(parallel))?;
    }
    Ok(node.band_set_permutable(1)?)
}

/// *Rewrite:* band with members `(m0, …, mn)` → permutable band with the members of `schedule` and the flags in
/// `coincident`; returns the band.
pub fn replace_band(
    node: ScheduleNode,
    schedule: MultiUnionPwAff,
    coincident: &[bool],
) -> Result<ScheduleNode> {
    Ok(insert_band(node, schedule, coincident)?.child(0)?.delete()?.parent()?)
}

/// Returns the tile sizes in isl's form.
pub fn multi_val(band: &ScheduleNode, sizes: &[u32]) -> Result<MultiVal> {
    let mut value = MultiVal::zero(band.band_get_space()?)?;
    for (position, &size) in sizes.iter().enumerate() {
        value = value.set_at(position as i32, Val::int_from_si(context(), i64::from(size))?)?;
    }
    Ok(value)
}

/// Returns the instances that a band's partial schedule maps into `points`, a set such as
/// `[bx] -> { [t0, t1] : t0 = bx }`.
pub fn instances_at(band: &ScheduleNode, points: &str) -> Result<UnionSet> {
    instances(band.band_get_partial_schedule_union_map()?, points)
}

fn instances(schedule: UnionMap, points: &str) -> Result<UnionSet> {
    let points = Set::parse(points)?;
    Ok(schedule.intersect_range(UnionSet::from_set(points)?)?.domain()?)
}
