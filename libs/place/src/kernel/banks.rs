//! Bank conflicts of shared memory.
//!
//! Shared memory has 32 banks of 4 bytes. If lanes of a warp touch different words of one bank, they are served one
//! after the other, in one wavefront each; lanes that touch the same word are served together. Elements of 8 bytes
//! are accessed by half-warps, elements of 16 bytes by quarter-warps, and twice as many lanes are served together if
//! two and two of them load the same element (`cudasim/README.md` names the source). C-to-CUDA (section 4.2) pads rows
//! for the same reason, for the 16 banks of the GPUs of 2010.

use std::collections::BTreeSet;

/// The number of banks.
const BANKS: u64 = 32;
/// The lanes of a warp.
pub const LANES: usize = 32;
/// The size of a word of a bank, in bytes.
const WORD: u64 = 4;

/// One access of a warp to a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The place that each lane uses; nothing for lanes that are inactive.
    pub lanes: Vec<Option<Vec<i64>>>,
    /// How often the access is executed in a tile.
    pub times: u64,
}

/// Returns the number of wavefronts that a request needs if its lanes use these elements, of `bytes` bytes each. It is
/// counted as a load: lanes never store to the same element.
pub fn wavefronts(elements: &[Option<u64>], bytes: u32) -> u64 {
    let bytes = u64::from(bytes.max(1));
    let is_packed = bytes > WORD && (agree_in_pairs(elements, 1) || agree_in_pairs(elements, 2));
    let together = (BANKS * WORD / bytes.max(WORD)) as usize * if is_packed { 2 } else { 1 };
    elements.chunks(together.max(1)).map(|lanes| fullest_bank(lanes, bytes)).sum()
}

/// Returns true if lanes whose numbers differ in one bit use the same element, wherever both are active.
fn agree_in_pairs(elements: &[Option<u64>], bit: usize) -> bool {
    let partner = |lane: usize| elements.get(lane ^ bit).copied().flatten();
    elements
        .iter()
        .enumerate()
        .all(|(lane, own)| own.is_none() || partner(lane).is_none_or(|other| *own == Some(other)))
}

/// Returns the largest number of different words in one bank.
fn fullest_bank(elements: &[Option<u64>], bytes: u64) -> u64 {
    let words: BTreeSet<u64> = elements
        .iter()
        .flatten()
        .flat_map(|element| element * bytes / WORD..=(element * bytes + bytes - 1) / WORD)
        .collect();
    let mut banks = [0; BANKS as usize];
    for word in words {
        banks[(word % BANKS) as usize] += 1;
    }
    banks.into_iter().max().unwrap_or(0)
}

/// Returns the wavefronts of all requests, each multiplied by how often it is executed, if `address` maps places to
/// elements.
pub fn total(requests: &[Request], bytes: u32, address: impl Fn(&[i64]) -> Option<u64>) -> u64 {
    let of = |request: &Request| {
        let elements: Vec<Option<u64>> =
            request.lanes.iter().map(|lane| lane.as_deref().and_then(&address)).collect();
        wavefronts(&elements, bytes).saturating_mul(request.times)
    };
    requests.iter().map(of).fold(0, u64::saturating_add)
}

/// The arrangement of a box in memory: the order of its dimensions and the padding of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The dimensions, outermost first.
    pub order: Vec<usize>,
    /// The unused elements after each row.
    pub padding: u32,
}

impl Rows {
    /// Returns the address of a place of a box, in elements.
    pub fn address(&self, place: &[i64], sizes: &[u32]) -> Option<u64> {
        let mut address = 0u64;
        for (depth, &dimension) in self.order.iter().enumerate() {
            let last = depth + 1 == self.order.len();
            let padding = if last { self.padding } else { 0 };
            address = address.checked_mul(u64::from(*sizes.get(dimension)?) + u64::from(padding))?;
            address = address.checked_add(u64::try_from(*place.get(dimension)?).ok()?)?;
        }
        Some(address)
    }

    /// Returns the number of elements that the box occupies in memory, with padding.
    pub fn elements(&self, sizes: &[u32]) -> u64 {
        let Some((last, outer)) = self.order.split_last() else { return 1 };
        let size = |dimension: &usize| sizes.get(*dimension).map_or(1, |size| u64::from(*size));
        let row = size(last).saturating_add(self.padding.into());
        outer.iter().map(size).fold(row, u64::saturating_mul)
    }

    /// Returns the arrangement with the fewest wavefronts that takes at most `budget` bytes, and that number. Of
    /// equally good arrangements, one with the given order of dimensions and little padding is preferred. Returns
    /// nothing if none fits.
    pub fn best(sizes: &[u32], requests: &[Request], bytes: u32, budget: u64) -> Option<(Self, u64)> {
        let mut best: Option<(u64, Self)> = None;
        for order in orders(sizes.len()) {
            for padding in 0..most_padding(sizes.len(), bytes) {
                let rows = Self { order: order.clone(), padding };
                if rows.elements(sizes).saturating_mul(bytes.into()) > budget {
                    break;
                }
                let cost = total(requests, bytes, |place| rows.address(place, sizes));
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, rows));
                }
            }
        }
        best.map(|(cost, rows)| (rows, cost))
    }
}

/// Returns a bound for the padding. Padding by as many elements as there are in one row of all banks has no effect.
fn most_padding(dimensions: usize, bytes: u32) -> u32 {
    if dimensions < 2 { 1 } else { ((BANKS * WORD) as u32 / bytes.max(1)).clamp(1, BANKS as u32) }
}

/// Returns all orders of up to three dimensions, the given one first. For more dimensions, one order for each
/// innermost dimension.
pub fn orders(dimensions: usize) -> Vec<Vec<usize>> {
    if dimensions > 3 {
        let last = |last: usize| (0..dimensions).filter(|d| *d != last).chain([last]).collect();
        return (0..dimensions).rev().map(last).collect();
    }
    let mut orders = vec![Vec::new()];
    for _ in 0..dimensions {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let free = (0..dimensions).filter(|dimension| !order.contains(dimension));
            free.map(|dimension| order.iter().copied().chain([dimension]).collect()).collect()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(place: impl Fn(i64) -> Vec<i64>) -> Request {
        Request { lanes: (0..LANES as i64).map(|lane| Some(place(lane))).collect(), times: 1 }
    }

    #[test]
    fn wavefronts_are_those_of_the_fullest_bank() {
        let strided = |stride: u64| (0..32).map(|lane| Some(lane * stride)).collect::<Vec<_>>();
        let cases = [
            (1, 4, 1),
            (2, 4, 2),
            (32, 4, 32),
            (33, 4, 1),
            (0, 4, 1),
            (1, 8, 2),
            (16, 8, 32),
            (1, 16, 4),
            (0, 8, 1),
            (0, 16, 2),
            (1, 1, 1),
        ];
        for (stride, bytes, expected) in cases {
            assert_eq!(wavefronts(&strided(stride), bytes), expected, "stride {stride}, {bytes} bytes");
        }
        assert_eq!(wavefronts(&[None; 32], 4), 0);
        let shared_by = |lanes: u64| (0..32).map(|lane| Some(lane / lanes)).collect::<Vec<_>>();
        assert_eq!([1, 2, 3, 4].map(|lanes| wavefronts(&shared_by(lanes), 8)), [2, 1, 2, 1]);
    }

    #[test]
    fn columns_are_padded() {
        let down = request(|lane| vec![lane, 0]);
        let (rows, cost) =
            Rows::best(&[32, 32], &[down.clone(), request(|lane| vec![0, lane])], 4, 1 << 20).unwrap();
        assert_eq!((rows, cost), (Rows { order: vec![0, 1], padding: 1 }, 2));
        let (rows, _) = Rows::best(&[32, 32], &[down], 4, 4096).unwrap();
        assert_eq!(rows, Rows { order: vec![1, 0], padding: 0 });
        assert_eq!(Rows::best(&[32, 32], &[], 4, 4095), None);
    }

    #[test]
    fn halves_of_a_warp_that_walk_two_rows_meet_no_bank_twice() {
        let rows_of_16 = request(|lane| vec![lane / 16, lane % 16]);
        let (rows, cost) = Rows::best(&[16, 32], &[rows_of_16], 4, 1 << 20).unwrap();
        assert_eq!((rows.padding, cost), (16, 1));
    }

    #[test]
    fn orders_begin_with_the_given_one() {
        assert_eq!(orders(0), [Vec::<usize>::new()]);
        assert_eq!(orders(2), [[0, 1], [1, 0]]);
        assert_eq!(orders(3).len(), 6);
        assert_eq!(orders(4)[..2], [[0, 1, 2, 3], [0, 1, 3, 2]]);
    }
}
