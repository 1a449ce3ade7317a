//! Updates that may be done in any order.

use polyhedra::{Map, Result, Text, settled_text};
use scop::{
    AccessId, AccessKind, Dependence, Dependences, Freedom, IslMap, Model, Reduction, Statement, Update,
    is_exact, updates,
};

use crate::dataflow::{Dataflow, Flow, between_different_instances};

/// Returns the updates by associative and commutative operators. For each, it gives the pairs of instances of which
/// the first passes the element to the second and to no other access.
///
/// If another access reads what an instance wrote, or may overwrite it, that instance must run after the earlier
/// ones, and its pairs are left out. For example, `s += a[i]; b[i] = s` is a sum whose order is never free, and it
/// is not listed.
pub fn reductions(
    dataflow: &Dataflow<'_>,
    flows: &[Flow],
    dependences: &Dependences,
) -> Result<Vec<Reduction>> {
    let mut reductions = Vec::new();
    let living =
        dataflow.model.statements.iter().filter(|statement| !dependences.dead.contains(&statement.id));
    for statement in living {
        for update in updates(statement) {
            let Some(&read) = update.reads.first() else { continue };
            let pairs = free_pairs(dataflow, flows, dependences, statement, &update)?;
            let Some(pairs) = pairs else { continue };
            if !pairs.is_empty()? {
                let Update { write, operator, .. } = update;
                let relation = IslMap(settled_text(&pairs)?);
                let (relaxed, free) = (false, None);
                let id = statement.id;
                let mut compared = update.reads[1..].to_vec();
                compared.retain(|other| *other != read);
                let mut reduction =
                    Reduction { statement: id, read, write, compared, operator, relation, relaxed, free };
                if is_exact(statement, &reduction) {
                    reduction.free = Some(Freedom::Exact);
                }
                reductions.push(reduction);
            }
        }
    }
    Ok(reductions)
}

fn free_pairs(
    dataflow: &Dataflow<'_>,
    flows: &[Flow],
    dependences: &Dependences,
    statement: &Statement,
    update: &Update,
) -> Result<Option<Map>> {
    let passed = flows.iter().filter(|flow| flow.source == update.write);
    let (own, others): (Vec<_>, Vec<_>) = passed.partition(|flow| update.reads.contains(&flow.sink));
    let Some(first) = own.first().filter(|_| writes_once(statement, update)) else { return Ok(None) };
    let mut pairs = first.relation.copy()?;
    for other in others {
        pairs = pairs.subtract(read_between(other, statement, dependences, update)?)?;
    }
    for before in dependences.output.iter().filter(|output| output.source == update.write) {
        let after = |after: &&Dependence| after.source == before.sink && after.sink == update.write;
        let is_other = before.sink != update.write && is_may(dataflow.model, before.sink);
        for after in dependences.output.iter().filter(after).filter(|_| is_other) {
            let between = Map::parse(&before.relation.0)?.apply_range(Map::parse(&after.relation.0)?)?;
            pairs = pairs.subtract(between)?;
        }
    }
    Ok(Some(dataflow.simplify(between_different_instances(pairs)?)?))
}

/// Returns the pairs of instances of an update between which another access reads what the first instance wrote.
///
/// That access comes before the second instance if it must stay before that instance's write or belongs to that
/// instance.
fn read_between(
    read: &Flow,
    statement: &Statement,
    dependences: &Dependences,
    update: &Update,
) -> Result<Map> {
    let mut between = if statement.access(read.sink).is_some() {
        read.relation.copy()?
    } else {
        Map::empty(read.relation.copy()?.domain()?.get_space()?.map_from_set()?)?
    };
    let rewritten = |anti: &&Dependence| anti.source == read.sink && anti.sink == update.write;
    for anti in dependences.anti.iter().filter(rewritten) {
        let pairs = read.relation.copy()?.apply_range(Map::parse(&anti.relation.0)?)?;
        between = between.union(pairs)?;
    }
    Ok(between)
}

/// True if no other access of the statement writes to the array.
fn writes_once(statement: &Statement, update: &Update) -> bool {
    let array = statement.access(update.write).map(|access| access.array);
    let mut others = statement.accesses.iter().filter(|access| access.id != update.write);
    !others.any(|access| access.kind == AccessKind::Write && Some(access.array) == array)
}

fn is_may(model: &Model, id: AccessId) -> bool {
    let mut found = model.statements.iter().filter_map(|statement| statement.access(id));
    found.any(|access| !access.certainty.is_must())
}
