//! The analysis of large programs takes work that is in proportion to their size.

use std::collections::BTreeMap;

use scop::{Extracted, MemoryId, Program};

use crate::residency::classes::RegionArray;
use crate::residency::decided::Decided;
use crate::residency::plan::Candidates;
use crate::residency::tests::program;
use crate::residency::work;

/// The work of 0.2 s of processor time: looking at a node, a touch or a run takes about 0.1 µs, and twice that on a
/// slow machine.
const MOST: usize = 1_000_000;

/// A kind of program: the letters of its memory objects, the memory of its regions, and its procedures, for so many
/// regions.
struct Shape {
    name: &'static str,
    memory: fn(usize) -> String,
    regions: fn(usize) -> Vec<Vec<u32>>,
    procedures: fn(usize) -> Vec<String>,
}

fn one_each(regions: usize) -> Vec<Vec<u32>> {
    (1..=regions).map(|one| vec![one as u32]).collect()
}

fn ten_in_all(regions: usize) -> Vec<Vec<u32>> {
    (0..regions).map(|one| vec![one as u32 % 10 + 1]).collect()
}

fn main_that_calls_all(count: usize) -> String {
    format!("loop {{ {} }}", (1..=count).map(|one| format!("call {one}; ")).collect::<String>())
}

const SHAPES: [Shape; 6] = [
    Shape {
        name: "time loops in functions of their own",
        memory: |regions| "h".repeat(regions),
        regions: one_each,
        procedures: |regions| {
            let inner = |of: usize| {
                (0..60)
                    .map(|at| format!("if read {of} at x{at} {{ write {of} at y{at} }}; "))
                    .collect::<String>()
            };
            let one = |k: usize| format!("loop {{ {} region {}; read {k} }}", inner(k), k - 1);
            [main_that_calls_all(regions)].into_iter().chain((1..=regions).map(one)).collect()
        },
    },
    Shape {
        name: "functions that call the next one",
        memory: |_| "h".repeat(10),
        regions: ten_in_all,
        procedures: |regions| chain(regions, "read 3"),
    },
    Shape {
        name: "the same with unknown code and memory that it may touch",
        memory: |_| "e".repeat(10),
        regions: ten_in_all,
        procedures: |regions| chain(regions, "unknown"),
    },
    Shape {
        name: "loops in loops",
        memory: |_| "eh".repeat(5),
        regions: ten_in_all,
        procedures: |regions| {
            let deep = |k: usize| {
                let outside: String =
                    (1..=15).map(|at| format!("loop {{ read {} at x{at}; ", at % 10 + 1)).collect();
                let after: String = (1..=15)
                    .map(|at| format!("if read 2 {{ write {} at y{at} }} }}; ", at % 10 + 1))
                    .collect();
                format!("{outside} unknown; region {}; {after}", k - 1)
            };
            [main_that_calls_all(regions)].into_iter().chain((1..=regions).map(deep)).collect()
        },
    },
    Shape {
        name: "loops in loops that cannot be intervals",
        memory: |_| "e".repeat(10),
        regions: ten_in_all,
        procedures: |regions| {
            let deep = |k: usize| {
                let outside: String =
                    (1..=15).map(|at| format!("loop {{ read {} at x{at}; ", at % 10 + 1)).collect();
                let after = "if read 2 { unknown within }; label; read 1 };".repeat(15);
                format!("{outside} region {}; {after}", k - 1)
            };
            [main_that_calls_all(regions)].into_iter().chain((1..=regions).map(deep)).collect()
        },
    },
    Shape {
        name: "arrays that cannot stay",
        memory: |regions| "e".repeat(regions),
        regions: one_each,
        procedures: |regions| {
            let inner = |of: usize| {
                (0..30)
                    .map(|at| format!("if unknown within {{ write {of} at y{at} }}; read {of}; "))
                    .collect::<String>()
            };
            let one = |k: usize| format!("!loop {{ region {}; {} }}", k - 1, inner(k));
            [main_that_calls_all(regions)].into_iter().chain((1..=regions).map(one)).collect()
        },
    },
];

/// Seven functions for each region, of which each calls the next one, in a loop.
fn chain(regions: usize, inside: &str) -> Vec<String> {
    let count = 7 * regions;
    let one = |k: usize| {
        let region = if k.is_multiple_of(7) { format!("region {};", k / 7) } else { String::new() };
        let next =
            if k + 1 < count { format!("loop {{ call {}; read 1 at x }};", k + 1) } else { String::new() };
        let touches: String = (1..6).map(|at| format!("read {at} at z; ")).collect();
        format!("{touches} {region} {next} {inside}")
    };
    (0..count).map(one).collect()
}

impl Shape {
    fn program(&self, regions: usize) -> Program<Extracted> {
        let (memory, arrays, procedures) =
            ((self.memory)(regions), (self.regions)(regions), (self.procedures)(regions));
        let arrays: Vec<&[u32]> = arrays.iter().map(Vec::as_slice).collect();
        let procedures: Vec<&str> = procedures.iter().map(String::as_str).collect();
        program(&memory, &arrays, &procedures).0
    }
}

/// Returns the work for a program, once before its regions are placed and once after that.
fn work_for(program: &Program<Extracted>) -> usize {
    let arrays = program.scops.iter().enumerate();
    let arrays: BTreeMap<RegionArray, &[MemoryId]> = arrays
        .map(|(scop, one)| ((scop, one.model.arrays[0].id), one.model.arrays[0].memory.as_slice()))
        .collect();
    work::of(|| {
        let _ = Candidates::of(program, false);
        let _ = Decided::new(program, &arrays, false).plan();
    })
}

/// 2000 lines with 30 regions take less than 0.2 s, however they are written. The work is in proportion to the text,
/// and where unknown code may run all regions, also to their number.
#[test]
fn two_thousand_lines_take_little_work() {
    for shape in &SHAPES {
        let (small, large) = (shape.program(15), shape.program(30));
        let mut lines = 0;
        let bodies = large.host.iter().flat_map(|procedure| &procedure.body);
        bodies.for_each(|node| scop::HostNode::walk(std::slice::from_ref(node), &mut |_| lines += 1));
        assert!(lines > 1400, "{}: {lines} nodes", shape.name);
        let (small, large) = (work_for(&small), work_for(&large));
        assert!(large < MOST, "{}: {large}", shape.name);
        assert!(small > 1000 && large < 4 * small, "{}: {small} and {large}", shape.name);
    }
}
