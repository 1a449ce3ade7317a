//! The caches of a GPU.

use serde::Deserialize;

/// The sizes of caches, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Caches {
    /// What a multiprocessor has for its L1 cache and shared memory together.
    pub l1_bytes: u64,
    /// The sizes, ascending, that shared memory may have of that; any size if there are none.
    #[serde(default)]
    pub shared_memory_carveouts: Vec<u64>,
    /// The L2 cache.
    pub l2_bytes: u64,
}

impl Caches {
    /// Returns the bytes of a multiprocessor's L1 cache while its blocks use some bytes of shared memory: the smallest
    /// carve-out that is enough is taken away.
    pub fn l1(&self, shared_bytes: u64) -> u64 {
        let carveout = self.shared_memory_carveouts.iter().find(|carveout| **carveout >= shared_bytes);
        let largest = self.shared_memory_carveouts.last();
        self.l1_bytes.saturating_sub(carveout.or(largest).copied().unwrap_or(shared_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_takes_the_smallest_piece_that_is_enough() {
        let mut caches = Caches { l1_bytes: 128, shared_memory_carveouts: vec![0, 32, 64], l2_bytes: 1024 };
        for (used, left) in [(0, 128), (1, 96), (32, 96), (33, 64), (65, 64)] {
            assert_eq!(caches.l1(used), left, "{used}");
        }
        caches.shared_memory_carveouts.clear();
        assert_eq!(caches.l1(33), 95);
    }
}
