//! Checks whether code after the region finds in each variable the value that the source leaves there.
//!
//! In the source, the last write of an element says where its value is in the end: in the variable itself, if that
//! write is not expanded, and otherwise in a copy. Added statements must store the elements of the latter, each from
//! the copy of its last write, and no others. This is computed here once more, from the order of the source: the list
//! of live values in the document is about accesses that are already expanded.

use std::collections::BTreeSet;

use polyhedra::last::{Asked, Last};
use polyhedra::{DimType, Map, Result, Schedule, Set, Text, UnionMap, UnionSet, maps_of, sets_of};
use scop::{Access, AccessId, AccessKind, ArrayId, Diagnostic, Expansions, SourceRange, Statement};

use crate::report::describe_element;
use crate::stage::Sections;

/// Returns a message for each array of which an element has another value after the region than in the source.
pub fn check(path: &str, sections: &Sections<'_>, expansions: &Expansions) -> Result<Vec<Diagnostic>> {
    let check = LastValues { sections, expansions };
    let mut messages = Vec::new();
    for array in check.arrays()? {
        let wrong = check.wrong_elements(array)?;
        let wrong = wrong.intersect_params(Set::parse(&sections.model.context.0)?)?;
        for wrong in sets_of(&wrong)? {
            if wrong.is_empty()? {
                continue;
            }
            let words = "does not have its last value after the region: that is in a copy that is not stored";
            let message = describe_element(sections.extracted, "E0227", array, wrong, words)?.with_help(HELP);
            messages.push(match check.range(array) {
                Some(range) => message.at(path, range, "stored here"),
                None => message,
            });
        }
    }
    Ok(messages)
}

const HELP: &str = "store each element from the copy to which the source writes it last, or leave its accesses out of \
                    `expansions`";

struct LastValues<'a> {
    sections: &'a Sections<'a>,
    expansions: &'a Expansions,
}

impl LastValues<'_> {
    /// Returns the arrays of the source that have copies or are stored, and that code after the region may read.
    fn arrays(&self) -> Result<BTreeSet<ArrayId>> {
        let mut arrays = BTreeSet::new();
        for (_, access) in self.writes() {
            if self.is_expanded(access.id) {
                arrays.insert(access.array);
            }
        }
        for statement in self.expansions.added() {
            let writes = statement.accesses.iter().filter(|access| access.kind == AccessKind::Write);
            arrays.extend(writes.map(|access| access.array));
        }
        let model = self.sections.extracted;
        let mut visible = BTreeSet::new();
        for id in arrays {
            let array = model.array(id)?;
            if array.visible && !array.dead_after {
                visible.insert(id);
            }
        }
        Ok(visible)
    }

    fn is_expanded(&self, access: AccessId) -> bool {
        // What goes to partial sums and chunks is combined with the variable itself.
        let is_partial = self.expansions.partial_sums().iter().any(|sum| sum.write == access)
            || self.expansions.prefix_sums().iter().any(|sum| sum.write == access);
        !is_partial && self.expansions.accesses.iter().any(|expanded| expanded.access == access)
    }

    /// Returns the writes of the source, without those of dead statements.
    fn writes(&self) -> impl Iterator<Item = (&Statement, &Access)> {
        let Sections { extracted, dependences, .. } = self.sections;
        let alive = extracted.statements.iter().filter(|statement| !dependences.dead.contains(&statement.id));
        let accesses = alive.flat_map(|one| one.accesses.iter().map(move |access| (one, access)));
        accesses.filter(|(_, access)| access.kind == AccessKind::Write)
    }

    /// Returns the elements of an array that have another value after the region than in the source.
    fn wrong_elements(&self, array: ArrayId) -> Result<UnionSet> {
        let stored = self.stored(array)?;
        let elements = stored.copy()?.domain()?;
        let Last { full, without_kill, .. } = self.ends(array)?;
        let mut wrong = elements.copy()?.intersect(without_kill.range()?)?;
        for map in maps_of(&full.range_factor_range()?)? {
            let access = tag(&map)?;
            let written = map.domain_factor_domain()?;
            let more = if self.is_expanded(access) {
                let copies = Map::parse(&self.sections.model.access(access)?.relation.0)?;
                let wanted = same_element(written.reverse()?.apply_range(copies)?)?;
                UnionMap::from_map(wanted)?.subtract(stored.copy()?)?.domain()?
            } else {
                elements.copy()?.intersect(UnionSet::from_set(written.range()?)?)?
            };
            wrong = wrong.union(more)?;
        }
        Ok(if stored.is_single_valued()? { wrong } else { wrong.union(elements)? })
    }

    /// Returns the element of a copy that is stored in each element of an array: `{ A0[j] -> A4[n - 1, j] }`.
    fn stored(&self, array: ArrayId) -> Result<UnionMap> {
        let mut stored = UnionMap::parse("{ }")?;
        for statement in self.stores(array) {
            let domain = Set::parse(&statement.domain.0)?;
            let of_kind = |kind| statement.accesses.iter().find(|access| access.kind == kind);
            let (Some(write), Some(read)) = (of_kind(AccessKind::Write), of_kind(AccessKind::Read)) else {
                continue;
            };
            let written = Map::parse(&write.relation.0)?.intersect_domain(domain)?;
            stored = stored.add_map(written.reverse()?.apply_range(Map::parse(&read.relation.0)?)?)?;
        }
        Ok(stored)
    }

    /// Returns the added statements that write an array.
    fn stores(&self, array: ArrayId) -> impl Iterator<Item = &Statement> {
        let writes = move |access: &Access| access.kind == AccessKind::Write && access.array == array;
        self.expansions.added().iter().filter(move |statement| statement.accesses.iter().any(writes))
    }

    /// Returns the last writes of an array's elements in the source, as the sources of an instance `END[]` that reads
    /// them after all others.
    fn ends(&self, array: ArrayId) -> Result<Last> {
        let order = Schedule::parse(&self.sections.extracted.order.0)?.get_map()?;
        let (mut sources, mut kills, mut times) =
            (UnionMap::parse("{ }")?, UnionMap::parse("{ }")?, UnionMap::parse("{ }")?);
        for (statement, access) in self.writes().filter(|(_, access)| access.array == array) {
            let tagged = tagged(statement, access)?;
            times = times.union(time(statement, access, &order)?)?;
            sources = sources.add_map(tagged.copy()?)?;
            if access.certainty.is_must() {
                kills = kills.add_map(tagged)?;
            }
        }
        let end = UnionSet::parse("{ [END[] -> end[]] }")?;
        let sinks = UnionMap::from_domain_and_range(end, sources.copy()?.range()?)?;
        let times = times.copy()?.union(after(&times)?)?;
        Asked { times, sinks: &sinks, sources: &sources, kills: &kills }.last()
    }

    /// Returns the place in the source of what is stored in an array.
    fn range(&self, array: ArrayId) -> Option<SourceRange> {
        self.stores(array).next().map(|statement| statement.range)
    }
}

/// Returns `{ [S0[i] -> a1[]] -> A0[x] }`: the elements of an access, with its name beside each instance.
pub fn tagged(statement: &Statement, access: &Access) -> Result<Map> {
    let domain = Set::parse(&statement.domain.0)?;
    let relation = Map::parse(&access.relation.0)?.intersect_domain(domain)?;
    let elements = Set::universe(relation.get_space()?.range()?)?;
    let name = Set::parse(&format!("{{ {}[] }}", access.id))?;
    Ok(relation.domain_product(Map::from_domain_and_range(name, elements)?)?)
}

/// Returns `{ [S0[i] -> a1[]] -> [0, i, 1] }`: instances in the order of the source, and accesses within an instance by
/// their position in the body.
pub fn time(statement: &Statement, access: &Access, order: &UnionMap) -> Result<UnionMap> {
    let names = polyhedra::numbered("i", statement.depth()).join(", ");
    let (instance, tag) = (format!("{}[{names}]", statement.id), format!("{}[]", access.id));
    let whole = UnionMap::parse(&format!("{{ [{instance} -> {tag}] -> {instance} }}"))?;
    let before = UnionMap::parse(&format!("{{ [{instance} -> {tag}] -> [0] }}"))?;
    let position = statement.position(access.id);
    let within = UnionMap::parse(&format!("{{ [{instance} -> {tag}] -> [{position}] }}"))?;
    Ok(before.flat_range_product(whole.apply_range(order.copy()?)?)?.flat_range_product(within)?)
}

/// Returns the time of `END[]`, after all others.
pub fn after(times: &UnionMap) -> Result<UnionMap> {
    let length = match maps_of(times)?.first() {
        Some(map) => map.dim(DimType::Out)? as usize,
        None => 1,
    };
    let zeros = ", 0".repeat(length.saturating_sub(1));
    UnionMap::parse(&format!("{{ [END[] -> end[]] -> [1{zeros}] }}"))
}

/// Returns the access in `{ [S0[i] -> a1[]] -> A0[x] }`.
pub fn tag(map: &Map) -> Result<AccessId> {
    let name = map.copy()?.domain()?.unwrap()?.get_tuple_name(DimType::Out)?.to_owned();
    name.parse().map_err(polyhedra::Error::new)
}

/// Keeps the pairs of an element and its copies: `{ A0[x] -> A4[c, x] }`.
fn same_element(map: Map) -> Result<Map> {
    let own = map.dim(DimType::In)?;
    let leading = map.dim(DimType::Out)? - own;
    (0..own).try_fold(map, |map, position| {
        Ok(map.equate(DimType::In, position, DimType::Out, leading + position)?)
    })
}
