//! Which arrays may stay on the device, and the plan for those that do.

use std::collections::{BTreeMap, BTreeSet};

use scop::{ArrayId, Diagnostic, MemoryId, Placed, Program, Stage};

use crate::residency::calls::Obstacle;
use crate::residency::classes::{Class, RegionArray, id};
use crate::residency::decided::Decided;
use crate::residency::messages;
use crate::residency::runs::{Runner, Times};
use place::wishes::Wishes;

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
        let reuse = |scop: usize, class: Class| {
            if decided.classes.held[class] {
                return Some(Reuse::Held);
            }
            let here = Runner::Scop(scop);
            let scopes = decided.scopes(class).filter_map(|runs| Some((runs, *runs.get(&here)?)));
            let reused = scopes.filter(|(runs, _)| decided.classes.is_reused([*runs], class));
            let times = reused.map(|(_, times)| times).max()?;
            Some(if times == Times::Often { Reuse::BetweenRuns } else { Reuse::BetweenRegions })
        };
        let (mut of_array, mut others) = (BTreeMap::new(), Vec::new());
        for (&(scop, array), &class) in &decided.classes.of_array {
            match reuse(scop, class) {
                Some(reuse) => {
                    of_array.insert((scop, array), reuse);
                }
                None => others.push(((scop, array), class)),
            }
        }
        let found = decided.obstacles(&others.iter().map(|(_, class)| *class).collect());
        let obstacle = |(array, class)| Some((array, found.get(&class)?.clone()));
        let obstacles = others.into_iter().filter_map(obstacle).collect();
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

    /// Returns the arrays that are worth keeping on the device.
    pub fn arrays(self) -> BTreeSet<ArrayId> {
        let own = self.candidates.of_array.keys().filter(|(number, _)| *number == self.number);
        own.map(|(_, array)| *array).collect()
    }

    /// Returns why an array does not stay on the device although several runs of regions use it, if that is known.
    pub fn why_not(self, array: ArrayId) -> Option<String> {
        let Obstacle { range, reason, way_out } = self.candidates.obstacles.get(&(self.number, array))?;
        let line = range.line;
        Some(format!("does not stay on the device between regions, because line {line} {reason}: {way_out}"))
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
    let mut said = messages::messages(program, &decided);
    let plan = decided.plan();
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
        said.push(messages::without_table());
    }
    said
}
