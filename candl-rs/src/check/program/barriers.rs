//! The barriers of a loop program.

use polyhedra::{DimType, Result, Set};
use scop::ast::Node;

use super::order::common;
use super::walk::{Leaf, Step, dimensions};

/// Whether a barrier stands between two points of different threads.
pub enum Separation {
    /// Always.
    Always,
    /// Where the first dimensions of the first or second point are in one of these sets.
    Sometimes {
        /// For the first point: a barrier follows it.
        after_first: Vec<Set>,
        /// For the second point: a barrier precedes it.
        before_second: Vec<Set>,
    },
}

/// Whether a barrier stands between points of two leaves that agree in the first `shared` steps of their paths, but for the
/// last if that is into a loop: then the second is in a later iteration. With `positions`, where the ways part at the children of
/// a block, the iteration is the same, and children between the two count as well.
///
/// All threads of a block run the same barriers ([`diverging`]), so one that a thread meets after the first point and before the
/// second is met by both. It is looked for in the innermost loops that it shares with one of the two.
pub fn separation(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    shared: usize,
    positions: Option<(usize, usize)>,
    leaves: &[Leaf<'_>],
) -> Result<Separation> {
    let (mut after_first, mut before_second) = (Vec::new(), Vec::new());
    for barrier in leaves.iter().filter(|leaf| matches!(leaf.node, Node::Barrier)) {
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
        if within(None, high) && follows(&barrier.path, &first.path) {
            found.push((&mut after_first, common(&barrier.path, &first.path)));
        }
        if within(low, None) && follows(&second.path, &barrier.path) {
            found.push((&mut before_second, common(&barrier.path, &second.path)));
        }
        for (sets, steps) in found {
            if barrier.path[steps..].iter().all(|step| matches!(step, Step::Child(_))) {
                return Ok(Separation::Always);
            }
            let kept = dimensions(&barrier.path[..steps]);
            let inner = barrier.names.len() - kept;
            sets.push(barrier.domain.copy()?.project_out(DimType::Set, kept as u32, inner as u32)?);
        }
    }
    Ok(Separation::Sometimes { after_first, before_second })
}

/// True if the first path stands behind the second in the text, in one block.
fn follows(path: &[Step], other: &[Step]) -> bool {
    let steps = common(path, other);
    matches!((path.get(steps), other.get(steps)), (Some(Step::Child(own)), Some(Step::Child(other))) if own > other)
}

/// The points at which some threads of a block meet a barrier and others do not; nothing if there are none.
pub fn diverging(barrier: &Leaf<'_>) -> Result<Option<Set>> {
    let Some(launch) = barrier.launch.filter(|_| barrier.divergent) else { return Ok(None) };
    let (first, threads) = ((launch.first + launch.blocks) as u32, launch.threads as u32);
    let mut all = barrier.domain.copy()?.eliminate_dims(first, threads)?;
    for (position, size) in launch.sizes.iter().take(launch.threads).enumerate() {
        let position = first + position as u32;
        all = all.lower_bound_si(DimType::Set, position, 0)?;
        all = all.upper_bound_si(DimType::Set, position, size - 1)?;
    }
    let absent = all.subtract(barrier.domain.copy()?)?;
    Ok(if absent.is_empty()? { None } else { Some(absent) })
}
