//! What one warp does.

use crate::expression::{Compiled, Frame, LANES, Symbols, combined, lanes};
use crate::program::{Arithmetic, ChangesMemory, Kind, Loop, LoopKind, Memory, Place, Thread, Work};
use crate::requests::{constant_wavefronts, distinct_bytes, lines, sectors, wavefronts};
use crate::run::busiest::Intervals;
use crate::run::counts::{Counts, Slices, Traffic};
use crate::run::stream::Stream;
use crate::sampling::{Effort, Sample, mixed, spread, window};

/// Which loads count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Loads {
    /// Those that are left when the compiler has unrolled loops and keeps values in registers.
    Compiled,
    /// Those that the source makes, loop by loop, as cudasim counts them.
    Source,
}

/// A warp that is being interpreted.
pub struct Warp<'a> {
    /// The values of variables.
    pub frame: Frame,
    /// What the compiler knows of them.
    pub symbols: Symbols,
    /// The first byte of each array.
    pub bases: &'a [u64],
    /// The bytes of each array, among which unknown positions are spread.
    pub sizes: &'a [u64],
    /// Their outermost slices.
    pub slices: &'a [Slices],
    /// What is counted, by leaf.
    pub counts: &'a mut [Counts],
    /// What goes to the L1 cache.
    pub stream: &'a mut Stream,
    /// The entries and iterations of simple loops.
    pub loops: &'a mut [(f64, f64)],
    /// What it does between barriers.
    pub intervals: &'a mut Intervals,
    /// True for the warp that counts barriers for its block.
    pub counts_barriers: bool,
    /// The weight of what is looked at.
    pub weight: f64,
    /// A number for the block and the iterations of the loops around, the same for all its warps.
    pub turn: u64,
    /// How much is looked at, and how many accesses are left of that.
    pub effort: &'a Effort,
    /// See above.
    pub left: &'a mut u64,
    /// The number of loops around, without those that are unrolled.
    pub around: usize,
    /// Which loads count.
    pub loads: Loads,
    /// What the compiler knows to be in registers already, in the order of the loads.
    pub loaded: Vec<Loaded>,
    /// A number for the next unknown position.
    pub unknown: u64,
    /// For each iteration that is looked at, the number that there are: of the loops around inside one iteration of that
    /// which is looked at to warm the cache.
    pub left_out: f64,
}

/// An iteration that is looked at.
struct Looked {
    number: i64,
    weight: f64,
    /// The turn of what is sampled in it.
    turn: u64,
}

/// The operations that one of the library counts for, as in cudasim.
const LIBRARY_STEPS: f64 = 10.0;

/// What a compiler knows to be in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loaded {
    /// A value of memory.
    Value(Value),
    /// The result of an operation of a leaf, with the lanes, and its operands as the compiler knows them.
    Result(usize, usize, u32, i64),
}

/// A value that was loaded or stored: its memory, the lanes, the address in the first of them, and the position as a
/// compiler knows it: where two positions agree by chance, as `i` and `k` in row `k`, both are loaded.
type Value = (Memory, u32, u64, i64);

impl Warp<'_> {
    /// Interprets what the lanes of a mask do.
    pub fn run(&mut self, thread: &Thread, mask: u32) {
        if mask == 0 || *self.left == 0 {
            return;
        }
        match thread {
            Thread::Block(children) => children.iter().for_each(|child| self.run(child, mask)),
            Thread::For(inner) => self.run_loop(inner, mask),
            Thread::If(condition, then, otherwise) => {
                self.branch(condition, then, otherwise.as_deref(), mask);
            }
            Thread::Work(work) => self.work(work, mask),
            Thread::Barrier => {
                self.loaded.clear();
                self.stream.barrier();
                self.intervals.barrier();
                if self.counts_barriers
                    && let Some(counts) = self.counts.first_mut()
                {
                    counts.barriers += self.weight;
                }
            }
        }
    }

    /// What was loaded inside a branch is not known after it.
    fn branch(&mut self, condition: &Compiled, then: &Thread, otherwise: Option<&Thread>, mask: u32) {
        let holds = condition.holds(&self.frame, mask);
        let known = self.loaded.len();
        let mut changes = holds != 0 && then.changes_memory();
        let before = if changes && otherwise.is_some() { self.loaded.clone() } else { Vec::new() };
        self.run(then, holds);
        if let Some(otherwise) = otherwise {
            if changes {
                self.loaded = before;
            }
            self.loaded.truncate(known);
            self.run(otherwise, mask & !holds);
            changes |= mask != holds && otherwise.changes_memory();
        }
        self.loaded.truncate(if changes { 0 } else { known });
    }

    fn run_loop(&mut self, inner: &Loop<Thread>, mask: u32) {
        let init = inner.init.values(&self.frame);
        if inner.kind == LoopKind::Once {
            self.frame.set_lanes(inner.iterator, init);
            self.symbols.set(inner.iterator, inner.init.symbol(&self.symbols));
            return self.run(&inner.body, mask);
        }
        let times = self.times(inner, &init, mask);
        let most = lanes(mask).map(|lane| times[lane]).max().unwrap_or(0);
        if let Some((entries, iterations)) = inner.simple.and_then(|number| self.loops.get_mut(number)) {
            *entries += self.weight;
            *iterations += self.weight * most as f64;
        }
        let is_kept = inner.kind != LoopKind::Unrolled || self.loads == Loads::Source;
        let known = if inner.changes_memory { 0 } else { self.loaded.len() };
        let first = inner.init.symbol(&self.symbols);
        let samples = self.iterations(inner.kind, most);
        let outside = self.left_out;
        self.left_out *= most as f64 / samples.len().max(1) as f64;
        // Between others, the cache has what the iteration before a sample has loaded.
        let is_outer = matches!(inner.kind, LoopKind::Kept(depth) if depth > 1);
        let warms = is_outer && self.weight > 0.0 && (samples.len() as i64) < most;
        let mut next = 0;
        for Sample { number, weight } in samples {
            let looks_at =
                |of: i64, weight: f64| Looked { number: of, weight, turn: mixed(self.turn ^ number as u64) };
            let (before, own) = (looks_at(number - 1, 0.0), looks_at(number, weight));
            if warms && number > next {
                self.stream.begin_warming();
                let around = std::mem::replace(&mut self.left_out, 1.0);
                self.iteration(inner, (&init, &times), &before, (mask, known, is_kept, first));
                self.left_out = around;
                self.stream.end_warming();
            }
            self.iteration(inner, (&init, &times), &own, (mask, known, is_kept, first));
            next = number + 1;
        }
        self.left_out = outside;
        if is_kept {
            self.loaded.truncate(known);
        }
    }

    /// Interprets an iteration of a loop.
    fn iteration(
        &mut self,
        inner: &Loop<Thread>,
        (init, times): (&[i64; LANES], &[i64; LANES]),
        Looked { number, weight, turn }: &Looked,
        (mask, known, is_kept, first): (u32, usize, bool, i64),
    ) {
        let active = lanes(mask).filter(|&lane| times[lane] > *number).fold(0, |all, lane| all | 1 << lane);
        let value = |lane: usize| init[lane].wrapping_add(number.wrapping_mul(inner.step));
        self.frame.set_lanes(inner.iterator, std::array::from_fn(value));
        if is_kept {
            self.loaded.truncate(known);
            self.symbols.forget(inner.iterator);
        } else {
            self.symbols.set(inner.iterator, first.wrapping_add(number.wrapping_mul(inner.step)));
        }
        let outside = (self.weight, self.around, self.turn);
        self.weight *= weight;
        self.turn = *turn;
        self.around += usize::from(inner.kind != LoopKind::Unrolled);
        self.run(&inner.body, active);
        (self.weight, self.around, self.turn) = outside;
    }

    /// Returns how often each lane executes a loop.
    fn times(&mut self, inner: &Loop<Thread>, init: &[i64; LANES], mask: u32) -> [i64; LANES] {
        // A bound never depends on the iterator itself.
        let mut times = [0; LANES];
        for lane in lanes(mask) {
            let last = inner.last.iter().map(|last| last.value(&self.frame, lane)).min();
            times[lane] =
                last.map_or(1, |last| (last.saturating_sub(init[lane]).div_euclid(inner.step) + 1).max(0));
        }
        times
    }

    fn work(&mut self, work: &Work, mask: u32) {
        let Arithmetic { fp32, fp64, library } = self.arithmetic(work, mask);
        let counts = &mut self.counts[work.leaf];
        counts.executions += self.weight;
        counts.fp32 += self.weight * fp32 as f64;
        counts.fp64 += self.weight * fp64 as f64;
        counts.library += self.weight * library as f64;
        counts.exchanges += self.weight * work.exchanges as f64;
        let operations = (fp32 + fp64) as f64 + LIBRARY_STEPS * library as f64;
        self.intervals.work(work.leaf, self.weight * (1.0 + operations));
        for place in &work.places {
            self.access(work.leaf, place, mask);
        }
    }

    /// Returns the arithmetic of an execution, without what is known already.
    fn arithmetic(&mut self, work: &Work, mask: u32) -> Arithmetic {
        let mut all = work.arithmetic;
        for (number, repeatable) in work.repeatable.iter().enumerate() {
            let symbols = repeatable.operands.iter().map(|operand| operand.symbol(&self.symbols));
            let result = Loaded::Result(work.leaf, number, mask, combined(symbols));
            if self.loads == Loads::Source {
                all += repeatable.arithmetic;
            } else if !self.loaded.contains(&result) {
                self.loaded.push(result);
                all += repeatable.arithmetic;
            }
        }
        all
    }

    fn access(&mut self, leaf: usize, place: &Place, mask: u32) {
        *self.left = self.left.saturating_sub(1);
        let addresses = self.addresses(place, mask);
        let first = addresses.iter().flatten().next().copied().unwrap_or(0);
        let position = place.position.as_ref().map_or(0, |position| position.symbol(&self.symbols));
        let loaded = Loaded::Value((place.memory, mask, first, position));
        match place.kind {
            Kind::Load if place.position.is_none() => {}
            Kind::Load if self.loaded.contains(&loaded) => return,
            Kind::Load => self.loaded.push(loaded),
            Kind::Store | Kind::Atomic => {
                self.loaded.clear();
                if place.kind == Kind::Store && place.position.is_some() {
                    self.loaded.push(loaded);
                }
            }
        }
        let counts = &mut self.counts[leaf];
        counts.has_work = true;
        let weight = self.weight;
        self.intervals.work(leaf, weight);
        match place.memory {
            Memory::Shared(..) => {
                let bank_use = counts.shared(place.kind);
                bank_use.requests += weight;
                bank_use.wavefronts += weight * wavefronts(&addresses, place.bytes, place.kind) as f64;
            }
            Memory::Constant(_) => {
                let active: Vec<u64> = addresses.iter().flatten().copied().collect();
                counts.constant.requests += weight;
                counts.constant.wavefronts += weight * constant_wavefronts(&active) as f64;
            }
            Memory::Global(array) => {
                let active: Vec<u64> = addresses.iter().flatten().copied().collect();
                let base = self.bases[array];
                let offsets = active.iter().map(|address| address.saturating_sub(base));
                counts.use_slices(array, place.kind, self.slices[array].bits(offsets));
                let touched = sectors(&active, place.bytes);
                *counts.global(place.kind) += Traffic {
                    requests: weight,
                    lanes: weight * active.len() as f64,
                    touched_sectors: weight * touched.len() as f64,
                    sectors: 0.0,
                    lines: weight * lines(&touched) as f64,
                    bytes: weight * distinct_bytes(&active, place.bytes) as f64,
                };
                if place.kind == Kind::Load {
                    self.stream.load((leaf, array), (weight, self.left_out), touched);
                } else {
                    counts.beyond_l1(array, place.kind, weight * touched.len() as f64);
                }
            }
        }
    }

    /// Returns the address in each active lane. Where only data determine the element, each lane gets another sector.
    fn addresses(&mut self, place: &Place, mask: u32) -> [Option<u64>; LANES] {
        let (base, size) = match place.memory {
            Memory::Global(array) | Memory::Constant(array) => (self.bases[array], self.sizes[array]),
            Memory::Shared(first, size) => (first, size),
        };
        let mut addresses = [None; LANES];
        match &place.position {
            Some(position) => {
                let positions = position.values(&self.frame);
                for lane in lanes(mask) {
                    let offset = (positions[lane] as u64).wrapping_mul(place.bytes);
                    addresses[lane] = Some(base.wrapping_add(offset));
                }
            }
            None => {
                for lane in lanes(mask) {
                    self.unknown = self
                        .unknown
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let elements = (size / place.bytes.max(1)).max(1);
                    addresses[lane] = Some(base + (self.unknown >> 33) % elements * place.bytes);
                }
            }
        }
        addresses
    }

    /// Returns the iterations of a loop to look at: of an innermost loop some that follow each other, because what one
    /// loads is in the cache for the next; of others some that represent all.
    fn iterations(&self, kind: LoopKind, times: i64) -> Vec<Sample> {
        let most = |of: [i64; 3]| of[self.around.min(of.len() - 1)];
        match kind {
            LoopKind::Kept(1) => window(times, most(self.effort.innermost)),
            LoopKind::Kept(_) => spread(times, most(self.effort.outer), self.turn),
            LoopKind::Once | LoopKind::Unrolled => window(times, i64::MAX),
        }
    }
}
