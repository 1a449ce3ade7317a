//! The dependences of a scop, grouped by the statements at their ends.

use polyhedra::{Map, Result, Simplify, Text};
use scop::{Dependence, StatementId};

use crate::stage::Sections;

/// The dependences between two statements. They are checked together first, because most of them have the same
/// distances and nearly always all are respected.
pub struct Group<'a> {
    /// The statements of the source and the sink.
    pub ends: (StatementId, StatementId),
    /// The dependences, each with the name of its kind.
    pub dependences: Vec<(&'static str, &'a Dependence)>,
}

/// Groups the dependences of a scop by the statements at their ends.
pub fn groups<'a>(sections: &Sections<'a>) -> Vec<Group<'a>> {
    let owners = sections.model.owners();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (kind, dependence) in dependences(sections) {
        let ends = owners.get(&dependence.source).zip(owners.get(&dependence.sink));
        let Some((&source, &sink)) = ends else { continue };
        match groups.iter_mut().find(|group| group.ends == (source, sink)) {
            Some(group) => group.dependences.push((kind, dependence)),
            None => groups.push(Group { ends: (source, sink), dependences: vec![(kind, dependence)] }),
        }
    }
    groups
}

/// Returns the union of `pairs` over all dependences of a group.
pub fn all_pairs(group: &Group<'_>, pairs: impl Fn(&Dependence) -> Result<Map>) -> Result<Map> {
    let mut all: Option<Map> = None;
    for (_, dependence) in &group.dependences {
        let more = pairs(dependence)?;
        all = polyhedra::add(all, more)?;
    }
    all.map_or_else(|| Map::parse("{ [] -> [] }"), Simplify::simplified)
}

fn dependences<'a>(sections: &Sections<'a>) -> impl Iterator<Item = (&'static str, &'a Dependence)> {
    let dependences = sections.dependences;
    let kinds = [("flow", &dependences.flow), ("anti", &dependences.anti), ("output", &dependences.output)];
    kinds.into_iter().flat_map(|(kind, list)| list.iter().map(move |dependence| (kind, dependence)))
}
