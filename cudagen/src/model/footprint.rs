//! Footprints: which elements of an array the statements of a scop may touch.

use polyhedra::{End, Map, PwAff, PwMultiAff, Result, Set, Simplify, Text, optimum_of_set};
use scop::ast::{ArraySlice, AstExpr};
use scop::{Access, Array, ArrayId, DeviceArray, Model, from_isl};

/// The largest number of disjuncts of a condition checked at run time. A longer condition is taken to be true.
const MOST_DISJUNCTS: i32 = 4;

/// The bounding box of the elements that some instance may touch.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The smallest index of each dimension.
    pub lower: Vec<AstExpr>,
    /// The number of indices from there on; it may be zero or negative if nothing is touched.
    pub extent: Vec<AstExpr>,
}

/// Returns the bounding box of the elements that the statements may touch.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails, and an error if the array has no accesses.
pub fn reach(model: &Model, array: &Array) -> Result<Reach> {
    let context = Set::parse(&model.context.0)?;
    let elements = elements(model, array.id)?;
    if elements.is_empty()? {
        let zeros = vec![AstExpr::Int(0); array.extents.len()];
        return Ok(Reach { lower: zeros.clone(), extent: zeros });
    }
    let mut reach = Reach { lower: Vec::new(), extent: Vec::new() };
    for position in 0..array.extents.len() {
        let low = elements.copy()?.dim_min(position as i32)?;
        let high = elements.copy()?.dim_max(position as i32)?;
        let count = high.sub(low.copy()?)?.add_constant_val(one()?)?;
        reach.lower.push(from_isl::of_parameters(&context, low)?);
        reach.extent.push(from_isl::of_parameters(&context, count)?);
    }
    Ok(reach)
}

/// Returns the origin of an array that the device holds: see [`DeviceArray::origin`].
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn origin(model: &Model, device: &DeviceArray) -> Result<Vec<AstExpr>> {
    let context = Set::parse(&model.context.0)?;
    let origin = device.origin.iter();
    origin.map(|lower| from_isl::of_parameters(&context, PwAff::parse(&lower.0)?)).collect()
}

/// Returns the last element in row-major order that may be touched; its outermost index is counted from `lower`.
///
/// # Errors
///
/// Fails as [`reach`] does.
pub fn last(model: &Model, array: &Array, lower: &PwAff) -> Result<Vec<AstExpr>> {
    let context = Set::parse(&model.context.0)?;
    let last = PwMultiAff::from_set(optimum_of_set(&elements(model, array.id)?, End::Last)?)?;
    let index = (0..array.extents.len()).map(|position| -> Result<AstExpr> {
        let value = last.get_at(position as i32)?;
        let value = if position == 0 { value.sub(lower.copy()?)? } else { value };
        from_isl::of_parameters(&context, value.simplified()?.gist(context.copy()?)?)
    });
    index.collect()
}

/// Returns the same element; its outermost index is counted from the start of the slice that [`touched`] returns.
///
/// # Errors
///
/// Fails as [`reach`] does.
pub fn last_touched(model: &Model, array: &Array) -> Result<Vec<AstExpr>> {
    let elements = elements(model, array.id)?;
    if elements.is_empty()? {
        return Ok(vec![AstExpr::Int(0); array.extents.len()]);
    }
    last(model, array, &elements.dim_min(0)?)
}

/// Returns the slice that all instances together may touch, on host and device; `None` for a scalar.
///
/// # Errors
///
/// Fails as [`reach`] does.
pub fn touched(model: &Model, array: &Array, inner_extents: &[AstExpr]) -> Result<Option<ArraySlice>> {
    let mut reach = reach(model, array)?;
    if reach.lower.is_empty() {
        return Ok(None);
    }
    Ok(Some(ArraySlice {
        array: array.id,
        lower: reach.lower.remove(0),
        extent: reach.extent.remove(0),
        inner_extents: inner_extents.to_vec(),
        boxes: None,
        packing: None,
    }))
}

/// Returns the declared extents of the dimensions from position `first` on; `None` for an extent that is not affine.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails or isl cannot read an extent.
pub fn declared_extents(model: &Model, array: &Array, first: usize) -> Result<Vec<Option<AstExpr>>> {
    let context = Set::parse(&model.context.0)?;
    let extents = array.extents.iter().skip(first);
    extents
        .map(|extent| match &extent.value {
            Some(value) => from_isl::of_parameters(&context, PwAff::parse(&value.0)?).map(Some),
            None => Ok(None),
        })
        .collect()
}

fn one() -> Result<polyhedra::Val> {
    Ok(polyhedra::Val::one(polyhedra::context())?)
}

/// Returns the union of the ranges of all accesses to an array.
fn elements(model: &Model, array: ArrayId) -> Result<Set> {
    let elements = elements_of(model, array, |_| true)?;
    elements.ok_or_else(|| polyhedra::Error::new(format!("nothing touches {array}")))
}

/// Returns the union of the ranges of some accesses to an array; `None` if there are no such accesses.
fn elements_of(model: &Model, array: ArrayId, wanted: impl Fn(&Access) -> bool) -> Result<Option<Set>> {
    let mut elements: Option<Set> = None;
    for statement in &model.statements {
        let domain = Set::parse(&statement.domain.0)?.intersect_params(Set::parse(&model.context.0)?)?;
        for access in statement.accesses.iter().filter(|access| access.array == array && wanted(access)) {
            let range = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?.range()?;
            elements = polyhedra::add(elements, range)?;
        }
    }
    Ok(elements)
}

/// Returns the values of the parameters for which the region may touch the array; `None` if it has no accesses.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn parameters_with(model: &Model, array: ArrayId) -> Result<Option<Set>> {
    Ok(elements_of(model, array, |_| true)?.map(|elements| elements.params()).transpose()?)
}

/// True if the region certainly touches the array, whatever the parameters are.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn always_touched(model: &Model, array: ArrayId) -> Result<bool> {
    let certain = elements_of(model, array, |access| access.certainty.is_must())?;
    let context = Set::parse(&model.context.0)?;
    certain.map_or(Ok(false), |certain| Ok(context.is_subset(&certain.params()?)?))
}

/// Returns the condition under which the region may touch the array but none of the `wanted` accesses certainly
/// happens; `None` if that is impossible.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn parameters_without(
    model: &Model,
    array: ArrayId,
    wanted: impl Fn(&Access) -> bool,
) -> Result<Option<AstExpr>> {
    let Some(all) = elements_of(model, array, |_| true)? else { return Ok(None) };
    let all = all.params()?;
    let without = match elements_of(model, array, |access| access.certainty.is_must() && wanted(access))? {
        Some(certain) => all.copy()?.subtract(certain.params()?)?.coalesce()?,
        None => all.copy()?,
    };
    if without.is_empty()? {
        return Ok(None);
    }
    let asked = without.gist(all)?;
    if asked.n_basic_set()? > MOST_DISJUNCTS {
        return Ok(Some(AstExpr::Int(1)));
    }
    scop::from_isl::condition_on_parameters(&Set::parse(&model.context.0)?, asked).map(Some)
}
