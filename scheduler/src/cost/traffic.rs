//! What a group of accesses does in memory: requests that are left beside registers, and the sectors and copies that
//! blocks need.

use gpu::place::{Uses, are_scattered};

use super::footprint::{Group, SECTOR_BYTES, WARP};
use super::geometry::Geometry;
use super::lines::Access;
use super::part::{OneBlock, WrittenArrays};

/// Returns the accesses to global memory of warps in which so many lanes are active. Loads find what the block has
/// loaded in the L1 cache, also the given share of what nothing in the group has loaded; stores go through it, one by one.
pub fn accesses(
    group: &Group,
    traffic: &Traffic,
    geometry: &Geometry,
    (lanes, cached): (f64, f64),
) -> Vec<Access> {
    let of_request = |bytes: f64| group.pieces_of_request(geometry, bytes).min(lanes.max(1.0));
    let (touched, lines) = (of_request(SECTOR_BYTES), of_request(LINE_BYTES));
    let of = |stores: bool, requests: f64, sectors: f64| Access {
        array: group.array,
        stores,
        requests,
        lines: requests * lines,
        touched: requests * touched,
        sectors,
    };
    let loaded = traffic.sectors.min(traffic.reads * touched) * (1.0 - cached);
    let loads = of(false, traffic.reads, loaded);
    let stores = of(true, traffic.writes, traffic.writes * touched);
    [loads, stores].into_iter().filter(|access| access.requests > 0.0).collect()
}

/// The bytes of a line of the L1 cache.
const LINE_BYTES: f64 = 128.0;

pub struct Traffic {
    pub reads: f64,
    pub writes: f64,
    /// How many accesses in a row find the value in a register.
    pub kept: f64,
    /// The sectors that are loaded, or, of data in shared memory, that are copied in or out.
    pub sectors: f64,
    /// What a tile does with elements that several threads use, if it does.
    pub shared: Option<Uses>,
}

/// Returns what a group of accesses does: the requests that are left if a value stays in a register as long as a
/// thread's loops do not change its element, and the sectors that the blocks need.
pub fn traffic(
    (group, all): (&Group, &[Group]),
    geometry: &Geometry,
    (executions, blocks): (f64, f64),
    loading: bool,
    written: &WrittenArrays,
) -> Traffic {
    let is_mixed = written.is_mixed(group, geometry);
    let kept = kept(group, geometry, written);
    let (reads, writes) = (group.reads * executions / kept, group.writes * executions / kept);
    if let Some(shared) = group.own_sums(geometry) {
        let sectors = blocks * (shared.elements as f64 * group.bytes / SECTOR_BYTES).max(1.0);
        return Traffic { reads, writes, kept, sectors, shared: Some(shared) };
    }
    if group.irregular {
        let sectors = (reads + writes) * group.pieces_of_request(geometry, SECTOR_BYTES);
        return Traffic { reads, writes, kept, sectors, shared: None };
    }
    if let Some(OneBlock { uses, sectors }) = written.of_one_block.get(&group.class()) {
        return Traffic { reads, writes, kept, sectors: sectors * blocks, shared: Some(*uses) };
    }
    let extents = group.extents(&geometry.tile_spans);
    let steps: f64 =
        geometry.steps.iter().filter(|(change, _)| !group.is_fixed(change)).map(|(_, steps)| steps).product();
    let sectors = group.sectors(&extents) * steps * blocks;
    let shared = match is_mixed {
        true => None,
        false => shared_uses((group, all), geometry, loading, written.all.contains(&group.class())),
    };
    Traffic { reads, writes, kept, sectors, shared }
}

/// Returns how many accesses in a row are to the same element, which is then in a register.
pub fn kept(group: &Group, geometry: &Geometry, written: &WrittenArrays) -> f64 {
    if written.is_mixed(group, geometry) || written.several.contains(&group.class()) {
        return 1.0;
    }
    let in_registers = geometry.register_loops.iter().filter(|(change, _)| group.is_fixed(change));
    let kept: f64 = in_registers.map(|(_, points)| points).product();
    let innermost = geometry.thread_loops.iter().rev();
    let fixed = innermost.take_while(|(change, _)| group.is_fixed(change));
    kept * fixed.map(|(_, iterations)| iterations).product::<f64>()
}

/// The share by which products of mean extents may differ although they are the same.
const ROUNDING: f64 = 1e-6;

/// Returns what a full tile does with the elements of a group, if several threads of its block use the same one, or if
/// some threads only load for others. `all` are the groups of the statement: those of an array that the kernel writes
/// have one buffer.
fn shared_uses(
    (group, all): (&Group, &[Group]),
    geometry: &Geometry,
    loading: bool,
    are_written: bool,
) -> Option<Uses> {
    let staged = &geometry.staged;
    let is_beside = |other: &&Group| {
        std::ptr::eq(*other, group) || are_written && other.class() == group.class() && !other.irregular
    };
    let together = || all.iter().filter(is_beside);
    let elements: f64 = together().map(|group| group.extents(&staged.spans).iter().product::<f64>()).sum();
    let of_thread: f64 =
        together().map(|group| group.extents(&staged.thread_spans).iter().product::<f64>()).sum();
    let are_shared = staged.threads * of_thread > elements * (1.0 + ROUNDING);
    let for_others = loading && !are_written;
    // Of what a kernel with a shared sum writes, each thread has a sum of its own.
    let stays_in_register = match are_written {
        true => geometry.updates.is_some(),
        false => group.is_operand(geometry),
    };
    let has_box = staged.unbounded.iter().all(|change| group.is_fixed(change));
    let is_candidate = (for_others || are_shared) && !stays_in_register;
    if group.irregular || group.subscripts.is_empty() || !has_box || !is_candidate {
        return None;
    }
    Some(Uses {
        elements: elements.round() as u64,
        accesses: (together().map(|group| group.reads + group.writes).sum::<f64>() * staged.points).round()
            as u64,
        are_shared,
        for_others,
        are_written,
        are_scattered: are_scattered(
            group.pieces_of_request(geometry, SECTOR_BYTES),
            group.bytes * WARP / SECTOR_BYTES,
        ),
    })
}

/// Returns the bytes that a group of accesses touches in all launches: no more than those of a box, and no more than it
/// has different values of the iterators that select an element.
pub fn touched_bytes(group: &Group, geometry: &Geometry) -> f64 {
    let of_box = group.sectors(&group.extents(&geometry.all_spans)) * SECTOR_BYTES;
    let accesses = 1.0 + group.spread.iter().sum::<f64>();
    match geometry.prefixes.get(group.selecting_iterators()) {
        Some(points) if !group.irregular => of_box.min(points * accesses * group.bytes),
        _ => of_box,
    }
}
