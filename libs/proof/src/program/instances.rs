//! Which statement instances the leaves of a loop program execute.

use std::collections::BTreeMap;

use polyhedra::{DimType, Map, MultiPwAff, PwAffList, PwMultiAff, Result, Set, Simplify, Text, context};
use scop::ast::{AccessPlace, AstExpr, Node};
use scop::{AccessId, BufferId, Model, Statement, StatementId};

use super::leaf::{Leaf, Walked};
use super::value::Scope;

/// A leaf that executes instances of a statement.
pub struct Executed<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// The leaf.
    pub leaf: &'a Leaf<'a>,
    /// Where its accesses go.
    pub accesses: &'a [AccessPlace],
    /// The function from points to instances.
    pub instance: PwMultiAff,
    /// The points whose instance is in the domain. They are restricted to started blocks only if instances would
    /// otherwise be executed at several points.
    pub points: Set,
    /// True if each instance is executed at one point only.
    pub at_one_point: bool,
}

/// Returns the leaves that execute each statement of a model.
///
/// # Errors
/// Fails if a leaf names a statement that does not exist, or its iterators are not quasi-affine.
pub fn executed<'a>(
    model: &'a Model,
    walked: &'a Walked<'a>,
) -> Result<BTreeMap<StatementId, Vec<Executed<'a>>>> {
    let context = Set::parse(&model.context.0)?;
    let mut found: BTreeMap<StatementId, Vec<Executed<'a>>> = BTreeMap::new();
    for leaf in &walked.leaves {
        let Node::Instance { statement, iterators, accesses } = leaf.node else { continue };
        let statement = model.statement(*statement)?;
        let domain = Set::parse(&statement.domain.0)?.intersect_params(context.copy()?)?;
        let instance = function(leaf, iterators)?.set_tuple_id(DimType::Out, domain.get_tuple_id()?)?;
        let inside = pulled_back(domain, &instance)?;
        let points = leaf.domain.copy()?.intersect(inside)?.simplified()?;
        let mut executed = Executed { statement, leaf, accesses, instance, points, at_one_point: true };
        executed.at_one_point = executed.places()?.is_single_valued()?;
        if !executed.at_one_point
            && let Some(started) = walked.started(leaf)?
        {
            executed.points = executed.points.intersect(started)?;
            executed.at_one_point = executed.places()?.is_single_valued()?;
        }
        found.entry(statement.id).or_default().push(executed);
    }
    Ok(found)
}

impl Executed<'_> {
    /// Returns the buffer that an access uses.
    pub fn buffer(&self, access: AccessId) -> Option<BufferId> {
        self.accesses.iter().find(|place| place.access == access)?.buffer
    }

    /// Returns the relation from instances to the points that execute them.
    pub fn places(&self) -> Result<Map> {
        let places = Map::from_pw_multi_aff(self.instance.copy()?)?;
        Ok(places.intersect_domain(self.points.copy()?)?.reverse()?)
    }
}

/// Returns the function from the points of a leaf to the vector of the values of some expressions.
pub fn function(leaf: &Leaf<'_>, values: &[AstExpr]) -> Result<PwMultiAff> {
    let scope = Scope { names: &leaf.names, domain: &leaf.domain };
    let space = leaf.domain.get_space()?.from_domain()?.add_dims(DimType::Out, values.len() as u32)?;
    if values.is_empty() {
        return Ok(PwMultiAff::zero(space)?);
    }
    let mut list = PwAffList::alloc(context(), values.len() as i32)?;
    for value in values {
        list = list.add(scope.value(value)?)?;
    }
    Ok(PwMultiAff::from_multi_pw_aff(MultiPwAff::from_pw_aff_list(space, list)?)?)
}

/// Returns the points whose image is in a set.
pub fn pulled_back(set: Set, function: &PwMultiAff) -> Result<Set> {
    let function = function.copy()?;
    if function.isa_multi_aff()? {
        return Ok(set.preimage_multi_aff(function.as_multi_aff()?)?);
    }
    Ok(set.preimage_pw_multi_aff(function)?)
}
