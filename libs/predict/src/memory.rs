//! Bytes of device memory.

use gpu::target::SECTOR_BYTES;

use crate::run::KernelCounts;

/// Returns the bytes that device memory delivers and takes for each leaf of a kernel, given the bytes of the arrays. If
/// all arrays fit into the L2 cache, it delivers each once; otherwise once in each launch, if the launches ask for so
/// much.
pub fn dram(counts: &KernelCounts, sizes: &[u64], is_cached: bool) -> Vec<(f64, f64)> {
    let times = if is_cached { 1.0 } else { counts.launches };
    let mut asked = vec![[0.0; 2]; sizes.len()];
    for (array, sectors) in counts.leaves.iter().flat_map(|leaf| &leaf.of_arrays) {
        if let Some(sum) = asked.get_mut(*array) {
            sum[0] += sectors[0];
            sum[1] += sectors[1];
        }
    }
    let share = |array: usize, way: usize| {
        let bytes = asked.get(array).map_or(0.0, |asked| asked[way]) * SECTOR_BYTES as f64;
        let most = sizes.get(array).map_or(0.0, |size| *size as f64) * times;
        if bytes > most { most / bytes } else { 1.0 }
    };
    let of_leaf = |leaf: &crate::run::Counts| {
        let way = |way: usize| {
            let arrays = leaf.of_arrays.iter();
            arrays.map(|(array, sectors)| sectors[way] * SECTOR_BYTES as f64 * share(*array, way)).sum()
        };
        (way(0), way(1))
    };
    counts.leaves.iter().map(of_leaf).collect()
}
