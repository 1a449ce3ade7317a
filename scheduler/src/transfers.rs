//! What a region moves between host and device, and how long that takes.

use std::collections::{BTreeMap, BTreeSet};

use gpu::target::Gpu;
use polyhedra::{Map, Result, Text};
use scop::{AccessId, ArrayId, Dependences, LiveAccess, Model};

use crate::cost::{Places, count};

/// Bytes per microsecond in a unit of 10⁹ bytes per second.
const BYTES_PER_MICROSECOND: f64 = 1e3;

/// The time that transfers take, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Transfers {
    /// The calls.
    pub calls: f64,
    /// The bytes.
    pub bytes: f64,
}

/// Returns the time of the transfers of the arrays in `moved`: of those elements whose values the region needs, and of
/// those that it leaves for the code after it. Scalars are arguments.
pub fn transfers(
    model: &Model,
    dependences: &Dependences,
    moved: &BTreeSet<ArrayId>,
    (places, gpu): (&Places, &Gpu),
) -> Result<Transfers> {
    let mut all = Transfers::default();
    for live in [&dependences.live_in, &dependences.live_out] {
        let bytes = bytes_of(live, model, moved, places)?;
        all.calls += bytes.len() as f64 * gpu.rates.transfer_microseconds;
        let per_microsecond = gpu.rates.transfer_pageable_gigabytes_per_second * BYTES_PER_MICROSECOND;
        all.bytes += bytes.values().sum::<f64>() / per_microsecond;
    }
    Ok(all)
}

/// Returns the bytes of each array: those of the access with most elements.
fn bytes_of(
    live: &[LiveAccess],
    model: &Model,
    moved: &BTreeSet<ArrayId>,
    places: &Places,
) -> Result<BTreeMap<ArrayId, f64>> {
    let mut bytes: BTreeMap<ArrayId, f64> = BTreeMap::new();
    for LiveAccess { access, relation, .. } in live {
        let array = array_of(model, *access)?;
        if !moved.contains(&array) {
            continue;
        }
        let elements = Map::parse(&relation.0)?.range()?.intersect_params(places.context.copy()?)?;
        let elements = count(&elements.project_out_all_params()?)?.points;
        let most = bytes.entry(array).or_default();
        *most = most.max(elements * places.bytes(array));
    }
    Ok(bytes)
}

fn array_of(model: &Model, access: AccessId) -> Result<ArrayId> {
    Ok(model.access(access)?.array)
}
