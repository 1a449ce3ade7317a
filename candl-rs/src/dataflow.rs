//! Dataflow analysis of tagged accesses, and the conversion of its results to the form of the document.

use polyhedra::last::{Asked, Last};
use polyhedra::{Map, Result, Schedule, Set, Simplify, Text, UnionMap, maps_of, settled_text};
use scop::{AccessId, Dependence, IslMap, Model, StatementId};

use crate::accesses::{TaggedAccesses, tag};
use crate::order::tagged_order;

/// The data that the analyses of a scop share.
pub struct Dataflow<'a> {
    /// The scop.
    pub model: &'a Model,
    /// Its accesses.
    pub accesses: TaggedAccesses,
    /// The source order of tagged instances.
    pub order: Schedule,
    /// The last writes before each read.
    pub values: Last,
    /// What is known about the parameters; results hold only under these conditions.
    context: Set,
}

/// The values that one access passes to another, including those within an instance.
pub struct Flow {
    /// The write.
    pub source: AccessId,
    /// The read.
    pub sink: AccessId,
    /// The pairs of instances: `{ S0[i] -> S1[j] }`.
    pub relation: Map,
}

impl<'a> Dataflow<'a> {
    /// Analyses the dataflow of a scop.
    pub fn new(model: &'a Model) -> Result<Self> {
        Self::without(model, &[])
    }

    /// Analyses the dataflow of a scop without some of its statements.
    pub fn without(model: &'a Model, without: &[StatementId]) -> Result<Self> {
        let accesses = TaggedAccesses::new(model, without)?;
        let order = tagged_order(model)?;
        let values = compute(&accesses, &order, &accesses.reads, &accesses.writes()?)?;
        Ok(Self { model, accesses, order, values, context: Set::parse(&model.context.0)? })
    }

    /// Continues with a model whose accesses pass the same values through other arrays, and which may have more
    /// statements after the others. The statements in `without`, whose values are never needed, are left out.
    pub fn on<'b>(self, model: &'b Model, without: &[StatementId]) -> Result<Dataflow<'b>> {
        let accesses = TaggedAccesses::new(model, without)?;
        let is_longer = model.statements.len() > self.model.statements.len();
        let order = if is_longer { tagged_order(model)? } else { self.order };
        Ok(Dataflow { model, accesses, order, values: self.values, context: self.context })
    }

    /// Returns the anti and output dependences between some of the accesses.
    pub fn reuse(
        &self,
        without: &[StatementId],
        wanted: impl Fn(AccessId) -> bool,
    ) -> Result<Vec<Dependence>> {
        let accesses = TaggedAccesses::new(self.model, without)?.only(wanted)?;
        let writes = accesses.writes()?;
        let anti = compute(&accesses, &self.order, &writes, &accesses.reads)?;
        let output = compute(&accesses, &self.order, &writes, &writes)?;
        self.dependences(anti.dependences.union(output.dependences)?)
    }

    /// Repeats the analysis as if the given writes hid no earlier writes.
    pub fn hiding_nothing(self, writes: &[AccessId]) -> Result<Self> {
        let accesses = self.accesses.hiding_nothing(writes)?;
        let values = compute(&accesses, &self.order, &accesses.reads, &accesses.writes()?)?;
        Ok(Self { accesses, values, ..self })
    }

    /// Returns the flows of values between accesses.
    pub fn flows(&self) -> Result<Vec<Flow>> {
        let relation = self.values.dependences.copy()?;
        let flow = |map: Map| {
            let (source, sink) = (tag(map.copy()?.domain()?)?, tag(map.copy()?.range()?)?);
            Ok(Flow { source, sink, relation: map.factor_domain()? })
        };
        maps_of(&relation)?.into_iter().map(flow).collect()
    }

    /// Returns for each sink the earlier sources without a must write of the same element in between.
    pub fn compute(&self, sinks: &UnionMap, sources: &UnionMap) -> Result<Last> {
        compute(&self.accesses, &self.order, sinks, sources)
    }

    /// Does the same as [`Self::compute`] in another order.
    pub fn compute_in(&self, order: &Schedule, sinks: &UnionMap, sources: &UnionMap) -> Result<Last> {
        compute(&self.accesses, order, sinks, sources)
    }

    /// Returns the dependences of a relation `{ [S0[i] -> a1[]] -> [S1[j] -> a2[]] }`, one for each pair of
    /// accesses, without those from an instance to itself.
    pub fn dependences(&self, relation: UnionMap) -> Result<Vec<Dependence>> {
        let mut dependences = Vec::new();
        for map in maps_of(&relation)? {
            let (source, sink) = (tag(map.copy()?.domain()?)?, tag(map.copy()?.range()?)?);
            let relation = self.simplify(between_different_instances(map.factor_domain()?)?)?;
            if !relation.is_empty()? {
                dependences.push(Dependence { source, sink, relation: IslMap(settled_text(&relation)?) });
            }
        }
        dependences.sort_by_key(|dependence| (dependence.source, dependence.sink));
        Ok(dependences)
    }

    /// Simplifies a relation, assuming what is known about the parameters.
    pub fn simplify(&self, map: Map) -> Result<Map> {
        Ok(map.simplified()?.gist_params(self.context.copy()?)?)
    }
}

fn compute(
    accesses: &TaggedAccesses,
    order: &Schedule,
    sinks: &UnionMap,
    sources: &UnionMap,
) -> Result<Last> {
    Asked { times: order.get_map()?, sinks, sources, kills: &accesses.must_writes }.last()
}

/// Removes the pairs of an instance and itself.
pub fn between_different_instances(map: Map) -> Result<Map> {
    let space = map.get_space()?;
    if space.copy()?.domain()?.is_equal(&space.copy()?.range()?)? {
        Ok(map.subtract(Map::identity(space)?)?)
    } else {
        Ok(map)
    }
}
