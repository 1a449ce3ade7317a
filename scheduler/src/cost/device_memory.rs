//! What device memory moves.

use std::collections::BTreeMap;

use gpu::counts::{Asked, Work, device_memory_shares};
use gpu::target::Gpu;
use scop::ArrayId;

use super::estimate::{Estimate, Use};
use super::places::Places;

/// Returns the bytes of the arrays that some kernels use: of the whole arrays, or of the part that kernels touch where
/// their sizes are unknown.
fn array_sizes(estimates: &[&Estimate], places: &Places) -> BTreeMap<ArrayId, f64> {
    let mut sizes: BTreeMap<ArrayId, f64> = BTreeMap::new();
    for Use { array, touched, .. } in estimates.iter().flat_map(|estimate| &estimate.uses) {
        let size = match places.array_bytes(*array) {
            bytes if bytes.is_finite() => bytes,
            _ => *touched,
        };
        let largest = sizes.entry(*array).or_default();
        *largest = largest.max(size);
    }
    sizes
}

/// Returns the work of the kernels of a region, in the order of their launches.
pub fn works(estimates: &[&Estimate], places: &Places, gpu: &Gpu) -> Vec<Work> {
    let asked = |estimate: &&Estimate| {
        let launches = estimate.launched.launches;
        Asked { launches, bytes: estimate.lines.asked(), parts: BTreeMap::new() }
    };
    let asked: Vec<Asked<ArrayId>> = estimates.iter().map(asked).collect();
    let shares = device_memory_shares(&asked, &array_sizes(estimates, places), gpu.caches.l2_bytes as f64);
    estimates.iter().zip(&shares).map(|(estimate, shares)| estimate.work(shares, &gpu.rates)).collect()
}
