//! Dataflow analysis of tagged accesses, and how its results become those of the document.

use polyhedra::last::{Asked, Last};
use polyhedra::{Map, Result, Schedule, Set, Simplify, Text, UnionMap, maps_of, settled_text};
use scop::{AccessId, Dependence, IslMap, Model, StatementId};

use crate::accesses::{TaggedAccesses, tag};
use crate::order::tagged_order;

/// What the analyses of a scop have in common.
pub struct Dataflow<'a> {
    /// The scop.
    pub model: &'a Model,
    /// Its accesses.
    pub accesses: TaggedAccesses,
    /// The order of the source on tagged instances.
    pub order: Schedule,
    /// For each read the last writes before it.
    pub values: Last,
    /// What is known of the parameters; results hold only where it does.
    context: Set,
}

/// The values that one access passes to another, within an instance as well.
pub struct Flow {
    /// The write.
    pub source: AccessId,
    /// The read.
    pub sink: AccessId,
    /// From instances to instances: `{ S0[i] -> S1[j] }`.
    pub relation: Map,
}

impl<'a> Dataflow<'a> {
    /// Reads the relations of a scop.
    pub fn new(model: &'a Model) -> Result<Self> {
        let accesses = TaggedAccesses::new(model, &[])?;
        let order = tagged_order(model)?;
        let values = compute(&accesses, &order, &accesses.reads, &accesses.writes()?)?;
        Ok(Self { model, accesses, order, values, context: Set::parse(&model.context.0)? })
    }

    /// The same for a model whose accesses pass the same values through other arrays, without some statements, whose
    /// values nobody needs.
    pub fn on<'b>(self, model: &'b Model, without: &[StatementId]) -> Result<Dataflow<'b>> {
        let accesses = TaggedAccesses::new(model, without)?;
        Ok(Dataflow { model, accesses, order: self.order, values: self.values, context: self.context })
    }

    /// The same if some writes hide nothing of what is written before them.
    pub fn hiding_nothing(self, writes: &[AccessId]) -> Result<Self> {
        let accesses = self.accesses.hiding_nothing(writes)?;
        let values = compute(&accesses, &self.order, &accesses.reads, &accesses.writes()?)?;
        Ok(Self { accesses, values, ..self })
    }

    /// Which access passes values to which.
    pub fn flows(&self) -> Result<Vec<Flow>> {
        let relation = self.values.dependences.copy()?;
        let flow = |map: Map| {
            let (source, sink) = (tag(map.copy()?.domain()?)?, tag(map.copy()?.range()?)?);
            Ok(Flow { source, sink, relation: map.factor_domain()? })
        };
        maps_of(&relation)?.into_iter().map(flow).collect()
    }

    /// For each sink the sources before it without a must write of the same element between them.
    pub fn compute(&self, sinks: &UnionMap, sources: &UnionMap) -> Result<Last> {
        compute(&self.accesses, &self.order, sinks, sources)
    }

    /// The same in an order of its own.
    pub fn compute_in(&self, order: &Schedule, sinks: &UnionMap, sources: &UnionMap) -> Result<Last> {
        compute(&self.accesses, order, sinks, sources)
    }

    /// The dependences of a relation `{ [S0[i] -> a1[]] -> [S1[j] -> a2[]] }`, one for each pair of accesses, without
    /// those from an instance to itself.
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

    /// The same relation for all parameters that may occur, in fewer words.
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

/// The pairs of a relation without those of an instance and itself.
pub fn between_different_instances(map: Map) -> Result<Map> {
    let space = map.get_space()?;
    if space.copy()?.domain()?.is_equal(&space.copy()?.range()?)? {
        Ok(map.subtract(Map::identity(space)?)?)
    } else {
        Ok(map)
    }
}
