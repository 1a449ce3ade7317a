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
        innermost: [256, 64, 32],
        outer: [32, 16, 12],
        accesses: 500_000,
    },
    Effort {
        launches: 64.0,
        blocks: [48.0, 16.0],
        innermost: [128, 48, 32],
        outer: [24, 12, 8],
        accesses: 500_000,
    },
    Effort {
        launches: 12.0,
        blocks: [16.0, 9.0],
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
/// part, so that regular patterns do not deceive.
pub fn spread(count: i64, most: i64) -> Vec<Sample> {
    if count <= most {
        return (0..count.max(0)).map(|number| Sample { number, weight: 1.0 }).collect();
    }
    let part = |number: i64| (i128::from(count) * i128::from(number) / i128::from(most)) as i64;
    (0..most)
        .map(|number| {
            let (begin, end) = (part(number), part(number + 1));
            let place = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            let offset = (place as i64) % (end - begin);
            Sample { number: begin + offset, weight: (end - begin) as f64 }
        })
        .collect()
}

/// As [`spread`], but the first and the last stand for themselves alone, because what lies at an edge is different.
pub fn with_ends(count: i64, most: i64) -> Vec<Sample> {
    if count <= most.max(2) {
        return spread(count, count);
    }
    let end = |number| Sample { number, weight: 1.0 };
    let inner = spread(count - 2, (most - 2).max(1)).into_iter();
    let inner = inner.map(|Sample { number, weight }| Sample { number: number + 1, weight });
    std::iter::once(end(0)).chain(inner).chain([end(count - 1)]).collect()
}

/// Returns at most `most` consecutive iterations out of the middle of `count`, of which the first quarter only warms the
/// cache.
pub fn window(count: i64, most: i64) -> Vec<Sample> {
    if count <= most {
        return (0..count.max(0)).map(|number| Sample { number, weight: 1.0 }).collect();
    }
    let warm = most / 4;
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
            for samples in [spread(count, most), with_ends(count, most), window(count, most)] {
                let total: f64 = samples.iter().map(|sample| sample.weight).sum();
                assert!((total - count as f64).abs() < 1e-3, "{count} {most}: {total}");
                assert!(samples.iter().all(|sample| (0..count).contains(&sample.number)));
                assert!(samples.windows(2).all(|pair| pair[0].number < pair[1].number));
            }
        }
    }
}
