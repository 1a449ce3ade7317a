//! How far the elements of an array reach that the statements of a scop touch.

use polyhedra::{End, Map, PwAff, PwMultiAff, Result, Set, Simplify, Text, optimum_of_set};
use scop::ast::{ArraySlice, AstExpr};
use scop::{Access, Array, ArrayId, DeviceArray, Model, from_isl};

/// The most disjuncts of a condition that is asked before something is done; a longer one is taken for true.
const MOST_DISJUNCTS: i32 = 4;

/// The part of each dimension that some instance may touch.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The smallest index of each dimension.
    pub lower: Vec<AstExpr>,
    /// The number of indices from there on; may be negative or zero where nothing is touched.
    pub extent: Vec<AstExpr>,
}

/// The elements that the statements touch, in every dimension.
///
/// # Errors
///
/// A failure of isl, or an array without accesses.
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

/// The origin of an array that the device holds: see [`DeviceArray::origin`].
///
/// # Errors
///
/// A failure of isl.
pub fn origin(model: &Model, device: &DeviceArray) -> Result<Vec<AstExpr>> {
    let context = Set::parse(&model.context.0)?;
    let origin = device.origin.iter();
    origin.map(|lower| from_isl::of_parameters(&context, PwAff::parse(&lower.0)?)).collect()
}

/// The last element in row-major order that some instance may touch, its outermost index counted from `lower`.
///
/// # Errors
///
/// As [`reach`].
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

/// The same, counted from the slice that all instances together touch ([`touched`]).
///
/// # Errors
///
/// As [`reach`].
pub fn last_touched(model: &Model, array: &Array) -> Result<Vec<AstExpr>> {
    let elements = elements(model, array.id)?;
    if elements.is_empty()? {
        return Ok(vec![AstExpr::Int(0); array.extents.len()]);
    }
    last(model, array, &elements.dim_min(0)?)
}

/// The slice that all instances together touch, on host and device.
///
/// # Errors
///
/// As [`reach`].
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

/// The declared extents of the dimensions from position `first` on, as far as they are affine.
///
/// # Errors
///
/// A failure of isl, or an extent that is no isl expression.
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

/// The union of the ranges of all accesses to an array.
fn elements(model: &Model, array: ArrayId) -> Result<Set> {
    let elements = elements_of(model, array, |_| true)?;
    elements.ok_or_else(|| polyhedra::Error::new(format!("nothing touches {array}")))
}

/// The union of the ranges of some accesses to an array; nothing if there is none.
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

/// The values of the parameters for which the region may touch the array; nothing if it never does.
///
/// # Errors
///
/// A failure of isl.
pub fn parameters_with(model: &Model, array: ArrayId) -> Result<Option<Set>> {
    Ok(elements_of(model, array, |_| true)?.map(|elements| elements.params()).transpose()?)
}

/// True if the region certainly touches the array, whatever the parameters are.
///
/// # Errors
///
/// A failure of isl.
pub fn always_touched(model: &Model, array: ArrayId) -> Result<bool> {
    let certain = elements_of(model, array, |access| access.certainty.is_must())?;
    let context = Set::parse(&model.context.0)?;
    certain.map_or(Ok(false), |certain| Ok(context.is_subset(&certain.params()?)?))
}

/// The condition under which the region may touch the array while none of these accesses certainly happens; nothing if
/// that is never so.
///
/// # Errors
///
/// A failure of isl.
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
