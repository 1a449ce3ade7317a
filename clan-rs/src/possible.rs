//! Accesses that a condition on data guards.
//!
//! `x[i] > 0 ? a[i + 1] : 0` reads `a[i + 1]` for some i only. The translation copies such elements to the device in any
//! case, so they must exist; and so it is with those that are perhaps written. That is known where the array has a known length, where
//! a parameter is declared with one, or where other code accesses the same elements for sure; otherwise the user is told.

use polyhedra::{Map, Set, Text};
use scop::{Access, Array, Certainty, Diagnostic, Statement};

use crate::arrays::Arrays;
use crate::errors::{POSSIBLE_READ, Result};

/// Warnings about reads of elements that perhaps do not exist.
pub fn warnings(arrays: &Arrays, statements: &[Statement]) -> Result<Vec<Diagnostic>> {
    let mut found = Vec::new();
    for array in arrays.arrays.iter().filter(|array| !is_bounded(array)) {
        let promised = arrays.all_within(array.id)?;
        let certain = touched(array, statements, |access| access.certainty == Certainty::Must)?;
        let certain = match promised {
            Some(promised) => certain.union(promised.set_tuple_name(&array.id.to_string())?)?,
            None => certain,
        };
        for statement in statements {
            let possible = touched(array, std::slice::from_ref(statement), is_possible)?;
            if !possible.is_subset(&certain)? {
                found.push(warning(array, statement));
            }
        }
    }
    Ok(found)
}

fn is_bounded(array: &Array) -> bool {
    array.extents.iter().skip(array.scope_depth as usize).all(|extent| extent.value.is_some())
}

fn is_possible(access: &Access) -> bool {
    access.certainty == Certainty::May
}

/// The elements that some accesses of an array touch.
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

fn warning(array: &Array, statement: &Statement) -> Diagnostic {
    let name = &array.name;
    let message = format!("elements of `{name}` that are used under a condition on data are always copied");
    Diagnostic::warning(POSSIBLE_READ, message)
        .at("", statement.range, format!("all elements of `{name}` that this may use must exist"))
        .with_help(format!(
            "nothing, if they do; otherwise give `{name}` a length, or guard it by loop bounds"
        ))
}
