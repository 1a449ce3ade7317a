//! Reads that a condition on data guards.
//!
//! `x[i] > 0 ? a[i + 1] : 0` reads `a[i + 1]` for some i only. The translation copies such elements to the device in any
//! case, so they must exist. That is known where the array has a known length or where other code reads the same
//! elements for sure; otherwise the user is told.

use polyhedra::{Map, Set, Text};
use scop::{Access, AccessKind, Array, Certainty, Diagnostic, Statement};

use crate::errors::{POSSIBLE_READ, Result};

/// Warnings about reads of elements that perhaps do not exist.
pub fn warnings(arrays: &[Array], statements: &[Statement]) -> Result<Vec<Diagnostic>> {
    let mut found = Vec::new();
    for array in arrays.iter().filter(|array| !is_bounded(array)) {
        let certain = touched(array, statements, |access| access.certainty == Certainty::Must)?;
        for statement in statements {
            let possible = touched(array, std::slice::from_ref(statement), is_possible_read)?;
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

fn is_possible_read(access: &Access) -> bool {
    access.certainty == Certainty::May && access.kind == AccessKind::Read
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
    let message = format!("elements of `{name}` that are read under a condition on data are always copied");
    Diagnostic::warning(POSSIBLE_READ, message)
        .at("", statement.range, format!("all elements of `{name}` that this may read must exist"))
        .with_help(format!(
            "nothing, if they do; otherwise give `{name}` a length, or guard the read by loop bounds"
        ))
}
