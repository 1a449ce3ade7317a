//! The calls that host code needs before it touches memory that may be on the device.

use std::collections::{BTreeMap, BTreeSet};

use scop::{
    ActionOp, BlockObject, ClassId, Effect, HostAction, HostBlock, HostCode, HostJump, HostLoop, HostNode,
    HostPlace, Jump, Position, SourceRange, Touch,
};

use crate::residency::classes::{Class, Classes, id};
use crate::residency::code::{jumps_out, leaves_well, takes_statements};
use crate::residency::data;
use crate::residency::names::touched;
use crate::residency::runs::{RunTable, Runs};
use crate::residency::work;

/// How memory stays that a block ends where no call can be added.
const OUTSIDE: &str = "declare the memory outside of the block, or allocate it with `malloc`";

/// A place that keeps memory from staying on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// The code.
    pub range: SourceRange,
    /// What it does, in words: `calls the function f, whose body is elsewhere`.
    pub reason: String,
    /// What the user can do about it, as the end of a sentence.
    pub way_out: String,
}

/// The calls for some nodes.
#[derive(Debug, Default)]
pub struct Calls {
    /// The calls, in the order of the nodes.
    pub actions: Vec<HostAction>,
    /// Classes of memory that may be on the device where a node touches it and no call can be added.
    pub unguarded: BTreeMap<Class, Obstacle>,
    /// The reasons for that, and unknown code inside an interval at a place where the interval cannot be left.
    pub obstacles: Vec<Obstacle>,
    /// True if there is such unknown code.
    pub has_unknown: bool,
}

impl Calls {
    fn unguarded(
        &mut self,
        classes: impl IntoIterator<Item = Class>,
        range: SourceRange,
        (reason, way_out): (&str, &str),
    ) {
        let obstacle = Obstacle { range, reason: reason.to_owned(), way_out: way_out.to_owned() };
        let before = self.unguarded.len();
        for class in classes {
            self.unguarded.entry(class).or_insert_with(|| obstacle.clone());
        }
        if self.unguarded.len() > before {
            self.obstacles.push(obstacle);
        }
    }
}

/// What decides which calls are needed.
#[derive(Clone, Copy)]
pub struct Guard<'a> {
    /// The classes of the memory on the device.
    pub classes: &'a Classes,
    /// Which regions host code runs.
    pub runs: &'a RunTable<'a>,
    /// The regions that stay on the host, by the positions of their scops.
    pub on_host: &'a BTreeSet<u32>,
    /// The parts of the text where memory of bounded classes may be on the device.
    pub open: &'a Open,
}

/// Parts of the text where memory of bounded classes may be on the device.
#[derive(Debug, Default)]
pub struct Open {
    parts: Vec<SourceRange>,
    /// Those that are within no other one, in the order of the text: their ends are in the same order.
    outer: Vec<SourceRange>,
}

impl Open {
    pub fn new(parts: Vec<SourceRange>) -> Self {
        let mut sorted = parts.clone();
        sorted.sort_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
        let mut outer: Vec<SourceRange> = Vec::new();
        for part in sorted {
            if outer.last().is_none_or(|last| last.end < part.end) {
                outer.push(part);
            }
        }
        Self { parts, outer }
    }

    fn covers(&self, text: SourceRange) -> bool {
        let before = self.outer.partition_point(|part| part.start <= text.start);
        self.outer[..before].last().is_some_and(|part| text.is_within(*part))
    }
}

impl<'a> Guard<'a> {
    /// Returns the calls for some nodes; `open` if memory of bounded classes may be on the device at all of them.
    pub fn calls(&self, nodes: &'a [HostNode], open: bool) -> Calls {
        let mut calls = Calls::default();
        self.walk(nodes, (open, &BTreeSet::new()), &mut calls);
        calls
    }

    /// Adds the calls for some nodes, without those for the classes in `done`.
    fn walk(&self, nodes: &'a [HostNode], (open, done): (bool, &BTreeSet<Class>), calls: &mut Calls) {
        for node in nodes {
            work::add(1);
            let (range, position) = node.place();
            let open = open || self.open.covers(range);
            match node {
                HostNode::Code(code) => self.code(code, (open, done), calls),
                HostNode::Branch(branch) => self.code(&branch.condition, (open, done), calls),
                HostNode::Loop(one) => {
                    self.of_loop(one, (open, done), calls);
                    continue;
                }
                // What all iterations of a loop touch does not include what regions in it do.
                HostNode::Region(region) if self.on_host.contains(&region.scop) => {
                    let place = (range, region.position_on_host());
                    self.touches((&region.original, &[]), place, (open, &BTreeSet::new()), calls);
                }
                HostNode::Region(region) => {
                    self.touches((&region.touches, &[]), (range, position), (open, &BTreeSet::new()), calls);
                }
                HostNode::Data(data) => calls.actions.extend(data::calls(data, self.classes, self.runs)),
                HostNode::Jump(jump) => {
                    jump.value.iter().for_each(|code| self.code(code, (open, done), calls))
                }
                HostNode::Block(_) | HostNode::Try(_) | HostNode::Label { .. } => {}
            }
            node.parts().into_iter().for_each(|part| self.walk(part, (open, done), calls));
            let HostNode::Block(block) = node else { continue };
            if open {
                self.ends_of_objects(block, None, calls);
            } else if let Some(part) = self.open.parts.iter().find(|part| is_end_of(**part, block)) {
                calls.actions.extend(self.ends_in(*part, block).unwrap_or_default());
            }
        }
    }

    /// Returns the calls before the objects of a block cease to exist if memory of bounded classes may be on the device
    /// in its last part; nothing if some cannot be added, so that their memory has to leave the device at the end of
    /// the part.
    pub fn ends_in(&self, part: SourceRange, block: &'a HostBlock) -> Option<Vec<HostAction>> {
        let mut calls = Calls::default();
        self.ends_of_objects(block, Some(part), &mut calls);
        calls.unguarded.is_empty().then_some(calls.actions)
    }

    fn is_needed(&self, class: Class, open: bool) -> bool {
        open || !self.classes.bounded[class] || self.classes.announced[class]
    }

    fn code(&self, code: &HostCode, (open, done): (bool, &BTreeSet<Class>), calls: &mut Calls) {
        let leaves = code.unknown.is_some() && open;
        let action =
            |after, op| HostAction { range: code.range, position: code.position, after, op, because: None };
        self.touches((&code.touches, &[]), (code.range, code.position), (open, done), calls);
        // Regions that run while the code is evaluated could bring to the device what it touches afterwards.
        let afterwards: Vec<&Touch> = code.touches.iter().filter(|touch| !touch.before_calls).collect();
        let is_mixed = !afterwards.is_empty() && code.runs_others();
        let run = if is_mixed { self.run_by_code(code) } else { BTreeSet::new() };
        for touch in afterwards.into_iter().filter(|_| is_mixed) {
            let mixed = self.classes.touched(touch).into_iter();
            let mixed = mixed.filter(|class| self.is_needed(*class, open) && run.contains(class));
            let what = touched(&self.classes.names, touch);
            match &code.unknown {
                Some(does) if !code.way_out.is_empty() => {
                    let reason = format!("{does}, and may use {what} after that");
                    calls.unguarded(mixed, code.range, (&reason, &code.way_out));
                }
                _ => {
                    let reason =
                        format!("uses {what} and runs a region with the same memory in one expression");
                    calls.unguarded(mixed, code.range, (&reason, "make two statements of it"));
                }
            }
        }
        if leaves && takes_statements(code.position) {
            calls.actions.push(action(false, ActionOp::Leave));
            calls.actions.push(action(true, ActionOp::Back));
        }
        if leaves && !takes_statements(code.position) {
            calls.has_unknown = true;
            let reason = code.unknown.clone().unwrap_or_default();
            let way_out = match code.position {
                Position::Expression => "make it a statement of its own",
                _ if code.way_out.is_empty() => {
                    "move it, or the code that runs regions, into another function, and out of macros"
                }
                _ => &code.way_out,
            };
            calls.obstacles.push(Obstacle { range: code.range, reason, way_out: way_out.to_owned() });
        }
    }

    /// Adds the calls for a loop: before it if possible, for all of its iterations together.
    fn of_loop(&self, one: &'a HostLoop, (open, done): (bool, &BTreeSet<Class>), calls: &mut Calls) {
        let mut inside = done.clone();
        if let Some(start) = &one.start {
            self.code(start, (open, done), calls);
        }
        if takes_statements(one.position) {
            let is_unknown = self.runs.iterations_are_unknown(one);
            let mut run = self.run_by(&self.runs.of_iterations(one), is_unknown);
            // The first part of the header runs after calls before the loop.
            run.extend(one.start.iter().flat_map(|start| self.run_by_code(start)));
            // What is freed in the loop leaves the device there, pointer by pointer.
            let inner = run.union(&self.freed_in(one)).copied().collect();
            let before = |touch: &&Touch| self.classes.touched(touch).is_disjoint(&inner);
            let hoisted: Vec<Touch> = one.touches.iter().filter(before).cloned().collect();
            let touched: BTreeSet<Class> =
                one.touches.iter().flat_map(|touch| self.classes.touched(touch)).collect();
            self.touches((&hoisted, &one.touches), (one.range, one.position), (open, done), calls);
            // A touch of several classes is hoisted only if it is hoisted for all of them.
            let left: BTreeSet<Class> = one
                .touches
                .iter()
                .filter(|touch| !before(touch))
                .flat_map(|touch| self.classes.touched(touch))
                .collect();
            inside.extend(touched.difference(&left));
        }
        for code in one.condition.iter().chain(&one.step) {
            self.code(code, (open, &inside), calls);
        }
        self.walk(&one.body, (open, &inside), calls);
    }

    fn freed_in(&self, one: &HostLoop) -> BTreeSet<Class> {
        let mut freed = BTreeSet::new();
        HostNode::walk(&one.body, &mut |node| {
            work::add(1);
            let touches = node.codes().into_iter().flat_map(|code| &code.touches);
            let frees = touches.filter(|touch| touch.effect == Effect::Frees && touch.place.is_some());
            freed.extend(frees.flat_map(|touch| self.classes.touched(touch)));
        });
        freed
    }

    fn classes_of(&self, runs: &Runs) -> BTreeSet<Class> {
        runs.keys().flat_map(|runner| self.classes.of_runner(*runner)).collect()
    }

    /// Returns the classes of which code brings memory to the device that runs some regions, and perhaps unknown code.
    fn run_by(&self, runs: &Runs, is_unknown: bool) -> BTreeSet<Class> {
        let mut all = self.classes_of(runs);
        if is_unknown {
            all.extend(self.classes.left_by_others());
        }
        all
    }

    fn run_by_code(&self, code: &HostCode) -> BTreeSet<Class> {
        self.run_by(&self.runs.of_code(code), self.runs.is_unknown(code))
    }

    /// Adds the calls for what the code at one place touches; `others` is what it touches with calls elsewhere.
    fn touches(
        &self,
        (touches, others): (&[Touch], &[Touch]),
        (range, position): (SourceRange, Position),
        (open, done): (bool, &BTreeSet<Class>),
        calls: &mut Calls,
    ) {
        let mut found: BTreeMap<(u8, ClassOrPlace), (ActionOp, SourceRange)> = BTreeMap::new();
        let is_needed = |class: &Class| self.is_needed(*class, open) && !done.contains(class);
        // What the code overwrites and reads as well comes back first, if a call says which bytes it reads.
        let is_copied_before = |touch: &Touch| {
            let is_placed = touch.place.as_ref().is_some_and(|place| place.bytes.is_some());
            let is_announced = is_placed && touch.effect != Effect::Frees && touches.contains(touch);
            is_announced && self.classes.touched(touch).iter().any(is_needed)
        };
        for touch in touches {
            work::add(1 + touch.memory.len());
            let classes = self.classes.touched(touch);
            let needed: Vec<Class> = classes.into_iter().filter(is_needed).collect();
            if needed.is_empty() {
                continue;
            }
            if position == Position::Fixed {
                let what = touched(&self.classes.names, touch);
                let reason = format!("uses {what} where no call can be added, as in a macro or a header");
                calls.unguarded(
                    needed,
                    range,
                    (&reason, "use it in a statement of this file, outside of macros"),
                );
                continue;
            }
            let copies_first = touch.effect == Effect::Overwrites
                && touches.iter().chain(others).any(|other| {
                    let is_shared = other.memory.iter().any(|id| touch.memory.contains(id));
                    is_shared && other.effect != Effect::Overwrites && !is_copied_before(other)
                });
            let effect = if copies_first { Effect::Writes } else { touch.effect };
            for (key, op) in ops(&Touch { effect, ..touch.clone() }, &needed) {
                found.entry(key).or_insert((op, touch.range));
            }
        }
        // Writing a place copies it back as well.
        let written: Vec<ClassOrPlace> =
            found.keys().filter(|(rank, _)| matches!(rank, 2 | 3)).map(|(_, what)| what.clone()).collect();
        found.retain(|(rank, what), _| !matches!(rank, 0 | 1) || !written.contains(what));
        let action = |(op, because)| HostAction { range, position, after: false, op, because: Some(because) };
        calls.actions.extend(found.into_values().map(action));
    }

    /// Adds the calls before the objects of a block cease to exist, at the end of the block and at jumps, perhaps only
    /// those `within` a part of it.
    fn ends_of_objects(&self, block: &'a HostBlock, within: Option<SourceRange>, calls: &mut Calls) {
        if block.objects.is_empty() {
            return;
        }
        let run = self.classes_of(&self.runs.of(&block.body));
        for object in &block.objects {
            let Some(class) = self.classes.of(object.memory).filter(|class| run.contains(class)) else {
                continue;
            };
            let is_declared = |jump: &&HostJump| self.classes.is_declared_before(object.memory, jump.range);
            let leads_back = self.leads_back(block, object);
            let exists = |jump: &&HostJump| {
                (is_declared(jump) || leads_back) && within.is_none_or(|part| jump.range.is_within(part))
            };
            for jump in jumps_out(&block.body).into_iter().filter(exists) {
                if !leaves_well(jump) || !is_declared(&jump) {
                    calls.unguarded(
                        [class],
                        jump.range,
                        ("leaves the block of the memory where no call can be added", OUTSIDE),
                    );
                    continue;
                }
                let value = jump.value.as_ref().map(|value| self.run_by_code(value));
                if value.is_some_and(|run| run.contains(&class)) {
                    let reason = "runs a region while it leaves the block of the memory";
                    let way_out = "store the value in a variable, and return that";
                    calls.unguarded([class], jump.range, (reason, way_out));
                    continue;
                }
                let (range, position) = (jump.range, jump.position);
                let before = |op, because| HostAction { range, position, after: false, op, because };
                let place = object.place.clone();
                match read_by_value(jump, object) {
                    Some(read) => {
                        calls.actions.extend(
                            read.into_iter()
                                .map(|(place, range)| before(ActionOp::Reads { place }, Some(range))),
                        );
                        calls.actions.push(before(ActionOp::Forget { place }, None));
                    }
                    None => calls.actions.push(before(ActionOp::Release { place }, None)),
                }
            }
            match block.body.last().map(|last| (last, last.place())) {
                None | Some((HostNode::Jump(_), _)) => {}
                Some((_, (range, position))) if takes_statements(position) => {
                    let op = ActionOp::Forget { place: object.place.clone() };
                    calls.actions.push(HostAction { range, position, after: true, op, because: None });
                }
                Some((_, (range, _))) => {
                    let reason = "is the end of the block of the memory, where no call can be added";
                    calls.unguarded([class], range, (reason, OUTSIDE));
                }
            }
        }
    }
}

impl Guard<'_> {
    /// True if `goto` may lead back in a block to before the declaration of an object of the block. The object then
    /// exists there, but has no name yet.
    fn leads_back(&self, block: &HostBlock, object: &BlockObject) -> bool {
        let is_after = |text: SourceRange| self.classes.is_declared_before(object.memory, text);
        let (mut labels, mut targets) = (BTreeSet::new(), BTreeSet::new());
        HostNode::walk(&block.body, &mut |node| match node {
            HostNode::Label { range, name: Some(name) } if !is_after(*range) => {
                labels.insert(name.as_str());
            }
            HostNode::Jump(HostJump { jump: Jump::Goto, label, range, .. }) if is_after(*range) => {
                targets.insert(label.as_deref());
            }
            _ => {}
        });
        !labels.is_empty() && targets.iter().any(|target| target.is_none_or(|label| labels.contains(label)))
    }
}

/// True if some statements of a block are its last ones.
pub fn is_end_of(part: SourceRange, block: &HostBlock) -> bool {
    let last = block.body.last().map(|last| last.place().0);
    last.is_some_and(|last| last.end == part.end && last.is_within(part) && part.is_within(block.range))
}

/// Returns the places in an object that the value of a jump reads, if that is all that is done with the object before
/// it ends; nothing if other code may run, or if it is not known what is read.
fn read_by_value(jump: &HostJump, object: &BlockObject) -> Option<Vec<(HostPlace, SourceRange)>> {
    let Some(value) = &jump.value else { return Some(Vec::new()) };
    if value.runs_others() {
        return None;
    }
    let touches = value.touches.iter().filter(|touch| touch.memory.contains(&object.memory));
    let read = touches.map(|touch| {
        let place =
            touch.place.as_ref().filter(|place| touch.effect == Effect::Reads && place.bytes.is_some());
        place.map(|place| (place.clone(), touch.range))
    });
    read.collect()
}

/// What a call is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ClassOrPlace {
    Class(Class),
    Place(HostPlace),
}

/// Returns the calls for a touch of some classes, each with its place in the order of all calls at one place: what is
/// read is copied back before the host has newer values.
fn ops(touch: &Touch, classes: &[Class]) -> Vec<((u8, ClassOrPlace), ActionOp)> {
    let known = touch.place.as_ref().filter(|place| place.bytes.is_some());
    let of_place = |rank: u8, place: &HostPlace, op: fn(HostPlace) -> ActionOp| {
        vec![((rank, ClassOrPlace::Place(place.clone())), op(place.clone()))]
    };
    let of_classes = |rank: u8, op: &dyn Fn(ClassId) -> ActionOp| {
        let one = |class: &Class| ((rank, ClassOrPlace::Class(*class)), op(id(*class)));
        classes.iter().map(one).collect()
    };
    match (touch.effect, known) {
        (Effect::Reads, Some(place)) => of_place(0, place, |place| ActionOp::Reads { place }),
        (Effect::Writes, Some(place)) => of_place(2, place, |place| ActionOp::Writes { place }),
        (Effect::Overwrites, Some(place)) => of_place(4, place, |place| ActionOp::Overwrites { place }),
        (Effect::Reads, None) => of_classes(1, &|class| ActionOp::ReadsClass { class }),
        (Effect::Writes | Effect::Overwrites, None) => {
            of_classes(3, &|class| ActionOp::WritesClass { class })
        }
        (Effect::Frees, Some(place)) => of_place(5, place, |place| ActionOp::Forget { place }),
        (Effect::Frees, None) => match &touch.place {
            Some(place) => {
                let pointer = place.address.clone();
                vec![((5, ClassOrPlace::Place(place.clone())), ActionOp::Frees { pointer })]
            }
            // What is freed is not known: nothing on the device counts any more.
            None => of_classes(3, &|class| ActionOp::WritesClass { class }),
        },
    }
}
