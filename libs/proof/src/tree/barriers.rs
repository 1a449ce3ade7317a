//! Which instances a barrier keeps apart.

use polyhedra::{Map, Result};

use super::places::{Barrier, Statement};

/// Returns the pairs of an instance of `first` and one of `second` in one block such that some barrier runs after
/// the former and before the latter.
///
/// A barrier counts if it is in the same iteration of the loops above its extension node as one of the two
/// instances. It then certainly runs, because that instance makes its block reach it.
pub fn separated(first: &Statement, second: &Statement, barriers: &[Barrier]) -> Result<Option<Map>> {
    let mut pairs: Option<Map> = None;
    for barrier in barriers {
        let after = first.time.copy()?.lex_lt_map(barrier.time.copy()?)?;
        let before = barrier.time.copy()?.lex_lt_map(second.time.copy()?)?;
        if let Some(near) = near(first, barrier)? {
            let found = after.copy()?.intersect(near)?.apply_range(before.copy()?)?;
            pairs = join(pairs, found)?;
        }
        if let Some(near) = near(second, barrier)? {
            let found = after.apply_range(before.intersect(near.reverse()?)?)?;
            pairs = join(pairs, found)?;
        }
    }
    Ok(pairs)
}

/// Returns the relation from instances to the barriers in the same iteration of the loops above the barrier's
/// extension node.
fn near(statement: &Statement, barrier: &Barrier) -> Result<Option<Map>> {
    match statement.prefixes.get(&barrier.extension.number) {
        Some(prefix) => Ok(Some(prefix.copy()?.apply_range(barrier.prefix.copy()?.reverse()?)?)),
        None => Ok(None),
    }
}

fn join(pairs: Option<Map>, found: Map) -> Result<Option<Map>> {
    Ok(Some(match pairs {
        Some(pairs) => pairs.union(found)?,
        None => found,
    }))
}
