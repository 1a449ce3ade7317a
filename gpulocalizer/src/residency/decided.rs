//! What is decided about some arrays: their classes, and during which host code their memory stays on the device.

use std::collections::{BTreeMap, BTreeSet};

use scop::{
    ActionOp, HostAction, HostNode, MemoryClass, MemoryId, Procedure, ProcedureId, Program, ResidencyPlan,
    Stage,
};

use crate::residency::calls::{Guard, Obstacle, Open};
use crate::residency::classes::{Class, Classes, RegionArray, id};
use crate::residency::code::add_called;
use crate::residency::data;
use crate::residency::exceptions;
use crate::residency::intervals::{self, Interval, called_by_others};
use crate::residency::runs::{RunTable, Runner, Runs, then};

/// What is decided about some arrays.
pub struct Decided<'p> {
    procedures: &'p [Procedure],
    /// The classes of memory.
    pub classes: Classes,
    /// Which regions host code runs.
    pub runs: RunTable<'p>,
    likely: RunTable<'p>,
    /// The regions that stay on the host.
    on_host: BTreeSet<u32>,
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

impl<'p> Decided<'p> {
    pub fn new<S: Stage>(
        program: &'p Program<S>,
        arrays: &BTreeMap<RegionArray, &[MemoryId]>,
        has_callers: bool,
    ) -> Self {
        let procedures = &program.host;
        let numbered = program.scops.iter().zip(0..);
        let on_host: BTreeSet<u32> =
            numbered.filter(|(one, _)| one.stage.stays_on_host()).map(|(_, number)| number).collect();
        let runs = RunTable::new(procedures);
        let mut classes = Classes::new(&program.memory, arrays, &elsewhere(procedures), has_callers);
        data::announce(procedures, &mut classes, &runs);
        let nowhere = Open::default();
        // Memory that some code touches without a call can stay on the device only where that code does not run.
        let guard = Guard { classes: &classes, runs: &runs, on_host: &on_host, open: &nowhere };
        let mut unguarded = BTreeMap::new();
        for (class, obstacle) in procedures.iter().flat_map(|one| guard.calls(&one.body, false).unguarded) {
            unguarded.entry(class).or_insert(obstacle);
        }
        unguarded.keys().for_each(|class| classes.bounded[*class] = true);
        let unannounced: BTreeMap<Class, Obstacle> =
            unguarded.into_iter().filter(|(class, _)| classes.foreign[*class]).collect();
        unannounced.keys().for_each(|class| classes.announced[*class] = false);
        let likely = RunTable::likely(procedures);
        let guard = Guard { classes: &classes, runs: &runs, on_host: &on_host, open: &nowhere };
        let intervals = intervals::find(procedures, guard, &likely);
        let mut all = likely.elsewhere.clone();
        for main in procedures.iter().filter(|one| one.name == "main") {
            then(&mut all, &likely.of(&main.body));
        }
        let open = if has_callers { called_by_others(procedures) } else { BTreeSet::new() };
        let of_callers = procedures.iter().filter(|one| open.contains(&one.id));
        let unguarded = of_callers.flat_map(|one| guard.calls(&one.body, true).unguarded.into_keys());
        let unguarded = unguarded.filter(|class| !classes.foreign[*class]).collect();
        Self { procedures, classes, runs, likely, on_host, intervals, all, unannounced, open, unguarded }
    }

    /// Returns what keeps memory of some classes from staying on the device although several runs of regions use it.
    pub fn obstacles(&self, classes: &BTreeSet<Class>) -> BTreeMap<Class, Obstacle> {
        let nowhere = Open::default();
        let reused = self.classes.reused(&self.all).intersection(classes).copied().collect();
        let guard =
            Guard { classes: &self.classes, runs: &self.runs, on_host: &self.on_host, open: &nowhere };
        intervals::obstacles(self.procedures, guard, &self.likely, &reused)
    }

    /// Returns what runs while memory of a class can stay on the device.
    pub fn scopes(&self, class: Class) -> impl Iterator<Item = &Runs> {
        let is_bounded = self.classes.bounded[class];
        let whole = (!is_bounded).then_some(&self.all);
        let of_callers = self.classes.foreign[class].then_some(&self.likely.elsewhere);
        let intervals = self.intervals.iter().filter(move |_| is_bounded).map(|one| &one.runs);
        let can_stay = !self.unguarded.contains(&class);
        whole.into_iter().chain(of_callers).chain(intervals).filter(move |_| can_stay)
    }

    pub fn plan(&self) -> ResidencyPlan {
        let class = |(class, memory): (usize, &Vec<MemoryId>)| MemoryClass {
            id: id(class),
            memory: memory.clone(),
            bounded: self.classes.bounded[class],
            foreign: self.classes.foreign[class],
            announced: self.classes.announced[class],
        };
        let open = Open::new(self.intervals.iter().map(|interval| interval.range).collect());
        let mut called = self.open.clone();
        let directly = self.intervals.iter().flat_map(|one| one.called.iter().copied()).collect();
        add_called(self.procedures, directly, &mut called);
        let guard = Guard { classes: &self.classes, runs: &self.runs, on_host: &self.on_host, open: &open };
        let mut actions: Vec<HostAction> =
            self.intervals.iter().flat_map(|interval| interval.actions.iter().cloned()).collect();
        for procedure in self.procedures {
            actions.extend(guard.calls(&procedure.body, called.contains(&procedure.id)).actions);
        }
        if !self.intervals.is_empty() || !called.is_empty() {
            actions.extend(exceptions::restoring(self.procedures, &self.runs));
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
