//! The pairs of instances of a dependence that a schedule does not keep in order.

use polyhedra::{Map, Result};

use super::barriers::separated;
use super::places::{Barrier, Statement};
use crate::report::Breach;

/// Returns the first way in which `pairs`, from instances of `first` to instances of `second`, are not in order,
/// with the pairs that are not; nothing if all are in order.
pub fn breach(
    first: &Statement,
    second: &Statement,
    barriers: &[Barrier],
    pairs: Map,
) -> Result<Option<(Breach, Map)>> {
    let late = out_of_order(first, second, &pairs)?;
    if !late.is_empty()? {
        return Ok(Some((Breach::Order, late)));
    }
    let pairs = pairs.intersect(same(&first.launch, &second.launch)?)?;
    let same_block = same(&first.block, &second.block)?;
    let between_blocks = pairs.copy()?.subtract(same_block)?;
    if !between_blocks.is_empty()? {
        return Ok(Some((Breach::Blocks, between_blocks)));
    }
    let mut between_threads = pairs.subtract(same(&first.thread, &second.thread)?)?;
    if between_threads.is_empty()? {
        return Ok(None);
    }
    if let Some(separated) = separated(first, second, barriers)? {
        between_threads = between_threads.subtract(separated)?;
    }
    Ok(if between_threads.is_empty()? { None } else { Some((Breach::Threads, between_threads)) })
}

/// Returns the pairs whose second instance may run first, or at the same time.
fn out_of_order(first: &Statement, second: &Statement, pairs: &Map) -> Result<Map> {
    let late = first.time.copy()?.lex_ge_map(second.time.copy()?)?;
    let other = first.other_time.copy()?.lex_ge_map(second.other_time.copy()?)?;
    Ok(pairs.copy()?.intersect(late)?.union(pairs.copy()?.intersect(other)?)?)
}

/// Returns the pairs of instances to which two relations assign the same value.
fn same(first: &Map, second: &Map) -> Result<Map> {
    Ok(first.copy()?.apply_range(second.copy()?.reverse()?)?)
}
