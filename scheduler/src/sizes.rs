//! The sizes of tiles and blocks, unless the command line gives them.
//!
//! PoCC-GPU uses blocks of 512 threads for all loops. Here the tiles of loops of constant length are no larger than
//! needed, threads that one axis does not need go to the others, and the tiles of a matrix product are small enough
//! that there are enough blocks.

use polyhedra::{DimType, Result, Set, Text, UnionMap, integer, maps_of};
use scop::{Axis, MOST_ALONG_Z, Model};

/// The tile sizes along z, y and x for one, two and three parallel loops: 128 to 512 threads, and whole warps along x.
const PARALLEL_TILES: [&[u32]; 3] = [&[128], &[16, 32], &[4, 4, 32]];

/// The tile sizes along z, y and x if each thread has several points, for two and three parallel loops.
const POINT_TILES: [&[u32]; 2] = [&[16, 64], &[4, 4, 64]];
/// The threads of such a tile: 256, two whole warps along x.
const POINT_THREADS: [&[u32]; 2] = [&[4, 64], &[1, 4, 64]];

/// The tile sizes along the parallel loops of a matrix product, best first; each thread has several points.
const PRODUCT_TILES: [u32; 2] = [64, 32];

/// With fewer blocks, some multiprocessors of a large GPU are idle.
const ENOUGH_BLOCKS: u64 = 128;

/// Returns the number of distinct values of each of the first `parallel` members of a band, if it is constant.
pub fn extents(model: &Model, schedule: &UnionMap, parallel: usize) -> Result<Vec<Option<u64>>> {
    let mut bounds: Vec<Option<(i64, i64)>> = vec![None; parallel];
    let mut known = vec![true; parallel];
    for map in maps_of(schedule)? {
        let Ok(statement) = map.get_tuple_name(DimType::In)?.parse() else { continue };
        let statement = model.statement(statement)?;
        let values = Set::parse(&statement.domain.0)?.apply(map)?;
        for (member, (bounds, known)) in bounds.iter_mut().zip(&mut known).enumerate() {
            let least = integer(&values.copy()?.dim_min_val(member as i32)?);
            let most = integer(&values.copy()?.dim_max_val(member as i32)?);
            let (Ok(least), Ok(most)) = (least, most) else {
                *known = false;
                continue;
            };
            *bounds = Some(bounds.map_or((least, most), |(low, high)| (low.min(least), high.max(most))));
        }
    }
    let extent = |(bounds, known): (Option<(i64, i64)>, bool)| {
        let (least, most) = bounds.filter(|_| known)?;
        u64::try_from(most.checked_sub(least)?.checked_add(1)?).ok().filter(|extent| *extent > 0)
    };
    Ok(bounds.into_iter().zip(known).map(extent).collect())
}

/// Returns the tile sizes of parallel loops along some axes, with a thread for each point. Threads that a short loop
/// leaves unused go to the next axis, in whole factors.
pub fn parallel_tiles(axes: &[Axis], extents: &[Option<u64>]) -> Vec<u32> {
    let defaults = PARALLEL_TILES[axes.len().clamp(1, 3) - 1];
    let mut tiles = vec![1; axes.len()];
    let mut left = 1;
    let mut members: Vec<usize> = (0..axes.len()).collect();
    members.sort_by_key(|&member| axes[member]);
    for member in members {
        let wanted = defaults[defaults.len() - 1 - axes[member] as usize].saturating_mul(left);
        let extent = extents.get(member).copied().flatten().and_then(|extent| u32::try_from(extent).ok());
        let most = if axes[member] == Axis::Z { MOST_ALONG_Z } else { u32::MAX };
        let tile = wanted.min(extent.unwrap_or(u32::MAX)).min(most).max(1);
        tiles[member] = tile;
        left = wanted / tile;
    }
    tiles
}

/// Returns the tile sizes and the threads of parallel loops along some axes if each thread has four points; nothing
/// for one loop, for short loops, or if there would be too few blocks.
///
/// In a stencil, finding its point costs a thread more than computing it. On an H200, a five-point stencil of floats
/// takes 0.6 of the time with four points per thread.
pub fn point_tiles(axes: &[Axis], extents: &[Option<u64>]) -> Option<(Vec<u32>, Vec<u32>)> {
    let kind = axes.len().checked_sub(2)?;
    let along = |sizes: &[u32]| -> Option<Vec<u32>> {
        axes.iter()
            .map(|&axis| sizes.len().checked_sub(1 + axis as usize).map(|place| sizes[place]))
            .collect()
    };
    let (tiles, threads) = (along(POINT_TILES.get(kind)?)?, along(POINT_THREADS.get(kind)?)?);
    let is_short =
        |(extent, tile): (&Option<u64>, &u32)| extent.is_some_and(|extent| extent < u64::from(*tile));
    if extents.iter().zip(&tiles).any(is_short) || !is_enough(extents, &tiles) {
        return None;
    }
    Some((tiles, threads))
}

/// True unless it is known that tiles of these sizes give too few blocks.
fn is_enough(extents: &[Option<u64>], tiles: &[u32]) -> bool {
    let blocks = extents
        .iter()
        .zip(tiles)
        .map(|(extent, tile)| extent.map(|extent| extent.div_ceil(u64::from(*tile))));
    let blocks = blocks.reduce(|all, blocks| all.zip(blocks).map(|(all, blocks)| all.saturating_mul(blocks)));
    blocks.flatten().is_none_or(|blocks| blocks >= ENOUGH_BLOCKS)
}

/// Returns the tile size along both parallel loops of a matrix product, or nothing if every size would give too few
/// blocks.
pub fn product_tile(extents: &[Option<u64>]) -> Option<u32> {
    PRODUCT_TILES.into_iter().find(|&tile| is_enough(extents, &vec![tile; extents.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_loops_have_small_tiles() {
        use Axis::{X, Y, Z};
        type Case = (&'static [Axis], &'static [Option<u64>], &'static [u32]);
        let cases: [Case; 10] = [
            (&[X], &[None], &[128]),
            (&[X], &[Some(1000)], &[128]),
            (&[X], &[Some(24)], &[24]),
            (&[Y, X], &[None, None], &[16, 32]),
            (&[Y, X], &[None, Some(8)], &[64, 8]),
            (&[Y, X], &[None, Some(24)], &[16, 24]),
            (&[X, Y], &[None, Some(5)], &[32, 5]),
            (&[Y, X], &[Some(3), Some(3)], &[3, 3]),
            (&[Z, Y, X], &[None, Some(2), Some(16)], &[16, 2, 16]),
            (&[Z, Y, X], &[None, Some(1), Some(1)], &[64, 1, 1]),
        ];
        for (axes, extents, expected) in cases {
            assert_eq!(parallel_tiles(axes, extents), expected, "{axes:?} {extents:?}");
        }
    }

    #[test]
    fn threads_have_several_points_of_large_loops() {
        use Axis::{X, Y, Z};
        let sizes = |tiles: &[u32], threads: &[u32]| Some((tiles.to_vec(), threads.to_vec()));
        let cases = [
            (&[X][..], &[None][..], None),
            (&[Y, X], &[None, None], sizes(&[16, 64], &[4, 64])),
            (&[X, Y], &[None, None], sizes(&[64, 16], &[64, 4])),
            (&[Z, Y, X], &[None, None, None], sizes(&[4, 4, 64], &[1, 4, 64])),
            (&[Y, X], &[None, Some(63)], None),
            (&[Y, X], &[Some(16), None], sizes(&[16, 64], &[4, 64])),
            (&[Y, X], &[Some(2000), Some(64)], None),
            (&[Y, X], &[Some(2048), Some(64)], sizes(&[16, 64], &[4, 64])),
        ];
        for (axes, extents, expected) in cases {
            assert_eq!(point_tiles(axes, extents), expected, "{axes:?} {extents:?}");
        }
    }

    #[test]
    fn small_products_have_small_tiles() {
        let cases = [
            ([None, None], Some(64)),
            ([Some(1024), Some(1024)], Some(64)),
            ([Some(512), Some(512)], Some(32)),
            ([Some(100), Some(100)], None),
            ([Some(100), None], Some(64)),
        ];
        for (extents, expected) in cases {
            assert_eq!(product_tile(&extents), expected, "{extents:?}");
        }
    }
}
