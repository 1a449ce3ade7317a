//! V20 and V21: the code around the regions, and the plan for what stays on the device.

use std::collections::BTreeSet;

use super::report::Report;
use crate::{
    ActionOp, ArrayId, HostCode, HostNode, HostPlace, MemoryId, Position, Program, SourceRange, Stage, Touch,
    c_syntax,
};

/// Checks memory objects, procedures, and the memory of arrays.
pub fn check_host<S>(program: &Program<S>, report: &mut Report) {
    for (position, object) in program.memory.iter().enumerate() {
        report.require(20, object.id.index() == position, || {
            format!("memory object {position} has the id {}", object.id)
        });
    }
    for scop in &program.scops {
        for array in &scop.model.arrays {
            let owner = format!("{} of `{}`", array.id, scop.model.name);
            check_memory(program, &owner, &array.memory, report);
            report.require(20, !array.apart || array.memory.is_empty(), || {
                format!("{owner} is none of the memory objects, but may be some of them")
            });
        }
    }
    for prevention in &program.prevented {
        let exists = |(scop, array): (u32, ArrayId)| {
            let scop = program.scops.get(scop as usize);
            scop.is_some_and(|scop| scop.model.array(array).is_ok_and(|array| array.memory.is_empty()))
        };
        report.require(20, prevention.array.is_none_or(exists), || {
            format!(
                "an array with memory, or one that does not exist, is kept from staying: {}",
                prevention.reason
            )
        });
    }
    let mut scops = BTreeSet::new();
    for (position, procedure) in program.host.iter().enumerate() {
        report.require(20, procedure.id.index() == position, || {
            format!("procedure {position} has the id {}", procedure.id)
        });
        let within =
            |start: &u32| procedure.range.is_some_and(|range| range.start < *start && *start <= range.end);
        let has_lines =
            procedure.lines.iter().all(within) && procedure.lines.is_sorted_by(|one, other| one < other);
        report.require(20, has_lines, || {
            format!("{} has lines outside of its text, or not in order", procedure.id)
        });
        let mut host = Host { program, owner: procedure.id.to_string(), scops: &mut scops, report };
        host.nodes(&procedure.body, procedure.range);
    }
}

/// Checks that memory objects exist, and that each is listed once, in order.
fn check_memory<S>(program: &Program<S>, owner: &str, memory: &[MemoryId], report: &mut Report) {
    let exist = memory.iter().all(|id| id.index() < program.memory.len());
    report.require(20, exist && memory.is_sorted_by(|one, other| one < other), || {
        format!("{owner} has memory objects that do not exist, or not in order")
    });
}

struct Host<'a, S> {
    program: &'a Program<S>,
    owner: String,
    /// The scops that were found in host code.
    scops: &'a mut BTreeSet<u32>,
    report: &'a mut Report,
}

impl<S> Host<'_, S> {
    /// Checks nodes one after the other. `around` is absent for code in a header.
    fn nodes(&mut self, nodes: &[HostNode], around: Option<SourceRange>) {
        let mut end = around.map(|around| around.start);
        for node in nodes {
            let range = self.node(node, around.is_some());
            if let (Some(around), Some(before)) = (around, end) {
                let inside = before <= range.start && range.is_within(around);
                self.require(inside, || format!("a node at {} is not within the one around it", range.start));
                end = Some(range.end);
            }
        }
    }

    /// Checks a node and returns its text.
    fn node(&mut self, node: &HostNode, in_file: bool) -> SourceRange {
        let inside = |range: SourceRange| in_file.then_some(range);
        match node {
            HostNode::Code(code) => {
                self.code(code);
                code.range
            }
            HostNode::Branch(branch) => {
                self.code(&branch.condition);
                branch.arms.iter().for_each(|arm| self.nodes(arm, inside(branch.range)));
                branch.range
            }
            HostNode::Loop(one) => {
                one.start.iter().chain(&one.condition).chain(&one.step).for_each(|code| self.code(code));
                self.touches(&one.touches, false);
                self.nodes(&one.body, inside(one.range));
                one.range
            }
            HostNode::Block(block) => {
                for object in &block.objects {
                    self.memory(&[object.memory]);
                    self.place(&object.place);
                }
                self.nodes(&block.body, inside(block.range));
                block.range
            }
            HostNode::Data(data) => {
                for held in &data.held {
                    self.memory(&held.memory);
                    self.place(&held.place);
                }
                self.nodes(&data.body, inside(data.range));
                data.range
            }
            HostNode::Try(one) => {
                one.handlers.iter().for_each(|handler| {
                    self.require(!in_file || handler.start.is_within(one.range), || {
                        format!("a handler of the `try` at {} begins elsewhere", one.range.start)
                    });
                });
                let around = inside(one.range);
                self.nodes(&one.body, around);
                one.handlers.iter().for_each(|handler| self.nodes(&handler.body, around));
                one.range
            }
            HostNode::Region(region) => {
                let exists =
                    (region.scop as usize) < self.program.scops.len() && self.scops.insert(region.scop);
                self.require(exists, || format!("scop {} does not exist, or stands here twice", region.scop));
                self.touches(&region.touches, false);
                self.touches(&region.original, false);
                region.range
            }
            HostNode::Jump(jump) => {
                jump.value.iter().for_each(|code| self.code(code));
                jump.range
            }
            HostNode::Label { range, .. } => *range,
        }
    }

    fn code(&mut self, code: &HostCode) {
        self.touches(&code.touches, code.runs_others());
        code.elsewhere.iter().for_each(|memory| self.memory(memory));
        self.require(!code.ends || code.unknown.is_some(), || {
            format!("the code at {} ends without unknown code", code.range.start)
        });
        self.require(code.way_out.is_empty() || code.unknown.is_some(), || {
            format!("the code at {} has a way out without unknown code", code.range.start)
        });
        let exist = code.calls.iter().all(|id| id.index() < self.program.host.len());
        self.require(exist, || {
            format!("the code at {} calls procedures that do not exist", code.range.start)
        });
    }

    fn touches(&mut self, touches: &[Touch], have_calls: bool) {
        for touch in touches {
            self.require(have_calls || !touch.before_calls, || {
                format!("the access at {} comes before calls where nothing is called", touch.range.start)
            });
            self.memory(&touch.memory);
            touch.place.iter().for_each(|place| self.place(place));
        }
    }

    fn memory(&mut self, memory: &[MemoryId]) {
        check_memory(self.program, &self.owner, memory, self.report);
    }

    fn place(&mut self, place: &HostPlace) {
        self.require(is_pure(place), || {
            let HostPlace { address, bytes } = place;
            format!("the address `{address}` or its size {bytes:?} is not an expression that clan-rs writes")
        });
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        let owner = &self.owner;
        self.report.require(20, holds, || format!("{owner}: {}", message()));
    }
}

fn is_pure(place: &HostPlace) -> bool {
    c_syntax::is_pure(&place.address) && place.bytes.as_deref().is_none_or(c_syntax::is_pure)
}

/// Checks the plan, and that resident arrays are in its classes.
pub fn check_plan<S: Stage>(program: &Program<S>, report: &mut Report) {
    let none = Vec::new();
    let (classes, actions) =
        program.residency.as_ref().map_or((&none, &[][..]), |plan| (&plan.classes, &plan.actions));
    let mut all = BTreeSet::new();
    for (position, class) in classes.iter().enumerate() {
        report.require(21, class.id.index() == position, || {
            format!("class {position} has the id {}", class.id)
        });
        check_memory(program, &class.id.to_string(), &class.memory, report);
        report.require(21, class.memory.iter().all(|id| all.insert(*id)), || {
            format!("{} has memory that is also in another class", class.id)
        });
    }
    for scop in &program.scops {
        let device = scop.stage.placement().map_or(&[][..], |placement| &placement.device);
        for one in device {
            let Some(id) = one.resident else { continue };
            let memory = scop.model.array(one.array).map_or(&[][..], |array| &array.memory);
            let class = classes.get(id.index());
            let is_in = class.is_some_and(|class| memory.iter().all(|id| class.memory.contains(id)));
            report.require(21, is_in && !memory.is_empty(), || {
                format!(
                    "{} of `{}` is resident in {id}, which does not contain it",
                    one.array, scop.model.name
                )
            });
        }
    }
    for action in actions {
        let within = |range: SourceRange| action.range.is_within(range);
        let inside = program.host.iter().any(|one| one.range.is_some_and(within));
        report.require(21, inside && action.position != Position::Fixed, || {
            format!("the plan has a call at {}, where none can be added", action.range.start)
        });
        let class = match &action.op {
            ActionOp::ReadsClass { class }
            | ActionOp::WritesClass { class }
            | ActionOp::HoldClass { class } => Some(class),
            _ => None,
        };
        report.require(21, class.is_none_or(|id| id.index() < classes.len()), || {
            format!("the plan has a call at {} for a class that does not exist", action.range.start)
        });
        let sound = match &action.op {
            ActionOp::Hold { place, .. }
            | ActionOp::Reads { place }
            | ActionOp::Writes { place }
            | ActionOp::Overwrites { place }
            | ActionOp::Forget { place }
            | ActionOp::Release { place } => is_pure(place) && place.bytes.is_some(),
            ActionOp::Frees { pointer } => c_syntax::is_pure(pointer),
            _ => true,
        };
        report.require(21, sound, || {
            format!(
                "the plan has a call at {} for an address that clan-rs does not write",
                action.range.start
            )
        });
    }
}
