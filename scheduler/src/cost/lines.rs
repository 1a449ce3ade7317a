//! A kernel as a profile has it: what each of its lines does, estimated.
//!
//! The time model is made for profiles of finished programs. So an estimate is written as one: each statement is a line,
//! and so are the copies of each array to registers or to shared memory. What follows from the counts (instructions,
//! waits, phases between barriers) is then the same as for a program that was counted.

use std::collections::BTreeMap;

use gpu::counts::profile::{BankUse, Counts, Kernel, Line, Loop, Operations, Traffic};
use gpu::target::SECTOR_BYTES;
use scop::ArrayId;

/// The name of the file in which all lines are. It is compared often, and comparing empty names is slow on processors
/// with masked loads: nothing is read then, but from an address that is not mapped.
const FILE: &str = "plan";

/// How far the numbers of two lines lie apart: a load and a store on neighbouring lines may be one statement.
const APART: u64 = 8;

/// The number of the first loop.
const LOOPS: u64 = 3_000_000;

/// The number of the line with all barriers.
const BARRIERS: u64 = 2_000_000;

/// What is estimated of a line. Counts are those of warps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimated {
    /// How often warps execute it.
    pub executions: f64,
    /// Its arithmetic, each time.
    pub operations: [f64; 3],
    /// Those operations of it that wait, in the innermost loop, for the iteration before.
    pub carried: [f64; 3],
    /// Operations on integers, in all.
    pub integer: f64,
    /// Exchanges between the threads of a warp, in all.
    pub exchanges: f64,
    /// Loads and stores of global memory.
    pub global: Vec<Access>,
    /// Requests to shared memory, and their wavefronts: loads and stores.
    pub shared: [(f64, f64); 2],
    /// The share of it that the busiest warp of each block does; all warps do the same if there is none.
    pub busiest: Option<f64>,
    /// The loop around it, if no other is in that.
    pub innermost: Option<Innermost>,
}

/// Accesses to an array in global memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Access {
    /// The array.
    pub array: ArrayId,
    /// True for stores.
    pub stores: bool,
    /// The requests.
    pub requests: f64,
    /// The lines and sectors that they touch.
    pub lines: f64,
    /// See above.
    pub touched: f64,
    /// The sectors that leave the L1 cache.
    pub sectors: f64,
}

/// An innermost loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Innermost {
    /// A number for the loop.
    pub number: u64,
    /// Its mean number of iterations.
    pub iterations: f64,
    /// The factor by which it is to be unrolled, if there is one.
    pub factor: Option<u32>,
}

/// The lines of a kernel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lines {
    lines: Vec<Line>,
    loops: BTreeMap<u64, Loop>,
    /// The bytes of arrays that each line asks the L2 cache for, to read and to write.
    asked: Vec<Vec<(ArrayId, [f64; 2])>>,
}

impl Lines {
    /// Adds a line.
    pub fn add(&mut self, estimated: &Estimated) {
        let Estimated { executions, integer, exchanges, .. } = *estimated;
        let operations = |[fp32, fp64, library]: [f64; 3]| Operations {
            fp32_sums: round(fp32 * executions),
            fp64_sums: round(fp64 * executions),
            library: round(library * executions),
            ..Operations::default()
        };
        let mut counts = Counts { exchanges: round(exchanges), ..Counts::default() };
        let mut asked = Vec::new();
        for access in &estimated.global {
            let kind = if access.stores { &mut counts.global.stores } else { &mut counts.global.loads };
            *kind += Traffic {
                requests: round(access.requests),
                sectors: round(access.sectors),
                touched_sectors: round(access.touched.max(access.sectors)),
                l1_wavefronts: round(access.lines),
                ..Traffic::default()
            };
            let bytes = access.sectors * SECTOR_BYTES as f64;
            asked.push((access.array, if access.stores { [0.0, bytes] } else { [bytes, 0.0] }));
        }
        let [loads, stores] = estimated.shared.map(|(requests, wavefronts)| BankUse {
            requests: round(requests),
            wavefronts: round(wavefronts),
            width_bytes: 0,
        });
        (counts.shared.loads, counts.shared.stores) = (loads, stores);
        let innermost_loop = estimated.innermost.map_or(0, |innermost| self.iterate(innermost, executions));
        const WORK: f64 = 1e6;
        let busiest = estimated.busiest.map(|share| (round(WORK), round(WORK * share.min(1.0))));
        let (work, busiest_work) = busiest.unwrap_or_default();
        self.lines.push(Line {
            file: FILE.to_owned(),
            line: APART * (self.lines.len() as u64 + 1),
            executions: round(executions),
            work,
            busiest_work,
            innermost_loop,
            carried: estimated.innermost.map(|_| operations(estimated.carried)),
            operations: Operations { integer: round(integer), ..operations(estimated.operations) },
            counts,
        });
        self.asked.push(asked);
    }

    /// Adds iterations of a loop that some line has. Of several lines, that with most executions counts.
    fn iterate(&mut self, innermost: Innermost, executions: f64) -> u64 {
        let line = LOOPS + innermost.number;
        let iterations = round(executions);
        let known = self.loops.entry(line).or_default();
        if known.iterations <= iterations {
            let entries = round(executions / innermost.iterations.max(1.0)).max(1);
            let unrolled = innermost.factor.map(u64::from);
            *known = Loop { file: FILE.to_owned(), line, entries, iterations, unrolled };
        }
        line
    }

    /// Adds the barriers of blocks.
    pub fn add_barriers(&mut self, barriers: f64) {
        if barriers > 0.0 {
            self.add(&Estimated::default());
            if let Some(line) = self.lines.last_mut() {
                line.line = BARRIERS;
                line.counts.barriers = round(barriers);
            }
        }
    }

    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the bytes of each array that all lines ask the L2 cache for, to read and to write.
    pub fn asked(&self) -> BTreeMap<ArrayId, [f64; 2]> {
        let mut all: BTreeMap<ArrayId, [f64; 2]> = BTreeMap::new();
        for (array, bytes) in self.asked.iter().flatten() {
            let sum = all.entry(*array).or_default();
            (0..2).for_each(|way| sum[way] += bytes[way]);
        }
        all
    }

    /// Returns a kernel with these lines, given the shares of their bytes that device memory moves.
    pub fn kernel(&self, shares: &BTreeMap<ArrayId, [f64; 2]>, shape: Launched) -> Kernel {
        let mut lines = self.lines.clone();
        for (line, asked) in lines.iter_mut().zip(&self.asked) {
            let moved = |way: usize| -> f64 {
                let of = |(array, bytes): &(ArrayId, [f64; 2])| {
                    bytes[way] * shares.get(array).map_or(1.0, |shares| shares[way])
                };
                asked.iter().map(of).sum()
            };
            line.counts.dram_read_bytes = round(moved(0));
            line.counts.dram_written_bytes = round(moved(1));
        }
        let warps = shape.threads.div_ceil(gpu::target::WARP);
        Kernel {
            name: String::new(),
            file: FILE.to_owned(),
            line: 0,
            launches: round(shape.launches),
            blocks: round(shape.blocks),
            blocks_with_work: round(shape.blocks_with_work),
            warps: round(shape.blocks * warps as f64),
            block: [shape.threads, 1, 1],
            dynamic_shared_bytes: 0,
            static_shared_bytes: round(shape.shared_bytes),
            counts: lines.iter().map(|line| line.counts).sum(),
            lines,
            loops: self.loops.values().cloned().collect(),
            copies_ahead: shape.copies_ahead,
        }
    }
}

/// How a kernel is launched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Launched {
    /// The launches.
    pub launches: f64,
    /// The blocks of all launches.
    pub blocks: f64,
    /// Those that have work.
    pub blocks_with_work: f64,
    /// The threads of a block.
    pub threads: u64,
    /// The bytes of shared memory of a block.
    pub shared_bytes: f64,
    /// Whether copies to shared memory run while the block computes.
    pub copies_ahead: bool,
}

fn round(number: f64) -> u64 {
    number.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(array: u32, stores: bool, sectors: f64) -> Access {
        Access { array: ArrayId(array), stores, requests: 10.0, lines: 10.0, touched: 40.0, sectors }
    }

    fn kernel(lines: &Lines) -> Kernel {
        let launched = Launched { launches: 2.0, blocks: 6.0, threads: 40, ..Launched::default() };
        lines.kernel(&BTreeMap::new(), launched)
    }

    #[test]
    fn counts_of_a_line_are_those_of_all_its_executions() {
        let mut lines = Lines::default();
        lines.add(&Estimated {
            executions: 100.0,
            operations: [2.0, 0.5, 0.0],
            integer: 7.0,
            exchanges: 5.0,
            global: vec![access(0, false, 20.0), access(0, false, 4.0), access(1, true, 60.0)],
            shared: [(3.0, 6.0), (1.0, 1.0)],
            ..Estimated::default()
        });
        let kernel = kernel(&lines);
        assert_eq!((kernel.warps, kernel.block, kernel.counts), (12, [40, 1, 1], kernel.lines[0].counts));
        let Line { operations, counts, carried, innermost_loop, .. } = kernel.lines[0];
        assert_eq!((operations.fp32_sums, operations.fp64_sums, operations.integer), (200, 50, 7));
        assert_eq!((carried, innermost_loop, counts.exchanges), (None, 0, 5));
        let (loads, stores) = (counts.global.loads, counts.global.stores);
        assert_eq!((loads.requests, loads.sectors, loads.touched_sectors), (20, 24, 80));
        assert_eq!((stores.sectors, stores.touched_sectors), (60, 60), "what leaves L1 is touched");
        assert_eq!((counts.shared.loads.wavefronts, counts.shared.stores.requests), (6, 1));
    }

    #[test]
    fn device_memory_moves_its_share_of_each_array() {
        let mut lines = Lines::default();
        let global = vec![access(0, false, 20.0), access(1, true, 60.0)];
        lines.add(&Estimated { executions: 10.0, global, ..Estimated::default() });
        lines.add(&Estimated { global: vec![access(0, true, 1.0)], ..Estimated::default() });
        assert_eq!(lines.asked(), BTreeMap::from([(ArrayId(0), [640.0, 32.0]), (ArrayId(1), [0.0, 1920.0])]));
        let moved = |shares: &[(u32, [f64; 2])]| {
            let shares = shares.iter().map(|(array, shares)| (ArrayId(*array), *shares)).collect();
            let counts = lines.kernel(&shares, Launched::default()).counts;
            (counts.dram_read_bytes, counts.dram_written_bytes)
        };
        assert_eq!(moved(&[]), (640, 1952), "all, if nothing is known");
        assert_eq!(moved(&[(0, [0.25, 1.0]), (1, [1.0, 0.5])]), (160, 992));
    }

    #[test]
    fn lines_of_a_loop_have_its_iterations() {
        let mut lines = Lines::default();
        let in_loop = |number, iterations| Some(Innermost { number, iterations, factor: Some(8) });
        let line = |executions, innermost| Estimated { executions, innermost, ..Estimated::default() };
        lines.add(&Estimated {
            carried: [0.0, 1.0, 0.0],
            operations: [0.0, 2.0, 0.0],
            ..line(50.0, in_loop(3, 10.0))
        });
        lines.add(&line(400.0, in_loop(3, 20.0)));
        lines.add(&line(30.0, in_loop(4, 30.0)));
        let kernel = kernel(&lines);
        let loops: Vec<_> =
            kernel.loops.iter().map(|one| (one.line, one.entries, one.iterations, one.unrolled)).collect();
        let [first, second] = [LOOPS + 3, LOOPS + 4];
        assert_eq!(loops, [(first, 20, 400, Some(8)), (second, 1, 30, Some(8))], "the most executions count");
        let of_lines: Vec<u64> = kernel.lines.iter().map(|line| line.innermost_loop).collect();
        assert_eq!(of_lines, [first, first, second]);
        assert_eq!(kernel.lines[0].carried.map(|carried| carried.fp64_sums), Some(50));
    }

    /// Neighbouring lines may be one statement, and a barrier stands after all lines.
    #[test]
    fn lines_lie_apart() {
        let mut lines = Lines::default();
        lines.add(&Estimated { busiest: Some(0.25), ..Estimated::default() });
        lines.add(&Estimated { busiest: Some(2.0), ..Estimated::default() });
        lines.add_barriers(0.0);
        assert_eq!(lines.len(), 2);
        lines.add_barriers(6.0);
        let kernel = kernel(&lines);
        let numbers: Vec<u64> = kernel.lines.iter().map(|line| line.line).collect();
        assert_eq!(numbers, [APART, 2 * APART, BARRIERS]);
        assert_eq!(kernel.counts.barriers, 6);
        let share = |line: &Line| line.busiest_work as f64 / line.work as f64;
        assert_eq!((share(&kernel.lines[0]), share(&kernel.lines[1])), (0.25, 1.0), "no more than all");
        assert_eq!(kernel.lines[2].work, 0, "all warps do the same");
    }
}
