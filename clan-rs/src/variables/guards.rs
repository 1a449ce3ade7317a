//! Parameters are read before the region, even those that C reads only under a condition.
//!
//! *Before → after:* in `if (on) for (int i = 0; i < s->n; i++)`, the parameter `s->n` becomes
//! `on != 0 && s ? s->n : 0`, so that neither a null pointer nor an invalid one is dereferenced. The value 0 does
//! not matter, because no statement that depends on the parameter runs in that case.

use polyhedra::{DimType, Map, PwAff, Set, Text};
use scop::{Array, ExprKind, Parameter, Statement, c_syntax, walk_expressions};

use crate::errors::Result;
use crate::variables::certain;
use crate::variables::environment::Environment;

/// Guards each parameter whose pointers the region does not certainly dereference, so that they are dereferenced
/// only where C may dereference them.
pub fn guard(
    environment: &Environment,
    parameters: &mut [Parameter],
    arrays: &[Array],
    statements: &[Statement],
) -> Result<()> {
    let followed = certain::pointers(environment);
    let uncertain = |parameter: &Parameter| {
        let mut pointers = c_syntax::pointers(&parameter.expression);
        pointers.retain(|pointer| !followed.contains(pointer));
        pointers
    };
    let mut known = parameters.to_vec();
    known.retain(|parameter| uncertain(parameter).is_empty());
    for parameter in parameters {
        let pointers = uncertain(parameter);
        if pointers.is_empty() {
            continue;
        }
        let needed = domains_with(&parameter.name, arrays, statements)?;
        let asked = scop::guard::askable(&known, &pointers);
        let mut conditions =
            needed.map_or(Ok(Vec::new()), |needed| scop::guard::conditions(needed, &asked))?;
        conditions.extend(pointers);
        parameter.expression = c_syntax::guarded(&parameter.expression, &conditions);
        known.push(parameter.clone());
    }
    Ok(())
}

/// Returns the parameter values for which some statement runs that uses the given parameter: in a bound, a
/// subscript, an operand, or the extents of an array that it accesses. Returns `None` if no statement uses it.
fn domains_with(parameter: &str, arrays: &[Array], statements: &[Statement]) -> Result<Option<Set>> {
    let mut all: Option<Set> = None;
    for statement in statements {
        if uses(statement, parameter, arrays)? {
            let domain = Set::parse(&statement.domain.0)?.params()?;
            all = polyhedra::add(all, domain)?;
        }
    }
    Ok(all)
}

fn uses(statement: &Statement, parameter: &str, arrays: &[Array]) -> Result<bool> {
    let mut found = false;
    walk_expressions(&statement.body, &mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Parameter { name } if name == parameter);
    });
    found = found || {
        let domain = Set::parse(&statement.domain.0)?;
        let position = domain.find_dim_by_name(DimType::Param, parameter)?;
        position >= 0 && domain.involves_dims(DimType::Param, position as u32, 1)?
    };
    for access in &statement.accesses {
        if found {
            break;
        }
        let relation = Map::parse(&access.relation.0)?;
        let position = relation.find_dim_by_name(DimType::Param, parameter)?;
        found = position >= 0 && relation.involves_dims(DimType::Param, position as u32, 1)?;
        let extents = arrays.iter().filter(|array| array.id == access.array).flat_map(|array| &array.extents);
        for value in extents.filter_map(|extent| extent.value.as_ref()) {
            let value = PwAff::parse(&value.0)?;
            let position = value.find_dim_by_name(DimType::Param, parameter)?;
            found = found || position >= 0 && value.involves_dims(DimType::Param, position as u32, 1)?;
        }
    }
    Ok(found)
}
