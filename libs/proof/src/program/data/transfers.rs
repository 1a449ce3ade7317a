//! Checks that the device has what kernels touch, and that each side has what the other computed.

use polyhedra::{DimType, Map, PwMultiAff, Result, Set, Text};
use scop::ast::{ArraySlice, AstExpr, AstOp, Node};
use scop::{Access, AccessKind, Array, ArrayId, ElementBox, Model};

use super::users::Buffers;
use crate::program::barriers::reached;
use crate::program::compare::{common, extended, is_before};
use crate::program::instances::{Executed, function, pulled_back};
use crate::program::leaf::Leaf;
use crate::program::order::{between_points, untransferred};
use crate::program::value::{Scope, operation};

/// Returns points at which the first subscripts of an access of a kernel leave what the device holds of the array;
/// nothing if there are none.
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
    for (subscript, (first, after)) in index.iter().zip(std::iter::once(rows).chain(others)) {
        for condition in
            [operation(AstOp::Lt, subscript.clone(), first), operation(AstOp::Ge, subscript.clone(), after)]
        {
            let outside = points.copy()?.intersect(scope.condition(&condition)?)?;
            if !outside.is_empty()? {
                return Ok(Some(outside));
            }
        }
    }
    Ok(None)
}

/// Returns the points at which an index is not a numbered element.
pub fn unnumbered(leaf: &Leaf<'_>, points: &Set, index: &[AstExpr], numbered: Set) -> Result<Set> {
    let element = function(leaf, index)?.set_tuple_id(DimType::Out, numbered.get_tuple_id()?)?;
    Ok(points.copy()?.subtract(pulled_back(numbered, &element)?)?)
}

/// Returns the transfers of an array in one direction, except transfers of parts.
pub fn transfers<'l>(leaves: &'l [Leaf<'l>], array: ArrayId, to_device: bool) -> Vec<&'l Leaf<'l>> {
    let wanted = |node: &Node| match node {
        Node::Transfer { array: other, to_device: direction, part: None } => {
            *other == array && *direction == to_device
        }
        _ => false,
    };
    leaves.iter().filter(|leaf| wanted(leaf.node)).collect()
}

/// A transfer of a part of an array.
pub struct Part<'l> {
    /// The array.
    pub array: ArrayId,
    /// True if it goes from host to device.
    pub to_device: bool,
    /// The leaf of the transfer.
    pub leaf: &'l Leaf<'l>,
    /// Its elements, as a box whose bounds are functions of the loops around it.
    pub elements: &'l ElementBox<AstExpr>,
}

/// Returns the transfers of parts of arrays.
pub fn parts<'l>(leaves: &'l [Leaf<'l>]) -> impl Iterator<Item = Part<'l>> {
    leaves.iter().filter_map(|leaf| match leaf.node {
        Node::Transfer { array, to_device, part: Some(elements) } => {
            Some(Part { array: *array, to_device: *to_device, leaf, elements })
        }
        _ => None,
    })
}

impl Part<'_> {
    /// Returns the pairs of a point of a leaf in the block around the transfer and an element that is transferred
    /// there, as a set of vectors with the coordinates of both.
    fn elements_at(&self, leaf: &Leaf<'_>) -> Result<Set> {
        let dimensions = self.elements.lower.len();
        let elements = polyhedra::numbered("e", dimensions);
        let names: Vec<String> = leaf.names.iter().chain(&elements).cloned().collect();
        let domain = leaf.domain.copy()?.add_dims(DimType::Set, dimensions as u32)?;
        inside_box(&Scope { names: &names, domain: &domain }, &elements, self.elements)
    }

    /// Returns the relation from the points of the transfer to the elements that it moves, in a space without a
    /// name.
    pub fn moved(&self) -> Result<Map> {
        let pairs = Map::from_range(self.elements_at(self.leaf)?.reset_tuple_id()?)?;
        Ok(pairs.move_dims(DimType::In, 0, DimType::Out, 0, self.leaf.names.len() as u32)?)
    }

    /// Returns the points of host code whose element is transferred right before or right after them. `other` is the
    /// kernel's side of the flow.
    ///
    /// The transfer is in the block that contains the host code. It is therefore between both sides, unless the
    /// kernel is between the transfer and the host code.
    fn covered(&self, host: &Executed<'_>, element: &PwMultiAff, other: &Leaf<'_>) -> Result<Option<Set>> {
        let (transfer, leaf) = (self.leaf, host.leaf);
        let steps = common(&transfer.path, &leaf.path);
        let (first, second) = if self.to_device { (leaf, transfer) } else { (transfer, leaf) };
        let is_between = is_before(&first.path, &other.path) && is_before(&other.path, &second.path);
        if !is_before(&first.path, &second.path) || is_between || common(&other.path, &leaf.path) > steps {
            return Ok(None);
        }
        let mut points = host.points_of(element)?;
        if let Some(prefixes) = reached(transfer, steps)? {
            points = points.intersect(extended(prefixes, leaf)?)?;
        }
        let inside = self.elements_at(leaf)?;
        let elements = self.elements.lower.len() as u32;
        let own = Map::from_pw_multi_aff(element.copy()?)?.wrap()?.flatten()?.reset_tuple_id()?;
        let met = inside.reset_tuple_id()?.intersect(own)?;
        let first_element = met.dim(DimType::Set)? as u32 - elements;
        Ok(Some(points.intersect(met.project_out(DimType::Set, first_element, elements)?)?))
    }

    /// Returns points at which an element outside the slice of the array is transferred; nothing if there are none.
    pub fn outside(&self, slice: &ArraySlice) -> Result<Option<Set>> {
        let dimensions = self.elements.lower.len();
        let inside = self.elements_at(self.leaf)?;
        let names = self.leaf.names.iter().cloned().chain((0..dimensions).map(|k| format!("e{k}")));
        let names: Vec<String> = names.collect();
        let scope = Scope { names: &names, domain: &inside };
        let rows = (slice.lower.clone(), operation(AstOp::Add, slice.lower.clone(), slice.extent.clone()));
        let others = slice.inner_extents.iter().map(|extent| (AstExpr::Int(0), extent.clone()));
        for (position, (first, after)) in std::iter::once(rows).chain(others).enumerate() {
            let index = || AstExpr::Name(format!("e{position}"));
            for condition in [operation(AstOp::Lt, index(), first), operation(AstOp::Ge, index(), after)] {
                let outside = inside.copy()?.intersect(scope.condition(&condition)?)?;
                if !outside.is_empty()? {
                    let first_element = outside.dim(DimType::Set)? as u32 - dimensions as u32;
                    return Ok(Some(outside.project_out(DimType::Set, first_element, dimensions as u32)?));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the points of a kernel without a transfer before them, or after them; nothing if there are none.
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

/// Returns those of some points that need a value from before the region, or leave one for after it. `live` leads
/// from instances to elements.
pub fn alive(executed: &Executed<'_>, live: Map, points: Set) -> Result<Option<Set>> {
    let instances = Map::from_pw_multi_aff(executed.instance.copy()?)?.reverse()?;
    let points = live.domain()?.apply(instances)?.intersect(points)?;
    Ok(if points.is_empty()? { None } else { Some(points) })
}

/// Returns the points of a scope at which the variables with these names are in a box.
fn inside_box(scope: &Scope<'_>, names: &[String], one: &ElementBox<AstExpr>) -> Result<Set> {
    let mut inside = scope.domain.copy()?;
    for (name, (lower, extent)) in names.iter().zip(one.lower.iter().zip(&one.extent)) {
        let index = || AstExpr::Name(name.clone());
        let after = operation(AstOp::Add, lower.clone(), extent.clone());
        inside = inside.intersect(scope.condition(&operation(AstOp::Ge, index(), lower.clone()))?)?;
        inside = inside.intersect(scope.condition(&operation(AstOp::Lt, index(), after))?)?;
    }
    Ok(inside)
}

/// Returns the slice of an array that the device holds, as one box.
pub fn whole_slice(slice: &ArraySlice) -> ElementBox<AstExpr> {
    let inner = || slice.inner_extents.iter();
    ElementBox {
        lower: std::iter::once(slice.lower.clone()).chain(inner().map(|_| AstExpr::Int(0))).collect(),
        extent: std::iter::once(&slice.extent).chain(inner()).cloned().collect(),
    }
}

/// Returns the elements of an array that are in some boxes.
pub fn boxed(model: &Model, array: &Array, boxes: &[ElementBox<AstExpr>]) -> Result<Set> {
    let parameters: Vec<&str> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let names = polyhedra::numbered("e", array.extents.len());
    let elements = format!("[{}] -> {{ {}[{}] }}", parameters.join(", "), array.id, names.join(", "));
    let elements = Set::parse(&elements)?.intersect_params(Set::parse(&model.context.0)?)?;
    let scope = Scope { names: &names, domain: &elements };
    let mut all = Set::empty(elements.get_space()?)?;
    for one in boxes {
        all = all.union(inside_box(&scope, &names, one)?)?;
    }
    Ok(all)
}

/// Returns the points that read a value computed on the other side without a transfer in between, either of the
/// whole array or of a part that contains the element.
pub fn stale(
    (source, written): (&Executed<'_>, &Access),
    (sink, read): (&Executed<'_>, &Access),
    flow: &str,
    transfers: &[&Leaf<'_>],
    (parts, buffers): (&[Part<'_>], &Buffers<'_>),
) -> Result<Option<Set>> {
    let pairs = || between_points(source, sink, &Map::parse(flow)?);
    let Some(mut stale) = untransferred(source.leaf, sink.leaf, pairs, transfers)? else { return Ok(None) };
    for part in parts {
        let (host, access, other) =
            if part.to_device { (source, written, sink.leaf) } else { (sink, read, source.leaf) };
        let element = host.at_points(buffers.element(host.statement, access)?)?;
        let Some(points) = part.covered(host, &element, other)? else { continue };
        stale = if part.to_device { stale.subtract_domain(points)? } else { stale.subtract_range(points)? };
    }
    Ok(if stale.is_empty()? { None } else { Some(stale.range()?) })
}
