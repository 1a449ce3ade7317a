//! Checks whether every value that is kept in copies of a temporary reaches the access that reads it in the source.
//!
//! An expansion gives a temporary one copy for each iteration of some loops. The flow dependences say which write is
//! the last one before a read in the source. If it goes to the copy that the read uses, it is also the last write of
//! that copy, because only some of the writes before the read go to that copy. Values are therefore preserved if
//!
//! * both ends of each flow dependence use one copy, and so do both ends of each relaxed reduction;
//! * within an instance, a read uses the same copy as the earlier writes that may give it its value.
//!
//! The verifier checks that accesses differ from those of the source only by the copy, and that no value of a copy
//! comes from before the region or is needed after it (V15, V8). Whether the right values are stored for the code after
//! the region is checked by [`last_values`]. Variants of a region, in which values go through other arrays or through
//! elements of the source, are checked by [`origins`], sums that are divided into partial sums by [`partial_sums`];
//! [`selections`] and [`prefix_sums`] have passes of their own.

mod compared;
mod last_values;
mod origins;
mod partial_sums;
mod prefix_sums;
mod selections;

use polyhedra::{DimType, Map, Result, Set, Text};
use scop::{Access, AccessId, AccessKind, ArrayId, Diagnostic, Expansions, Model, Statement};

use crate::report::pair_in_words;
use crate::stage::Sections;

/// Returns the messages about the values that do not reach their reads.
///
/// # Errors
/// Returns isl's error if an isl operation fails, or an error if a dependence names an access that does not exist.
pub fn check(path: &str, sections: &Sections<'_>) -> Result<Vec<Diagnostic>> {
    let mut messages = Vec::new();
    let Some(expansions) = sections.expansions else { return Ok(messages) };
    messages.extend(selections::check(path, sections, expansions)?);
    if expansions.accesses.is_empty() {
        return Ok(messages);
    }
    let copies = Copies { source: sections.extracted, model: sections.model, expansions };
    // What is in the place of an element of the source is checked by its origins.
    let is_new = |id: ArrayId| expansions.arrays.iter().any(|array| array.id == id);
    let is_expanded = |id: AccessId| {
        expansions.accesses.iter().any(|expanded| expanded.access == id && is_new(expanded.array))
    };
    let dependences = sections.dependences;
    let flows = dependences.flow.iter().map(|flow| (flow.source, flow.sink, &flow.relation));
    let updates = dependences.relaxed().map(|update| (update.write, update.read, &update.relation));
    for (source, sink, relation) in flows.chain(updates) {
        if is_expanded(source) || is_expanded(sink) {
            let apart = Map::parse(&relation.0)?.subtract(copies.shared(source, sink)?)?;
            messages.extend(copies.lost(path, source, sink, apart)?);
        }
    }
    for statement in &sections.extracted.statements {
        let reads = statement.accesses.iter().filter(|access| access.kind == AccessKind::Read);
        for read in reads {
            messages.extend(copies.within(path, statement, read, &is_expanded)?);
        }
    }
    messages.extend(last_values::check(path, sections, expansions)?);
    messages.extend(origins::check(path, sections, expansions)?);
    messages.extend(partial_sums::check(path, sections, expansions)?);
    messages.extend(prefix_sums::check(path, sections, expansions)?);
    Ok(messages)
}

const HELP: &str = "leave these accesses out of `expansions`, or give the copies fewer dimensions";

/// The model of a region as in the source, and with the expansions applied.
struct Copies<'a> {
    source: &'a Model,
    model: &'a Model,
    expansions: &'a Expansions,
}

impl Copies<'_> {
    /// Returns the pairs of instances that use one copy in these two accesses: `{ S0[i] -> S1[j] : j = i }`.
    fn shared(&self, first: AccessId, second: AccessId) -> Result<Map> {
        let (one, other) = (self.copy_of(first)?, self.copy_of(second)?);
        let is_known = one.is_single_valued()? && other.is_single_valued()?;
        if !is_known || self.model.access(first)?.array != self.model.access(second)?.array {
            let (from, to) = (one.domain()?.get_space()?, other.domain()?.get_space()?);
            return Ok(Map::empty(from.map_from_domain_and_range(to)?)?);
        }
        Ok(one.apply_range(other.reverse()?)?)
    }

    /// Returns the copy that each instance uses: `{ S0[i, j] -> [i] }`, or `{ S0[i, j] -> [] }` if the array has no
    /// copies.
    fn copy_of(&self, id: AccessId) -> Result<Map> {
        let access = self.model.access(id)?;
        let domain = Set::parse(&self.model.owner(id)?.domain.0)?;
        let own = self.subscripts(id)?;
        let relation = Map::parse(&access.relation.0)?.intersect_domain(domain)?;
        let more = (relation.dim(DimType::Out)? as u32).saturating_sub(own);
        Ok(relation.reset_tuple_id(DimType::Out)?.project_out(DimType::Out, more, own)?)
    }

    /// Returns the number of subscripts that an access has in the source. An added statement moves an element between
    /// an array of the source and its copy, which has more subscripts or as many.
    fn subscripts(&self, id: AccessId) -> Result<u32> {
        let mut source = self.source.statements.iter().filter_map(|statement| statement.access(id));
        match source.next() {
            Some(access) => Ok(Map::parse(&access.relation.0)?.dim(DimType::Out)? as u32),
            None => {
                let owner = self.model.owner(id)?;
                // The statement that begins a partial sum accesses nothing else.
                let mut sums = self.expansions.partial_sums().iter();
                if let Some(sum) = sums.find(|sum| sum.start.id == owner.id) {
                    return self.subscripts(sum.write);
                }
                let mut sums = self.expansions.prefix_sums().iter();
                if let Some(sum) = sums.find(|sum| sum.statements().any(|added| added.id == owner.id)) {
                    return self.subscripts(sum.write);
                }
                let accesses = owner.accesses.iter();
                let subscripts =
                    accesses.map(|access| Ok(Map::parse(&access.relation.0)?.dim(DimType::Out)?));
                let subscripts = subscripts.collect::<Result<Vec<i32>>>()?;
                Ok(subscripts.into_iter().min().unwrap_or_default() as u32)
            }
        }
    }

    /// Checks a read against the writes of its own instance from which it may take its value.
    fn within(
        &self,
        path: &str,
        statement: &Statement,
        read: &Access,
        is_expanded: &impl Fn(AccessId) -> bool,
    ) -> Result<Vec<Diagnostic>> {
        let at = statement.position(read.id);
        let has_steps = statement.body.get(at / 2).is_some_and(|step| !step.blocks().is_empty());
        let may_precede = |position: usize| position < at || (has_steps && position / 2 == at / 2);
        let is_before = |write: &&Access| {
            let is_write = write.kind == AccessKind::Write && write.array == read.array;
            is_write && may_precede(statement.position(write.id))
        };
        let mut writes: Vec<&Access> = statement.accesses.iter().filter(is_before).collect();
        writes.sort_by_key(|write| std::cmp::Reverse(statement.position(write.id)));
        let domain = Set::parse(&statement.domain.0)?;
        let mut open = Map::parse(&read.relation.0)?.intersect_domain(domain)?;
        let mut messages = Vec::new();
        for write in writes {
            let written = Map::parse(&write.relation.0)?;
            let met = open.copy()?.intersect(written.copy()?)?.domain()?;
            if is_expanded(read.id) || is_expanded(write.id) {
                let pairs = Map::identity(met.get_space()?.map_from_set()?)?.intersect_domain(met)?;
                let apart = pairs.subtract(self.shared(write.id, read.id)?)?;
                messages.extend(self.lost(path, write.id, read.id, apart)?);
            }
            if write.certainty.is_must() && statement.position(write.id) < at {
                open = open.subtract(written)?;
            }
        }
        Ok(messages)
    }

    /// Returns the message about pairs of instances of which the second does not get the value of the first.
    fn lost(&self, path: &str, source: AccessId, sink: AccessId, pairs: Map) -> Result<Option<Diagnostic>> {
        let pairs = pairs.intersect_params(Set::parse(&self.model.context.0)?)?;
        if pairs.is_empty()? {
            return Ok(None);
        }
        let own = |id: AccessId| self.source.statements.iter().find_map(|statement| statement.access(id));
        let name = match own(source).or_else(|| own(sink)) {
            Some(access) => &self.source.array(access.array)?.name,
            None => &self.model.array(self.model.access(source)?.array)?.name,
        };
        let range = self.model.owner(sink)?.range;
        let (first, second, parameters) = pair_in_words(self.model, pairs)?;
        let message = format!(
            "{second} needs the value of `{name}` that {first} wrote, but reads another copy of it{parameters}"
        );
        Ok(Some(
            Diagnostic::error("E0224", message)
                .at(path, range, format!("another copy of `{name}` is read"))
                .with_help(HELP),
        ))
    }
}
