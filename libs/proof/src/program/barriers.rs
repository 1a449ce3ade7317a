//! What separates two points of a loop program: barriers between threads, transfers between host and device.

use std::ops::Range;

use polyhedra::{DimType, Result, Set};

use super::compare::{common, is_before};
use super::leaf::{Leaf, Step, dimensions};

/// Whether a separator lies between two points.
pub enum Separation {
    /// Always.
    Always,
    /// If the leading coordinates of the first or the second point are in one of these sets.
    Sometimes {
        /// Sets for the first point: the separator follows it.
        after_first: Vec<Set>,
        /// Sets for the second point: the separator precedes it.
        before_second: Vec<Set>,
    },
}

/// Determines whether one of `separators` (all barriers, or all transfers of an array) lies between points of two
/// leaves. The points agree in the first `shared` steps of their paths, with one exception: if the last of these
/// steps leads into a loop, the second point is in a later iteration of it. `positions` are given where the paths
/// diverge at two children of a block; then the iteration is the same, and children between the two count as well.
///
/// All threads of a block run the same barriers ([`diverging`]), so a barrier that one thread meets after the first
/// point and before the second is met by both threads. Each separator is considered in the innermost loops that it
/// shares with one of the two points.
pub fn separation(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    shared: usize,
    positions: Option<(usize, usize)>,
    separators: &[&Leaf<'_>],
) -> Result<Separation> {
    let (mut after_first, mut before_second) = (Vec::new(), Vec::new());
    for barrier in separators {
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
        for (sets, steps) in found {
            match reached(barrier, steps)? {
                None => return Ok(Separation::Always),
                Some(prefixes) => sets.push(prefixes),
            }
        }
    }
    Ok(Separation::Sometimes { after_first, before_second })
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
