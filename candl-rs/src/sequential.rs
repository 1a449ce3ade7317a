//! Which loops dependences keep in order.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use polyhedra::{Map, Result, Text};
use scop::{AccessId, Dependence, LoopId, Model, StatementId, shared_loops};

use crate::carried::carried;

/// Loops that cannot be parallel for a statement.
pub type Sequential = BTreeMap<StatementId, BTreeSet<LoopId>>;

/// Returns for each statement the loops that carry some dependences between the statements of its cycle of such
/// dependences.
pub fn sequential_loops<'d>(
    model: &Model,
    dependences: impl IntoIterator<Item = &'d Dependence> + Clone,
) -> Result<Sequential> {
    let owners = model.owners();
    let ends = |source: AccessId, sink: AccessId| Some((*owners.get(&source)?, *owners.get(&sink)?));
    let all = dependences.clone().into_iter();
    let edges = all.filter_map(|dependence| ends(dependence.source, dependence.sink));
    let graph = DiGraphMap::<StatementId, ()>::from_edges(edges);
    let mut sequential = BTreeMap::new();
    for cycle in tarjan_scc(&graph) {
        let members: BTreeSet<StatementId> = cycle.into_iter().collect();
        let mut carrying = BTreeSet::new();
        for dependence in dependences.clone() {
            let Some((source, sink)) = ends(dependence.source, dependence.sink) else { continue };
            if members.contains(&source) && members.contains(&sink) {
                let (source, sink) = (model.statement(source)?, model.statement(sink)?);
                let positions = carried(Map::parse(&dependence.relation.0)?, shared_loops(source, sink))?;
                carrying.extend(positions.into_iter().filter_map(|k| source.loops.get(k)).copied());
            }
        }
        sequential.extend(members.into_iter().map(|statement| (statement, carrying.clone())));
    }
    Ok(sequential)
}
