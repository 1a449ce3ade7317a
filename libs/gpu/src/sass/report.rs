//! The result: what the warps of a kernel execute.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attribution::{Attribution, Misfit};
use super::chain::Timing;
use super::class::{Class, width};
use super::graph::{Graph, Loop};
use super::listing::{Place, Resources};
use crate::counts::profile::Kernel;

/// Instructions that warps issue: one for all lanes of a warp counts once.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Instructions {
    /// All of them.
    pub all: u64,
    /// By class; classes without instructions are left out.
    pub classes: BTreeMap<Class, u64>,
    /// Accesses to memory by class and by the bytes of one lane.
    pub widths: BTreeMap<Class, BTreeMap<u32, u64>>,
}

/// What a kernel executes in all of its launches.
#[derive(Clone, Debug, Serialize)]
pub struct KernelWork {
    /// The name as in the profile.
    pub name: String,
    /// The mangled name.
    pub symbol: String,
    /// Launches.
    pub launches: u64,
    /// Warps of all launches.
    pub warps: u64,
    /// Registers of a thread; 0 if the listing does not say it.
    pub registers: u32,
    /// Bytes of a thread's stack.
    pub stack_bytes: u32,
    /// Bytes of shared memory that the kernel declares.
    pub shared_bytes: u32,
    /// Instructions in the code that load or store spilled registers or local arrays.
    pub spills: u64,
    /// What the warps execute.
    pub instructions: Instructions,
    /// Cycles of the average warp if it had the multiprocessor for itself: its chain of dependent instructions.
    pub warp_cycles: f64,
    /// How many loads from global memory a warp has on its way, on average over the time that it has any.
    pub loads_in_flight: f64,
    /// The bytes of one lane that they load.
    pub bytes_in_flight: f64,
    /// The innermost loop that executes most instructions.
    pub hot_loop: Option<HotLoop>,
    /// By source line.
    pub lines: Vec<LineWork>,
    /// By basic block, in order of address.
    pub blocks: Vec<BlockWork>,
    /// What the attributed executions do not explain.
    pub misfits: Vec<Misfit>,
    /// Opcodes that the table of classes does not have.
    pub unknown: Vec<String>,
}

/// What is executed for a source line.
#[derive(Clone, Debug, Serialize)]
pub struct LineWork {
    /// The file, as in the profile.
    pub file: String,
    /// The line; 0 for instructions without one.
    pub line: u64,
    /// The line's instructions.
    pub instructions: Instructions,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlockWork {
    /// The address of the first instruction in its section.
    pub address: u64,
    /// The number of instructions in the block.
    pub length: u64,
    /// How often warps execute it.
    pub executions: u64,
    /// Cycles of one execution by a warp alone.
    pub cycles: f64,
}

/// An innermost loop.
#[derive(Clone, Debug, Serialize)]
pub struct HotLoop {
    /// The file of the line with most of the loop's instructions.
    pub file: String,
    /// That line; 0 if it is unknown.
    pub line: u64,
    /// How often warps begin an iteration.
    pub iterations: u64,
    /// What is executed in the loop.
    pub instructions: Instructions,
}

impl Instructions {
    fn add(&mut self, instruction: &super::listing::Instruction, executions: u64) {
        if executions == 0 {
            return;
        }
        let class = Class::of(instruction.base()).unwrap_or(Class::Other);
        self.all += executions;
        *self.classes.entry(class).or_default() += executions;
        if class.has_width() {
            *self.widths.entry(class).or_default().entry(width(instruction)).or_default() += executions;
        }
    }

    /// Returns the instructions of a class.
    pub fn of(&self, class: Class) -> u64 {
        self.classes.get(&class).copied().unwrap_or(0)
    }
}

/// What a result is made of.
pub(super) struct Parts<'a> {
    pub kernel: &'a Kernel,
    pub symbol: &'a str,
    pub resources: Resources,
    pub graph: &'a Graph,
    pub lines: &'a [Option<Place>],
    pub attribution: Attribution,
    pub timings: Vec<Timing>,
    /// Cycles of a load from global memory.
    pub load_latency: f64,
}

impl Parts<'_> {
    /// Puts the result together.
    pub(super) fn report(self) -> KernelWork {
        let executions = self.executions();
        let local = |class: Option<Class>| matches!(class, Some(Class::LocalLoad | Class::LocalStore));
        let (loads, bytes) = self.in_flight();
        KernelWork {
            name: self.kernel.name.clone(),
            symbol: self.symbol.to_owned(),
            launches: self.kernel.launches,
            warps: self.kernel.warps,
            registers: self.resources.registers,
            stack_bytes: self.resources.stack_bytes,
            shared_bytes: self.resources.shared_bytes,
            spills: self.graph.code.iter().filter(|code| local(Class::of(code.base()))).count() as u64,
            instructions: self.sum(0..self.graph.blocks.len(), &executions),
            warp_cycles: self.weighted(|timing| timing.cycles),
            loads_in_flight: loads,
            bytes_in_flight: bytes,
            hot_loop: self.hot_loop(&executions),
            lines: self.by_line(&executions),
            blocks: self.by_block(&executions),
            unknown: self.unknown(),
            misfits: self.attribution.misfits,
        }
    }

    /// Returns the executions of each block by all warps.
    fn executions(&self) -> Vec<u64> {
        self.attribution
            .executions
            .iter()
            .map(|count| (count * self.kernel.warps as f64).round() as u64)
            .collect()
    }

    fn sum(&self, blocks: impl IntoIterator<Item = usize>, executions: &[u64]) -> Instructions {
        let mut sum = Instructions::default();
        for block in blocks {
            for instruction in self.graph.instructions(block) {
                sum.add(instruction, executions[block]);
            }
        }
        sum
    }

    /// Returns the sum over the blocks of executions of a warp, each times what it amounts to.
    fn weighted(&self, amount: impl Fn(&Timing) -> f64) -> f64 {
        self.attribution
            .executions
            .iter()
            .zip(&self.timings)
            .map(|(count, timing)| count * amount(timing))
            .sum()
    }

    /// Returns loads and bytes on their way, by Little's law: the latency of all loads over the time with any.
    fn in_flight(&self) -> (f64, f64) {
        let loading = self.weighted(|timing| timing.loading_cycles);
        if loading == 0.0 {
            return (0.0, 0.0);
        }
        let loads = self.weighted(|timing| timing.loads) * self.load_latency / loading;
        let bytes = self.weighted(|timing| timing.load_bytes) * self.load_latency / loading;
        (loads, bytes)
    }

    fn hot_loop(&self, executions: &[u64]) -> Option<HotLoop> {
        let innermost = self.graph.loops.iter().filter(|body| !body.has_inner);
        let sums = innermost.map(|body| (self.sum(body.blocks.iter().copied(), executions), body));
        let (instructions, body) = sums.max_by_key(|(sum, _)| sum.all).filter(|(sum, _)| sum.all > 0)?;
        let (file, line) = self.main_line(body, executions);
        Some(HotLoop { file, line, iterations: executions[body.header], instructions })
    }

    fn main_line(&self, body: &Loop, executions: &[u64]) -> (String, u64) {
        let mut counts: BTreeMap<&Place, u64> = BTreeMap::new();
        for &block in &body.blocks {
            for place in self.graph.blocks[block].code.clone().filter_map(|at| self.lines[at].as_ref()) {
                *counts.entry(place).or_default() += executions[block];
            }
        }
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        most.map_or_else(Default::default, |(place, _)| (place.file.clone(), place.line))
    }

    fn by_line(&self, executions: &[u64]) -> Vec<LineWork> {
        let mut lines: BTreeMap<(&str, u64), Instructions> = BTreeMap::new();
        for (block, &count) in self.graph.blocks.iter().zip(executions) {
            for at in block.code.clone() {
                let key = self.lines[at].as_ref().map_or(("", 0), |place| (place.file.as_str(), place.line));
                lines.entry(key).or_default().add(&self.graph.code[at], count);
            }
        }
        let lines = lines.into_iter().filter(|(_, instructions)| instructions.all > 0);
        lines
            .map(|((file, line), instructions)| LineWork { file: file.to_owned(), line, instructions })
            .collect()
    }

    fn by_block(&self, executions: &[u64]) -> Vec<BlockWork> {
        let blocks = self.graph.blocks.iter().zip(executions).zip(&self.timings);
        let work = |((block, &executions), timing): ((&super::graph::Block, &u64), &Timing)| BlockWork {
            address: self.graph.code.get(block.code.start).map_or(0, |code| code.address),
            length: block.code.len() as u64,
            executions,
            cycles: timing.cycles,
        };
        blocks.map(work).collect()
    }

    fn unknown(&self) -> Vec<String> {
        let opcodes = self.graph.code.iter().map(|code| code.base());
        let mut unknown: Vec<String> =
            opcodes.filter(|base| Class::of(base).is_none()).map(str::to_owned).collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }
}
