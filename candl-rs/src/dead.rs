//! Statements without effect.

use petgraph::graphmap::DiGraphMap;
use petgraph::visit::Dfs;
use scop::{AccessId, Dependence, Dependences, LiveAccess, Model, StatementId};

use crate::dataflow::Flow;

/// Returns the statements whose values do not contribute to any value that is needed after the region.
///
/// If this applies to all statements, the list is empty: a program without statements is useless.
pub fn dead(model: &Model, flow: &[Dependence], live_out: &[LiveAccess]) -> Vec<StatementId> {
    let owners = model.owners();
    let owner = |access: AccessId| owners.get(&access).copied();
    let readers_first = flow.iter().filter_map(|flow| Some((owner(flow.sink)?, owner(flow.source)?)));
    let graph = DiGraphMap::<StatementId, ()>::from_edges(readers_first);
    let mut alive = Dfs::empty(&graph);
    for statement in live_out.iter().filter_map(|live| owner(live.access)) {
        alive.move_to(statement);
        while alive.next(&graph).is_some() {}
    }
    let dead = model.statements.iter().map(|statement| statement.id);
    let dead: Vec<StatementId> = dead.filter(|id| !alive.discovered.contains(id)).collect();
    if dead.len() == model.statements.len() { Vec::new() } else { dead }
}

/// Removes the results about dead statements. A dead statement's values are read only by dead statements.
pub fn leave_out(model: &Model, found: &mut Dependences, flows: &mut Vec<Flow>) {
    let Dependences { flow, live_in, dead, .. } = found;
    let owners = model.owners();
    let is_dead = |access: &AccessId| owners.get(access).is_some_and(|statement| dead.contains(statement));
    flow.retain(|flow| !is_dead(&flow.sink));
    flows.retain(|flow| !is_dead(&flow.sink));
    live_in.retain(|live| !is_dead(&live.access));
}
