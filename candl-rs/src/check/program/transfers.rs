//! The device has what kernels touch, and both sides have what the other computed.

use polyhedra::{DimType, Map, Result, Set, Text};
use scop::ast::{ArraySlice, AstExpr, AstOp, Node};
use scop::{AccessKind, Array, ArrayId, ElementBox, Model};

use super::barriers::reached;
use super::compare::{common, extended, is_before};
use super::instances::{Executed, function, pulled_back};
use super::leaf::Leaf;
use super::order::{between_points, untransferred};
use super::value::{Scope, operation};

/// The points at which the first subscripts of an access of a kernel leave what the device holds of the array; nothing if there are
/// none.
///
/// Scalars that kernels only read are arguments and need no slice.
pub fn outside(
    leaf: &Leaf<'_>,
    points: &Set,
    (array, kind): (ArrayId, AccessKind),
    index: &[AstExpr],
    slices: &[ArraySlice],
) -> Result<Option<Set>> {
    let Some(slice) = slices.iter().find(|slice| slice.array == array) else {
        let is_argument = index.is_empty() && kind == AccessKind::Read;
        return Ok(if is_argument || points.is_empty()? { None } else { Some(points.copy()?) });
    };
    let rows = (slice.lower.clone(), operation(AstOp::Add, slice.lower.clone(), slice.extent.clone()));
    let others = slice.inner_extents.iter().map(|extent| (AstExpr::Int(0), extent.clone()));
    let scope = Scope { names: &leaf.names, domain: &leaf.domain };
    for (subscript, (first, behind)) in index.iter().zip(std::iter::once(rows).chain(others)) {
        for condition in
            [operation(AstOp::Lt, subscript.clone(), first), operation(AstOp::Ge, subscript.clone(), behind)]
        {
            let outside = points.copy()?.intersect(scope.condition(&condition)?)?;
            if !outside.is_empty()? {
                return Ok(Some(outside));
            }
        }
    }
    Ok(None)
}

/// The points at which an index is no numbered element.
pub fn unnumbered(leaf: &Leaf<'_>, points: &Set, index: &[AstExpr], numbered: Set) -> Result<Set> {
    let element = function(leaf, index)?.set_tuple_id(DimType::Out, numbered.get_tuple_id()?)?;
    Ok(points.copy()?.subtract(pulled_back(numbered, &element)?)?)
}

/// The transfers of an array in one direction.
pub fn transfers<'l>(leaves: &'l [Leaf<'l>], array: ArrayId, to_device: bool) -> Vec<&'l Leaf<'l>> {
    let wanted = |node: &Node| match node {
        Node::Transfer { array: other, to_device: direction } => *other == array && *direction == to_device,
        _ => false,
    };
    leaves.iter().filter(|leaf| wanted(leaf.node)).collect()
}

/// The points of a kernel without a transfer before them, or behind them; nothing if there are none.
pub fn cut_off(
    executed: &Executed<'_>,
    transfers: &[&Leaf<'_>],
    is_before_region: bool,
) -> Result<Option<Set>> {
    let leaf = executed.leaf;
    let mut points = executed.points.copy()?;
    for transfer in transfers {
        let (first, second) = if is_before_region { (*transfer, leaf) } else { (leaf, *transfer) };
        if !is_before(&first.path, &second.path) {
            continue;
        }
        match reached(transfer, common(&leaf.path, &transfer.path))? {
            None => return Ok(None),
            Some(prefixes) => points = points.subtract(extended(prefixes, leaf)?)?,
        }
    }
    Ok(if points.is_empty()? { None } else { Some(points) })
}

/// Those of some points that need a value from before the region, or leave one for behind it, in a relation from instances to elements.
pub fn alive(executed: &Executed<'_>, live: Map, points: Set) -> Result<Option<Set>> {
    let instances = Map::from_pw_multi_aff(executed.instance.copy()?)?.reverse()?;
    let points = live.domain()?.apply(instances)?.intersect(points)?;
    Ok(if points.is_empty()? { None } else { Some(points) })
}

/// The elements of an array that are in some boxes.
pub fn boxed(model: &Model, array: &Array, boxes: &[ElementBox<AstExpr>]) -> Result<Set> {
    let parameters: Vec<&str> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let names: Vec<String> = (0..array.extents.len()).map(|position| format!("e{position}")).collect();
    let elements = format!("[{}] -> {{ {}[{}] }}", parameters.join(", "), array.id, names.join(", "));
    let elements = Set::parse(&elements)?.intersect_params(Set::parse(&model.context.0)?)?;
    let scope = Scope { names: &names, domain: &elements };
    let mut all = Set::empty(elements.get_space()?)?;
    for one in boxes {
        let mut inside = elements.copy()?;
        for (name, (lower, extent)) in names.iter().zip(one.lower.iter().zip(&one.extent)) {
            let index = || AstExpr::Name(name.clone());
            let behind = operation(AstOp::Add, lower.clone(), extent.clone());
            inside = inside.intersect(scope.condition(&operation(AstOp::Ge, index(), lower.clone()))?)?;
            inside = inside.intersect(scope.condition(&operation(AstOp::Lt, index(), behind))?)?;
        }
        all = all.union(inside)?;
    }
    Ok(all)
}

/// The points that read a value which was computed on the other side, without a transfer between.
pub fn stale(
    source: &Executed<'_>,
    sink: &Executed<'_>,
    flow: &str,
    transfers: &[&Leaf<'_>],
) -> Result<Option<Set>> {
    let pairs = || between_points(source, sink, &Map::parse(flow)?);
    let stale = untransferred(source.leaf, sink.leaf, pairs, transfers)?;
    Ok(stale.map(Map::range).transpose()?)
}
