//! Parameters are read before the region, also those that C reads only under a condition.
//!
//! *Before → after:* of `if (on) for (int i = 0; i < s->n; i++)` the parameter `s->n` becomes
//! `on != 0 && s ? s->n : 0`: neither a null pointer is followed nor one that leads nowhere. The value in
//! its place does not matter, as no statement runs that has to do with it.

use polyhedra::{DimType, Map, PwAff, Set, Text};
use scop::{Array, ExprKind, Parameter, Statement, c_syntax, walk_expressions};

use crate::errors::Result;
use crate::variables::certain;
use crate::variables::environment::Environment;

/// Lets parameters whose pointers the region does not certainly follow be read only where C may follow them.
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

/// The values of the parameters for which statements run that have to do with one of them: in a bound, a subscript,
/// an operand, or the extents of what they access. Nothing if there are no such statements.
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
