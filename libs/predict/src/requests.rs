//! What a warp's access costs: sectors of global memory, wavefronts of shared and constant memory. The definitions are
//! those of cudasim (`cudasim/README.md`).

use gpu::target::SECTOR_BYTES;

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

/// Returns the wavefronts of an access to shared memory. Each lane has an address or none; accesses of 8 bytes are
/// served by half-warps, those of 16 by quarter-warps, and atomic operations on one word one after the other.
pub fn wavefronts(addresses: &[Option<u64>], bytes: u64, is_atomic: bool) -> u64 {
    let words = (bytes / WORD).max(1);
    let together = (BANKS / words).max(1) as usize;
    addresses.chunks(together).map(|lanes| fullest_bank(lanes, words, is_atomic)).sum()
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
        assert_eq!(wavefronts(&strided(4), 4, false), 1);
        assert_eq!(wavefronts(&strided(8), 8, false), 2);
        assert_eq!(wavefronts(&strided(128), 4, false), 32);
        assert_eq!(wavefronts(&strided(132), 4, false), 1);
        assert_eq!(wavefronts(&strided(0), 4, false), 1);
        assert_eq!(wavefronts(&strided(0), 4, true), 32);
        assert_eq!(constant_wavefronts(&[0, 0, 4]), 2);
    }
}
