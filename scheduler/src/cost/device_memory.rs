//! What device memory moves.

use std::collections::BTreeMap;

use gpu::target::Gpu;
use scop::{ArrayId, KernelId};

use super::footprint::SECTOR_BYTES;
use super::work::{Estimate, Use};

/// Returns the bytes that a launch touches of each array, at most.
pub fn array_sizes(estimates: &[(KernelId, Estimate)]) -> BTreeMap<ArrayId, f64> {
    let mut sizes: BTreeMap<ArrayId, f64> = BTreeMap::new();
    for of_array in estimates.iter().flat_map(|(_, estimate)| &estimate.uses) {
        let largest = sizes.entry(of_array.array).or_default();
        *largest = largest.max(of_array.touched);
    }
    sizes
}

/// Adds the bytes that device memory moves. Arrays that fit into the L2 cache together, the smallest first, are read
/// once, by the kernel that needs most of them; a launch needs the others again.
pub fn add_device_memory(estimates: &mut [(KernelId, Estimate)], gpu: &Gpu) {
    let mut ordered: Vec<(ArrayId, f64)> = array_sizes(estimates).into_iter().collect();
    ordered.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let (mut cached, mut used) = (Vec::new(), 0.0);
    for (array, bytes) in ordered {
        used += bytes;
        if used <= gpu.caches.l2_bytes as f64 {
            cached.push(array);
        }
    }
    let mut seen = Vec::new();
    for (_, estimate) in estimates {
        let launches = estimate.work.shape.launches as f64;
        let mut bytes = 0.0;
        for Use { array, touched, loaded, stored, .. } in &estimate.uses {
            if !cached.contains(array) {
                bytes += loaded.min(touched * launches) + stored.min(touched * launches);
            } else if !seen.contains(array) {
                seen.push(*array);
                bytes += loaded.min(*touched) + stored.min(*touched);
            }
        }
        let Some(phase) = estimate.work.phases.first_mut() else { continue };
        phase.dram_bytes = bytes;
        let moved = phase.memory.sectors * SECTOR_BYTES;
        let share = if moved > 0.0 { (bytes / moved).min(1.0) } else { 0.0 };
        phase.waits.dram = phase.waits.l2 * share;
        phase.waits.l2 -= phase.waits.dram;
    }
}
