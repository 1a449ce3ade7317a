//! Which accesses are written to the document, and with which places.

use std::collections::BTreeSet;

use scop::{BlockObject, Effect, HostPlace, MemoryId, MemoryObject, SourceRange, Touch};

use crate::c::ctree::{Class, Lifetime, Tree, VariableId};
use crate::c::source::SourceText;
use crate::host::bits::Bits;
use crate::host::doings::{Access, Doings};
use crate::host::expressions::Typed;
use crate::host::hoist::{Counter, anywhere, is_exact_place};
use crate::host::place::{Extent, Place, is_local};
use crate::host::pointers::Pointers;
use crate::host::solver::{EXPOSED, Node};
use crate::host::unplaced::{Uncounted, Unplaced};

/// The memory of interest: what arrays of regions may be.
pub struct Interest<'t> {
    tree: &'t Tree,
    source: &'t SourceText,
    pointers: &'t Pointers<'t>,
    /// The objects of interest.
    objects: Bits,
    /// Those that the user holds on the device.
    held: Bits,
    /// Those in which regions may write integers, or of which it is not known what regions write.
    integers: Bits,
    /// Those in which regions may write single bytes, which may be parts of pointers.
    bytes: Bits,
    /// The objects to which pointers may lead.
    pointed_to: Bits,
    /// The objects of the document, in its order.
    order: Vec<usize>,
}

impl<'t> Interest<'t> {
    /// Creates the list of the memory of a document.
    pub fn new(
        tree: &'t Tree,
        source: &'t SourceText,
        pointers: &'t Pointers<'t>,
        objects: Bits,
        (held, mut integers, mut bytes): (Bits, Bits, Bits),
    ) -> Self {
        integers.add_all(&held);
        bytes.add_all(&held);
        let mut all = objects.clone();
        all.insert(0);
        let order = all.iter().collect();
        let pointed_to = pointers.pointed_to();
        Self { tree, source, pointers, objects, held, integers, bytes, pointed_to, order }
    }

    /// Returns the ids of the objects of interest in a set.
    pub fn ids(&self, objects: &Bits) -> Vec<MemoryId> {
        let numbered = self.order.iter().zip(0..);
        let wanted =
            numbered.filter(|(object, _)| self.objects.contains(**object) && objects.contains(**object));
        wanted.map(|(_, number)| MemoryId(number)).collect()
    }

    /// Returns the memory section of the document.
    pub fn memory(&self) -> Vec<MemoryObject> {
        let exposed = self.pointers.objects_in(EXPOSED);
        let object = |(&number, id): (&usize, u32)| {
            let object = &self.pointers.objects.all[number];
            MemoryObject {
                id: MemoryId(id),
                name: object.name.clone(),
                lifetime: object.lifetime,
                exposed: exposed.contains(number),
                external: object.variable.is_some_and(|id| self.is_external(id)),
                held: self.held.contains(number),
                made_at: object.made_at,
            }
        };
        self.order.iter().zip(0..).map(object).collect()
    }

    fn is_external(&self, id: VariableId) -> bool {
        let variable = self.tree.variable(id);
        variable.lifetime == Lifetime::Static && variable.external
    }

    /// Returns the objects of interest in each set.
    pub fn each(&self, sets: &[Node]) -> Vec<Vec<MemoryId>> {
        let mut all: Vec<_> = sets.iter().map(|set| self.ids(self.in_set(*set))).collect();
        all.retain(|memory| !memory.is_empty());
        all.sort();
        all.dedup();
        all
    }

    /// True if any of some objects is of interest.
    pub fn contains_any(&self, objects: &Bits) -> bool {
        !self.objects.is_disjoint(objects)
    }

    /// Returns the object of a variable that exists only in a block, if it is of interest.
    pub fn block_object(&self, id: VariableId) -> Option<BlockObject> {
        let variable = self.tree.variable(id);
        if variable.class == Some(Class::Other) || variable.reference {
            return None;
        }
        let name = &variable.name;
        if let Some(elements) = self.pointers.objects.of_vectors.get(&id) {
            let bytes = format!("{name}.size() * sizeof(*{name}.data())");
            let place = HostPlace { address: format!("{name}.data()"), bytes: Some(bytes) };
            let mut only = Bits::default();
            only.insert(elements.0);
            return self.ids(&only).first().map(|&memory| BlockObject { memory, place });
        }
        let memory = self.ids(self.pointers.objects_in(self.pointers.variable(id)));
        let place = HostPlace { address: format!("&{name}"), bytes: Some(format!("sizeof({name})")) };
        memory.first().map(|&memory| BlockObject { memory, place })
    }

    fn in_set(&self, node: Node) -> &Bits {
        self.pointers.objects_in(node)
    }

    /// Removes places that other accesses of the same code may change before they are used, those that only an access
    /// which happens may compute, and those of memory that may or may not be freed.
    pub fn settle(&self, doings: &mut Doings) {
        let (leaves, declared) = (doings.leaves(), &doings.declared);
        let written = self.written(&doings.accesses, &[]);
        let first = Around { written: written.clone(), leaves: false, declared };
        let others = Around { written, leaves, declared };
        for access in &mut doings.accesses {
            access.certain &= !leaves || access.before_calls;
            let around = if access.before_calls { &first } else { &others };
            let place = access.place.take();
            let is_harmless = |place: &Place| !place.follows && access.effect != Effect::Frees;
            let reason = place.as_ref().map(|place| match access.certain || is_harmless(place) {
                true => self.not_fixed(place, around),
                false => Some(Unplaced::Loaded),
            });
            let reason = reason.flatten();
            access.unplaced = access.unplaced.or(reason);
            access.place = place.filter(|_| reason.is_none());
        }
    }

    /// Returns what some accesses may write, and what some regions write.
    fn written<'a>(&self, accesses: impl IntoIterator<Item = &'a Access>, regions: &[Node]) -> Written {
        let mut written = Written::default();
        for access in accesses.into_iter().filter(|access| access.writes()) {
            let objects = self.in_set(access.memory);
            written.all.add_all(objects);
            if !access.floating {
                written.addresses.add_all(objects);
            }
        }
        for node in regions {
            written.all.add_all(self.in_set(*node));
        }
        if !regions.is_empty() {
            written.addresses.add_all(&self.integers);
        }
        written
    }

    /// Returns what some code changes of the text or the value of a place.
    fn not_fixed(&self, place: &Place, around: &Around<'_>) -> Option<Unplaced> {
        if let Some(declared) = place.names().intersection(around.declared).next() {
            return Some(Unplaced::Declared(*declared));
        }
        let changes = |id: &VariableId| {
            let node = self.pointers.denoted(*id);
            !self.is_unchanged(node, is_local(self.tree, *id), around)
                && !self.is_same_vector(*id, node, around)
        };
        let variable = place.reads.iter().copied().find(|id| changes(id)).map(Unplaced::Changes);
        let is_loaded = || place.loads.iter().any(|&node| !self.keeps_addresses(node, around));
        variable.or_else(|| is_loaded().then_some(Unplaced::Loaded))
    }

    fn is_unchanged(&self, node: Node, local: bool, around: &Around<'_>) -> bool {
        let objects = self.in_set(node);
        let is_private = || local && objects.is_disjoint(&self.pointed_to);
        !objects.is_empty()
            && objects.is_disjoint(&self.objects)
            && (!around.leaves || is_private())
            && objects.is_disjoint(&around.written.all)
    }

    /// True for a reference to a vector whose elements stay where they are. The vector consists of pointers, which no
    /// region writes, whatever else is in the memory where it may be.
    fn is_same_vector(&self, id: VariableId, node: Node, around: &Around<'_>) -> bool {
        let variable = self.tree.variable(id);
        let objects = self.in_set(node);
        variable.reference
            && variable.class == Some(Class::Vector)
            && !objects.is_empty()
            && !around.leaves
            && objects.is_disjoint(&self.bytes)
            && objects.is_disjoint(&around.written.addresses)
    }

    /// True if pointers and integers in memory stay as they are, and the host has their values. Floating-point numbers
    /// that are written in the same memory do not change them (C11, 6.5p7), and what regions do not write is the same
    /// on both sides.
    fn keeps_addresses(&self, node: Node, around: &Around<'_>) -> bool {
        let objects = self.in_set(node);
        !objects.is_empty()
            && objects.is_disjoint(&self.integers)
            && !around.leaves
            && objects.is_disjoint(&around.written.addresses)
    }

    /// Returns what a loop accesses, in terms of what holds before it. `parts` is what its condition, step and body do,
    /// `regions` what regions in it write, and `is_plain` whether its body has no jumps and no regions. What
    /// keeps it from counting, and the text of its `condition`, are for people.
    pub fn hoist(
        &self,
        parts: &Doings,
        step: &Doings,
        regions: &[Node],
        counter: Result<&Counter, Option<Uncounted>>,
        (is_plain, condition): (bool, Option<SourceRange>),
    ) -> Vec<Access> {
        let leaves = parts.leaves() || step.leaves();
        let uncounted = match counter {
            Ok(_) => condition.map(Unplaced::Disturbed),
            Err(why) => why.map(Unplaced::Loop),
        };
        let counter = counter.ok().filter(|counter| self.is_counting(counter, parts, step, regions));
        let own = counter.map(|counter| self.pointers.variable(counter.variable));
        let mut all = parts.accesses.clone();
        all.extend(step.accesses.iter().cloned());
        let written = self.written(all.iter().filter(|access| Some(access.memory) != own), regions);
        let mut declared = parts.declared.clone();
        if let Some(counter) = counter {
            declared.remove(&counter.variable);
        }
        let around = Around { written, leaves, declared: &declared };
        let stepped =
            step.accesses.iter().filter(|access| access.writes()).map(|access| access.memory).collect();
        let inside = Inside { around, is_plain: is_plain && !leaves, stepped, uncounted };
        all.iter().map(|access| self.over_all(access, counter, &inside)).collect()
    }

    /// Returns accesses with the places that some code before them neither declares nor changes.
    pub fn unchanged_by(&self, before: &Doings, accesses: Vec<Access>) -> Vec<Access> {
        let written = self.written(&before.accesses, &[]);
        let around = Around { written, leaves: before.leaves(), declared: &before.declared };
        let reason = |place: &Place| {
            let is_reached = !before.need_not_return() || !place.follows;
            if is_reached { self.not_fixed(place, &around) } else { Some(Unplaced::Loaded) }
        };
        let settled = |access: Access| match access.place.as_ref().and_then(reason) {
            Some(reason) => anywhere(&access, Some(reason)),
            None => access,
        };
        accesses.into_iter().map(settled).collect()
    }

    fn over_all(&self, access: &Access, counter: Option<&Counter>, inside: &Inside<'_>) -> Access {
        // What later iterations access comes after the calls of the first.
        let access = Access { before_calls: false, ..access.clone() };
        match self.place_over_all(&access, counter, inside) {
            Ok(mut place) if access.effect != Effect::Frees => {
                place.whole &= counter.is_some();
                Access { place: Some(place), certain: access.certain && inside.is_plain, ..access }
            }
            Ok(_) => anywhere(&access, None),
            Err(reason) => anywhere(&access, reason),
        }
    }

    /// Returns the place of an access in all iterations of a loop, or why it has none.
    fn place_over_all(
        &self,
        access: &Access,
        counter: Option<&Counter>,
        inside: &Inside<'_>,
    ) -> Result<Place, Option<Unplaced>> {
        let place = access.place.as_ref().filter(|place| is_exact_place(place)).ok_or(None)?;
        // Without a counter, it is not known before the loop whether its body is executed at all.
        let can_be_computed = access.certain && counter.is_some() || !place.follows;
        if !can_be_computed {
            return Err(Some(Unplaced::Loaded));
        }
        let place = match counter {
            Some(counter) => {
                let may_be_left_out = !inside.is_plain || !access.certain;
                counter.over_all(place, may_be_left_out, access.certain).ok_or(Some(Unplaced::Scattered))?
            }
            None => place.clone(),
        };
        let counts = |id: VariableId| inside.stepped.contains(&self.pointers.variable(id));
        match (self.not_fixed(&place, &inside.around), inside.uncounted) {
            (None, _) => Ok(place),
            (Some(Unplaced::Changes(id) | Unplaced::Declared(id)), Some(uncounted)) if counts(id) => {
                Err(Some(uncounted))
            }
            (Some(reason), _) => Err(Some(reason)),
        }
    }

    /// True if only the step of a loop changes its counter, and nothing its bounds.
    fn is_counting(&self, counter: &Counter, parts: &Doings, step: &Doings, regions: &[Node]) -> bool {
        let leaves = parts.leaves() || step.leaves();
        let variable = self.pointers.variable(counter.variable);
        let written = self.written(&parts.accesses, regions);
        let around = Around { written, leaves, declared: &BTreeSet::new() };
        let is_kept = |id: VariableId, around: &Around<'_>| {
            let node = self.pointers.denoted(id);
            self.is_unchanged(node, is_local(self.tree, id), around) || self.is_same_vector(id, node, around)
        };
        let mut bounds = counter.bounds();
        bounds.remove(&counter.variable);
        let is_own_step =
            step.accesses.iter().filter(|access| access.writes()).all(|access| access.memory == variable);
        let declared = bounds.is_disjoint(&parts.declared);
        is_own_step
            && declared
            && is_kept(counter.variable, &around)
            && bounds.iter().all(|id| is_kept(*id, &around))
            && counter.loads().into_iter().all(|node| self.keeps_addresses(node, &around))
    }

    /// Returns the touches of the document for some accesses of one piece of code. If it `calls` other code, they say
    /// what comes before that.
    pub fn touches(&self, accesses: &[Access], calls: bool) -> Vec<Touch> {
        let mut touches: Vec<Touch> = Vec::new();
        for access in accesses {
            let memory = self.ids(&self.changing(access));
            if memory.is_empty() || access.announced {
                continue;
            }
            let place = access.place.as_ref().filter(|place| place.has_text(self.tree));
            let effect = match access.effect {
                Effect::Overwrites if place.is_none() || !self.overwrites(access, accesses) => Effect::Writes,
                effect => effect,
            };
            let place = place.map(|place| place.text(self.tree));
            let reason = access.unplaced.filter(|_| place.is_none());
            let unplaced = reason.map(|reason| reason.words(self.source, self.tree));
            let before_calls = calls && access.before_calls;
            let (guarded, range) = (access.guarded, access.range);
            let touch = Touch { effect, memory, place, unplaced, before_calls, guarded, range };
            let is_same = |other: &&mut Touch| {
                (other.effect, &other.memory, &other.place) == (touch.effect, &touch.memory, &touch.place)
            };
            match touches.iter_mut().find(is_same) {
                Some(other) => {
                    other.before_calls &= before_calls;
                    other.guarded &= guarded;
                }
                None => touches.push(touch),
            }
        }
        touches
    }

    /// Returns the objects that an access may touch, without those of which the host's values are right for it: nothing
    /// may write to a string literal, and what is read as an integer or a pointer was written as one (C11, 6.5p7), so
    /// not by a region that writes other numbers.
    fn changing(&self, access: &Access) -> Bits {
        let objects = self.in_set(access.memory);
        let is_right = |object: &usize| {
            let is_other = match access.typed {
                Typed::Pointers => !self.bytes.contains(*object),
                Typed::Integer => !self.integers.contains(*object),
                Typed::Unknown => false,
            };
            !access.writes() && (is_other || self.pointers.is_constant(*object))
        };
        let mut found = Bits::default();
        objects.iter().filter(|object| !is_right(object)).for_each(|object| {
            found.insert(object);
        });
        found
    }

    /// True if the touches of an access stand for all that it does with memory of interest, of which it uses some.
    pub fn announces(&self, access: &Access) -> bool {
        let objects = self.in_set(access.memory);
        let left_out = !access.writes() && access.typed != Typed::Unknown;
        self.contains_any(objects) && (!left_out || self.ids(objects) == self.ids(&self.changing(access)))
    }

    /// True if an access certainly overwrites all of its place, and it is known for all other accesses of the same code
    /// what they need of it.
    fn overwrites(&self, access: &Access, accesses: &[Access]) -> bool {
        let has_bytes = |place: &Place| match &place.extent {
            Extent::Between(..) => true,
            Extent::From(_, _, bytes) => bytes.is_some(),
        };
        let is_whole = access.place.as_ref().is_some_and(|place| place.whole && has_bytes(place));
        let is_known = |other: &Access| {
            let is_placed = other.place.as_ref().is_some_and(has_bytes) && !other.announced;
            let is_apart = self.in_set(other.memory).is_disjoint(self.in_set(access.memory));
            other.effect == Effect::Overwrites || is_placed || is_apart
        };
        access.certain && is_whole && accesses.iter().all(is_known)
    }
}

/// The inside of a loop.
struct Inside<'a> {
    around: Around<'a>,
    /// True if all of its iterations do all that is certain in one, and nothing else happens in them.
    is_plain: bool,
    /// What its step sets.
    stepped: BTreeSet<Node>,
    /// Why it does not count, if it has a condition.
    uncounted: Option<Unplaced>,
}

/// What some code may write.
#[derive(Clone, Default)]
struct Written {
    all: Bits,
    /// Where it may write anything but floating-point numbers.
    addresses: Bits,
}

/// Code around a place.
struct Around<'a> {
    /// What it writes.
    written: Written,
    /// True if other functions may run.
    leaves: bool,
    /// The variables that it declares.
    declared: &'a BTreeSet<VariableId>,
}
