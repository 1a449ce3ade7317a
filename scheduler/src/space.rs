//! The shapes of a kernel that are worth a price: smaller blocks if its default blocks do not fill the GPU, and several
//! points of a thread if they do.
//!
//! Smaller blocks differ in the number of threads along each loop. A thread keeps the points that it has in the default
//! shape.

use scop::{Axis, LoopId, MOST_ALONG_Z};

use crate::shape::Shape;
use crate::sharing::SharedSum;

/// The threads of a block along x, y and z, for one, two and three parallel loops. All blocks have at least 64 threads:
/// a multiprocessor runs at most 32 blocks, and would not be full with smaller ones.
const THREADS: [&[[u32; 3]]; 3] = [
    &[[64, 1, 1], [128, 1, 1]],
    &[[32, 2, 1], [32, 4, 1], [32, 8, 1], [64, 4, 1], [16, 4, 1], [16, 8, 1]],
    &[[32, 2, 1], [32, 4, 1], [32, 2, 2], [32, 2, 4], [32, 4, 2]],
];

/// Returns the shapes that may replace the default one of a band whose first members are parallel. `extents` are the
/// lengths of the parallel members, where they are constant.
pub fn shapes(default: &Shape, extents: &[Option<u64>]) -> Vec<Shape> {
    let parallel = default.axes.len();
    let Some(choices) = parallel.checked_sub(1).and_then(|kind| THREADS.get(kind)) else { return Vec::new() };
    let number = |threads: &[u32]| threads.iter().product::<u32>();
    let mut found = Vec::new();
    for choice in *choices {
        let threads: Vec<u32> = default.axes.iter().map(|&axis| choice[axis as usize]).collect();
        let mut shape = Shape { threads, ..default.clone() };
        for member in 0..parallel {
            let points = default.tiles[member] / default.threads[member].max(1);
            shape.tiles[member] = shape.threads[member] * points.max(1);
        }
        if number(&shape.threads) < number(&default.threads) && fits(&shape, extents) {
            found.push(shape);
        }
    }
    found
}

/// The points of a thread along its only loop, and the threads of a block with so many.
const POINTS: [u32; 4] = [2, 4, 8, 16];
const POINT_THREADS: u32 = 256;

/// Returns the shapes of a band with one loop, which is parallel, in which each thread has several points of it: fewer
/// blocks have to be started, and blocks that have sums of their own combine them less often.
pub fn several_points(default: &Shape, extents: &[Option<u64>]) -> Vec<Shape> {
    if default.tiles.len() != 1 || default.axes != [Axis::X] {
        return Vec::new();
    }
    let shape = |points: u32| Shape {
        threads: vec![POINT_THREADS],
        tiles: vec![POINT_THREADS * points],
        ..default.clone()
    };
    POINTS.into_iter().map(shape).filter(|shape| fits(shape, extents)).collect()
}

/// The numbers of sums in a block whose threads share them.
const SUMS: [u32; 3] = [1, 4, 8];

/// Returns the shapes of a band in which the threads of a warp share a sum. Of its `parallel` members, the last has
/// several sums in a block. A third parallel member would have no axis.
pub fn shared_sums(sum: &SharedSum, parallel: usize, loops: &[Option<LoopId>]) -> Vec<Shape> {
    let axes = match parallel {
        0 => Vec::new(),
        1 => vec![Axis::Y],
        2 => vec![Axis::Z, Axis::Y],
        _ => return Vec::new(),
    };
    let in_block = |sums: u32| {
        let mut threads = vec![1; parallel];
        if let Some(last) = threads.last_mut() {
            *last = sums;
        }
        let how = match sum.in_order {
            true => {
                "each computes what one of 32 updates adds, and these numbers are added in the order of the source"
            }
            false => "each has a value of its own, which the threads of a warp combine at the end",
        };
        let of: Vec<String> = sum.statements.iter().map(ToString::to_string).collect();
        let of = format!("the sum{} of {}", if of.len() > 1 { "s" } else { "" }, of.join(" and "));
        let reasons = vec![format!("the threads along x share {of}: {how}")];
        let (axes, loops) = (axes.clone(), loops.to_vec());
        Shape {
            axes,
            loops,
            tiles: threads.clone(),
            threads,
            shared_sum: Some(sum.clone()),
            reasons,
            ..Shape::default()
        }
    };
    let choices = if parallel == 0 { &SUMS[..1] } else { &SUMS[1..] };
    choices.iter().map(|&sums| in_block(sums)).collect()
}

/// The threads along x that compute in a block with threads that only copy.
const COMPUTING: u32 = 32;

/// The numbers of threads that copy for each one that computes, and the iterations of the sequential loop in a tile, by
/// the number of parallel loops.
const LOADING: [(&[u32], &[u32]); 2] =
    [(&[128, 256], &[512, 1024, 2048]), (&[4, 8, 16], &[32, 64, 128, 256])];

/// What is asked for of threads that only copy.
#[derive(Debug, Clone, Copy, Default)]
pub struct Loading {
    /// The number of threads for each one that computes.
    pub threads: Option<u32>,
    /// Whether they copy while the others compute.
    pub ahead: Option<bool>,
}

/// Returns the shapes of a band with sequential loops, of which the last is tiled, in which some threads only copy what
/// the others read, as far as they are as asked. With three parallel loops there is no axis for them, and with two there
/// are enough blocks.
pub fn loading(default: &Shape, sequential: usize, asked: Loading) -> Vec<Shape> {
    let Some((numbers, depths)) = LOADING.get(default.axes.len()) else { return Vec::new() };
    let threads = vec![COMPUTING; default.axes.len()];
    let tiles = |depth: u32| {
        let whole = std::iter::repeat_n(1, sequential - 1);
        threads.iter().copied().chain(whole).chain([depth]).collect::<Vec<u32>>()
    };
    let mut found = Vec::new();
    for ahead in [false, true].into_iter().filter(|ahead| asked.ahead.is_none_or(|asked| asked == *ahead)) {
        let all = |number: &u32| number + if ahead { default.never_copying() } else { 0 };
        let numbers = match asked.threads {
            Some(number) => vec![number],
            None => numbers.iter().map(all).collect(),
        };
        for number in numbers.into_iter().filter(|number| !ahead || *number > default.never_copying()) {
            let shape = |depth: &u32| with_loading(default, &threads, tiles(*depth), (number, ahead));
            found.extend(depths.iter().map(shape));
        }
    }
    found
}

/// Returns a shape with so many threads for each one that computes, which may copy ahead.
pub fn with_loading(
    default: &Shape,
    threads: &[u32],
    tiles: Vec<u32>,
    (loading, ahead): (u32, bool),
) -> Shape {
    let when = if ahead { ", each tile while the tile before is computed" } else { "" };
    let why = format!(
        "of {loading} threads one computes, and the others only help to copy what it reads into shared memory{when}: more \
         loads are in flight"
    );
    let reasons = default.reasons.iter().cloned().chain([why]).collect();
    Shape { threads: threads.to_vec(), tiles, loading, ahead, reasons, unroll: None, ..default.clone() }
}

/// True if no tile is longer than its loop, and no block has too many threads along z.
fn fits(shape: &Shape, extents: &[Option<u64>]) -> bool {
    let is_longer =
        |(tile, extent): (&u32, &Option<u64>)| extent.is_some_and(|extent| extent < u64::from(*tile));
    let is_deep = |(axis, threads): (&Axis, &u32)| *axis == Axis::Z && *threads > MOST_ALONG_Z;
    !shape.tiles.iter().zip(extents).any(is_longer) && !shape.axes.iter().zip(&shape.threads).any(is_deep)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn default(tiles: &[u32], threads: &[u32], axes: &[Axis]) -> Shape {
        Shape { tiles: tiles.to_vec(), threads: threads.to_vec(), axes: axes.to_vec(), ..Shape::default() }
    }

    #[test]
    fn sequential_tiles_and_the_points_of_a_thread_stay() {
        let default = default(&[64, 64, 16], &[16, 16], &[Axis::Y, Axis::X]);
        let found = shapes(&default, &[None, None]);
        assert!(!found.is_empty());
        for shape in &found {
            assert_eq!(shape.tiles[2], 16);
            let points = |member: usize| shape.tiles[member] / shape.threads[member];
            assert_eq!([points(0), points(1)], [4, 4]);
        }
    }

    #[test]
    fn only_the_last_loop_of_a_nest_is_tiled_for_threads_that_only_copy() {
        let alone = loading(&default(&[], &[], &[]), 2, Loading::default());
        assert!(alone.iter().all(|shape| shape.tiles[0] == 1 && shape.tiles[1] > 1));
        assert!(alone.iter().all(|shape| shape.loading_axis() == Some(Axis::X)));
        let rows =
            loading(&default(&[128, 32], &[128], &[Axis::X]), 1, Loading { threads: Some(8), ahead: None });
        assert!(!rows.is_empty());
        for shape in rows {
            assert_eq!(
                (shape.loading_axis(), shape.tiles[0], &shape.threads[..]),
                (Some(Axis::Y), 32, &[32][..])
            );
            assert_eq!((shape.computing_threads(), shape.block_threads()), (32.0, 256.0));
        }
        assert!(
            loading(&default(&[16, 16, 16], &[16, 16], &[Axis::Y, Axis::X]), 1, Loading::default())
                .is_empty()
        );
    }

    #[test]
    fn threads_have_several_points_of_a_single_loop() {
        let tiles = |default: &Shape, extent| -> Vec<u32> {
            let found = several_points(default, &[extent]);
            assert!(found.iter().all(|shape| shape.threads == [POINT_THREADS]));
            found.iter().map(|shape| shape.tiles[0]).collect()
        };
        let one = default(&[128], &[128], &[Axis::X]);
        assert_eq!(tiles(&one, None), [512, 1024, 2048, 4096]);
        assert_eq!(tiles(&one, Some(1500)), [512, 1024]);
        assert!(tiles(&default(&[16, 32], &[16, 32], &[Axis::Y, Axis::X]), None).is_empty());
        assert!(tiles(&default(&[128, 32], &[128], &[Axis::X]), None).is_empty(), "a sequential loop");
    }

    #[test]
    fn blocks_are_smaller_and_lie_as_before() {
        let default = default(&[16, 32], &[16, 32], &[Axis::Y, Axis::X]);
        for shape in shapes(&default, &[None, None]) {
            assert_eq!(shape.axes, default.axes);
            assert!((64..512).contains(&shape.threads.iter().product::<u32>()), "{:?}", shape.threads);
        }
    }

    #[test]
    fn tiles_are_no_longer_than_loops() {
        let default = default(&[100], &[100], &[Axis::X]);
        let threads = |extent| -> Vec<u32> {
            shapes(&default, &[Some(extent)]).iter().map(|shape| shape.threads[0]).collect()
        };
        assert_eq!(threads(100), [64]);
        assert!(threads(10).is_empty());
    }
}
