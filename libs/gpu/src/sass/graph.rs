//! The control flow graph of a kernel: its basic blocks, and the loops that they form.
//!
//! Functions that the kernel calls are part of the graph: those that the assembler put behind the kernel (the slow
//! paths of divisions and roots), and those in sections of their own. A call leads to the instruction after it; that it
//! also executes the function is kept apart, because the function may be called from many places.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use super::listing::{Instruction, Listing, Section};

/// The basic blocks of a kernel and of what it calls.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The instructions of all blocks.
    pub code: Vec<Instruction>,
    /// The blocks that the kernel can reach; the first is where it begins.
    pub blocks: Vec<Block>,
    /// The loops, outer ones before those that they contain.
    pub loops: Vec<Loop>,
}

/// Instructions that a warp executes one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The block's instructions, as numbers in [`Graph::code`].
    pub code: Range<usize>,
    /// The blocks that may come next, each once.
    pub successors: Vec<usize>,
    /// The first block of the function that the last instruction calls.
    pub calls: Option<usize>,
    /// Whether the kernel or function may end here.
    pub ends: bool,
    /// The innermost loop that the block is in.
    pub innermost: Option<usize>,
}

/// A natural loop: all blocks from which its first block is reached again without leaving it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block that dominates the others.
    pub header: usize,
    /// All blocks, with the header and those of inner loops.
    pub blocks: BTreeSet<usize>,
    /// Whether it contains another loop.
    pub has_inner: bool,
}

/// How an instruction ends a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// It does not.
    None,
    Branch,
    Call,
    Exit,
}

impl Graph {
    /// Builds the graph of a kernel of a listing.
    pub fn of(listing: &Listing, kernel: &Section) -> Graph {
        let (code, labels) = linked(listing, kernel);
        let all = blocks_of(&code, &labels);
        let mut graph = Graph { code, blocks: reachable(all), loops: Vec::new() };
        graph.find_loops();
        graph
    }

    /// Returns the instructions of a block.
    pub fn instructions(&self, block: usize) -> &[Instruction] {
        self.blocks.get(block).and_then(|block| self.code.get(block.code.clone())).unwrap_or_default()
    }

    /// Returns the blocks that lead to each block.
    pub fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for (number, block) in self.blocks.iter().enumerate() {
            for &successor in &block.successors {
                predecessors[successor].push(number);
            }
        }
        predecessors
    }

    /// Returns for each block whether it is only reached by a call.
    pub fn called(&self) -> Vec<bool> {
        let mut called = vec![true; self.blocks.len()];
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            if let Some(flag) = called.get_mut(number).filter(|flag| **flag) {
                *flag = false;
                open.extend(&self.blocks[number].successors);
            }
        }
        called
    }

    /// Returns which blocks each path from the beginning to a block has to pass.
    pub fn dominators(&self) -> Dominators<NodeIndex> {
        let mut graph = DiGraph::<(), ()>::with_capacity(self.blocks.len(), 2 * self.blocks.len());
        let nodes: Vec<NodeIndex> = self.blocks.iter().map(|_| graph.add_node(())).collect();
        for (number, block) in self.blocks.iter().enumerate() {
            for &next in block.successors.iter().chain(&block.calls) {
                graph.add_edge(nodes[number], nodes[next], ());
            }
        }
        simple_fast(&graph, NodeIndex::new(0))
    }

    /// Returns for each block the first one that all paths from it to an end have to pass; nothing if they have none in
    /// common.
    pub fn meetings(&self) -> Vec<Option<usize>> {
        let mut reversed = DiGraph::<(), ()>::with_capacity(self.blocks.len() + 1, 2 * self.blocks.len());
        let nodes: Vec<NodeIndex> = self.blocks.iter().map(|_| reversed.add_node(())).collect();
        let end = reversed.add_node(());
        for (number, block) in self.blocks.iter().enumerate() {
            for &next in &block.successors {
                reversed.add_edge(nodes[next], nodes[number], ());
            }
            if block.ends || block.successors.is_empty() {
                reversed.add_edge(end, nodes[number], ());
            }
        }
        let dominators = simple_fast(&reversed, end);
        let meeting = |node: NodeIndex| dominators.immediate_dominator(node).filter(|&node| node != end);
        nodes.into_iter().map(|node| meeting(node).map(NodeIndex::index)).collect()
    }

    fn find_loops(&mut self) {
        let dominators = self.dominators();
        let dominates = |above: usize, below: usize| {
            dominators
                .dominators(NodeIndex::new(below))
                .is_some_and(|mut all| all.any(|node| node.index() == above))
        };
        let predecessors = self.predecessors();
        let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (number, block) in self.blocks.iter().enumerate() {
            for &header in block.successors.iter().filter(|&&next| dominates(next, number)) {
                let body = loops.entry(header).or_insert_with(|| BTreeSet::from([header]));
                add_body(body, number, &predecessors);
            }
        }
        let mut loops: Vec<Loop> =
            loops.into_iter().map(|(header, blocks)| Loop { header, blocks, has_inner: false }).collect();
        loops.sort_by_key(|body| std::cmp::Reverse(body.blocks.len()));
        self.nest(loops);
    }

    /// Keeps the loops, and tells each block its innermost one: that which comes last.
    fn nest(&mut self, mut loops: Vec<Loop>) {
        for (number, body) in loops.iter().enumerate() {
            for &block in &body.blocks {
                self.blocks[block].innermost = Some(number);
            }
        }
        for number in 0..loops.len() {
            let inner = loops[number + 1..].iter().any(|other| loops[number].blocks.contains(&other.header));
            loops[number].has_inner = inner;
        }
        self.loops = loops;
    }
}

/// Adds to a loop the blocks that lead to its end.
fn add_body(body: &mut BTreeSet<usize>, end: usize, predecessors: &[Vec<usize>]) {
    let mut open = vec![end];
    while let Some(block) = open.pop() {
        if body.insert(block) {
            open.extend(&predecessors[block]);
        }
    }
}

/// Puts the code of a kernel and of the functions that it calls together.
fn linked(listing: &Listing, kernel: &Section) -> (Vec<Instruction>, BTreeMap<String, usize>) {
    let (mut code, mut labels) = (Vec::new(), BTreeMap::new());
    let mut open = vec![kernel];
    let mut linked: Vec<&str> = vec![&kernel.symbol];
    while let Some(section) = open.pop() {
        labels.extend(section.labels.iter().map(|(label, at)| (label.clone(), code.len() + at)));
        code.extend(section.instructions.iter().cloned());
        let calls = section.instructions.iter().filter(|code| code.base() == "CALL");
        for target in calls.flat_map(Instruction::targets) {
            let called = listing.sections.iter().find(|other| other.symbol == target);
            if let Some(called) = called.filter(|called| !linked.contains(&called.symbol.as_str())) {
                linked.push(&called.symbol);
                open.push(called);
            }
        }
    }
    (code, labels)
}

fn ending(instruction: &Instruction) -> Ending {
    match instruction.base() {
        "BRA" | "BRX" | "BRXU" | "JMP" | "JMX" | "JMXU" => Ending::Branch,
        "CALL" => Ending::Call,
        "EXIT" | "RET" | "KILL" => Ending::Exit,
        _ => Ending::None,
    }
}

/// Returns whether lanes or warps may go on behind a branch or an exit.
fn may_fall_through(instruction: &Instruction) -> bool {
    let condition = instruction.operands.first().is_some_and(|operand| {
        let name = operand.trim_start_matches(['!', '~']);
        name.starts_with('P') || name.starts_with("UP") || name.starts_with("UR")
    });
    instruction.predicate.is_some() || instruction.has("DIV") || instruction.has("CONV") || condition
}

/// Divides code into blocks: they begin at labels and end at branches, calls and exits.
fn blocks_of(code: &[Instruction], labels: &BTreeMap<String, usize>) -> Vec<Block> {
    let mut starts: BTreeSet<usize> = labels.values().copied().filter(|&at| at < code.len()).collect();
    starts.insert(0);
    let ends = code.iter().enumerate().filter(|(_, code)| ending(code) != Ending::None);
    starts.extend(ends.map(|(at, _)| at + 1).filter(|&at| at < code.len()));
    let starts: Vec<usize> = starts.into_iter().collect();
    let block_at = |at: usize| starts.binary_search(&at).ok();
    let ranges =
        starts.iter().enumerate().map(|(i, &start)| start..starts.get(i + 1).copied().unwrap_or(code.len()));
    ranges.map(|range| block_of(code, labels, range, &block_at)).collect()
}

fn block_of(
    code: &[Instruction],
    labels: &BTreeMap<String, usize>,
    range: Range<usize>,
    block_at: &impl Fn(usize) -> Option<usize>,
) -> Block {
    let mut block = Block { code: range.clone(), ..Block::default() };
    let Some(last) = code.get(range.end.wrapping_sub(1)) else { return block };
    let mut targets = last.targets().filter_map(|label| labels.get(label)).filter_map(|&at| block_at(at));
    let next = block_at(range.end);
    match ending(last) {
        Ending::None => block.successors.extend(next),
        Ending::Branch => {
            block.successors.extend(targets);
            block.successors.extend(next.filter(|_| may_fall_through(last)));
        }
        Ending::Call => {
            block.calls = targets.next();
            block.successors.extend(next);
        }
        Ending::Exit => {
            block.ends = true;
            block.successors.extend(next.filter(|_| may_fall_through(last)));
        }
    }
    block.successors.sort_unstable();
    block.successors.dedup();
    block
}

/// Keeps the blocks that the first one reaches, in their order, and numbers them anew.
fn reachable(all: Vec<Block>) -> Vec<Block> {
    let mut found = BTreeSet::new();
    let mut open = vec![0];
    while let Some(number) = open.pop() {
        if number < all.len() && found.insert(number) {
            open.extend(all[number].successors.iter().chain(&all[number].calls));
        }
    }
    let numbers: BTreeMap<usize, usize> = found.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let renumbered = |block: Block| Block {
        successors: block.successors.iter().filter_map(|old| numbers.get(old).copied()).collect(),
        calls: block.calls.and_then(|old| numbers.get(&old).copied()),
        ..block
    };
    let kept = all.into_iter().enumerate().filter(|(number, _)| numbers.contains_key(number));
    kept.map(|(_, block)| renumbered(block)).collect()
}
