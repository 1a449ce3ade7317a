//! Which part of the bytes beyond the L1 cache device memory moves.
//!
//! The rule has one owner, because two ask: `gpu-predict`, with the sectors of the finished program, and scheduler, with
//! estimates of the same.

use std::collections::{BTreeMap, BTreeSet};

/// What a kernel asks the L2 cache for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked<K> {
    /// Its launches.
    pub launches: f64,
    /// The bytes of each array that all launches read and write.
    pub bytes: BTreeMap<K, [f64; 2]>,
    /// The part of each array that a launch reads and writes; all of those that are not listed. Of an array with two
    /// halves that take turns, for example, it reads one and writes the other.
    pub parts: BTreeMap<K, [f64; 2]>,
}

/// Returns the share of these bytes, read and written, that device memory moves, for each array and each kernel of a
/// region, given in the order of their first launches. `sizes` has the bytes of all arrays.
///
/// The smallest arrays that fit together into the L2 cache stay there: device memory delivers such an array to the
/// kernel that reads it first, unless an earlier one has written it, and takes it from the kernel that writes it last.
/// Of other arrays it does so in each launch. In either case no more moves than the launches ask for.
pub fn device_memory_shares<K: Ord + Copy>(
    kernels: &[Asked<K>],
    sizes: &BTreeMap<K, f64>,
    l2_bytes: f64,
) -> Vec<BTreeMap<K, [f64; 2]>> {
    let cached = cached(sizes, l2_bytes);
    let mut present = BTreeSet::new();
    let mut all = Vec::new();
    for (number, own) in kernels.iter().enumerate() {
        let later = kernels.get(number + 1..).unwrap_or_default();
        let is_written_later =
            |array: &K| later.iter().any(|later| later.bytes.get(array).is_some_and(|bytes| bytes[1] > 0.0));
        let times = |array: &K| match cached.contains(array) {
            false => [own.launches; 2],
            true => {
                [!present.contains(array), !is_written_later(array)].map(|moves| f64::from(u8::from(moves)))
            }
        };
        let shares = |(array, bytes): (&K, &[f64; 2])| {
            let (size, times) = (sizes.get(array).copied().unwrap_or(f64::INFINITY), times(array));
            let parts = own.parts.get(array).copied().unwrap_or([1.0; 2]);
            let share = |way: usize| match (bytes[way], times[way] * parts[way]) {
                (_, 0.0) => 0.0,
                (bytes, times) if bytes > size * times => size * times / bytes,
                _ => 1.0,
            };
            (*array, [share(0), share(1)])
        };
        all.push(own.bytes.iter().map(shares).collect());
        present.extend(own.bytes.iter().filter(|(_, bytes)| **bytes != [0.0; 2]).map(|(array, _)| *array));
    }
    all
}

/// Returns the smallest arrays that fit together into a cache.
fn cached<K: Ord + Copy>(sizes: &BTreeMap<K, f64>, l2_bytes: f64) -> BTreeSet<K> {
    let mut by_size: Vec<(K, f64)> = sizes.iter().map(|(array, size)| (*array, *size)).collect();
    by_size.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut total = 0.0;
    let fits = |(_, size): &(K, f64)| {
        total += size;
        total <= l2_bytes
    };
    by_size.into_iter().take_while(fits).map(|(array, _)| array).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(launches: f64, bytes: &[(usize, [f64; 2])]) -> Asked<usize> {
        Asked { launches, bytes: bytes.iter().copied().collect(), parts: BTreeMap::new() }
    }

    #[test]
    fn what_fits_into_the_cache_moves_once() {
        let kernels = [
            kernel(10.0, &[(0, [32000.0, 0.0]), (1, [0.0, 32000.0])]),
            kernel(10.0, &[(1, [32000.0, 32000.0])]),
        ];
        let moved = |sizes: [f64; 2], l2_bytes| -> Vec<Vec<[f64; 2]>> {
            let sizes = sizes.into_iter().enumerate().collect();
            let shares = device_memory_shares(&kernels, &sizes, l2_bytes);
            let of = |(kernel, shares): (&Asked<usize>, &BTreeMap<usize, [f64; 2]>)| {
                let moved =
                    |(array, bytes): (&usize, &[f64; 2])| [0, 1].map(|way| bytes[way] * shares[array][way]);
                kernel.bytes.iter().map(moved).collect()
            };
            kernels.iter().zip(&shares).map(of).collect()
        };
        assert_eq!(moved([3200.0; 2], 6400.0), [vec![[3200.0, 0.0], [0.0; 2]], vec![[0.0, 3200.0]]]);
        let all = [vec![[32000.0, 0.0], [0.0, 32000.0]], vec![[32000.0; 2]]];
        assert_eq!(moved([3200.0; 2], 3199.0), all, "a launch asks for 3200 bytes");
        let small = [vec![[32000.0, 0.0], [0.0, 16000.0]], vec![[16000.0; 2]]];
        assert_eq!(moved([6400.0, 1600.0], 0.0), small, "no more than all of the array in each launch");
        let beside = [vec![[32000.0, 0.0], [0.0; 2]], vec![[0.0, 1600.0]]];
        assert_eq!(moved([6400.0, 1600.0], 6400.0), beside, "it stays in the cache beside the large one");
    }

    #[test]
    fn halves_that_take_turns_move_apart() {
        let mut halves = kernel(10.0, &[(0, [40000.0, 40000.0])]);
        let sizes = BTreeMap::from([(0, 6400.0)]);
        let share =
            |kernel: &Asked<usize>| device_memory_shares(std::slice::from_ref(kernel), &sizes, 0.0)[0][&0];
        assert_eq!(share(&halves), [1.0; 2], "less than the whole array in each launch");
        halves.parts = BTreeMap::from([(0, [0.5, 0.5])]);
        assert_eq!(share(&halves), [0.8; 2], "one half in each launch");
    }
}
