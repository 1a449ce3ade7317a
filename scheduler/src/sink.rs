//! Makes nests perfect, so that they can be tiled: code sinking.
//!
//! In `for (i …) { s = 0; for (k …) s += …; x[i] = s; }`, only the loop over `i` can be tiled as it is. Statements
//! before and after the inner loop move into its first and last iteration. Both loops then form one band, whose tiles
//! bring data into fast memory.

use polyhedra::{
    DimType, MultiUnionPwAff, PwAff, Result, ScheduleNode, ScheduleNodeType, Set, Simplify, Text, UnionMap,
    UnionPwAff, UnionSet, parameter_range, sets_of,
};

use crate::constraints::Constraints;
use crate::local::Local;
use crate::tree::{coincident_members, has_band_below, replace_band};

/// Makes every nest perfect whose outer band has a parallel loop, as far as the dependences allow. Takes and returns
/// the root.
///
/// *Rewrite:* `band (m…) (sequence (A, band (k…) (B), C))` → `band (m…, k…) (sequence (A, B, C))`, where `A` gets the
/// first value of each `k` and `C` the last; and `band (m…) (band (k…) (B))` → `band (m…, k…) (B)`.
pub fn sink(root: ScheduleNode, constraints: &Constraints) -> Result<ScheduleNode> {
    visit(root, constraints)
}

fn visit(mut node: ScheduleNode, constraints: &Constraints) -> Result<ScheduleNode> {
    for position in 0..node.n_children()? {
        node = visit(node.child(position)?, constraints)?.parent()?;
    }
    if node.get_type()? == ScheduleNodeType::Band && !coincident_members(&node)?.is_empty() {
        return sink_into(node, constraints);
    }
    Ok(node)
}

/// Merges the band below into a band, if possible. Returns the band.
fn sink_into(outer: ScheduleNode, constraints: &Constraints) -> Result<ScheduleNode> {
    let Some(inner) = inner_band(&outer, is_whole)? else { return Ok(outer) };
    let Some(schedule) = common_schedule(&outer, &inner)? else { return Ok(outer) };
    let Some(coincident) = permutable(&Local::at(&outer, constraints)?, &schedule)? else { return Ok(outer) };
    replace_band(merged(outer, &inner)?, schedule, &coincident)
}

/// Makes one band of a nest, in the order of its loops: all its statements then run in one innermost loop. The members
/// can be tiled only by 1, except for the last. Returns nothing if a loop contains two others, or if its bounds are not
/// simple functions of the parameters.
///
/// *Rewrite:* as [`sink`] does.
pub fn one_band(band: ScheduleNode) -> Result<Option<ScheduleNode>> {
    let mut band = band;
    while let Some(inner) = inner_band(&band, |_| Ok(true))? {
        let position = inner.position;
        let below = match position {
            None => band.child(0)?,
            Some(position) => band.child(0)?.child(position)?.child(0)?,
        };
        let Some(whole) = one_band(below)? else { return Ok(None) };
        band = match position {
            None => whole.parent()?,
            Some(_) => whole.parent()?.parent()?.parent()?,
        };
        let Some(inner) = inner_band(&band, |_| Ok(true))? else { return Ok(None) };
        let Some(schedule) = common_schedule(&band, &inner)? else { return Ok(None) };
        let sequential = vec![false; schedule.dim(DimType::Out)? as usize];
        band = replace_band(merged(band, &inner)?, schedule, &sequential)?.band_set_permutable(0)?;
    }
    Ok(if has_band_below(&band)? { None } else { Some(band) })
}

/// Returns the band that can become one with the band around it, if it is as `is_fit` demands.
fn inner_band(outer: &ScheduleNode, is_fit: impl Fn(&ScheduleNode) -> Result<bool>) -> Result<Option<Inner>> {
    let below = outer.get_child(0)?;
    Ok(match below.get_type()? {
        ScheduleNodeType::Band if is_fit(&below)? => Some(Inner { band: below, position: None }),
        ScheduleNodeType::Sequence => only_inner_band(&below, is_fit)?,
        _ => None,
    })
}

/// *Rewrite:* `band (m…) (sequence (A, band (k…) (B), C))` → `band (m…) (sequence (A, B, C))`; returns the band.
fn merged(outer: ScheduleNode, inner: &Inner) -> Result<ScheduleNode> {
    Ok(match inner.position {
        None => outer.child(0)?.delete()?.parent()?,
        Some(position) => {
            outer.child(0)?.child(position)?.child(0)?.delete()?.parent()?.parent()?.parent()?
        }
    })
}

/// A band below another.
struct Inner {
    band: ScheduleNode,
    /// The child of a sequence that contains it; nothing if it is directly below.
    position: Option<i32>,
}

/// Returns the only band in a sequence whose other children are leaves.
fn only_inner_band(
    sequence: &ScheduleNode,
    is_fit: impl Fn(&ScheduleNode) -> Result<bool>,
) -> Result<Option<Inner>> {
    let mut found = None;
    for position in 0..sequence.n_children()? {
        let child = sequence.get_child(position)?.get_child(0)?;
        match child.get_type()? {
            ScheduleNodeType::Leaf => {}
            ScheduleNodeType::Band if found.is_none() && is_fit(&child)? => {
                found = Some(Inner { band: child, position: Some(position) });
            }
            _ => return Ok(None),
        }
    }
    Ok(found)
}

/// True for a permutable band with only a leaf, or a sequence of leaves, below.
fn is_whole(band: &ScheduleNode) -> Result<bool> {
    let below = band.get_child(0)?;
    let has_leaves = match below.get_type()? {
        ScheduleNodeType::Leaf => true,
        ScheduleNodeType::Sequence => {
            let mut all = true;
            for position in 0..below.n_children()? {
                all &= below.get_child(position)?.get_child(0)?.get_type()? == ScheduleNodeType::Leaf;
            }
            all
        }
        _ => false,
    };
    Ok(has_leaves && (band.band_n_member()? == 1 || band.band_get_permutable()?))
}

/// Returns the members of the outer band and those of the inner one. The latter are continued to the statements
/// before and after the inner band. Returns nothing if their bounds are not simple functions of the parameters. What
/// the domain says anyway is not said again: isl generates loops for instances beyond it as well, before it adds
/// guards, and demands that a band has values for them.
fn common_schedule(outer: &ScheduleNode, inner: &Inner) -> Result<Option<MultiUnionPwAff>> {
    let partial = inner.band.band_get_partial_schedule()?;
    let own = inner.band.get_domain()?;
    let mut common = outer.band_get_partial_schedule()?;
    for member in 0..inner.band.band_n_member()? {
        let value = partial.get_at(member)?;
        let Some(all) = continued(value, &own, outer, inner.position)? else { return Ok(None) };
        common = common.flat_range_product(MultiUnionPwAff::from_union_pw_aff(all)?)?;
    }
    Ok(Some(common.gist(outer.get_domain()?)?))
}

/// Returns a member of the inner band, continued to the other children of the sequence.
fn continued(
    value: UnionPwAff,
    own: &UnionSet,
    outer: &ScheduleNode,
    position: Option<i32>,
) -> Result<Option<UnionPwAff>> {
    let Some(inner) = position else { return Ok(Some(value)) };
    let Some((first, last)) = bounds(&value, own)? else { return Ok(None) };
    let sequence = outer.get_child(0)?;
    let mut all = value.intersect_domain(own.copy()?)?;
    for position in (0..sequence.n_children()?).filter(|&position| position != inner) {
        let instances = sequence.get_child(position)?.get_child(0)?.get_domain()?;
        let edge = if position < inner { first.copy()? } else { last.copy()? };
        all = all.union_add(UnionPwAff::pw_aff_on_domain(instances, edge)?)?;
    }
    Ok(Some(all))
}

/// Returns the smallest and the largest value of a band member. If the loop is empty, the largest is the smallest as
/// well, so that statements after the loop do not come before those preceding it.
fn bounds(member: &UnionPwAff, instances: &UnionSet) -> Result<Option<(PwAff, PwAff)>> {
    let values = UnionMap::from_union_pw_aff(member.copy()?)?.intersect_domain(instances.copy()?)?.range()?;
    let [values] = &sets_of(&values)?[..] else { return Ok(None) };
    let Ok((first, extent)) = parameter_range(&values.copy()?.simplified()?, 0) else { return Ok(None) };
    let everywhere = Set::parse("{ : }")?;
    for bound in [&first, &extent] {
        if bound.n_piece()? != 1 || !everywhere.is_subset(&bound.copy()?.domain()?)? {
            return Ok(None);
        }
    }
    let one = PwAff::parse("{ [(1)] }")?;
    let last = first.copy()?.add(extent)?.sub(one)?;
    let last = last.max(first.copy()?)?;
    Ok(Some((first, last)))
}

/// Checks whether no dependence between instances that agree in the surrounding loops goes backwards along any
/// member. If so, returns which members are parallel.
pub fn permutable(local: &Local, schedule: &MultiUnionPwAff) -> Result<Option<Vec<bool>>> {
    let local = local.relation()?;
    let (backwards, none) = (UnionSet::parse("{ [d] : d < 0 }")?, UnionSet::parse("{ [0] }")?);
    let mut parallel = Vec::new();
    for member in 0..schedule.dim(DimType::Out)? {
        let value = UnionMap::from_union_pw_aff(schedule.get_at(member)?)?;
        let distances = local.copy()?.apply_domain(value.copy()?)?.apply_range(value)?.deltas()?;
        if !distances.copy()?.intersect(backwards.copy()?)?.is_empty()? {
            return Ok(None);
        }
        parallel.push(distances.is_subset(&none)?);
    }
    Ok(Some(parallel))
}

#[cfg(test)]
mod tests {
    use polyhedra::Schedule;

    use super::*;

    /// Returns the band at the root of a nest `for (i) { for (k) S0; S1; }`, made one.
    fn one(children: &str) -> Option<ScheduleNode> {
        let domain =
            "[n] -> { S0[i, k] : 0 <= i < n and i < k < n; S1[i] : 0 <= i < n; S2[i, k] : 0 <= i, k < n }";
        let band = "[n] -> [{ S0[i, k] -> [i]; S1[i] -> [i]; S2[i, k] -> [i] }]";
        let tree = format!(
            "{{ domain: \"{domain}\", child: {{ schedule: \"{band}\", child: {{ sequence: [{children}] }} }} }}"
        );
        one_band(Schedule::parse(&tree).unwrap().get_root().unwrap().child(0).unwrap()).unwrap()
    }

    const SUM: &str =
        "{ filter: \"[n] -> { S0[i, k] }\", child: { schedule: \"[n] -> [{ S0[i, k] -> [k] }]\" } }";

    #[test]
    fn a_statement_after_a_loop_runs_with_its_last_iteration() {
        let last = "{ filter: \"[n] -> { S1[i] }\" }";
        let band = one(&format!("{SUM}, {last}")).unwrap();
        assert_eq!(band.band_n_member().unwrap(), 2);
        assert!(!band.band_get_permutable().unwrap());
        let schedule = band.band_get_partial_schedule_union_map().unwrap();
        let wanted =
            "[n] -> { S0[i, k] -> [i, k] : 0 <= i < k < n; S1[i] -> [i, n - 1] : 0 <= i < n and n > 1 }";
        assert!(UnionMap::parse(wanted).unwrap().is_subset(&schedule).unwrap());
    }

    #[test]
    fn two_loops_in_a_loop_are_no_nest() {
        let other =
            "{ filter: \"[n] -> { S2[i, k] }\", child: { schedule: \"[n] -> [{ S2[i, k] -> [k] }]\" } }";
        assert!(one(&format!("{SUM}, {other}")).is_none());
    }
}
