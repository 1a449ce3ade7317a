//! V3: the isl texts of a document, each parsed once.

use std::collections::BTreeSet;

use polyhedra::{Schedule, Set, Text, UnionSet};

use super::report::Report;
use super::space::{HasSpace, Object, parameters};
use super::tree_text;
use crate::{Axis, IslSchedule, Model, StatementId};

/// The isl objects and readers that the checks of a scop share.
pub struct Parsed {
    /// The reader of texts that use only the parameters of the scop.
    pub texts: Texts,
    /// The reader of texts that also use the coordinates of blocks and threads.
    pub mapped_texts: Texts,
    /// The context; absent if its text cannot be parsed.
    pub context: Option<Set>,
    /// The domain of each statement; absent if its text cannot be parsed.
    pub domains: Vec<Option<Set>>,
}

impl Parsed {
    /// Parses the texts that several checks need.
    pub fn new(model: &Model, report: &mut Report) -> Self {
        let texts = Texts::new(model, &[]);
        let context = texts.read("the context", &model.context.0, report);
        let domains = model
            .statements
            .iter()
            .map(|statement| {
                texts.read(&format!("the domain of {}", statement.id), &statement.domain.0, report)
            })
            .collect();
        Self { mapped_texts: Texts::new(model, &Axis::ALL), texts, context, domains }
    }

    /// Returns the instances of all statements except some, or nothing if a domain could not be parsed.
    pub fn instances(&self, without: &[StatementId]) -> Option<polyhedra::Result<UnionSet>> {
        let domains = self.domains.iter().enumerate();
        let wanted = domains.filter(|(number, _)| without.iter().all(|id| id.index() != *number));
        let domains: Vec<&Set> = wanted.map(|(_, domain)| domain.as_ref()).collect::<Option<_>>()?;
        Some(union(&domains))
    }
}

fn union(sets: &[&Set]) -> polyhedra::Result<UnionSet> {
    let mut union = UnionSet::parse("{ }")?;
    for set in sets {
        union = union.union(UnionSet::from_set(set.copy()?)?)?;
    }
    Ok(union)
}

/// Parses a schedule tree, or adds a fault.
pub fn read_tree(what: &str, text: &IslSchedule, report: &mut Report) -> Option<Schedule> {
    let text = &text.0;
    let tree = tree_text::check(text).and_then(|()| Schedule::parse(text).map_err(|error| error.to_string()));
    tree.map_err(|why| report.fault(3, format!("{what} is not a schedule tree in isl's notation: {why}")))
        .ok()
}

/// A reader of isl texts that may use certain parameters.
pub struct Texts {
    parameters: BTreeSet<String>,
}

impl Texts {
    fn new(model: &Model, axes: &[Axis]) -> Self {
        let coordinates = axes.iter().flat_map(|axis| [axis.block_parameter(), axis.thread_parameter()]);
        let parameters = model.parameters.iter().map(|parameter| parameter.name.clone());
        Self { parameters: parameters.chain(coordinates.map(str::to_owned)).collect() }
    }

    /// Parses a text. Adds a fault if it is of another kind or uses other parameters.
    pub fn read<T: Object>(&self, what: &str, text: &str, report: &mut Report) -> Option<T> {
        match T::parse(text) {
            Ok(object) => {
                self.check(what, &object, report);
                Some(object)
            }
            Err(error) => {
                report.fault(3, format!("{what} is not {} in isl's notation: {error}", T::KIND));
                None
            }
        }
    }

    /// Adds a fault for each parameter of an object that it must not have.
    pub fn check(&self, what: &str, object: &impl HasSpace, report: &mut Report) {
        let Some(names) = report.answer(3, what, parameters(object)) else { return };
        for name in names.iter().filter(|name| !self.parameters.contains(*name)) {
            report.fault(3, format!("{what} uses `{name}`, which is not a parameter here"));
        }
    }
}
