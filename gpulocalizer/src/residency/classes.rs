//! Memory that arrays of regions share.

use std::collections::{BTreeMap, BTreeSet};

use scop::{ArrayId, ClassId, MemoryId, MemoryLifetime, MemoryObject, SourceRange, Touch};

use crate::residency::names::names;
use crate::residency::runs::{Runner, Runs, Times};

/// An array of a region: the position of the scop, and the array.
pub type RegionArray = (usize, ArrayId);

/// The position of a class.
pub type Class = usize;

/// The classes of some arrays: the arrays of two regions are in one class if they may be the same memory.
pub struct Classes {
    /// The objects of each class, in order.
    pub memory: Vec<Vec<MemoryId>>,
    /// True for classes with memory that unknown code may touch or that may cease to exist with its block.
    pub bounded: Vec<bool>,
    /// True for classes with memory that other files may put on the device, or that code may hold there.
    pub foreign: Vec<bool>,
    /// True for classes with memory that code of this file holds on the device.
    pub held: Vec<bool>,
    /// True for classes of foreign memory if all code of the file calls the table before it touches the memory, so that
    /// it can be held on the device outside of intervals, too.
    pub announced: Vec<bool>,
    /// The class of each array.
    pub of_array: BTreeMap<RegionArray, Class>,
    of_memory: BTreeMap<MemoryId, Class>,
    of_runner: BTreeMap<Runner, BTreeSet<Class>>,
    declared: BTreeMap<MemoryId, SourceRange>,
    /// The names of all objects, for people.
    pub names: Vec<String>,
}

impl Classes {
    /// Puts arrays into classes; an array whose memory is not known is in none. `elsewhere` is the memory of arrays of
    /// other files, with the code during which their regions run: it stays on the device only in intervals. Memory that
    /// is held on the device is in a class even if no array may be it. If the file `has_callers`, other files may put
    /// exposed memory on the device.
    pub fn new(
        objects: &[MemoryObject],
        arrays: &BTreeMap<RegionArray, &[MemoryId]>,
        elsewhere: &[(Runner, &[MemoryId])],
        has_callers: bool,
    ) -> Self {
        let all: Vec<&[MemoryId]> =
            arrays.values().copied().chain(elsewhere.iter().map(|(_, memory)| *memory)).collect();
        let mut parent: Vec<usize> = (0..objects.len()).collect();
        let known =
            |memory: &&[MemoryId]| !memory.is_empty() && memory.iter().all(|id| id.index() < objects.len());
        for memory in all.iter().filter(|memory| known(memory)) {
            for id in *memory {
                let (one, other) = (root(&mut parent, memory[0].index()), root(&mut parent, id.index()));
                parent[one.max(other)] = one.min(other);
            }
        }
        let held = objects.iter().filter(|object| object.held).map(|object| object.id);
        let used: BTreeSet<MemoryId> =
            all.iter().flat_map(|memory| memory.iter().copied()).chain(held).collect();
        let mut classes = Self {
            memory: Vec::new(),
            bounded: Vec::new(),
            foreign: Vec::new(),
            held: Vec::new(),
            announced: Vec::new(),
            of_array: BTreeMap::new(),
            of_memory: BTreeMap::new(),
            of_runner: BTreeMap::new(),
            declared: BTreeMap::new(),
            names: names(objects),
        };
        let mut of_root = BTreeMap::new();
        for id in used.into_iter().filter(|id| id.index() < objects.len()) {
            let class = *of_root.entry(root(&mut parent, id.index())).or_insert_with(|| {
                classes.memory.push(Vec::new());
                classes.bounded.push(false);
                classes.foreign.push(false);
                classes.held.push(false);
                classes.memory.len() - 1
            });
            let object = &objects[id.index()];
            let ends = matches!(object.lifetime, MemoryLifetime::Block | MemoryLifetime::Unknown);
            classes.memory[class].push(id);
            classes.declared.extend(object.made_at.map(|place| (id, place)));
            classes.bounded[class] |= ends || object.exposed;
            classes.foreign[class] |= has_callers && object.exposed;
            classes.held[class] |= object.held;
            classes.of_memory.insert(id, class);
        }
        for (array, memory) in arrays.iter().filter(|(_, memory)| known(memory)) {
            let Some(class) = memory.first().and_then(|id| classes.of(*id)) else { continue };
            classes.of_array.insert(*array, class);
            classes.of_runner.entry(Runner::Scop(array.0)).or_default().insert(class);
        }
        for (runner, memory) in elsewhere {
            let used: BTreeSet<Class> = memory.iter().filter_map(|id| classes.of(*id)).collect();
            for &class in &used {
                classes.bounded[class] = true;
                classes.foreign[class] = true;
            }
            classes.of_runner.entry(*runner).or_default().extend(used);
        }
        classes
    }

    /// Returns the class of an object.
    pub fn of(&self, memory: MemoryId) -> Option<Class> {
        self.of_memory.get(&memory).copied()
    }

    /// True if an object of a block exists where some text begins.
    pub fn is_declared_before(&self, memory: MemoryId, text: SourceRange) -> bool {
        self.declared.get(&memory).is_none_or(|place| place.start < text.start)
    }

    /// Returns the classes that an access may touch.
    pub fn touched(&self, touch: &Touch) -> BTreeSet<Class> {
        touch.memory.iter().filter_map(|id| self.of(*id)).collect()
    }

    /// Returns the classes of memory that unknown code may bring to the device by regions of other files, and that
    /// remains there.
    pub fn left_by_others(&self) -> BTreeSet<Class> {
        (0..self.memory.len()).filter(|class| self.bounded[*class] && self.foreign[*class]).collect()
    }

    /// Returns the classes of the memory that some code uses on the device.
    pub fn of_runner(&self, runner: Runner) -> impl Iterator<Item = Class> {
        self.of_runner.get(&runner).into_iter().flatten().copied()
    }

    /// Returns the classes of which more than one run of a region would use memory on the device.
    pub fn reused(&self, runs: &Runs) -> BTreeSet<Class> {
        let used = runs.keys().flat_map(|runner| self.of_runner(*runner)).collect::<BTreeSet<_>>();
        used.into_iter().filter(|class| self.is_reused([runs], *class)).collect()
    }

    /// True if more than one of some runs, one after the other, would use memory of a class on the device.
    pub fn is_reused<'r>(&self, runs: impl IntoIterator<Item = &'r Runs>, class: Class) -> bool {
        let uses = |runner: &Runner| self.of_runner.get(runner).is_some_and(|all| all.contains(&class));
        let users = runs.into_iter().flatten().filter(|(runner, _)| uses(runner));
        users.map(|(_, times)| if *times == Times::Often { 2 } else { 1 }).sum::<u32>() > 1
    }
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// Returns the id of a class in the plan.
pub fn id(class: Class) -> ClassId {
    ClassId(u32::try_from(class).unwrap_or(u32::MAX))
}
