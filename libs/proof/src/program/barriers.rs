//! What separates two points of a loop program: barriers between threads, transfers between host and device.

use std::ops::Range;

use polyhedra::{DimType, Map, Result, Set, Text};

use super::compare::{common, is_before};
use super::leaf::{Leaf, Step, dimensions};

/// Whether a separator lies between two points.
pub enum Separation<'a> {
    /// Always.
    Always,
    /// If the leading coordinates of the first or the second point are in one of these sets.
    Sometimes {
        /// Sets for the first point: the separator follows it.
        after_first: Vec<Set>,
        /// Sets for the second point: the separator precedes it.
        before_second: Vec<Set>,
        /// Separators in loops around one of the points that are not around the other one.
        in_loops: Vec<InLoop<'a>>,
    },
}

/// A separator in a loop around one point that is not around the other one. It is between the two if it is reached in
/// an earlier iteration than that of the second point, or in a later one than that of the first point.
pub struct InLoop<'a> {
    separator: &'a Leaf<'a>,
    /// The step into the loop.
    step: usize,
    /// Whether the loop is around the second point.
    pub is_around_second: bool,
}

impl InLoop<'_> {
    /// Returns the values of the leading coordinates of the point, up to that of the loop, for which the separator is
    /// between the two points.
    pub fn prefixes(&self) -> Result<Set> {
        let loops = dimensions(&self.separator.path[..=self.step]);
        let inner = self.separator.names.len() - loops;
        let reached = self.separator.domain.copy()?.project_out(DimType::Set, loops as u32, inner as u32)?;
        let outer: Vec<String> = (1..loops).map(|k| format!("k{k}")).collect();
        let relation = if self.is_around_second { "<" } else { ">" };
        let at = |value: &str| outer.iter().map(String::as_str).chain([value]).collect::<Vec<_>>().join(", ");
        let to_points = Map::parse(&format!("{{ [{}] -> [{}] : a {relation} b }}", at("a"), at("b")))?;
        Ok(reached.apply(to_points)?)
    }
}

/// Determines whether one of `separators` (all barriers, or all transfers of an array) lies between points of two
/// leaves. The points agree in the first `shared` steps of their paths, with one exception: if the last of these
/// steps leads into a loop, the second point is in a later iteration of it. `positions` are given where the paths
/// diverge at two children of a block; then the iteration is the same, and children between the two count as well.
///
/// All threads of a block run the same barriers ([`diverging`]), so a barrier that one thread meets after the first
/// point and before the second is met by both threads. Each separator is considered in the innermost loops that it
/// shares with one of the two points, and in other iterations of those that are not around both points.
pub fn separation<'a>(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    shared: usize,
    positions: Option<(usize, usize)>,
    separators: &[&'a Leaf<'a>],
) -> Result<Separation<'a>> {
    let (mut after_first, mut before_second, mut in_loops) = (Vec::new(), Vec::new(), Vec::new());
    for &barrier in separators {
        if common(&barrier.path, &first.path) < shared {
            continue;
        }
        let at = barrier.path.get(shared);
        let within = |low: Option<usize>, high: Option<usize>| match (positions, at) {
            (None, _) => true,
            (Some(_), Some(&Step::Child(at))) => {
                low.is_none_or(|low| low <= at) && high.is_none_or(|high| at <= high)
            }
            (Some(_), _) => false,
        };
        let high = positions.map(|(_, second)| second - 1);
        let low = positions.map(|(first, _)| first + 1);
        let mut found = Vec::new();
        if within(None, high) && is_before(&first.path, &barrier.path) {
            found.push((&mut after_first, common(&barrier.path, &first.path)));
        }
        if within(low, None) && is_before(&barrier.path, &second.path) {
            found.push((&mut before_second, common(&barrier.path, &second.path)));
        }
        let inside = |is_around_second: bool| {
            let point = if is_around_second { second } else { first };
            let steps = shared..common(&barrier.path, &point.path);
            let loops = steps.filter(|step| barrier.path[*step] == Step::Loop);
            loops.map(move |step| InLoop { separator: barrier, step, is_around_second })
        };
        if within(None, high) {
            in_loops.extend(inside(false));
        }
        if within(low, None) {
            in_loops.extend(inside(true));
        }
        for (sets, steps) in found {
            match reached(barrier, steps)? {
                None => return Ok(Separation::Always),
                Some(prefixes) => sets.push(prefixes),
            }
        }
    }
    Ok(Separation::Sometimes { after_first, before_second, in_loops })
}

/// Returns the values of the dimensions of the first `steps` steps of a leaf's path for which the leaf is reached;
/// nothing if it is reached for all values.
pub fn reached(leaf: &Leaf<'_>, steps: usize) -> Result<Option<Set>> {
    if leaf.path[steps..].iter().all(|step| matches!(step, Step::Child(_))) {
        return Ok(None);
    }
    let kept = dimensions(&leaf.path[..steps]);
    let inner = leaf.names.len() - kept;
    Ok(Some(leaf.domain.copy()?.project_out(DimType::Set, kept as u32, inner as u32)?))
}

/// Returns the points at which a thread misses a barrier that other threads of its block meet; nothing if there are
/// none.
pub fn diverging(barrier: &Leaf<'_>) -> Result<Option<Set>> {
    let Some(launch) = barrier.launch else { return Ok(None) };
    diverging_along(barrier, launch.thread_dimensions())
}

/// Returns the points at which a thread misses a leaf that others meet which differ from it only in some of the
/// coordinates of the thread; nothing if there are none.
pub fn diverging_along(barrier: &Leaf<'_>, coordinates: Range<usize>) -> Result<Option<Set>> {
    let Some(launch) = barrier.launch.filter(|_| barrier.divergent) else { return Ok(None) };
    let mut all =
        barrier.domain.copy()?.eliminate_dims(coordinates.start as u32, coordinates.len() as u32)?;
    for position in coordinates {
        let Some(size) = launch.sizes.get(position - launch.thread_dimensions().start) else { continue };
        all = all.lower_bound_si(DimType::Set, position as u32, 0)?;
        all = all.upper_bound_si(DimType::Set, position as u32, size - 1)?;
    }
    let absent = all.subtract(barrier.domain.copy()?)?;
    Ok(if absent.is_empty()? { None } else { Some(absent) })
}
