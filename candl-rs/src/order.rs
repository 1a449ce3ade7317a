//! The source order, refined to the steps inside a statement.

use polyhedra::{
    Map, MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Text, UnionMap, UnionSet,
    context, maps_of,
};
use scop::{Access, Model, Statement};

use crate::accesses::{instance, tagged_instance};

/// Returns the order of tagged instances.
///
/// *Before → after:* every leaf `S0[i]` → `band { [S0[i] -> a3[]] -> [position of a3 in the body] }`. An access
/// that reads what an earlier step of the same instance wrote is therefore ordered after that write, and before the
/// writes of later steps.
pub fn tagged_order(model: &Model) -> Result<Schedule> {
    let order = Schedule::parse(&model.order.0)?;
    if model.statements.iter().all(|statement| statement.accesses.is_empty()) {
        return Ok(order);
    }
    let order = order.pullback_union_pw_multi_aff(untagging(model)?.as_union_pw_multi_aff()?)?;
    let steps = MultiUnionPwAff::read_from_str(context(), &positions(model))?;
    Ok(refine(order.get_root()?, &steps)?.get_schedule()?)
}

/// Keeps the pairs of instances of two statements of which the first comes before the second in an order.
pub fn earlier(order: &UnionMap, pairs: &Map) -> Result<Map> {
    let times = |instances: Set| -> Result<Option<Map>> {
        let own = UnionSet::from_set(Set::universe(instances.get_space()?)?)?;
        Ok(maps_of(&order.copy()?.intersect_domain(own)?)?.into_iter().next())
    };
    let (one, other) = (times(pairs.copy()?.domain()?)?, times(pairs.copy()?.range()?)?);
    match one.zip(other) {
        Some((one, other)) => Ok(pairs.copy()?.intersect(one.lex_lt_map(other)?)?),
        None => Ok(Map::empty(pairs.get_space()?)?),
    }
}

/// Returns `{ [S0[i] -> a3[]] -> S0[i]; … }`.
fn untagging(model: &Model) -> Result<UnionMap> {
    let maps: Vec<String> = pairs(model)
        .map(|(statement, access)| {
            format!("{} -> {}", tagged_instance(statement, access), instance(statement))
        })
        .collect();
    UnionMap::parse(&format!("{{ {} }}", maps.join("; ")))
}

/// Returns `[{ [S0[i] -> a3[]] -> [(2)]; … }]`.
fn positions(model: &Model) -> String {
    let values: Vec<String> = pairs(model)
        .map(|(statement, access)| {
            format!("{} -> [({})]", tagged_instance(statement, access), statement.position(access.id))
        })
        .collect();
    format!("[{{ {} }}]", values.join("; "))
}

fn pairs(model: &Model) -> impl Iterator<Item = (&Statement, &Access)> {
    model
        .statements
        .iter()
        .flat_map(|statement| statement.accesses.iter().map(move |access| (statement, access)))
}

/// Puts a band with the partial schedule `steps` above every leaf.
fn refine(node: ScheduleNode, steps: &MultiUnionPwAff) -> Result<ScheduleNode> {
    if node.get_type()? == ScheduleNodeType::Leaf {
        return Ok(node.insert_partial_schedule(steps.copy()?)?);
    }
    let mut node = node;
    for child in 0..node.n_children()? {
        node = refine(node.child(child)?, steps)?.parent()?;
    }
    Ok(node)
}
