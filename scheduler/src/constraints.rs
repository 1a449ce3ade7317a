//! The constraints of a schedule, gathered from the document.

use polyhedra::{
    DimType, Map, Result, ScheduleConstraints, Set, Simplify, Text, UnionMap, UnionSet, maps_of,
};
use scop::{Dependence, Dependences, Model, StatementId};

/// The instances of a scop and the constraints on their order.
pub struct Constraints {
    /// All statement instances, without those that have no effect.
    pub domain: UnionSet,
    /// The number of statements with these instances.
    pub statements: usize,
    /// The constraints on the parameters.
    pub context: Set,
    /// Flow, anti and output dependences, exactly.
    pub validity: UnionMap,
    /// The same without the bounds of uniform dependences.
    relaxed: UnionMap,
    /// Pairs of instances that should be close to each other: those that pass a value.
    pub proximity: UnionMap,
}

impl Constraints {
    /// Gathers the constraints of a scop.
    pub fn new(model: &Model, dependences: &Dependences) -> Result<Self> {
        Self::of(model, dependences, &[])
    }

    /// Gathers the constraints of a scop without some of its statements. What one of them keeps in order remains in
    /// order.
    pub fn of(model: &Model, dependences: &Dependences, without: &[StatementId]) -> Result<Self> {
        let context = Set::parse(&model.context.0)?;
        let absent = [&dependences.dead[..], without].concat();
        let domain = union_domain(model, &absent)?.intersect_params(context.copy()?)?;
        let is_absent = |access| {
            let mut absent = without.iter().filter_map(|id| model.statements.get(id.index()));
            absent.any(|statement| statement.access(access).is_some())
        };
        let is_present = |one: &&Dependence| !is_absent(one.source) && !is_absent(one.sink);
        let flow = || dependences.flow.iter().filter(is_present);
        let reuse = || dependences.anti.iter().chain(&dependences.output).filter(is_present);
        let all = || dependences.flow.iter().chain(&dependences.anti).chain(&dependences.output);
        let before = all().filter(|one| !is_absent(one.source) && is_absent(one.sink));
        let after = all().filter(|one| is_absent(one.source) && !is_absent(one.sink));
        let (mut through, mut relaxed) = (UnionMap::parse("{ }")?, UnionMap::parse("{ }")?);
        for map in maps_of(&union_of(before, Ok)?.apply_range(union_of(after, Ok)?)?)? {
            let map = map.simplified()?;
            relaxed = relaxed.add_map(without_bounds(map.copy()?)?)?;
            through = through.add_map(map)?;
        }
        Ok(Self {
            domain,
            statements: model.statements.len().saturating_sub(absent.len()),
            context,
            validity: union_of(flow().chain(reuse()), Ok)?.union(through)?.simplified()?,
            relaxed: union_of(flow().chain(reuse()), without_bounds)?.union(relaxed)?,
            proximity: union_of(flow(), without_bounds)?,
        })
    }

    /// Keeps only the dependences from and to the instances of a statement.
    pub fn involving(mut self, id: StatementId) -> Result<Self> {
        let mut own = UnionMap::parse("{ }")?;
        for map in maps_of(&self.validity)? {
            let is_end = |side| -> Result<bool> { Ok(map.get_tuple_name(side)? == id.to_string()) };
            if is_end(DimType::In)? || is_end(DimType::Out)? {
                own = own.add_map(map)?;
            }
        }
        self.validity = own;
        Ok(self)
    }

    /// Creates the constraints of a test.
    #[cfg(test)]
    pub fn written(domain: &str, validity: &str) -> Result<Self> {
        let dependences = || UnionMap::parse(validity);
        Ok(Self {
            domain: UnionSet::parse(domain)?,
            statements: 1,
            context: Set::parse("{ : }")?,
            validity: dependences()?,
            relaxed: dependences()?,
            proximity: dependences()?,
        })
    }

    /// Returns the constraints for isl's scheduler: all dependences.
    pub fn exact(&self) -> Result<ScheduleConstraints> {
        self.for_isl(&self.validity)
    }

    /// Returns the constraints for isl's scheduler: all dependences, uniform ones without bounds.
    pub fn relaxed(&self) -> Result<ScheduleConstraints> {
        self.for_isl(&self.relaxed)
    }

    fn for_isl(&self, validity: &UnionMap) -> Result<ScheduleConstraints> {
        Ok(ScheduleConstraints::on_domain(self.domain.copy()?)?
            .set_context(self.context.copy()?)?
            .set_validity(validity.copy()?)?
            .set_coincidence(validity.copy()?)?
            .set_proximity(self.proximity.copy()?)?)
    }
}

fn union_domain(model: &Model, dead: &[StatementId]) -> Result<UnionSet> {
    let mut union = UnionSet::parse("{ }")?;
    for statement in model.statements.iter().filter(|statement| !dead.contains(&statement.id)) {
        union = union.union(UnionSet::parse(&statement.domain.0)?)?;
    }
    Ok(union)
}

fn union_of<'a>(
    dependences: impl Iterator<Item = &'a Dependence>,
    simplify: fn(Map) -> Result<Map>,
) -> Result<UnionMap> {
    let mut union = UnionMap::parse("{ }")?;
    for dependence in dependences {
        let relation = simplify(Map::parse(&dependence.relation.0)?)?;
        union = union.union(UnionMap::from_map(relation)?)?;
    }
    Ok(union)
}

/// Removes the bounds of the loops from a dependence over one constant distance; other dependences are unchanged.
///
/// isl's scheduler translates every dependence by Farkas' lemma, at a cost that is exponential in the number of
/// bounds (a three-dimensional stencil takes seconds), and most dependences of a stencil differ only in their bounds.
/// A schedule that respects the larger relation respects the smaller one. For a dependence of a statement on itself,
/// both require the same: that the schedule does not decrease over the distance.
fn without_bounds(relation: Map) -> Result<Map> {
    if relation.dim(DimType::In)? != relation.dim(DimType::Out)? {
        return Ok(relation);
    }
    let same_space = relation.copy()?.set_tuple_name(DimType::In, "X")?.set_tuple_name(DimType::Out, "X")?;
    let distance = Set::from_basic_set(same_space.deltas()?.affine_hull()?)?.project_out_all_params()?;
    if distance.is_singleton()? { Ok(Map::from_basic_map(relation.affine_hull()?)?) } else { Ok(relation) }
}
