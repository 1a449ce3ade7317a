//! Accesses that may not happen.
//!
//! `x[i] > 0 ? a[i + 1] : 0` reads `a[i + 1]` only for some i. The translation copies such elements to the device in
//! any case, and perhaps back, so they must exist. They do in these cases:
//!
//! - the array is declared with a length, also as a parameter `a[n]`, or allocated with one within sight of the
//!   region;
//! - the region certainly accesses elements on both sides of them, or another member of the same structures.
//!
//! If this depends on the parameters, it is assumed, and the original region runs otherwise; if it never holds, the
//! region is refused. (Whether a pointer is null is checked at run time.)

use polyhedra::{DimType, Map, Set, Text};
use scop::{Access, Array, Certainty, Statement, Storage};

use crate::affine::translator::Affine;
use crate::errors::{Fault, Faults, POSSIBLE_ACCESS, Result};
use crate::memory::arrays::Arrays;

/// Proves or assumes that all elements exist that statements may access.
pub fn check(
    affine: &mut Affine,
    arrays: &Arrays,
    statements: &[Statement],
    faults: &mut Faults,
) -> Result<()> {
    let is_sure = |array: &Array| match array.extents.get(array.scope_depth as usize) {
        Some(outermost) => outermost.value.is_some() && arrays.structure_of_pointer(array.id).is_none(),
        None => !arrays.is_reached_through_pointer(array.id),
    };
    for array in arrays.arrays.iter().filter(|array| array.visible && !is_sure(array)) {
        let mut existing = None;
        for statement in statements {
            let possible = touched(array, std::slice::from_ref(statement), is_possible)?;
            if possible.is_empty()? {
                continue;
            }
            let known = match &existing {
                Some(known) => known,
                None => existing.insert(sure_elements(arrays, array, statements)?),
            };
            let missing = possible.subtract(known.copy()?)?;
            if let Err(fault) = demand(affine, array, statement, missing.params()?) {
                faults.push(fault);
                break;
            }
        }
    }
    Ok(())
}

/// Returns the elements that certainly exist.
fn sure_elements(arrays: &Arrays, array: &Array, statements: &[Statement]) -> Result<Set> {
    let name = array.id.to_string();
    let certain = touched(array, statements, is_certain)?;
    let rows = between(certain_rows(arrays, array, statements)?)?;
    let known = if array.is_scalar() || arrays.structure_of_pointer(array.id).is_some() {
        // The structure exists as a whole or not at all.
        arrays.within(array.id)?.intersect_params(rows.params()?)?
    } else {
        let whole = rows.add_dims(DimType::Set, array.extents.len() as u32 - 1)?;
        let whole = whole.intersect(arrays.within(array.id)?)?;
        // If only subscripts show the rows, the last one may end before its last element.
        let whole = if array.declares_rows() { whole } else { before_last(whole)? };
        match arrays.all_within(array.id)? {
            Some(declared) => whole.union(declared)?,
            None => whole,
        }
    };
    Ok(certain.union(known.set_tuple_name(&name)?)?)
}

/// Returns the outermost indices at which an element certainly exists, of the array or of other members of the same
/// structures; index 0 for a scalar.
fn certain_rows(arrays: &Arrays, array: &Array, statements: &[Statement]) -> Result<Set> {
    let mut rows = Set::parse("{ [x] : false }")?;
    for other in arrays.arrays.iter().filter(|other| are_together(arrays, array, other)) {
        let certain = touched(other, statements, is_certain)?;
        rows = rows.union(outermost(certain)?)?;
        for touched in arrays.certain_rows.get(&other.id).into_iter().flatten() {
            rows = rows.union(Set::parse(touched)?)?;
        }
    }
    Ok(rows)
}

/// Returns the first indices of elements; 0 for scalars.
fn outermost(elements: Set) -> Result<Set> {
    let dimensions = elements.dim(DimType::Set)? as u32;
    if dimensions == 0 {
        return Ok(Set::parse("{ [0] }")?.intersect_params(elements.params()?)?);
    }
    Ok(elements.reset_tuple_id()?.project_out(DimType::Set, 1, dimensions - 1)?)
}

/// True if one array has an element wherever the other has one: they are members of one structure, or the same array.
fn are_together(arrays: &Arrays, one: &Array, other: &Array) -> bool {
    let base = |array: &Array| match &array.storage {
        Storage::Member { base, .. } => Some(base.clone()),
        Storage::Scalar | Storage::Contiguous => None,
    };
    let structure = |array: &Array| arrays.structure_of_pointer(array.id);
    one.id == other.id
        || base(one).is_some_and(|one| base(other) == Some(one))
        || structure(one).is_some_and(|one| structure(other) == Some(one))
}

/// Returns all indices from the first to the last.
fn between(rows: Set) -> Result<Set> {
    let after = Map::parse("{ [x] -> [y] : y >= x }")?;
    let before = Map::parse("{ [x] -> [y] : y <= x }")?;
    Ok(rows.copy()?.apply(after)?.intersect(rows.apply(before)?)?.coalesce()?)
}

/// Returns the elements for which there is one with a larger first index.
fn before_last(elements: Set) -> Result<Set> {
    let dimensions = elements.dim(DimType::Set)? as u32;
    let first = elements.copy()?.project_out(DimType::Set, 1, dimensions - 1)?;
    let earlier = first.apply(Map::parse("{ [x] -> [y] : y < x }")?)?;
    Ok(elements.intersect(earlier.add_dims(DimType::Set, dimensions - 1)?)?)
}

/// Assumes that no parameter has a value for which elements may be missing, or refuses the region if the statement
/// would then have no instances.
fn demand(affine: &mut Affine, array: &Array, statement: &Statement, missing: Set) -> Result<()> {
    let excluded = missing.copy()?.intersect(affine.ranges.copy()?)?.intersect(affine.assumed.copy()?)?;
    if excluded.is_empty()? {
        return Ok(());
    }
    let runs = Set::parse(&statement.domain.0)?.params()?.intersect(affine.assumed.copy()?)?;
    if runs.intersect(affine.ranges.copy()?)?.is_subset(&excluded)? {
        return Err(refused(array, statement, affine.environment.tree.is_cxx));
    }
    let label = format!("otherwise this may use elements of `{}` that do not exist", array.expression);
    let help = way_out(array, affine.environment.tree.is_cxx);
    affine.assume(missing.complement()?, excluded, statement.range, label, &help)
}

fn refused(array: &Array, statement: &Statement, is_cxx: bool) -> Fault {
    let name = &array.expression;
    let message = format!("`{name}` may lack elements that this uses under a condition on data");
    let label = "these elements would be copied to the device in any case";
    Fault::new(POSSIBLE_ACCESS, message, statement.range, label).with_help(way_out(array, is_cxx))
}

fn way_out(array: &Array, is_cxx: bool) -> String {
    let Array { name, expression, .. } = array;
    if array.is_scalar() {
        return format!("also use `{expression}` without a condition, or copy it to a variable");
    }
    let length = if is_cxx || name == expression {
        declared_length(expression, is_cxx)
    } else {
        format!("pass `{expression}` to a function, as a parameter with its length, such as `{name}[n]`")
    };
    format!("{length}; or guard it by the bounds of the loop")
}

/// Returns advice on how a program can declare the length of an array.
pub fn declared_length(name: &str, is_cxx: bool) -> String {
    match is_cxx {
        true => format!(
            "give `{name}` a known length: `new T[n]` in the same function, or a reference `T (&)[100]`"
        ),
        false => format!("declare the length of `{name}`, as in a parameter `{name}[n]`"),
    }
}

fn is_possible(access: &Access) -> bool {
    access.certainty == Certainty::May
}

fn is_certain(access: &Access) -> bool {
    access.certainty == Certainty::Must
}

/// Returns the elements that the `wanted` accesses of an array touch.
fn touched(array: &Array, statements: &[Statement], wanted: impl Fn(&Access) -> bool) -> Result<Set> {
    let dimensions = vec!["*"; array.extents.len()].join(", ");
    let mut elements = Set::parse(&format!("{{ {}[{dimensions}] : false }}", array.id))?;
    for statement in statements {
        let domain = Set::parse(&statement.domain.0)?;
        for access in statement.accesses.iter().filter(|access| access.array == array.id && wanted(access)) {
            let relation = Map::parse(&access.relation.0)?.intersect_domain(domain.copy()?)?;
            elements = elements.union(relation.range()?)?;
        }
    }
    Ok(elements)
}
