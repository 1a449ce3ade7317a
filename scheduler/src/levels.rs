//! Splits the iterations of a nest into levels that run one after another: index-set splitting.
//!
//! In iteration `k` of Floyd and Warshall's algorithm, all points read row `k` and column `k`, which the same iteration
//! updates. The points before row and column `k` read the old values and those behind them the new ones, so no loop
//! inside `k` is parallel as a whole. But the longest chain of dependences within one iteration has five points: points
//! before the row and the column, points on one of them, and so on. Points at the same place of their longest chain do
//! not depend on each other. Each such *level* becomes a part of the domain of its own, in which all loops are
//! parallel.
//!
//! The levels are found by peeling: the first level holds the instances that depend on no other, the second those that
//! depend only on the first, and so on. If nothing is left after a few steps, for all values of the parameters and of
//! the loops outside, chains are short.

use polyhedra::{
    BasicSet, DimType, Map, MultiUnionPwAff, Result, ScheduleNode, ScheduleNodeType, Set, Simplify, Text,
    UnionMap, UnionSet, UnionSetList, context, sets_of,
};

use crate::constraints::Constraints;
use crate::local::Local;
use crate::tree::{coincident_members, insert_band};

/// The most levels of a nest. Each one is at least a launch.
const MOST_LEVELS: usize = 8;

/// The most parts of a level that do not fill all of the loops.
const MOST_PARTS: usize = 4;

/// Splits nests into levels wherever a loop that is not parallel has few of them. Takes and returns the root of the
/// order of the source; nothing if no nest is split.
///
/// *Rewrite:* `band (k) (N)` → `band (k) (sequence (band (i, j), …))` with a child for each level and statement, whose
/// band has all loops of the statement inside `k`.
pub fn split_into_levels(root: ScheduleNode, constraints: &Constraints) -> Result<Option<ScheduleNode>> {
    let mut found = false;
    let root = visit(root, constraints, &mut found)?;
    Ok(found.then_some(root))
}

fn visit(mut node: ScheduleNode, constraints: &Constraints, found: &mut bool) -> Result<ScheduleNode> {
    if node.get_type()? == ScheduleNodeType::Band {
        let is_parallel = !coincident_members(&node)?.is_empty();
        if is_parallel || node.get_child(0)?.get_type()? == ScheduleNodeType::Leaf {
            return Ok(node);
        }
        if let Some(levels) = levels_below(&node, constraints)? {
            *found = true;
            return split(node, &levels);
        }
    }
    for position in 0..node.n_children()? {
        node = visit(node.child(position)?, constraints, found)?.parent()?;
    }
    Ok(node)
}

/// Returns the levels of the instances below a band that agree in its members and in the loops around it.
fn levels_below(band: &ScheduleNode, constraints: &Constraints) -> Result<Option<Vec<UnionSet>>> {
    let below = band.get_child(0)?;
    let dependences = Local::at(&below, constraints)?.relation()?.simplified()?;
    peeled(below.get_domain()?, dependences)
}

/// Divides instances into levels, so that those of each level depend only on those of earlier ones; nothing if there are
/// many levels, or one only.
pub fn peeled(instances: UnionSet, dependences: UnionMap) -> Result<Option<Vec<UnionSet>>> {
    let mut within = dependences.copy()?;
    let (mut rest, mut levels) = (instances, Vec::new());
    while !rest.is_empty()? {
        if levels.len() == MOST_LEVELS {
            return Ok(None);
        }
        let later = within.copy()?.range()?.simplified()?;
        let level = rest.copy()?.subtract(later.copy()?)?.simplified()?;
        if level.is_empty()? {
            return Ok(None);
        }
        levels.push(level);
        rest = rest.intersect(later)?.simplified()?;
        within = within.intersect_domain(rest.copy()?)?.simplified()?;
    }
    if levels.len() < 2 {
        return Ok(None);
    }
    join(&mut levels, &dependences)?;
    Ok(Some(levels))
}

/// Moves parts of levels to later ones with which they form one convex set.
///
/// Peeling puts instances as early as possible. Where the first levels are empty, as before the row and the column of
/// iteration 0, the others come too early, and their border would be a part of its own.
fn join(levels: &mut Vec<UnionSet>, dependences: &UnionMap) -> Result<()> {
    for from in (0..levels.len() - 1).rev() {
        for part in convex_parts(&levels[from])? {
            let successors = part.copy()?.apply(dependences.copy()?)?;
            for to in (from + 1..levels.len()).rev() {
                if !successors.is_disjoint(&union_of(&levels[from + 1..=to])?)? {
                    continue;
                }
                let joined = levels[to].copy()?.union(part.copy()?)?.simplified()?;
                if number_of_parts(&joined)? <= number_of_parts(&levels[to])? {
                    levels[to] = joined;
                    levels[from] = levels[from].copy()?.subtract(part)?.simplified()?;
                    break;
                }
            }
        }
    }
    for level in std::mem::take(levels) {
        if !level.is_empty()? {
            levels.push(level);
        }
    }
    Ok(())
}

fn union_of(levels: &[UnionSet]) -> Result<UnionSet> {
    let mut all = UnionSet::parse("{ }")?;
    for level in levels {
        all = all.union(level.copy()?)?;
    }
    Ok(all)
}

/// Returns the convex sets of which a level consists.
pub fn convex_parts(level: &UnionSet) -> Result<Vec<UnionSet>> {
    let mut parts = Vec::new();
    for set in sets_of(level)? {
        let pieces = set.make_disjoint()?.simplified()?.get_basic_set_list()?;
        for position in 0..pieces.size()? {
            parts.push(UnionSet::from_basic_set(pieces.get_at(position)?)?);
        }
    }
    Ok(parts)
}

fn number_of_parts(level: &UnionSet) -> Result<i32> {
    sets_of(level)?.iter().map(|set| Ok(set.n_basic_set()?)).sum()
}

/// Replaces what is below a band by a sequence of levels. Returns the band.
fn split(band: ScheduleNode, levels: &[UnionSet]) -> Result<ScheduleNode> {
    let mut node = band.child(0)?.cut()?;
    let depth = node.get_schedule_depth()? as u32;
    let mut parts = Vec::new();
    for level in levels {
        for instances in sets_of(level)? {
            parts.push((level_band(&instances, depth)?, instances));
        }
    }
    let mut filters = UnionSetList::alloc(context(), parts.len() as i32)?;
    for (_, instances) in &parts {
        filters = filters.add(UnionSet::from_set(instances.copy()?)?)?;
    }
    node = node.insert_sequence(filters)?;
    for (position, (schedule, _)) in parts.into_iter().enumerate() {
        if let Some(schedule) = schedule {
            let members = schedule.dim(DimType::Out)? as usize;
            let leaf = node.child(position as i32)?.child(0)?;
            node = insert_band(leaf, schedule, &vec![true; members])?.parent()?.parent()?;
        }
    }
    Ok(node.parent()?)
}

/// Returns the members of the band of a statement's instances in one level, all of which are parallel; nothing if there
/// is one instance only.
///
/// They are the loops inside `depth` others. If all parts of the level are thinner than that, such as a row and a
/// column, a box around them would be nearly empty. The members are then the number of the part and the loops along
/// which the part extends.
fn level_band(instances: &Set, depth: u32) -> Result<Option<MultiUnionPwAff>> {
    let dimensions = instances.dim(DimType::Set)? as u32;
    let loops: Vec<u32> = (depth..dimensions).collect();
    let parts = thin_parts(instances, &loops)?;
    let mut schedule = UnionMap::parse("{ }")?;
    let name = instances.get_tuple_name()?;
    let dims = polyhedra::numbered("d", dimensions as usize).join(", ");
    let map_to =
        |members: &[String]| Map::parse(&format!("{{ {name}[{dims}] -> [{}] }}", members.join(", ")));
    match parts {
        None => {
            let members: Vec<String> = loops.iter().map(|loop_| format!("d{loop_}")).collect();
            if members.is_empty() {
                return Ok(None);
            }
            schedule = UnionMap::from_map(map_to(&members)?)?;
        }
        Some(parts) => {
            let most = parts.iter().map(|part| part.free.len()).max().unwrap_or(0);
            let numbered = parts.len() > 1;
            if most == 0 && !numbered {
                return Ok(None);
            }
            for (number, part) in parts.into_iter().enumerate() {
                let mut members: Vec<String> = part.free.iter().map(|loop_| format!("d{loop_}")).collect();
                members.resize(most, "0".to_owned());
                if numbered {
                    members.insert(0, number.to_string());
                }
                let map = map_to(&members)?.intersect_domain(part.instances)?;
                schedule = schedule.union(UnionMap::from_map(map)?)?;
            }
        }
    }
    Ok(Some(MultiUnionPwAff::from_union_map(schedule)?))
}

/// A part of a level.
struct Part {
    instances: Set,
    /// The loops along which it extends. The values of the others follow from those of the loops outside.
    free: Vec<u32>,
}

/// Returns the parts of a level if none of them extends along all loops.
fn thin_parts(instances: &Set, loops: &[u32]) -> Result<Option<Vec<Part>>> {
    let pieces = instances.copy()?.make_disjoint()?.simplified()?.get_basic_set_list()?;
    let mut parts: Vec<Part> = Vec::new();
    for position in 0..pieces.size()? {
        let piece = pieces.get_at(position)?;
        let free = free_loops(&piece, loops)?;
        if free.len() == loops.len() || parts.len() == MOST_PARTS {
            return Ok(None);
        }
        parts.push(Part { instances: Set::from_basic_set(piece)?, free });
    }
    Ok(Some(parts))
}

/// Returns the loops whose values do not follow from those of the loops outside them.
fn free_loops(piece: &BasicSet, loops: &[u32]) -> Result<Vec<u32>> {
    let hull = piece.copy()?.affine_hull()?;
    let constraints = hull.get_constraint_list()?;
    let mut fixed = Vec::new();
    for position in 0..constraints.size()? {
        let constraint = constraints.get_at(position)?;
        let mut last = None;
        for &loop_ in loops {
            if constraint.is_equality()? && constraint.involves_dims(DimType::Set, loop_, 1)? {
                last = Some(loop_);
            }
        }
        fixed.extend(last);
    }
    Ok(loops.iter().copied().filter(|loop_| !fixed.contains(loop_)).collect())
}

#[cfg(test)]
mod tests {
    use polyhedra::Schedule;

    use super::*;

    /// Returns the instances of each part of a sequence below the first band, without parameters' names; nothing if the
    /// nest is not split.
    fn levels(domain: &str, dependences: &str) -> Option<Vec<String>> {
        let constraints = Constraints::written(domain, dependences).unwrap();
        let text = format!(
            r#"{{ domain: "{domain}", child: {{ schedule: "[{{ S0[k, i, j] -> [k] }}]", child: {{
                  schedule: "[{{ S0[k, i, j] -> [i] }}]", child: {{ schedule: "[{{ S0[k, i, j] -> [j] }}]" }} }} }} }}"#
        );
        let root = Schedule::parse(&text).unwrap().get_root().unwrap();
        let root = split_into_levels(root, &constraints).unwrap()?;
        let sequence = root.child(0).unwrap().child(0).unwrap();
        assert_eq!(sequence.get_type().unwrap(), ScheduleNodeType::Sequence);
        let mut found = Vec::new();
        for position in 0..sequence.n_children().unwrap() {
            let filter = sequence.get_child(position).unwrap();
            let band = filter.get_child(0).unwrap();
            let members = match band.get_type().unwrap() {
                ScheduleNodeType::Band => band.band_n_member().unwrap(),
                _ => 0,
            };
            found.push(format!("{members}: {}", filter.filter_get_filter().unwrap().text().unwrap()));
        }
        Some(found)
    }

    const BOX: &str = "{ S0[k, i, j] : 0 <= k, i, j < 20 }";

    /// Floyd and Warshall: a point uses the points of row k and of column k.
    #[test]
    fn a_nest_with_short_chains_becomes_levels() {
        let found = levels(
            BOX,
            "{ S0[k, i, j] -> S0[k, k, j] : i < k; S0[k, k, j] -> S0[k, i, j] : i > k; \
               S0[k, i, j] -> S0[k, i, k] : j < k; S0[k, i, k] -> S0[k, i, j] : j > k }",
        )
        .unwrap();
        assert_eq!(found.len(), 5, "{found:#?}");
        assert!(found[0].starts_with("2: "), "a block before row and column: {found:#?}");
        assert!(found[1].starts_with("2: "), "a row and a column, by number and place: {found:#?}");
        assert!(found[1].contains("j = k") && found[1].contains("i = k"), "{found:#?}");
    }

    /// The point of row 0 comes before that of row 1, which comes before that of row 2. Rows 0 and 2 would be one set.
    #[test]
    fn parts_stay_before_what_depends_on_them() {
        let found =
            levels(BOX, "{ S0[k, 0, j] -> S0[k, 1, j]; S0[k, 1, j] -> S0[k, i, j] : i > 1 }").unwrap();
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[0].contains("i = 0") && found[1].contains("i = 1"), "{found:#?}");
    }

    #[test]
    fn long_chains_are_no_levels() {
        assert_eq!(levels(BOX, "{ S0[k, i, j] -> S0[k, i + 1, j] : 0 <= i < 19 }"), None);
    }

    #[test]
    fn a_single_instance_needs_no_loop() {
        let found = levels(BOX, "{ S0[k, 0, 0] -> S0[k, i, j] : i + j > 0 }").unwrap();
        assert!(found[0].starts_with("0: ") && found[1].starts_with("2: "), "{found:#?}");
        assert_eq!(found.len(), 2);
    }
}
