//! Which arrays may stay on the device, and the plan for those that do.

use std::collections::{BTreeMap, BTreeSet};

use scop::{
    ActionOp, ArrayId, Diagnostic, HostAction, HostNode, MemoryClass, MemoryId, Placed, Procedure,
    ProcedureId, Program, ResidencyPlan, Stage,
};

use crate::residency::calls::{Guard, Obstacle, id};
use crate::residency::classes::{Class, Classes, RegionArray};
use crate::residency::data;
use crate::residency::intervals::{self, Interval, called_by_others, reused};
use crate::residency::runs::{RunTable, Runner, Runs, Times, then};
use crate::wishes::Wishes;

/// Why an array is worth keeping on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// As long as code holds it on the device.
    Held,
    /// From one run of its region to the next.
    BetweenRuns,
    /// From one region to the next.
    BetweenRegions,
}

/// The arrays that may stay on the device.
#[derive(Debug, Default)]
pub struct Candidates {
    of_array: BTreeMap<RegionArray, Reuse>,
    /// What keeps other arrays from staying there, although several runs of regions use them.
    pub obstacles: BTreeMap<RegionArray, Obstacle>,
}

impl Candidates {
    /// Finds the arrays of a program that may stay on the device and that several runs of regions would use there. If
    /// the file `has_callers`, some of these runs may be in other files.
    pub fn of<S: Stage>(program: &Program<S>, has_callers: bool) -> Self {
        let arrays = program.scops.iter().enumerate().flat_map(|(scop, one)| {
            one.model.arrays.iter().map(move |array| ((scop, array.id), array.memory.as_slice()))
        });
        let arrays = arrays.filter(|(_, memory)| !memory.is_empty()).collect();
        let decided = Decided::new(program, &arrays, has_callers);
        let (mut of_array, mut obstacles) = (BTreeMap::new(), BTreeMap::new());
        for ((scop, array), class) in &decided.classes.of_array {
            if decided.classes.held[*class] {
                of_array.insert((*scop, *array), Reuse::Held);
                continue;
            }
            let here = Runner::Scop(*scop);
            let found = decided.scopes(*class).filter(|runs| runs.contains_key(&here)).filter_map(|runs| {
                let is_reused = reused(runs, &decided.classes).contains(class);
                is_reused.then(|| runs.get(&Runner::Scop(*scop)).copied().unwrap_or(Times::Once))
            });
            if let Some(times) = found.max() {
                let reuse = if times == Times::Often { Reuse::BetweenRuns } else { Reuse::BetweenRegions };
                of_array.insert((*scop, *array), reuse);
            } else if let Some(obstacle) = decided.obstacle(&program.host, *class) {
                obstacles.insert((*scop, *array), obstacle);
            }
        }
        Self { of_array, obstacles }
    }
}

impl Candidates {
    /// Removes the arrays that must not stay on the device.
    pub fn forbid<S: Stage>(&mut self, program: &Program<S>, wishes: &[scop::Wish]) {
        for (number, one) in program.scops.iter().enumerate() {
            let wishes = Wishes::new(&one.model, wishes);
            for array in one.model.arrays.iter().filter(|array| wishes.forbids_residency(array)) {
                self.of_array.remove(&(number, array.id));
                self.obstacles.remove(&(number, array.id));
            }
        }
    }
}

/// The candidates of one scop.
#[derive(Debug, Clone, Copy)]
pub struct OfScop<'a> {
    /// Those of all scops.
    pub candidates: &'a Candidates,
    /// The position of the scop.
    pub number: usize,
}

impl OfScop<'_> {
    /// Returns why an array is worth keeping on the device; nothing if it is not, or cannot be kept.
    pub fn reuse(self, array: ArrayId) -> Option<Reuse> {
        self.candidates.of_array.get(&(self.number, array)).copied()
    }

    /// Returns why an array does not stay on the device although several runs of regions use it, if that is known.
    pub fn why_not(self, array: ArrayId) -> Option<String> {
        let Obstacle { range, reason } = self.candidates.obstacles.get(&(self.number, array))?;
        Some(format!("does not stay on the device between regions, because line {} {reason}", range.line))
    }
}

/// *Rewrite:* placed regions → the same with the classes of their resident arrays, and with the plan. If the file
/// `has_callers`, all memory of its regions that other files may put on the device is in the plan. Returns messages about
/// memory that cannot be held on the device.
pub fn complete(program: &mut Program<Placed>, has_callers: bool) -> Vec<Diagnostic> {
    let resident = |scop: usize, one: &scop::Scop<Placed>| -> Vec<RegionArray> {
        let device = one.stage.placement.device.iter().filter(|device| device.resident.is_some());
        device.map(|device| (scop, device.array)).collect()
    };
    let resident: BTreeSet<RegionArray> =
        program.scops.iter().enumerate().flat_map(|(scop, one)| resident(scop, one)).collect();
    let memory_of = |(scop, array): RegionArray| -> &[MemoryId] {
        let model = program.scops.get(scop).map(|one| &one.model);
        model.and_then(|model| model.array(array).ok()).map_or(&[][..], |array| &array.memory)
    };
    let is_foreign = |memory: &[MemoryId]| {
        let is_foreign = |object: &scop::MemoryObject| has_callers && object.exposed || object.held;
        memory.iter().any(|id| program.memory.get(id.index()).is_some_and(is_foreign))
    };
    let all = program
        .scops
        .iter()
        .enumerate()
        .flat_map(|(scop, one)| one.model.arrays.iter().map(move |array| (scop, array.id)));
    let in_plan = all.filter(|array| resident.contains(array) || is_foreign(memory_of(*array)));
    let arrays = in_plan.map(|array| (array, memory_of(array))).collect();
    let decided = Decided::new(program, &arrays, has_callers);
    let mut said = data::messages(program, &decided);
    let plan = decided.plan(&program.host);
    let of_array = decided.classes.of_array;
    for (scop, one) in program.scops.iter_mut().enumerate() {
        for device in &mut one.stage.placement.device {
            let class = of_array.get(&(scop, device.array));
            device.resident = device.resident.and(class.map(|class| id(*class)));
        }
    }
    // Without regions and without calls, nothing is left to say.
    let is_idle = plan.classes.is_empty() || program.scops.is_empty() && plan.actions.is_empty();
    program.residency = (!is_idle).then_some(plan);
    if has_callers && program.residency.is_none() && !program.scops.is_empty() {
        said.push(data::without_table());
    }
    said
}

/// Returns the memory of the arrays of other files whose regions run during a piece of host code.
fn elsewhere(procedures: &[Procedure]) -> Vec<(Runner, &[MemoryId])> {
    let mut found = Vec::new();
    for procedure in procedures {
        HostNode::walk(&procedure.body, &mut |node| {
            for code in node.codes() {
                let memory = code.elsewhere.iter();
                found.extend(memory.map(|memory| (Runner::elsewhere(code), memory.as_slice())));
            }
        });
    }
    found
}

/// What is decided about some arrays.
pub struct Decided {
    /// The classes of memory.
    pub classes: Classes,
    /// Which regions host code runs.
    pub runs: RunTable,
    likely: RunTable,
    intervals: Vec<Interval>,
    /// What the whole program runs.
    all: Runs,
    /// What keeps foreign memory from being held on the device.
    pub unannounced: BTreeMap<Class, Obstacle>,
    /// The procedures that may run while an interval of another file is open.
    open: BTreeSet<ProcedureId>,
    /// The classes of memory of this file that would be touched without a call in these procedures.
    unguarded: BTreeSet<Class>,
}

impl Decided {
    pub fn new<S>(
        program: &Program<S>,
        arrays: &BTreeMap<RegionArray, &[MemoryId]>,
        has_callers: bool,
    ) -> Self {
        let procedures = &program.host;
        let runs = RunTable::new(procedures);
        let mut classes = Classes::new(&program.memory, arrays, &elsewhere(procedures), has_callers);
        data::announce(procedures, &mut classes, &runs);
        // Memory that some code touches without a call can stay on the device only where that code does not run.
        let guard = Guard { classes: &classes, runs: &runs, open: &[] };
        let mut unguarded = BTreeMap::new();
        for (class, obstacle) in procedures.iter().flat_map(|one| guard.calls(&one.body, false).unguarded) {
            unguarded.entry(class).or_insert(obstacle);
        }
        unguarded.keys().for_each(|class| classes.bounded[*class] = true);
        let unannounced: BTreeMap<Class, Obstacle> =
            unguarded.into_iter().filter(|(class, _)| classes.foreign[*class]).collect();
        unannounced.keys().for_each(|class| classes.announced[*class] = false);
        let likely = RunTable::likely(procedures);
        let guard = Guard { classes: &classes, runs: &runs, open: &[] };
        let intervals = intervals::find(procedures, guard, &likely);
        let mut all = likely.elsewhere.clone();
        for main in procedures.iter().filter(|one| one.name == "main") {
            then(&mut all, likely.of(&main.body));
        }
        let open = if has_callers { called_by_others(procedures) } else { BTreeSet::new() };
        let of_callers = procedures.iter().filter(|one| open.contains(&one.id));
        let unguarded = of_callers.flat_map(|one| guard.calls(&one.body, true).unguarded.into_keys());
        let unguarded = unguarded.filter(|class| !classes.foreign[*class]).collect();
        Self { classes, runs, likely, intervals, all, unannounced, open, unguarded }
    }

    /// Returns what keeps memory of a class from staying on the device although several runs of regions use it.
    fn obstacle(&self, procedures: &[Procedure], class: Class) -> Option<Obstacle> {
        let is_reused = reused(&self.all, &self.classes).contains(&class);
        let guard = Guard { classes: &self.classes, runs: &self.runs, open: &[] };
        is_reused.then(|| intervals::obstacle(procedures, guard, &self.likely, class)).flatten()
    }

    /// Returns what runs while memory of a class can stay on the device.
    fn scopes(&self, class: Class) -> impl Iterator<Item = &Runs> {
        let is_bounded = self.classes.bounded[class];
        let whole = (!is_bounded).then_some(&self.all);
        let of_callers = self.classes.foreign[class].then_some(&self.likely.elsewhere);
        let intervals = self.intervals.iter().filter(move |_| is_bounded).map(|one| &one.runs);
        let can_stay = !self.unguarded.contains(&class);
        whole.into_iter().chain(of_callers).chain(intervals).filter(move |_| can_stay)
    }

    pub fn plan(&self, procedures: &[Procedure]) -> ResidencyPlan {
        let class = |(class, memory): (usize, &Vec<MemoryId>)| MemoryClass {
            id: id(class),
            memory: memory.clone(),
            bounded: self.classes.bounded[class],
            foreign: self.classes.foreign[class],
            announced: self.classes.announced[class],
        };
        let open: Vec<_> = self.intervals.iter().map(|interval| interval.range).collect();
        let called = self.intervals.iter().flat_map(|one| one.called.iter().copied());
        let called: BTreeSet<_> = called.chain(self.open.iter().copied()).collect();
        let guard = Guard { classes: &self.classes, runs: &self.runs, open: &open };
        let mut actions: Vec<HostAction> =
            self.intervals.iter().flat_map(|interval| interval.actions.iter().cloned()).collect();
        for procedure in procedures {
            actions.extend(guard.calls(&procedure.body, called.contains(&procedure.id)).actions);
        }
        actions.sort_by_key(order);
        let classes = self.classes.memory.iter().enumerate().map(class).collect();
        ResidencyPlan { classes, actions }
    }
}

/// Returns the place of an action in the order of the text, and of execution at one place. Values are copied back
/// before an interval begins or ends for which nothing else needs them.
fn order(action: &HostAction) -> (u32, bool, u8, u32) {
    let rank = match (&action.op, action.after) {
        (ActionOp::Begin | ActionOp::Back, _) => 0,
        (ActionOp::End | ActionOp::Leave | ActionOp::EndData, _) => 2,
        _ => 1,
    };
    let range = action.range;
    match action.after {
        true => (range.end, false, rank, u32::MAX - range.start),
        false => (range.start, true, rank, u32::MAX - range.end),
    }
}
