//! Checks that no transfer overwrites a newer value with an older one.
//!
//! For the host, a loop program is a sequence of *events*: transfers, launches, and instances that the host
//! executes. A transfer brings an old value to an element if the last event before it that set the element on either
//! side may have been a write at the transfer's destination. After any other event the transfer's source has the
//! current value: a transfer makes both sides agree, and what the source certainly writes is the newest value.

use polyhedra::last::Asked;
use polyhedra::{DimType, Map, Result, Set, Text, UnionMap, context, numbered};
use scop::ast::{ArraySlice, Node};
use scop::{Access, AccessKind, Array, Diagnostic, Kernel, Model};

use super::facts::Facts;
use super::transfers::{Part, boxed, parts, transfers, whole_slice};
use super::users::Buffers;
use crate::program::compare::{common, is_before};
use crate::program::instances::{Executed, function};
use crate::program::leaf::{Leaf, Step, Walked};
use crate::program::walk::{Blocks, walk};

/// Returns the messages about transfers that overwrite newer values, and about elements that come back from the
/// device although another thread of the host may have changed them.
pub fn check(facts: &Facts<'_>, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
    let (model, kernels) = (facts.sections.model, facts.sections.kernels);
    let mut messages = Vec::new();
    for slice in facts.slices {
        let executed = facts.executed().collect();
        let events = Events { model, kernels, buffers, walked: facts.walked, executed, slice };
        for to_device in [true, false] {
            let words = "is overwritten by a transfer although it is newer than what is transferred";
            let overwritten = events.overwritten(to_device)?;
            messages.extend(facts.about("E0220", slice.array, overwritten, words)?);
        }
        let array = model.array(slice.array)?;
        if array.visible && array.concurrent {
            let words = "is copied back from the device, and another thread may have changed it";
            let (home, used) = events.coming_home()?;
            messages.extend(facts.about("E0220", slice.array, home.subtract(used)?, words)?);
        }
    }
    Ok(messages)
}

/// The events of an array.
struct Events<'a> {
    /// The model.
    model: &'a Model,
    /// Its kernels.
    kernels: &'a [Kernel],
    /// Where the placement puts elements.
    buffers: &'a Buffers<'a>,
    /// The loop program.
    walked: &'a Walked<'a>,
    /// The leaves that execute instances.
    executed: Vec<&'a Executed<'a>>,
    /// The part of the array that the device holds.
    slice: &'a ArraySlice,
}

impl<'a> Events<'a> {
    /// Returns the elements that a transfer in one direction may move although its destination has a newer value.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails, or if the limit on operations is reached.
    fn overwritten(&self, to_device: bool) -> Result<Set> {
        let array = self.model.array(self.slice.array)?;
        let written_there = self.writes(to_device, |_| true);
        let may_matter = |transfer: &Leaf<'_>| {
            written_there.iter().any(|(executed, _)| may_precede(executed.leaf, transfer))
        };
        let whole = transfers(&self.walked.leaves, array.id, to_device);
        if !whole.into_iter().chain(self.parts(to_device).map(|part| part.leaf)).any(may_matter) {
            return no_elements(array);
        }
        let mut found = Tagged::default();
        let (mut sinks, mut sources, mut kills) = (empty()?, empty()?, empty()?);
        for (leaf, moved) in self.transfers(to_device)? {
            let event = found.tag(leaf, moved)?;
            sinks = sinks.union(event.copy()?)?;
            kills = kills.union(event)?;
        }
        for (leaf, moved) in self.transfers(!to_device)? {
            kills = kills.union(found.tag(leaf, moved)?)?;
        }
        for (executed, access) in written_there {
            sources = sources.union(found.tag(executed.leaf, self.elements(executed, access)?)?)?;
        }
        for (executed, access) in self.writes(!to_device, |access| access.certainty.is_must()) {
            kills = kills.union(found.tag(executed.leaf, self.elements(executed, access)?)?)?;
        }
        let asked = Asked { times: found.times()?, sinks: &sinks, sources: &sources, kills: &kills };
        let old = asked.exactly()?.range()?.unwrap()?.range()?;
        let mut elements = no_elements(array)?;
        for set in polyhedra::sets_of(&old)? {
            elements = elements.union(set.reset_tuple_id()?)?;
        }
        Ok(elements)
    }

    /// Returns all elements that come from the device, and those that the region certainly uses.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails.
    fn coming_home(&self) -> Result<(Set, Set)> {
        let array = self.model.array(self.slice.array)?;
        let mut home = no_elements(array)?;
        for (_, moved) in self.transfers(false)? {
            home = home.union(moved.range()?)?;
        }
        let mut used = no_elements(array)?;
        for statement in &self.model.statements {
            let domain = Set::parse(&statement.domain.0)?;
            let accesses = statement.accesses.iter().filter(|access| access.array == array.id);
            for access in accesses.filter(|access| access.is_certainly_used()) {
                let touched = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?;
                used = used.union(self.buffers.counted(array.id, touched)?.range()?)?;
            }
        }
        Ok((home, used))
    }

    /// Returns the transfers of the array in one direction, each with the relation from its points to the elements
    /// that it moves.
    fn transfers(&self, to_device: bool) -> Result<Vec<(&'a Leaf<'a>, Map)>> {
        let array = self.slice.array;
        let mut found = Vec::new();
        for leaf in transfers(&self.walked.leaves, array, to_device) {
            found.push((leaf, Map::from_domain_and_range(leaf.domain.copy()?, self.whole(to_device)?)?));
        }
        for part in self.parts(to_device) {
            found.push((part.leaf, part.moved()?));
        }
        Ok(found)
    }

    /// Returns the transfers of parts of the array in one direction.
    fn parts(&self, to_device: bool) -> impl Iterator<Item = Part<'a>> {
        let array = self.slice.array;
        parts(&self.walked.leaves).filter(move |part| part.array == array && part.to_device == to_device)
    }

    /// Returns the elements that a transfer without a part moves.
    fn whole(&self, to_device: bool) -> Result<Set> {
        let array = self.model.array(self.slice.array)?;
        if let Some(packing) = &self.slice.packing {
            let loops = if to_device { &packing.to_device } else { &packing.from_device };
            return packed_elements(self.model, self.kernels, loops, array);
        }
        let moved = match &self.slice.boxes {
            Some(boxes) if to_device => boxed(self.model, array, &boxes.to_device)?,
            Some(boxes) => boxed(self.model, array, &boxes.from_device)?,
            None => boxed(self.model, array, &[whole_slice(self.slice)])?,
        };
        Ok(moved.reset_tuple_id()?)
    }

    /// Returns the writes of the array on one side.
    fn writes(
        &self,
        on_device: bool,
        wanted: impl Fn(&Access) -> bool,
    ) -> Vec<(&'a Executed<'a>, &'a Access)> {
        let mut found = Vec::new();
        for executed in self.executed.iter().filter(|executed| executed.leaf.launch.is_some() == on_device) {
            let writes = executed.statement.accesses.iter().filter(|access| {
                access.array == self.slice.array && access.kind == AccessKind::Write && wanted(access)
            });
            found.extend(writes.map(|access| (*executed, access)));
        }
        found
    }

    /// Returns the relation from the points of a leaf to the elements that an access touches there, counted from the
    /// array's origin.
    fn elements(&self, executed: &Executed<'_>, access: &Access) -> Result<Map> {
        let instances =
            Map::from_pw_multi_aff(executed.instance.copy()?)?.intersect_domain(executed.points.copy()?)?;
        let touched = instances.apply_range(Map::parse(&access.relation.0)?)?;
        self.buffers.counted(access.array, touched)
    }
}

/// Events with unique names, and their times.
#[derive(Default)]
struct Tagged {
    /// The text of each event with its time: `{ [E0[t] -> e0[]] -> [2, t, 0] }`.
    times: Vec<(String, Vec<String>)>,
}

impl Tagged {
    /// Gives the event at the points of a leaf a name: `{ [E0[t] -> e0[]] -> A[x] }`. Everything that the threads of
    /// a launch do happens at one time.
    fn tag(&mut self, leaf: &Leaf<'_>, elements: Map) -> Result<UnionMap> {
        let outer = leaf.launch.map_or(leaf.names.len(), |launch| launch.first);
        let inner = leaf.names.len() - outer;
        let elements = elements.project_out(DimType::In, outer as u32, inner as u32)?;
        let elements = elements.set_tuple_name(DimType::Out, "A")?;
        let number = self.times.len();
        let loops = numbered("t", outer).join(", ");
        let event = format!("[E{number}[{loops}] -> e{number}[]]");
        self.times.push((event.clone(), time(leaf)));
        let tag = Map::parse(&format!("{{ [{loops}] -> {event} }}"))?;
        Ok(UnionMap::from_map(elements.apply_domain(tag)?)?)
    }

    /// Returns the time of each event.
    fn times(&self) -> Result<UnionMap> {
        let length = self.times.iter().map(|(_, time)| time.len()).max().unwrap_or_default();
        let mut all = empty()?;
        for (event, time) in &self.times {
            let padding = std::iter::repeat_n("0", length - time.len());
            let time: Vec<&str> = time.iter().map(String::as_str).chain(padding).collect();
            all = all.union(UnionMap::parse(&format!("{{ {event} -> [{}] }}", time.join(", ")))?)?;
        }
        Ok(all)
    }
}

/// Returns the path to a leaf, as far as the host follows it: positions in blocks, and the loops as `t0`, `t1`, …
fn time(leaf: &Leaf<'_>) -> Vec<String> {
    let mut loops = 0;
    let mut time = Vec::new();
    for step in &leaf.path {
        match step {
            Step::Child(position) => time.push(position.to_string()),
            // Only one of the branches is taken.
            Step::Branch(_) => time.push("0".to_owned()),
            Step::Loop => {
                time.push(format!("t{loops}"));
                loops += 1;
            }
            Step::Kernel(_) => break,
        }
    }
    time
}

/// True if some points of the first leaf may come before some points of the second.
fn may_precede(first: &Leaf<'_>, second: &Leaf<'_>) -> bool {
    let shared = &first.path[..common(&first.path, &second.path)];
    is_before(&first.path, &second.path) || shared.iter().any(|step| matches!(step, Step::Loop))
}

fn empty() -> Result<UnionMap> {
    Ok(UnionMap::empty_ctx(context())?)
}

/// Returns the elements that loops pack or unpack, counted from the array's origin.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn packed_elements(model: &Model, kernels: &[Kernel], loops: &Node, array: &Array) -> Result<Set> {
    let mut packed = no_elements(array)?;
    for leaf in &walk(model, kernels, loops, Blocks::Any)?.leaves {
        let Node::Element { index } = leaf.node else { continue };
        let element = Map::from_pw_multi_aff(function(leaf, index)?)?;
        packed = packed.union(element.intersect_domain(leaf.domain.copy()?)?.range()?)?;
    }
    Ok(packed)
}

fn no_elements(array: &Array) -> Result<Set> {
    Set::parse(&format!("{{ [{}] : false }}", numbered("x", array.extents.len()).join(", ")))
}
