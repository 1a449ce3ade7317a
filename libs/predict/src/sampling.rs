//! Which of many equal things are looked at.
//!
//! Loops, launches and blocks that are too many are represented by some of them, each of which counts for several. The
//! choice depends on their numbers alone, so a prediction is the same on every machine.

/// How many are looked at of what there may be too many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Iterations of a nest of loops on the host.
    pub launches: f64,
    /// Blocks of a launch, if few launches are looked at, and if many are.
    pub blocks: [f64; 2],
    /// Parts of a grid of which is asked whether they have work, in the same cases.
    pub questions: [usize; 2],
    /// Iterations of an innermost loop of a kernel: without a loop around it, with one, and with several.
    pub innermost: [i64; 3],
    /// The same for loops around others.
    pub outer: [i64; 3],
    /// Accesses of warps, after which less is looked at instead.
    pub accesses: u64,
}

/// The efforts, the greatest first. The last one is made in any case.
pub const EFFORTS: [Effort; 3] = [
    Effort {
        launches: 64.0,
        blocks: [48.0, 48.0],
        questions: [16384, 4096],
        innermost: [256, 64, 32],
        outer: [32, 16, 12],
        accesses: 500_000,
    },
    Effort {
        launches: 64.0,
        blocks: [48.0, 16.0],
        questions: [16384, 4096],
        innermost: [128, 48, 32],
        outer: [24, 12, 8],
        accesses: 500_000,
    },
    Effort {
        launches: 12.0,
        blocks: [16.0, 9.0],
        questions: [16384, 4096],
        innermost: [64, 24, 12],
        outer: [12, 6, 4],
        accesses: u64::MAX,
    },
];

/// One of many, and for how many it counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Its number, from 0.
    pub number: i64,
    /// How many it stands for.
    pub weight: f64,
}

/// Returns at most `most` of `count` things: one out of each of equal parts, at a place in it that differs from part to
/// part, so that regular patterns do not deceive. Places also differ with `turn`: a number that is another one each
/// time that the like is sampled. For successive turns they cover a part evenly.
pub fn spread(count: i64, most: i64, turn: u64) -> Vec<Sample> {
    if count <= most {
        return (0..count.max(0)).map(|number| Sample { number, weight: 1.0 }).collect();
    }
    let part = |number: i64| (i128::from(count) * i128::from(number) / i128::from(most)) as i64;
    (0..most)
        .map(|number| {
            let (begin, end) = (part(number), part(number + 1));
            let place = mixed(number as u64).wrapping_add(turn.wrapping_mul(GOLDEN));
            let offset = (u128::from(place) * (end - begin) as u128) >> 64;
            Sample { number: begin + offset as i64, weight: (end - begin) as f64 }
        })
        .collect()
}

/// The golden section of 64 bits: its multiples are spread evenly.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns a number without a pattern.
pub fn mixed(number: u64) -> u64 {
    // The function of SplitMix64.
    let number = number.wrapping_add(GOLDEN);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// The elements of four bytes in a sector. Of a row, a new sector is loaded once in so many iterations.
const IN_SECTOR: i64 = 8;

/// Returns at most `most` consecutive iterations out of the middle of `count`, of which the first quarter or more only
/// warms the cache: those that count load whole sectors of a row.
pub fn window(count: i64, most: i64) -> Vec<Sample> {
    if count <= most {
        return (0..count.max(0)).map(|number| Sample { number, weight: 1.0 }).collect();
    }
    let warm = most / 4;
    let warm = if most - warm >= IN_SECTOR { most - (most - warm) / IN_SECTOR * IN_SECTOR } else { warm };
    let first = (count - most) / 2;
    let weight = count as f64 / (most - warm) as f64;
    (0..most)
        .map(|number| Sample { number: first + number, weight: if number < warm { 0.0 } else { weight } })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_stand_for_all() {
        for (count, most) in [(0, 4), (3, 4), (4, 4), (1000, 7), (1_000_000_007, 16)] {
            for samples in [spread(count, most, 0), spread(count, most, 5), window(count, most)] {
                let total: f64 = samples.iter().map(|sample| sample.weight).sum();
                assert!((total - count as f64).abs() < 1e-3, "{count} {most}: {total}");
                assert!(samples.iter().all(|sample| (0..count).contains(&sample.number)));
                assert!(samples.windows(2).all(|pair| pair[0].number < pair[1].number));
            }
        }
    }

    /// A row of which every fourth or eighth element begins a sector has as many sectors in the window as elsewhere.
    #[test]
    fn a_window_has_whole_sectors() {
        for most in [12, 24, 32, 48, 64] {
            let of = |elements: i64| -> f64 {
                let begins = |sample: &&Sample| sample.number % elements == 0;
                window(1000, most).iter().filter(begins).map(|sample| sample.weight).sum()
            };
            assert!((of(4) - 250.0).abs() < 1e-9 && (of(8) - 125.0).abs() < 1e-9, "{most}");
        }
    }

    /// The mean place of a part's sample is its middle, over turns and over parts.
    #[test]
    fn places_are_spread_evenly() {
        let place = |sample: &Sample| (sample.number % 1000) as f64;
        let mean = |places: Vec<f64>| places.iter().sum::<f64>() / places.len() as f64;
        let over_parts = mean(spread(1_000_000, 1000, 7).iter().map(place).collect());
        let over_turns = mean((0..64).map(|turn| place(&spread(4000, 4, turn)[1])).collect());
        assert!((over_parts - 500.0).abs() < 30.0, "{over_parts}");
        assert!((over_turns - 500.0).abs() < 30.0, "{over_turns}");
    }
}
