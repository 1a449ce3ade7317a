//! What code between two regions does with the memory of an array that both of them use.

mod calls;
mod code;
mod cxx;
mod headers;
mod library;
mod lvalues;
mod objects;
mod types;

use std::collections::BTreeSet;

use scop::{
    Effect, Extracted, HostCode, HostNode, HostRegion, MemoryId, ProcedureId, Program, SourceRange, Touch,
};

use crate::host::{program, program_of};

/// What is between the first two regions of the file.
struct Between<'a> {
    program: &'a Program<Extracted>,
    /// The memory of the arrays of the two regions.
    memory: BTreeSet<MemoryId>,
    /// From the end of the first region to the start of the second.
    text: (u32, u32),
    called: BTreeSet<ProcedureId>,
    found: BTreeSet<String>,
}

/// Returns what the code between two regions does with the memory of their arrays, sorted: effects with their places,
/// `unknown` for code that is not in the document, `called` if unknown code can call back what touches it, and jumps.
/// `no memory` stands for arrays of which nothing is known, and `!` for memory that unknown code can reach.
fn between(text: &str) -> String {
    between_in("host.c", text)
}

/// The same for a file of any name.
fn between_in(file: &str, text: &str) -> String {
    let (text, program) = program_of(file, text);
    let arrays = program.scops.iter().take(2).map(|scop| {
        let arrays = scop.model.arrays.iter().filter(|array| array.visible && !array.is_scalar());
        arrays.flat_map(|array| array.memory.iter().copied()).collect::<BTreeSet<MemoryId>>()
    });
    let arrays: Vec<BTreeSet<MemoryId>> = arrays.collect();
    if arrays.iter().any(BTreeSet::is_empty) {
        return "no memory".to_owned();
    }
    let memory: BTreeSet<MemoryId> = arrays.into_iter().flatten().collect();
    let exposed = memory.iter().any(|id| program.memory[id.index()].exposed);
    let mut regions: Vec<SourceRange> = Vec::new();
    for procedure in &program.host {
        for_all_regions(&procedure.body, &mut |region| regions.push(region.range));
    }
    regions.sort_by_key(|range| range.start);
    assert!(regions.len() > 1, "{text}");
    let text = (regions[0].end, regions[1].start);
    let mut between =
        Between { program: &program, memory, text, called: BTreeSet::new(), found: BTreeSet::new() };
    program.host.iter().for_each(|procedure| between.nodes(&procedure.body, false));
    let mut found: Vec<String> = between.found.into_iter().collect();
    found.extend(exposed.then(|| "!".to_owned()));
    found.join(", ")
}

impl Between<'_> {
    /// Visits nodes: all of them, or those in the text between the regions.
    fn nodes(&mut self, nodes: &[HostNode], all: bool) {
        nodes.iter().for_each(|node| self.node(node, all));
    }

    fn is_in(&self, range: SourceRange) -> bool {
        self.text.0 <= range.start && range.end <= self.text.1
    }

    fn node(&mut self, node: &HostNode, all: bool) {
        match node {
            HostNode::Code(code) => self.code(code, all),
            HostNode::Branch(branch) => {
                self.code(&branch.condition, all);
                branch.arms.iter().for_each(|arm| self.nodes(arm, all));
            }
            HostNode::Loop(one) => {
                let before = std::mem::take(&mut self.found);
                for code in [&one.condition, &one.step].into_iter().flatten() {
                    self.code(code, all);
                }
                self.nodes(&one.body, all);
                if all || self.is_in(one.range) {
                    self.check_loop(&one.touches, &one.body);
                }
                self.found.extend(before);
                if let Some(code) = &one.start {
                    self.code(code, all);
                }
            }
            HostNode::Block(block) => self.nodes(&block.body, all),
            HostNode::Data(data) => self.nodes(&data.body, all),
            HostNode::Try(_) => node.parts().into_iter().for_each(|part| self.nodes(part, all)),
            HostNode::Jump(jump) => {
                if let Some(value) = &jump.value {
                    self.code(value, all);
                }
                if !all && self.is_in(jump.range) {
                    self.found.insert("jump".to_owned());
                }
            }
            HostNode::Region(_) | HostNode::Label { .. } => {}
        }
    }

    /// What a loop touches as a whole covers what its parts touch, except in functions that they call.
    fn check_loop(&self, touches: &[Touch], body: &[HostNode]) {
        let memory = |writes: bool| {
            let some = touches.iter().filter(|touch| !writes || touch.effect != Effect::Reads);
            some.flat_map(|touch| &touch.memory).copied().collect::<BTreeSet<_>>()
        };
        let (any, written) = (memory(false), memory(true));
        for_all_touches(body, &mut |touch| {
            let all = if touch.effect == Effect::Reads { &any } else { &written };
            assert!(touch.memory.iter().all(|id| all.contains(id)), "{touch:?} in {touches:?}");
        });
    }

    fn code(&mut self, code: &HostCode, all: bool) {
        if !all && !self.is_in(code.range) {
            return;
        }
        for touch in &code.touches {
            if touch.memory.iter().any(|id| self.memory.contains(id)) {
                let effect = match touch.effect {
                    Effect::Reads => "reads",
                    Effect::Writes => "writes",
                    Effect::Overwrites => "overwrites",
                    Effect::Frees => "frees",
                };
                let place = touch.place.as_ref().map(|place| format!(" {}", place.address));
                self.found.insert(format!("{effect}{}", place.unwrap_or_default()));
            }
        }
        if code.unknown.is_some() {
            self.found.insert("unknown".to_owned());
            let callable =
                self.program.host.iter().filter(|one| one.called_from_elsewhere && one.name != "main");
            let before = std::mem::take(&mut self.found);
            callable.for_each(|procedure| self.call(procedure.id));
            let touches = self.found.iter().any(|found| found != "unknown");
            self.found = before;
            self.found.extend(touches.then(|| "called".to_owned()));
        }
        code.calls.iter().for_each(|id| self.call(*id));
    }

    fn call(&mut self, id: ProcedureId) {
        if self.called.insert(id) {
            let program = self.program;
            self.nodes(&program.host[id.index()].body, true);
        }
    }
}

fn for_all_touches(nodes: &[HostNode], visit: &mut dyn FnMut(&Touch)) {
    for node in nodes {
        match node {
            HostNode::Code(code) => code.touches.iter().for_each(&mut *visit),
            HostNode::Branch(branch) => {
                branch.condition.touches.iter().for_each(&mut *visit);
                branch.arms.iter().for_each(|arm| for_all_touches(arm, visit));
            }
            HostNode::Loop(one) => {
                let parts = [&one.start, &one.condition, &one.step].into_iter().flatten();
                parts.for_each(|code| code.touches.iter().for_each(&mut *visit));
                for_all_touches(&one.body, visit);
            }
            HostNode::Block(block) => for_all_touches(&block.body, visit),
            HostNode::Data(data) => for_all_touches(&data.body, visit),
            HostNode::Try(_) => node.parts().into_iter().for_each(|part| for_all_touches(part, visit)),
            HostNode::Jump(jump) => {
                jump.value.iter().for_each(|value| value.touches.iter().for_each(&mut *visit));
            }
            HostNode::Region(_) | HostNode::Label { .. } => {}
        }
    }
}

/// Checks whole files without their first lines, and what is between their regions: how memory is reached.
fn check_ways(ways: &[(&str, &str)]) {
    for (text, expected) in ways {
        let text = format!(
            "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nvoid unknown();\n{text}"
        );
        assert_eq!(between(&text), *expected, "{text}");
    }
}

/// The host copies arrays that have no memory in the document for each region: they may be parts of arrays that have.
#[test]
fn regions_touch_arrays_without_memory() {
    let (text, program) = program(
        "struct s { double x[9]; };\nvoid f(struct s *q) { double *a = q->x; REGION(a)\n#pragma scop\n\
         for (int i = 0; i < 8; i++) q->x[i] += 1;\n#pragma endscop\n}\n",
    );
    let mut found = Vec::new();
    for procedure in &program.host {
        for_all_regions(&procedure.body, &mut |region| {
            found.push(region.touches.iter().any(|touch| touch.effect != Effect::Reads));
        });
    }
    assert_eq!(found, [false, true], "{text}");
}

fn for_all_regions(nodes: &[HostNode], visit: &mut dyn FnMut(&HostRegion)) {
    for node in nodes {
        match node {
            HostNode::Region(region) => visit(region),
            HostNode::Block(block) => for_all_regions(&block.body, visit),
            HostNode::Data(data) => for_all_regions(&data.body, visit),
            HostNode::Try(_) => node.parts().into_iter().for_each(|part| for_all_regions(part, visit)),
            HostNode::Loop(one) => for_all_regions(&one.body, visit),
            HostNode::Branch(branch) => branch.arms.iter().for_each(|arm| for_all_regions(arm, visit)),
            HostNode::Code(_) | HostNode::Jump(_) | HostNode::Label { .. } => {}
        }
    }
}
