//! The elements that statement instances write: the owner computes.

use polyhedra::{DimType, Map, Result, ScheduleNode, Text, UnionMap, numbered};
use scop::mark::statements_at;
use scop::{AccessKind, Model};

/// Returns the coordinates of the elements that the instances at a node write, each as a function to one dimension;
/// nothing if the statements do not all write one element each, of arrays with the same number of dimensions.
pub fn written_elements(model: &Model, node: &ScheduleNode) -> Result<Option<Vec<UnionMap>>> {
    let mut written: Option<UnionMap> = None;
    let mut rank = None;
    for id in statements_at(node)? {
        let statement = model.statement(id)?;
        let mut writes = statement.accesses.iter().filter(|access| access.kind == AccessKind::Write);
        let (Some(write), None) = (writes.next(), writes.next()) else { return Ok(None) };
        let relation = Map::parse(&write.relation.0)?.set_tuple_name(DimType::Out, "E")?;
        let dimensions = relation.dim(DimType::Out)? as usize;
        if dimensions == 0 || *rank.get_or_insert(dimensions) != dimensions || !relation.is_single_valued()? {
            return Ok(None);
        }
        written = polyhedra::add(written, UnionMap::from_map(relation)?)?;
    }
    let (Some(written), Some(rank)) = (written, rank) else { return Ok(None) };
    let written = written.intersect_domain(node.get_domain()?)?;
    let names = numbered("e", rank);
    let coordinate = |name: &String| {
        let text = format!("{{ E[{}] -> [{name}] }}", names.join(", "));
        Ok(written.copy()?.apply_range(UnionMap::parse(&text)?)?)
    };
    names.iter().map(coordinate).collect::<Result<Vec<UnionMap>>>().map(Some)
}

/// Returns several coordinates as one function.
///
/// # Errors
/// Fails if there are none.
pub fn product(functions: &[UnionMap]) -> Result<UnionMap> {
    let mut all: Option<UnionMap> = None;
    for function in functions {
        all = Some(match all {
            Some(all) => all.flat_range_product(function.copy()?)?,
            None => function.copy()?,
        });
    }
    all.ok_or_else(|| polyhedra::Error::new("an element has no coordinate"))
}
