//! Interprets a compiled scop for some sizes: a sample of its launches, blocks and iterations.

mod blocks;
mod busiest;
mod counts;
mod reach;
mod stream;
mod warp;

use std::collections::BTreeMap;

use gpu::occupancy::{Block, occupancy};
use gpu::target::WARP;
use scop::KernelId;

use crate::cache::Cache;
use crate::expression::{Compiled, Frame, LANES, Symbols};
use crate::program::{Compilation, Host, Launch, Loop, LoopKind, Numbered};
use crate::range::Ranges;
use crate::sampling::{EFFORTS, Effort, Sample, mixed, spread};
use blocks::{Limits, sampled_blocks};
use busiest::{Intervals, count_busiest};
use counts::Slices;
pub use counts::{Counts, round};
use reach::{Reach, reach};
use stream::{Stream, play};
pub use warp::Loads;
use warp::Warp;

/// From this number on, launches that are looked at are many.
const MANY_LAUNCHES: f64 = 8.0;

/// The leaf that stands for what finds the coordinates of blocks.
const SEARCH: usize = 1;

/// Device memory is given out in pieces on such boundaries.
const ALIGNMENT: u64 = 256;

/// What a kernel does in all its launches.
#[derive(Debug, Clone, Default)]
pub struct KernelCounts {
    /// The launches.
    pub launches: f64,
    /// The blocks of all launches.
    pub blocks: f64,
    /// Those that access memory.
    pub blocks_with_work: f64,
    /// The warps of all launches.
    pub warps: f64,
    /// When it was launched first, in the order of kernels.
    pub order: usize,
    /// The counts, by leaf.
    pub leaves: Vec<Counts>,
    /// How often warps came to each simple loop, and how many iterations they made.
    pub loops: Vec<(f64, f64)>,
    /// The launches that were looked at.
    pub looked_at: u64,
    /// Of arrays with few slices: the part of them that launches read and write, summed over launches.
    pub parts: BTreeMap<usize, [f64; 2]>,
}

impl KernelCounts {
    /// Adds the parts of arrays that a launch used, which counts for several.
    fn add_parts(&mut self, slices: &[Slices], weight: f64) {
        let mut used: BTreeMap<usize, [u64; 2]> = BTreeMap::new();
        for (array, own) in self.leaves.iter_mut().flat_map(|leaf| std::mem::take(&mut leaf.slices)) {
            let all = used.entry(array).or_default();
            (0..2).for_each(|way| all[way] |= own[way]);
        }
        for (array, used) in used {
            let parts = self.parts.entry(array).or_default();
            (0..2).for_each(|way| parts[way] += weight * slices[array].part(used[way]));
        }
    }
}

/// The caches and limits for which counts are predicted.
#[derive(Debug, Clone, Copy)]
pub struct Machine<'a> {
    /// The limits of a multiprocessor.
    pub target: &'a gpu::target::Target,
    /// Its caches.
    pub caches: &'a gpu::target::Caches,
    /// The number of multiprocessors.
    pub multiprocessors: u64,
    /// Which loads its compiler leaves.
    pub loads: Loads,
}

/// What is known of a run.
pub struct Run<'a> {
    machine: Machine<'a>,
    /// The shared memory of each kernel's blocks, in bytes.
    shared_bytes: &'a BTreeMap<KernelId, u64>,
    frame: Frame,
    symbols: Symbols,
    bases: &'a [u64],
    sizes: &'a [u64],
    slices: &'a [Slices],
    weight: f64,
    effort: &'a Effort,
    /// The accesses that are left of the effort.
    left: u64,
    /// The launches that are looked at, of a kernel at this place.
    launches: f64,
    /// A number for the iterations of the loops around.
    turn: u64,
    kernels: BTreeMap<KernelId, KernelCounts>,
}

/// Counts what the kernels of a scop do, with values for its parameters. Also returns the bytes of each array.
pub fn run(
    compilation: &Compilation,
    parameters: &[i64],
    shared_bytes: &BTreeMap<KernelId, u64>,
    machine: Machine<'_>,
) -> (BTreeMap<KernelId, KernelCounts>, Vec<u64>) {
    let mut frame = Frame::new(compilation.slots);
    for (slot, value) in compilation.parameters.iter().zip(parameters) {
        frame.set(*slot, *value);
    }
    let sizes: Vec<u64> = compilation
        .arrays
        .iter()
        .map(|array| {
            let extents = array.extents.iter().map(|extent| extent.value(&frame, 0).max(0) as u64);
            extents.fold(array.element_bytes, u64::saturating_mul)
        })
        .collect();
    let slices: Vec<Slices> = compilation
        .arrays
        .iter()
        .zip(&sizes)
        .map(|(array, size)| {
            let number = match &array.extents[..] {
                [outermost, _, ..] => outermost.value(&frame, 0).max(0) as u64,
                _ => 1,
            };
            Slices::of(number, *size)
        })
        .collect();
    let mut next = ALIGNMENT;
    let bases: Vec<u64> = sizes
        .iter()
        .map(|size| {
            let base = next;
            next = base.saturating_add(*size).checked_next_multiple_of(ALIGNMENT).unwrap_or(base);
            base
        })
        .collect();
    let mut kernels = BTreeMap::new();
    for effort in &EFFORTS {
        let mut run = Run {
            machine,
            shared_bytes,
            frame: frame.clone(),
            symbols: Symbols::new(compilation.slots),
            bases: &bases,
            sizes: &sizes,
            slices: &slices,
            weight: 1.0,
            effort,
            left: effort.accesses,
            launches: 1.0,
            turn: 0,
            kernels: BTreeMap::new(),
        };
        run.host(&compilation.host);
        kernels = run.kernels;
        if run.left > 0 {
            break;
        }
    }
    (kernels, sizes)
}

impl Run<'_> {
    fn host(&mut self, host: &Host) {
        if self.left == 0 {
            return;
        }
        match host {
            Host::Block(children) => children.iter().for_each(|child| self.host(child)),
            Host::For(inner) => self.host_loop(inner),
            Host::If(condition, then, otherwise) => {
                if condition.value(&self.frame, 0) != 0 {
                    self.host(then);
                } else if let Some(otherwise) = otherwise {
                    self.host(otherwise);
                }
            }
            Host::Launch(launch) => self.launch(launch),
        }
    }

    fn host_loop(&mut self, inner: &Loop<Host>) {
        let init = inner.init.value(&self.frame, 0);
        let last = inner.last.iter().map(|last| last.value(&self.frame, 0)).min();
        let most = match inner.kind {
            LoopKind::Kept(depth) => self.effort.launches.powf(1.0 / f64::from(depth.max(1))).ceil() as i64,
            LoopKind::Once | LoopKind::Unrolled => i64::MAX,
        };
        let times = match (inner.kind, last) {
            (LoopKind::Once, _) | (_, None) => 1,
            (_, Some(last)) => (last.saturating_sub(init).div_euclid(inner.step) + 1).max(0),
        };
        let samples = spread(times, most, self.turn);
        let outside = (self.weight, self.launches, self.turn);
        self.launches *= samples.len() as f64;
        for Sample { number, weight } in samples {
            self.frame.set(inner.iterator, init.wrapping_add(number.wrapping_mul(inner.step)));
            self.weight = outside.0 * weight;
            self.turn = mixed(outside.2 ^ number as u64);
            self.host(&inner.body);
        }
        (self.weight, self.launches, self.turn) = outside;
    }

    fn launch(&mut self, launch: &Launch) {
        let grid: Vec<(i64, i64)> = match &launch.ranked {
            Some(numbered) => vec![(0, numbered.blocks.value(&self.frame, 0).max(0))],
            None => {
                let value = |expr: &Compiled| expr.value(&self.frame, 0);
                launch.grid.iter().map(|(_, lower, extent)| (value(lower), value(extent).max(0))).collect()
            }
        };
        let blocks = grid.iter().fold(1i64, |blocks, (_, extent)| blocks.saturating_mul(*extent));
        if blocks == 0 {
            return;
        }
        let threads: u64 = launch.block.iter().map(|(_, size)| u64::from(*size)).product();
        let warps = threads.div_ceil(WARP);
        let mut counts = self.kernels.remove(&launch.kernel).unwrap_or_default();
        counts.leaves.resize(launch.leaves.len(), Counts::default());
        counts.loops.resize(launch.simple_loops.len(), (0.0, 0.0));
        if counts.launches == 0.0 {
            counts.order = self.kernels.len();
        }
        counts.launches += self.weight;
        counts.blocks += self.weight * blocks as f64;
        counts.warps += self.weight * blocks as f64 * warps as f64;
        let l1_bytes = self.l1_bytes(launch.kernel, threads, blocks as u64);
        let turn = self.turn;
        let mut ranges = Ranges::of(&self.frame);
        let limits = self.limits(counts.looked_at);
        let samples = sampled_blocks(&grid, limits, |blocks| match &launch.ranked {
            // Blocks are numbered so that each has work.
            Some(_) => Reach::Always,
            None => reach(launch, blocks, &mut ranges),
        });
        for (number, (coordinates, weight)) in samples.into_iter().enumerate() {
            match &launch.ranked {
                Some(numbered) => {
                    let instructions = self.locate(numbered, coordinates.first().copied().unwrap_or(0));
                    if let Some(search) = counts.leaves.get_mut(SEARCH) {
                        search.executions += self.weight * weight * warps as f64;
                        search.integer += self.weight * weight * warps as f64 * instructions;
                    }
                }
                None => {
                    for ((slot, ..), coordinate) in launch.grid.iter().zip(coordinates) {
                        self.frame.set(*slot, coordinate);
                    }
                }
            }
            self.turn = mixed(counts.looked_at << 32 | number as u64);
            self.block(launch, (threads, warps), l1_bytes, self.weight * weight, &mut counts);
        }
        self.turn = turn;
        counts.looked_at += 1;
        counts.add_parts(self.slices, self.weight);
        self.kernels.insert(launch.kernel, counts);
    }

    /// Sets the coordinates of the block with a rank. Returns the instructions by which a warp finds them.
    fn locate(&mut self, numbered: &Numbered, rank: i64) -> f64 {
        let (mut rest, mut instructions) = (rank, 0.0);
        for one in &numbered.coordinates {
            let (mut value, last) = (one.lower.value(&self.frame, 0), one.upper.value(&self.frame, 0));
            instructions += one.search.instructions(last.saturating_sub(value) as f64 + 1.0);
            match &one.before {
                Some(before) => {
                    let mut end = last.saturating_add(1);
                    while end.saturating_sub(value) > 1 {
                        let middle = value + (end - value) / 2;
                        self.frame.set(one.slot, middle);
                        if before.value(&self.frame, 0) <= rest { value = middle } else { end = middle }
                    }
                    self.frame.set(one.slot, value);
                    rest = rest.wrapping_sub(before.value(&self.frame, 0));
                }
                None => self.frame.set(one.slot, value.wrapping_add(rest)),
            }
        }
        instructions
    }

    fn block(
        &mut self,
        launch: &Launch,
        (threads, warps): (u64, u64),
        l1_bytes: u64,
        weight: f64,
        counts: &mut KernelCounts,
    ) {
        counts.leaves.iter_mut().for_each(|leaf| leaf.has_work = false);
        let mut streams = Vec::new();
        let mut all_intervals = Vec::new();
        for warp in 0..warps {
            let mut stream = Stream::default();
            let mut intervals = Intervals::new(launch.leaves.len());
            let mut frame = self.frame.clone();
            let mut stride = 1;
            for (slot, size) in &launch.block {
                let size = u64::from(*size);
                let of = |lane: usize| ((warp * WARP + lane as u64) / stride % size) as i64;
                frame.set_lanes(*slot, std::array::from_fn(of));
                stride *= size;
            }
            let active = threads.saturating_sub(warp * WARP).min(WARP);
            let mask = if active as usize == LANES { u32::MAX } else { (1 << active) - 1 };
            let mut warp = Warp {
                frame,
                symbols: self.symbols.clone(),
                bases: self.bases,
                sizes: self.sizes,
                slices: self.slices,
                counts: &mut counts.leaves,
                stream: &mut stream,
                intervals: &mut intervals,
                loops: &mut counts.loops,
                counts_barriers: warp == 0,
                weight,
                turn: self.turn,
                effort: self.effort,
                left: &mut self.left,
                around: 0,
                loads: self.machine.loads,
                loaded: Vec::new(),
                unknown: warp,
                left_out: 1.0,
            };
            warp.run(&launch.body, mask);
            streams.push(stream);
            all_intervals.push(intervals);
        }
        count_busiest(&all_intervals, &mut counts.leaves);
        if counts.leaves.iter().any(|leaf| leaf.has_work) {
            counts.blocks_with_work += weight;
        }
        let mut cache = Cache::new(l1_bytes);
        play(&streams, &mut cache, &mut counts.leaves);
    }

    /// Returns how much of a launch is looked at.
    fn limits(&self, turn: u64) -> Limits {
        let many = usize::from(self.launches >= MANY_LAUNCHES);
        Limits { blocks: self.effort.blocks[many], questions: self.effort.questions[many], turn }
    }

    /// Returns a block's share of the L1 cache: what its multiprocessor has beside the shared memory of as many blocks
    /// as fit, divided among those that it has of this launch.
    fn l1_bytes(&self, kernel: KernelId, threads: u64, blocks: u64) -> u64 {
        let shared_bytes = self.shared_bytes.get(&kernel).copied().unwrap_or(0);
        let limits = &self.machine.target.multiprocessor;
        let fitting = occupancy(&Block { threads, shared_bytes, registers: None }, limits).blocks.max(1);
        let resident = blocks.div_ceil(self.machine.multiprocessors.max(1)).clamp(1, fitting);
        let of_block = if shared_bytes > 0 { shared_bytes + limits.reserved_shared_memory } else { 0 };
        self.machine.caches.l1(fitting * of_block) / resident
    }
}
