//! Bytes of device memory.

use std::collections::BTreeSet;

use gpu::target::SECTOR_BYTES;

use crate::run::{Counts, KernelCounts};

/// The sectors of each array that a kernel asks the L2 cache for, to read and to write.
type Asked = Vec<[f64; 2]>;

/// Returns the bytes that device memory delivers and takes for each leaf of each kernel, given the kernels of a scop in
/// the order of their first launches, and the bytes of the arrays.
///
/// The smallest arrays that fit together into the L2 cache stay there: device memory delivers such an array to the
/// kernel that reads it first, unless an earlier one has written it, and takes it from the kernel that writes it last.
/// Of other arrays it does so in each launch. In either case no more moves than the launches ask for.
pub fn dram(kernels: &[&KernelCounts], sizes: &[u64], l2_bytes: u64) -> Vec<Vec<(f64, f64)>> {
    let cached = cached(sizes, l2_bytes);
    let asked: Vec<Asked> = kernels.iter().map(|counts| asked(counts, sizes.len())).collect();
    let mut present = BTreeSet::new();
    let mut all = Vec::new();
    for (number, (counts, own)) in kernels.iter().zip(&asked).enumerate() {
        let later = asked.get(number + 1..).unwrap_or_default();
        let times = |array: usize, way: usize| match (cached.contains(&array), way) {
            (false, _) => counts.launches,
            (true, 0) => f64::from(!present.contains(&array)),
            (true, _) => f64::from(!later.iter().any(|later| later[array][1] > 0.0)),
        };
        let share = |array: usize, way: usize| {
            let bytes = own[array][way] * SECTOR_BYTES as f64;
            let most = sizes[array] as f64 * times(array, way);
            if bytes > most { most / bytes } else { 1.0 }
        };
        let of_leaf = |leaf: &Counts| {
            let way = |way: usize| {
                let arrays = leaf.of_arrays.iter();
                arrays.map(|(array, sectors)| sectors[way] * SECTOR_BYTES as f64 * share(*array, way)).sum()
            };
            (way(0), way(1))
        };
        all.push(counts.leaves.iter().map(of_leaf).collect());
        present.extend((0..sizes.len()).filter(|array| own[*array] != [0.0; 2]));
    }
    all
}

/// Returns the smallest arrays that fit together into a cache.
fn cached(sizes: &[u64], l2_bytes: u64) -> BTreeSet<usize> {
    let mut by_size: Vec<usize> = (0..sizes.len()).collect();
    by_size.sort_by_key(|array| sizes[*array]);
    let mut total = 0u64;
    let fits = |array: &usize| {
        total = total.saturating_add(sizes[*array]);
        total <= l2_bytes
    };
    by_size.into_iter().take_while(fits).collect()
}

fn asked(counts: &KernelCounts, arrays: usize) -> Asked {
    let mut asked = vec![[0.0; 2]; arrays];
    for (array, sectors) in counts.leaves.iter().flat_map(|leaf| &leaf.of_arrays) {
        asked[*array][0] += sectors[0];
        asked[*array][1] += sectors[1];
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(launches: f64, arrays: &[(usize, [f64; 2])]) -> KernelCounts {
        let leaf = Counts { of_arrays: arrays.iter().copied().collect(), ..Counts::default() };
        KernelCounts { launches, leaves: vec![leaf], ..KernelCounts::default() }
    }

    #[test]
    fn what_fits_into_the_cache_moves_once() {
        let first = kernel(10.0, &[(0, [1000.0, 0.0]), (1, [0.0, 1000.0])]);
        let second = kernel(10.0, &[(1, [1000.0, 1000.0])]);
        let kernels = [&first, &second];
        assert_eq!(dram(&kernels, &[3200, 3200], 6400), [[(3200.0, 0.0)], [(0.0, 3200.0)]]);
        // A launch asks for 3200 bytes.
        assert_eq!(dram(&kernels, &[3200, 3200], 3199), [[(32000.0, 32000.0)], [(32000.0, 32000.0)]]);
        assert_eq!(dram(&kernels, &[6400, 1600], 0), [[(32000.0, 16000.0)], [(16000.0, 16000.0)]]);
        // The small array stays in the cache beside the large one.
        assert_eq!(dram(&kernels, &[6400, 1600], 6400), [[(32000.0, 0.0)], [(0.0, 1600.0)]]);
    }
}
