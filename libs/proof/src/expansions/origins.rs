//! Checks whether a variant of a region ([`scop::Variant`]) passes the values that the source passes.
//!
//! The *origin* of a value is the write that computes it, or the element that has it before the region. Copying a value
//! from one array to another does not change its origin. The origin of what an access reads follows from the last
//! writes before it ([`polyhedra::last`]). It is computed twice: for the source, in its order, and for the region with
//! the expansions, in the order of [`scop::Expansions::order`]. Of the arrays that a variant is about,
//!
//! * each read must have the same origins in both, so that redirected reads read what C reads;
//! * each element must have the same origins after the region.
//!
//! Copied values are followed through statements that are added, and through statements of the source that the variant
//! omits. The dependences must contain that an instance which reads a value comes after the one from which it has it
//! directly. So if the loops respect them, they pass the same values as well.

use std::collections::BTreeSet;

use polyhedra::last::{Asked, Last};
use polyhedra::{Map, Result, Schedule, Set, Text, UnionMap, UnionSet, maps_of, sets_of};
use scop::{
    Access, AccessId, AccessKind, ArrayId, Dependences, Diagnostic, Expansions, ExprKind, Model, Statement,
    StatementId, Step,
};

use super::last_values::{after, tag, tagged, time};
use crate::report::{describe_element, pair_in_words};
use crate::stage::Sections;

/// The longest chain of copies that is followed.
const MOST_COPIES: usize = 8;

/// Returns a message for each access and each array that finds other values than in the source.
pub fn check(path: &str, sections: &Sections<'_>, expansions: &Expansions) -> Result<Vec<Diagnostic>> {
    let arrays = Arrays::of(sections.extracted, expansions)?;
    if arrays.source.is_empty() {
        return Ok(Vec::new());
    }
    let Sections { extracted, model, dependences, .. } = sections;
    let dead: &[StatementId] = &dependences.dead;
    let omitted = extracted.statements.iter().filter(|statement| dead.contains(&statement.id));
    let added = expansions.added().iter().chain(expansions.kept());
    let source =
        Form { model: extracted, arrays: arrays.source.clone(), dead: &[], copying: omitted.collect() };
    let variant = Form { model, arrays: arrays.all(), dead, copying: added.collect() };
    let written = source.written()?.union(variant.written()?)?;
    let ends = ends(extracted, &arrays.source, &written)?;
    let (before, after) = (source.values(&ends)?, variant.values(&ends)?);
    let mut messages = Vec::new();
    let (old, new) = (source.origins(&before)?, variant.origins(&after)?);
    let other = old.copy()?.subtract(new.copy()?)?.union(new.subtract(old)?)?;
    let other = other.intersect_params(Set::parse(&model.context.0)?)?;
    let is_checked = |sink: &Sink| match sink {
        Sink::Access(access) => {
            let owner = extracted.statements.iter().find(|statement| statement.access(*access).is_some());
            owner.is_some_and(|owner| !dead.contains(&owner.id))
        }
        Sink::End(_) => true,
    };
    let mut told = BTreeSet::new();
    for sinks in sets_of(&other.domain()?)? {
        let sink = Sink::of(&sinks)?;
        if !sinks.is_empty()? && is_checked(&sink) && told.insert(sink.clone()) {
            messages.push(sink.message(path, extracted, sinks)?);
        }
    }
    messages.extend(unordered(path, model, dependences, &arrays, &after)?);
    Ok(messages)
}

const HELP: &str = "leave the variant out, or correct what fills and uses its arrays";

/// The arrays that a variant is about.
struct Arrays {
    /// Those of the source.
    source: BTreeSet<ArrayId>,
    /// Those that are filled with old values or used in place of several arrays of the source, and those of the source
    /// whose elements are used in place of others.
    new: BTreeSet<ArrayId>,
}

impl Arrays {
    fn of(extracted: &Model, expansions: &Expansions) -> Result<Self> {
        let filled = |id: ArrayId| {
            let mut written = expansions.kept().iter().flat_map(|statement| &statement.accesses);
            written.any(|access| access.kind == AccessKind::Write && access.array == id)
        };
        let mut arrays = Self { source: BTreeSet::new(), new: BTreeSet::new() };
        for array in &expansions.arrays {
            let uses = expansions.accesses.iter().filter(|expanded| expanded.array == array.id);
            let of = uses.map(|expanded| Ok(extracted.access(expanded.access)?.array));
            let of: BTreeSet<ArrayId> = of.collect::<Result<_>>()?;
            if filled(array.id) || of.len() > 1 {
                arrays.source.extend(of);
                arrays.new.insert(array.id);
            }
        }
        for access in expansions.kept().iter().flat_map(|statement| &statement.accesses) {
            if access.kind == AccessKind::Read {
                arrays.source.insert(access.array);
            }
        }
        arrays.add_in_place(extracted, expansions)?;
        Ok(arrays)
    }

    /// Adds the temporaries of which values are in the place of elements of the source, these elements' arrays, and the
    /// arrays that have the other values of the temporaries.
    fn add_in_place(&mut self, extracted: &Model, expansions: &Expansions) -> Result<()> {
        let is_new = |id: ArrayId| expansions.arrays.iter().any(|array| array.id == id);
        let mut temporaries = BTreeSet::new();
        for expanded in expansions.accesses.iter().filter(|expanded| !is_new(expanded.array)) {
            temporaries.insert(extracted.access(expanded.access)?.array);
            self.source.insert(expanded.array);
            self.new.insert(expanded.array);
        }
        if temporaries.is_empty() {
            return Ok(());
        }
        for expanded in expansions.accesses.iter().filter(|expanded| is_new(expanded.array)) {
            let array = extracted.access(expanded.access)?.array;
            if temporaries.contains(&array) || self.source.contains(&array) {
                temporaries.insert(array);
                self.new.insert(expanded.array);
            }
        }
        self.source.extend(temporaries);
        Ok(())
    }

    fn all(&self) -> BTreeSet<ArrayId> {
        self.source.union(&self.new).copied().collect()
    }
}

/// A region as in the source, or with the expansions.
struct Form<'a> {
    model: &'a Model,
    /// The arrays whose values are followed.
    arrays: BTreeSet<ArrayId>,
    /// The statements that are left out.
    dead: &'a [StatementId],
    /// The statements through which values are followed if they only copy one.
    copying: Vec<&'a Statement>,
}

/// The end of the region: an instance for each element that it may write.
struct Ends {
    /// `{ [END_A0[x] -> end_A0[]] -> A0[x] }`
    reads: UnionMap,
}

impl Form<'_> {
    /// Returns the accesses to the arrays, with their statements.
    fn accesses(&self) -> impl Iterator<Item = (&Statement, &Access)> {
        let alive = self.model.statements.iter().filter(|statement| !self.dead.contains(&statement.id));
        let all =
            alive.flat_map(|statement| statement.accesses.iter().map(move |access| (statement, access)));
        all.filter(|(_, access)| self.arrays.contains(&access.array))
    }

    /// Returns the elements that are written.
    fn written(&self) -> Result<UnionSet> {
        let mut written = UnionSet::parse("{ }")?;
        for (statement, access) in self.accesses().filter(|(_, access)| access.kind == AccessKind::Write) {
            let domain = Set::parse(&statement.domain.0)?;
            let elements = domain.apply(Map::parse(&access.relation.0)?)?;
            written = written.union(UnionSet::from_set(elements)?)?;
        }
        Ok(written)
    }

    /// Returns the last writes before each read and before the end.
    fn values(&self, ends: &Ends) -> Result<Last> {
        let order = Schedule::parse(&self.model.order.0)?.get_map()?;
        let empty = || UnionMap::parse("{ }");
        let (mut sinks, mut sources, mut kills, mut times) = (empty()?, empty()?, empty()?, empty()?);
        for (statement, access) in self.accesses() {
            let tagged = tagged(statement, access)?;
            times = times.union(time(statement, access, &order)?)?;
            match access.kind {
                AccessKind::Read => sinks = sinks.add_map(tagged)?,
                AccessKind::Write => {
                    sources = sources.add_map(tagged.copy()?)?;
                    if access.certainty.is_must() {
                        kills = kills.add_map(tagged)?;
                    }
                }
            }
        }
        sinks = sinks.union(ends.reads.copy()?)?;
        let end = after(&times)?.range()?;
        times = times.union(UnionMap::from_domain_and_range(ends.reads.copy()?.domain()?, end)?)?;
        Asked { times, sinks: &sinks, sources: &sources, kills: &kills }.last_exactly()
    }

    /// Returns the origins of what each access reads, and of what each element has at the end:
    /// `{ [S1[j] -> a2[]] -> [S0[i] -> a1[]]; [S1[j] -> a2[]] -> A0[x] }`.
    fn origins(&self, values: &Last) -> Result<UnionMap> {
        let direct = values.dependences.copy()?.reverse()?.union(values.without_kill.copy()?)?;
        let copies = self.copies()?;
        let copied = copies.copy()?.domain()?;
        let mut origins = direct.copy()?;
        for _ in 0..MOST_COPIES {
            let through = origins.copy()?.intersect_range(copied.copy()?)?;
            if through.is_empty()? {
                break;
            }
            let further = through.copy()?.apply_range(copies.copy()?)?.apply_range(direct.copy()?)?;
            origins = origins.subtract(through)?.union(further)?;
        }
        Ok(origins)
    }

    /// Returns what writes a value that it has just read, and that read: `{ [S2[i] -> a3[]] -> [S2[i] -> a4[]] }`.
    fn copies(&self) -> Result<UnionMap> {
        let mut copies = UnionMap::parse("{ }")?;
        for statement in &self.copying {
            if let Some((write, read)) = self.copied(statement)? {
                let names = polyhedra::numbered("i", statement.depth()).join(", ");
                let instance = format!("{}[{names}]", statement.id);
                let text = format!("{{ [{instance} -> {}[]] -> [{instance} -> {}[]] }}", write.id, read.id);
                copies = copies.add_map(Map::parse(&text)?)?;
            }
        }
        Ok(copies)
    }

    /// Returns the accesses of a statement that only copies an element of one of the arrays to another one.
    fn copied<'s>(&self, statement: &'s Statement) -> Result<Option<(&'s Access, &'s Access)>> {
        let [Step::Assign { access, value, .. }] = &statement.body[..] else { return Ok(None) };
        let ExprKind::Read { access: taken, .. } = &value.kind else { return Ok(None) };
        let (Some(write), Some(read)) = (statement.access(*access), statement.access(*taken)) else {
            return Ok(None);
        };
        let are_certain = [write, read].iter().all(|access| access.certainty.is_must() && !access.indirect);
        let are_known = [write, read].iter().all(|access| self.arrays.contains(&access.array));
        let [to, from] = [self.model.array(write.array)?, self.model.array(read.array)?];
        let is_plain = to.element == from.element && value.ctype == from.element;
        Ok((are_certain && are_known && is_plain).then_some((write, read)))
    }
}

/// Returns the ends of what is written and may be read after the region.
fn ends(extracted: &Model, arrays: &BTreeSet<ArrayId>, written: &UnionSet) -> Result<Ends> {
    let mut reads = UnionMap::parse("{ }")?;
    for elements in sets_of(written)? {
        let id: ArrayId = elements.get_tuple_name()?.parse().map_err(polyhedra::Error::new)?;
        let Some(array) = arrays.contains(&id).then(|| extracted.array(id)).transpose()? else { continue };
        if array.visible && !array.dead_after {
            let names = polyhedra::numbered("x", array.extents.len()).join(", ");
            let read = format!("{{ [END_{id}[{names}] -> end_{id}[]] -> {id}[{names}] }}");
            reads = reads.add_map(Map::parse(&read)?.intersect_range(elements)?)?;
        }
    }
    Ok(Ends { reads })
}

/// What reads a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Sink {
    /// An access.
    Access(AccessId),
    /// The code after the region.
    End(ArrayId),
}

impl Sink {
    /// Returns what reads in `{ [S1[j] -> a2[]] }` or `{ [END_A0[x] -> end_A0[]] }`.
    fn of(sinks: &Set) -> Result<Self> {
        let pairs = sinks.copy()?.unwrap()?;
        let instances = pairs.copy()?.domain()?;
        let name = instances.get_tuple_name()?.to_owned();
        match name.strip_prefix("END_") {
            Some(array) => Ok(Self::End(array.parse().map_err(polyhedra::Error::new)?)),
            None => Ok(Self::Access(tag(&Map::from_domain_and_range(sinks.copy()?, sinks.copy()?)?)?)),
        }
    }

    fn message(&self, path: &str, extracted: &Model, sinks: Set) -> Result<Diagnostic> {
        let instances = sinks.unwrap()?.domain()?;
        match self {
            Self::End(array) => {
                let elements = instances.set_tuple_name(&array.to_string())?;
                let words = "has another value after the region than in the source";
                Ok(describe_element(extracted, CODE, *array, elements, words)?.with_help(HELP))
            }
            Self::Access(access) => {
                let owner = extracted.owner(*access)?;
                let name = &extracted.array(extracted.access(*access)?.array)?.name;
                let pairs =
                    Map::identity(instances.get_space()?.map_from_set()?)?.intersect_domain(instances)?;
                let (instance, _, parameters) = pair_in_words(extracted, pairs)?;
                let message = format!(
                    "{instance} reads another value of `{name}` in a variant of the region than in the source{parameters}"
                );
                let label = format!("another value of `{name}`");
                Ok(Diagnostic::error(CODE, message).at(path, owner.range, label).with_help(HELP))
            }
        }
    }
}

const CODE: &str = "E0228";

/// Returns messages about values that pass through some arrays of the expansions and that no dependence passes.
pub fn passed(path: &str, sections: &Sections<'_>, new: BTreeSet<ArrayId>) -> Result<Vec<Diagnostic>> {
    let Sections { model, dependences, .. } = sections;
    let form = Form { model, arrays: new.clone(), dead: &dependences.dead, copying: Vec::new() };
    let values = form.values(&Ends { reads: UnionMap::parse("{ }")? })?;
    unordered(path, model, dependences, &Arrays { source: BTreeSet::new(), new }, &values)
}

/// Returns messages about values that pass through the new arrays and that no dependence passes.
fn unordered(
    path: &str,
    model: &Model,
    dependences: &Dependences,
    arrays: &Arrays,
    values: &Last,
) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    let context = Set::parse(&model.context.0)?;
    for pairs in maps_of(&values.dependences)? {
        let (source, sink) = (tag(&pairs)?, Sink::of(&pairs.copy()?.range()?)?);
        let Sink::Access(sink) = sink else { continue };
        let owners = (model.owner(source)?, model.owner(sink)?);
        let mut open = pairs.factor_domain()?.intersect_params(context.copy()?)?;
        if owners.0.id == owners.1.id {
            let same = Map::identity(open.get_space()?)?;
            open = open.subtract(same)?;
        }
        let uses_new = |statement: &Statement| {
            statement.accesses.iter().any(|access| arrays.new.contains(&access.array))
        };
        if !uses_new(owners.0) && !uses_new(owners.1) {
            continue;
        }
        let updates = dependences.relaxed().map(|update| (update.write, update.read, &update.relation));
        let flows = dependences.flow.iter().map(|flow| (flow.source, flow.sink, &flow.relation));
        for (from, to, relation) in flows.chain(updates) {
            if (from, to) == (source, sink) {
                open = open.subtract(Map::parse(&relation.0)?)?;
            }
        }
        if !open.is_empty()? {
            let (first, second, parameters) = pair_in_words(model, open)?;
            let message = format!(
                "{second} needs a value that {first} stores, and no dependence keeps them in order{parameters}"
            );
            let diagnostic = Diagnostic::error(CODE, message);
            messages.push(diagnostic.at(path, owners.1.range, "needs the value").with_help(HELP));
        }
    }
    Ok(messages)
}
