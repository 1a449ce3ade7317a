//! Bytes of device memory.

use std::collections::BTreeMap;

use gpu::counts::{Asked, device_memory_shares};
use gpu::target::SECTOR_BYTES;

use crate::run::{Counts, KernelCounts};

/// Returns the bytes that device memory delivers and takes for each leaf of each kernel, given the kernels of a scop in
/// the order of their first launches, and the bytes of the arrays.
pub fn dram(kernels: &[&KernelCounts], sizes: &[u64], l2_bytes: u64) -> Vec<Vec<(f64, f64)>> {
    let asked: Vec<Asked<usize>> = kernels.iter().map(|counts| asked(counts)).collect();
    let sizes = sizes.iter().map(|size| *size as f64).enumerate().collect();
    let shares = device_memory_shares(&asked, &sizes, l2_bytes as f64);
    let of_kernel = |(counts, shares): (&&KernelCounts, &BTreeMap<usize, [f64; 2]>)| {
        let of_leaf = |leaf: &Counts| {
            let way = |way: usize| {
                let arrays = leaf.of_arrays.iter();
                arrays.map(|(array, sectors)| sectors[way] * SECTOR_BYTES as f64 * shares[array][way]).sum()
            };
            (way(0), way(1))
        };
        counts.leaves.iter().map(of_leaf).collect()
    };
    kernels.iter().zip(&shares).map(of_kernel).collect()
}

fn asked(counts: &KernelCounts) -> Asked<usize> {
    let mut bytes: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for (array, sectors) in counts.leaves.iter().flat_map(|leaf| &leaf.of_arrays) {
        let sum = bytes.entry(*array).or_default();
        (0..2).for_each(|way| sum[way] += sectors[way] * SECTOR_BYTES as f64);
    }
    let parts = counts.parts.iter().map(|(array, parts)| (*array, parts.map(|part| part / counts.launches)));
    Asked { launches: counts.launches, bytes, parts: parts.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_leaf_has_its_part_of_what_moves() {
        let leaf = |sectors| Counts { of_arrays: BTreeMap::from([(0, sectors)]), ..Counts::default() };
        let leaves = vec![leaf([30.0, 0.0]), leaf([10.0, 10.0])];
        let kernel = KernelCounts { launches: 2.0, leaves, ..KernelCounts::default() };
        assert_eq!(dram(&[&kernel], &[320], 0), [[(480.0, 0.0), (160.0, 320.0)]]);
    }
}
