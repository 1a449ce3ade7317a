//! What the checks of added statements share: orders of instances, relations of accesses, and messages about pairs.

use polyhedra::{Map, Result, Set, Text, UnionMap, UnionSet, maps_of};
use scop::{Access, Diagnostic, Model, Statement, StatementId};

use crate::report::pair_in_words;

/// Returns the instances of a statement.
pub fn domain(statement: &Statement, context: &Set) -> Result<Set> {
    Ok(Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?)
}

/// Keeps the pairs of which the first instance comes before the second in an order.
pub fn before(order: &UnionMap, pairs: &Map) -> Result<Map> {
    let times = |instances: Set| -> Result<Map> {
        let own =
            order.copy()?.intersect_domain(UnionSet::from_set(Set::universe(instances.get_space()?)?)?)?;
        match maps_of(&own)?.into_iter().next() {
            Some(times) => Ok(times),
            None => Err(polyhedra::Error::new("an instance has no place in the order")),
        }
    };
    let (first, second) = (times(pairs.copy()?.domain()?)?, times(pairs.copy()?.range()?)?);
    Ok(pairs.copy()?.intersect(first.lex_lt_map(second)?)?)
}

/// Returns the pairs that are in one relation alone.
pub fn in_one_alone(one: Map, other: Map) -> Result<Map> {
    Ok(one.copy()?.subtract(other.copy()?)?.union(other.subtract(one)?)?)
}

/// True if an access has a relation, in the instances of its statement for the parameters of the context.
pub fn is_same(access: &Access, wanted: Map, statement: &Statement, context: &Set) -> Result<bool> {
    let instances = domain(statement, context)?;
    let found = Map::parse(&access.relation.0)?.intersect_domain(instances.copy()?)?;
    Ok(found.is_equal(&wanted.intersect_domain(instances)?)?)
}

/// What messages are about.
pub struct About<'a> {
    /// The code of the messages.
    pub code: &'static str,
    /// The source file.
    pub path: &'a str,
    /// The region.
    pub model: &'a Model,
    /// The statement of the source.
    pub statement: StatementId,
    /// What it is.
    pub what: &'static str,
}

impl About<'_> {
    /// Returns a message that shows the first instance of a pair, if there is one.
    pub fn shown(&self, pairs: Map, words: &str) -> Result<Option<Diagnostic>> {
        let pairs = pairs.intersect_params(Set::parse(&self.model.context.0)?)?;
        if pairs.is_empty()? {
            return Ok(None);
        }
        let range = self.model.statement(self.statement)?.range;
        let (instance, _, parameters) = pair_in_words(self.model, pairs)?;
        let message = format!("{instance} {words}{parameters}");
        Ok(Some(Diagnostic::error(self.code, message).at(self.path, range, self.what)))
    }
}
