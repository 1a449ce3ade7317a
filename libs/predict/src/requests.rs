//! What a warp's access costs: sectors of global memory, wavefronts of shared and constant memory. The definitions are
//! those of cudasim (`cudasim/README.md`).

use gpu::target::SECTOR_BYTES;

use crate::program::Kind;

/// The banks of shared memory, and the bytes of a word of a bank.
const BANKS: u64 = 32;
const WORD: u64 = 4;
/// The bytes of a line of the L1 cache.
pub const LINE_BYTES: u64 = 128;

/// Returns the sectors that some accesses touch, in order. `addresses` are those of the active lanes.
pub fn sectors(addresses: &[u64], bytes: u64) -> Vec<u64> {
    let touched = |address: &u64| address / SECTOR_BYTES..=(address + bytes.max(1) - 1) / SECTOR_BYTES;
    let mut all: Vec<u64> = addresses.iter().flat_map(touched).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the number of lines in which some sectors lie, given in order.
pub fn lines(sectors: &[u64]) -> u64 {
    let line = |sector: &u64| sector / (LINE_BYTES / SECTOR_BYTES);
    let next = sectors.windows(2).filter(|pair| line(&pair[0]) != line(&pair[1])).count() as u64;
    if sectors.is_empty() { 0 } else { next + 1 }
}

/// Returns the distinct bytes that some accesses touch.
pub fn distinct_bytes(addresses: &[u64], bytes: u64) -> u64 {
    let mut sorted = addresses.to_vec();
    sorted.sort_unstable();
    let (mut total, mut end) = (0, 0);
    for address in sorted {
        let begin = address.max(end);
        end = (address + bytes).max(end);
        total += end - begin;
    }
    total
}

/// Returns the wavefronts of an access to shared memory. Each lane has an address or none. Accesses of 8 bytes are
/// served by half-warps, those of 16 by quarter-warps, and twice as many lanes at once if two and two of them load from
/// the same address; atomic operations on one word one after the other.
pub fn wavefronts(addresses: &[Option<u64>], bytes: u64, kind: Kind) -> u64 {
    let words = (bytes / WORD).max(1);
    let is_packed =
        words > 1 && kind == Kind::Load && (agree_in_pairs(addresses, 1) || agree_in_pairs(addresses, 2));
    let together = (BANKS / words).max(1) as usize * if is_packed { 2 } else { 1 };
    addresses.chunks(together).map(|lanes| fullest_bank(lanes, words, kind == Kind::Atomic)).sum()
}

/// Returns true if lanes whose numbers differ in one bit have the same address, wherever both are active.
fn agree_in_pairs(addresses: &[Option<u64>], bit: usize) -> bool {
    let partner = |lane: usize| addresses.get(lane ^ bit).copied().flatten();
    addresses
        .iter()
        .enumerate()
        .all(|(lane, own)| own.is_none() || partner(lane).is_none_or(|other| *own == Some(other)))
}

fn fullest_bank(lanes: &[Option<u64>], words: u64, is_atomic: bool) -> u64 {
    let mut touched: Vec<u64> = lanes
        .iter()
        .flatten()
        .flat_map(|address| (0..words).map(move |word| address / WORD + word))
        .collect();
    touched.sort_unstable();
    if !is_atomic {
        touched.dedup();
    }
    let mut banks = [0; BANKS as usize];
    for word in touched {
        banks[(word % BANKS) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

/// Returns the wavefronts of an access to constant memory, which serves one word at a time.
pub fn constant_wavefronts(addresses: &[u64]) -> u64 {
    let mut words: Vec<u64> = addresses.iter().map(|address| address / WORD).collect();
    words.sort_unstable();
    words.dedup();
    words.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_those_that_lanes_touch() {
        let strided = |stride: u64| (0..32).map(|lane| 256 + lane * stride).collect::<Vec<_>>();
        for (stride, bytes, touched, lines_touched, distinct) in
            [(4, 4, 4, 1, 128), (8, 8, 8, 2, 256), (128, 4, 32, 32, 128), (0, 8, 1, 1, 8)]
        {
            let found = sectors(&strided(stride), bytes);
            assert_eq!((found.len(), lines(&found)), (touched, lines_touched), "{stride}");
            assert_eq!(distinct_bytes(&strided(stride), bytes), distinct, "{stride}");
        }
    }

    #[test]
    fn banks_serve_one_word_each() {
        let strided = |stride: u64| (0..32).map(|lane| Some(lane * stride)).collect::<Vec<_>>();
        for (stride, expected) in [(4, 1), (8, 2), (128, 32), (132, 1), (0, 1)] {
            assert_eq!(wavefronts(&strided(stride), 4, Kind::Load), expected, "{stride}");
        }
        assert_eq!(wavefronts(&strided(0), 4, Kind::Atomic), 32);
        assert_eq!(constant_wavefronts(&[0, 0, 4]), 2);
    }

    #[test]
    fn lanes_that_load_the_same_in_pairs_are_served_together() {
        let of = |bytes, kind, address: fn(u64) -> Option<u64>| {
            wavefronts(&(0..32).map(address).collect::<Vec<_>>(), bytes, kind)
        };
        assert_eq!(of(8, Kind::Load, |lane| Some(8 * lane)), 2);
        assert_eq!(of(8, Kind::Load, |_| Some(64)), 1);
        assert_eq!(of(8, Kind::Store, |_| Some(64)), 2);
        assert_eq!(of(16, Kind::Load, |lane| Some(16 * lane)), 4);
        assert_eq!(of(16, Kind::Load, |_| Some(64)), 2);
        assert_eq!(of(16, Kind::Load, |lane| Some(lane / 2 * 16)), 2);
        assert_eq!(of(16, Kind::Load, |lane| Some(lane / 2 * 256)), 16);
        // Lanes i and i ^ 2.
        assert_eq!(of(16, Kind::Load, |lane| Some((lane & !2) * 16)), 4);
        assert_eq!(of(16, Kind::Load, |lane| Some((lane & 1) * 16)), 2);
        assert_eq!(of(16, Kind::Load, |lane| Some(lane / 3 * 16)), 4);
        // Where a lane takes no part, the other one has no partner.
        assert_eq!(of(16, Kind::Load, |lane| (lane % 2 == 1).then_some(lane / 4 * 16)), 2);
    }
}
