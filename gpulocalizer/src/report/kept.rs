//! Whether anything of a class is still on the device when a region runs: unknown code, or host code that may write all
//! of it, may run between any two regions that use it.
//!
//! One fact is followed through the host code, for one class at a time: whether memory of the class may be on the
//! device. Jumps may lead to the end of each loop around them and to each label, so the answer errs only in one
//! direction: memory may seem to be kept that is not. What functions do that an expression calls happens only if the
//! calls are evaluated, as in `c && f()`; so the question is answered for both cases.

use std::collections::{BTreeMap, BTreeSet};

use scop::{
    ActionOp, ClassId, HostAction, HostCode, HostNode, MemoryClass, Placed, Procedure, ProcedureId, Program,
    ResidencyPlan, SourceRange,
};

/// What keeps a class from being on the device when any region runs that uses it.
#[derive(Debug, PartialEq, Eq)]
pub struct Removed {
    /// The lines.
    pub lines: Vec<u32>,
    /// False if that is so only if all calls in expressions are evaluated.
    pub always: bool,
}

/// Returns what keeps a class from being on the device when any region runs that uses it; nothing if it may be there
/// for one of them.
pub fn never_kept(program: &Program<Placed>, plan: &ResidencyPlan, class: &MemoryClass) -> Option<Removed> {
    let holds = |action: &HostAction| {
        matches!(action.op, ActionOp::BeginData | ActionOp::Hold { .. } | ActionOp::HoldClass { .. })
    };
    if class.announced || plan.actions.iter().any(holds) {
        return None;
    }
    let mut actions: BTreeMap<(u32, u32), Vec<&HostAction>> = BTreeMap::new();
    for action in &plan.actions {
        actions.entry((action.range.start, action.range.end)).or_default().push(action);
    }
    let removed = |calls_are_certain| {
        let mut search = Search {
            program,
            class,
            actions: &actions,
            calls_are_certain,
            returned: vec![[false, false]; program.host.len()],
            entered: program.host.iter().map(|one| !class.bounded && is_called_by_others(one)).collect(),
            removed_in: BTreeSet::new(),
            runs: false,
            is_kept: false,
        };
        search.solve();
        (search.runs && !search.is_kept && !search.removed_in.is_empty()).then_some(search.removed_in)
    };
    let lines = removed(true)?.into_iter().collect();
    Some(Removed { lines, always: removed(false).is_some() })
}

fn is_called_by_others(procedure: &Procedure) -> bool {
    procedure.called_from_elsewhere && procedure.name != "main"
}

struct Search<'a> {
    program: &'a Program<Placed>,
    class: &'a MemoryClass,
    /// The calls of the plan at each place.
    actions: &'a BTreeMap<(u32, u32), Vec<&'a HostAction>>,
    /// True if all calls in an expression are evaluated.
    calls_are_certain: bool,
    /// For each procedure: whether memory may be on the device when it returns, if it was not or was when it was called.
    returned: Vec<[bool; 2]>,
    /// For each procedure: whether memory may be on the device when it is called.
    entered: Vec<bool>,
    /// The lines in which memory leaves the device.
    removed_in: BTreeSet<u32>,
    /// True if a region uses the class.
    runs: bool,
    /// True if memory may be on the device when a region runs.
    is_kept: bool,
}

impl<'a> Search<'a> {
    /// Follows all procedures until nothing new is found. Each round but the last one changes one of three facts of a
    /// procedure.
    fn solve(&mut self) {
        let program = self.program;
        loop {
            let before = (self.returned.clone(), self.entered.clone());
            for (number, procedure) in program.host.iter().enumerate() {
                for entered in [false, true] {
                    let end = self.body(procedure, entered);
                    if let Some(returned) = self.returned.get_mut(number) {
                        returned[usize::from(entered)] |= end;
                    }
                }
            }
            for (number, procedure) in program.host.iter().enumerate() {
                let entered = self.entered.get(number).copied().unwrap_or(false);
                Walk { search: self, jumped: false, notes: true }.nodes(&procedure.body, entered);
            }
            if before == (self.returned.clone(), self.entered.clone()) {
                return;
            }
        }
    }

    fn body(&mut self, procedure: &'a Procedure, entered: bool) -> bool {
        let mut walk = Walk { search: self, jumped: false, notes: false };
        let end = walk.nodes(&procedure.body, entered);
        end || walk.jumped
    }

    fn uses_class(&self, scop: u32) -> bool {
        let scop = self.program.scops.get(scop as usize);
        scop.is_some_and(|scop| {
            let device = &scop.stage.placement.device;
            device.iter().any(|array| array.resident == Some(self.class.id))
        })
    }

    /// True for a call after which nothing of the class is on the device that regions need not copy there again.
    fn removes(&self, op: &ActionOp) -> bool {
        let is_it = |class: &ClassId| *class == self.class.id;
        match op {
            ActionOp::Leave => self.class.bounded,
            ActionOp::WritesClass { class } => is_it(class),
            _ => false,
        }
    }
}

/// A walk through a procedure.
struct Walk<'s, 'a> {
    search: &'s mut Search<'a>,
    /// Whether memory may be on the device at a jump.
    jumped: bool,
    /// True to note what is found.
    notes: bool,
}

impl<'a> Walk<'_, 'a> {
    fn nodes(&mut self, nodes: &'a [HostNode], state: bool) -> bool {
        nodes.iter().fold(state, |state, node| self.node(node, state))
    }

    fn node(&mut self, node: &'a HostNode, state: bool) -> bool {
        let (range, _) = node.place();
        match node {
            HostNode::Code(code) => self.code(code, state),
            HostNode::Block(block) => self.nodes(&block.body, state),
            HostNode::Data(data) => self.nodes(&data.body, state),
            HostNode::Try(one) => {
                let end = self.nodes(&one.body, state);
                let thrown = state || end;
                one.handlers.iter().fold(end, |any, handler| self.nodes(&handler.body, thrown) || any)
            }
            HostNode::Label { .. } => state || self.jumped,
            HostNode::Jump(jump) => {
                let state = jump.value.iter().fold(state, |state, code| self.code(code, state));
                self.jumped |= state;
                false
            }
            HostNode::Branch(branch) => {
                let state = self.before(range, state);
                let state = self.code(&branch.condition, state);
                let is_complete = branch.arms.len() > 1 && !branch.switch;
                let mut arms = false;
                branch.arms.iter().for_each(|arm| arms |= self.nodes(arm, state));
                arms || state && !is_complete || branch.switch && self.jumped
            }
            HostNode::Loop(one) => {
                let state = self.before(range, state);
                let start = one.start.iter().fold(state, |state, code| self.code(code, state));
                let mut again = start;
                loop {
                    let state = one.condition.iter().fold(again, |state, code| self.code(code, state));
                    let state = self.nodes(&one.body, state) || self.jumped;
                    let state = one.step.iter().fold(state, |state, code| self.code(code, state));
                    if !state || again {
                        return state || again || start || self.jumped;
                    }
                    again = true;
                }
            }
            HostNode::Region(region) => {
                let state = self.before(range, state);
                if !self.search.uses_class(region.scop) {
                    return state;
                }
                if self.notes {
                    self.search.runs = true;
                    self.search.is_kept |= state;
                }
                true
            }
        }
    }

    fn before(&mut self, range: SourceRange, state: bool) -> bool {
        let actions = self.search.actions.get(&(range.start, range.end));
        let removes = actions
            .is_some_and(|all| all.iter().any(|action| !action.after && self.search.removes(&action.op)));
        if removes && state && self.notes {
            self.search.removed_in.insert(range.line);
        }
        state && !removes
    }

    fn code(&mut self, code: &'a HostCode, state: bool) -> bool {
        let is_left = code.unknown.is_some() && self.search.class.bounded;
        let state = self.before(code.range, state);
        let after = self.calls(&code.calls, state);
        let runs_elsewhere =
            code.elsewhere.iter().flatten().any(|memory| self.search.class.memory.contains(memory));
        let after = after || runs_elsewhere;
        if is_left && after && self.notes {
            self.search.removed_in.insert(code.range.line);
        }
        after && !is_left
    }

    /// The functions that an expression calls run in any order.
    fn calls(&mut self, calls: &[ProcedureId], state: bool) -> bool {
        let returned = |search: &Search<'_>, id: &ProcedureId, entered: bool| {
            search.returned.get(id.index()).is_none_or(|returned| returned[usize::from(entered)])
        };
        let any_brings = calls.iter().any(|id| returned(self.search, id, false));
        for id in calls.iter().filter(|_| self.notes) {
            if let Some(entered) = self.search.entered.get_mut(id.index()) {
                *entered |= state || any_brings && calls.len() > 1;
            }
        }
        let all_keep = || calls.iter().all(|id| returned(self.search, id, true));
        any_brings || state && (!self.search.calls_are_certain || all_keep())
    }
}
