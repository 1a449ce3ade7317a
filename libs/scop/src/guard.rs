//! Conditions on the parameters under which C evaluates an expression. A call in the region's place can
//! evaluate them first.

use polyhedra::{Constraint, DimType, Map, Polyhedron, Result, Set, Simplify, polyhedra_of};

use crate::Parameter;
use crate::c_syntax::{is_place, perhaps_followed};

/// The largest number of alternatives that a condition may have.
const MAX_ALTERNATIVES: usize = 4;

/// Sums of so many products of a 32-bit value and a factor of at most [`MAX_FACTOR`] fit in 64 bits.
const MAX_TERMS: usize = 8;
const MAX_FACTOR: u64 = 1 << 24;

/// Returns the parameters that a condition may use if it is evaluated before some pointers are dereferenced.
/// The other parameters dereference these pointers to get their values.
pub fn askable(parameters: &[Parameter], pointers: &[String]) -> Vec<Parameter> {
    let mut askable = parameters.to_vec();
    askable.retain(|known| {
        !perhaps_followed(&known.expression).iter().any(|followed| pointers.contains(followed))
    });
    askable
}

/// Returns conditions as C text in the expressions of these parameters, all of which hold if the set has
/// elements. Other parameters may have any value. There are no conditions if C might not be able to evaluate
/// them without overflow, or if they would be long.
///
/// *Example:* `[n, on] -> { S0[i] : on != 0 and 0 <= i < n }`, with `on` as the only parameter, gives `on !=
/// 0`.
///
/// # Errors
///
/// Returns isl's error if an isl operation fails.
pub fn conditions(set: Set, parameters: &[Parameter]) -> Result<Vec<String>> {
    let mut set = set.params()?;
    let mut columns = Vec::new();
    for position in (0..set.dim(DimType::Param)?).rev() {
        let name = set.get_dim_name(DimType::Param, position as u32)?.to_owned();
        match parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) => columns.insert(0, parameter),
            None => set = set.project_out(DimType::Param, position as u32, 1)?,
        }
    }
    let set = set.remove_divs()?.simplified()?.from_params()?;
    let alternatives = polyhedra_of(&Map::from_range(set)?)?;
    let alternatives: Vec<Vec<String>> =
        alternatives.iter().map(|alternative| conjunction(alternative, &columns)).collect();
    // An alternative without conditions is always true, as far as C can check.
    if alternatives.len() > MAX_ALTERNATIVES || alternatives.iter().any(Vec::is_empty) {
        return Ok(Vec::new());
    }
    Ok(joined(alternatives))
}

/// Returns the conditions common to all alternatives, and the condition that the rest of one alternative holds.
fn joined(mut alternatives: Vec<Vec<String>>) -> Vec<String> {
    let mut common = alternatives.first().cloned().unwrap_or_default();
    common.retain(|condition| alternatives.iter().all(|alternative| alternative.contains(condition)));
    alternatives
        .iter_mut()
        .for_each(|alternative| alternative.retain(|condition| !common.contains(condition)));
    if alternatives.iter().any(Vec::is_empty) {
        return common;
    }
    let text = |alternative: &Vec<String>| match &alternative[..] {
        [only] => only.clone(),
        all => format!("({})", all.join(" && ")),
    };
    let different = match &alternatives[..] {
        [one, other] => different(one, other).or_else(|| different(other, one)),
        _ => None,
    };
    let any = || format!("({})", alternatives.iter().map(text).collect::<Vec<_>>().join(" || "));
    if !alternatives.is_empty() {
        common.push(different.unwrap_or_else(any));
    }
    common
}

/// Returns `n != 0` for `n <= -1` and `n >= 1`.
fn different(less: &[String], more: &[String]) -> Option<String> {
    let ([less], [more]) = (less, more) else { return None };
    let ((one, end), (other, start)) = (less.split_once(" <= ")?, more.split_once(" >= ")?);
    let (end, start) = (end.parse::<i32>().ok()?, start.parse::<i32>().ok()?);
    (one == other && end.checked_add(2) == Some(start)).then(|| format!("{one} != {}", end + 1))
}

fn conjunction(polyhedron: &Polyhedron, columns: &[&Parameter]) -> Vec<String> {
    polyhedron.constraints.iter().filter_map(|constraint| comparison(constraint, columns)).collect()
}

/// Returns a constraint as C text; nothing if the types imply it or its sum might overflow.
fn comparison(constraint: &Constraint, columns: &[&Parameter]) -> Option<String> {
    let (&constant, factors) = constraint.coefficients.split_last()?;
    let terms: Vec<(i64, &Parameter)> = factors
        .iter()
        .zip(columns)
        .filter(|(factor, _)| **factor != 0)
        .map(|(factor, parameter)| (*factor, *parameter))
        .collect();
    match (&terms[..], constraint.equality) {
        ([(factor @ (1 | -1), parameter)], true) => bound(parameter, "==", constant.checked_mul(-factor)?),
        ([(1, parameter)], false) => bound(parameter, ">=", constant.checked_neg()?),
        ([(-1, parameter)], false) => bound(parameter, "<=", constant),
        (_, equality) => {
            let is_small = |(factor, parameter): &(i64, &Parameter)| {
                factor.unsigned_abs() <= MAX_FACTOR && parameter.ctype.size() <= 4
            };
            let fits =
                terms.len() <= MAX_TERMS && terms.iter().all(is_small) && constant.unsigned_abs() >> 60 == 0;
            let sum = terms
                .iter()
                .map(|(factor, parameter)| format!("{factor} * (long)({})", parameter.expression));
            let sum: Vec<String> = sum.chain([constant.to_string()]).collect();
            let operator = if equality { "==" } else { ">=" };
            (fits && !terms.is_empty()).then(|| format!("{} {operator} 0", sum.join(" + ")))
        }
    }
}

/// Returns `n >= 1`; nothing if the type implies it or does not have the value.
fn bound(parameter: &Parameter, operator: &str, value: i64) -> Option<String> {
    let (low, high) = parameter.ctype.range();
    let tells = match operator {
        ">=" => low < i128::from(value) && i128::from(value) <= high,
        "<=" => low <= i128::from(value) && i128::from(value) < high,
        _ => (low..=high).contains(&i128::from(value)),
    };
    let text = &parameter.expression;
    let text = if is_place(text) { text.clone() } else { format!("({text})") };
    let suffix = if i32::try_from(value).is_ok() { "" } else { "L" };
    tells.then(|| format!("{text} {operator} {value}{suffix}"))
}

#[cfg(test)]
mod tests {
    use polyhedra::Text;

    use super::*;
    use crate::c_syntax::{guarded, is_value};
    use crate::ctype::CType;

    #[test]
    fn conditions_are_those_on_what_may_be_asked() {
        let parameter = |name: &str, expression: &str, ctype| Parameter {
            name: name.to_owned(),
            expression: expression.to_owned(),
            ctype,
        };
        let known = [
            parameter("k", "k", CType::Int),
            parameter("on", "s->on", CType::Int),
            parameter("u", "u", CType::UInt),
            parameter("l", "a * b", CType::Long),
        ];
        for (set, expected) in [
            ("{ S0[i] : 0 <= i < k }", "k >= 1"),
            ("{ S0[i] : 0 <= i < n and on != 0 }", "s->on != 0"),
            ("{ S0[i] : 0 <= i < n }", ""),
            ("{ S0[i] : k <= i < on }", "-1 * (long)(k) + 1 * (long)(s->on) + -1 >= 0"),
            (
                "{ S0[i] : 0 <= i < u and on = 3 and l <= 3000000000 }",
                "s->on == 3, u >= 1, (a * b) <= 3000000000L",
            ),
            // The types imply it.
            ("{ S0[] : u >= 0 and k >= -2147483648 }", ""),
            ("{ S0[i] : 0 <= i < k and on != 7 and u >= 4 }", "k >= 1, s->on != 7, u >= 4"),
            // A sum that might overflow.
            ("{ S0[] : k + l >= 5 }", ""),
            // Either alternative always holds.
            ("{ S0[] : k >= 5; S1[] }", ""),
            ("{ S0[] : k >= 5 and u >= 2; S1[] : on >= 7 }", "((k >= 5 && u >= 2) || s->on >= 7)"),
            ("{ S0[i] : 2i = k and k >= 1 }", "k >= 1"),
            ("{ S0[i] : 1 = 0 }", ""),
        ] {
            let union = format!("[k, n, on, u, l] -> {set}");
            let sets = polyhedra::sets_of(&polyhedra::UnionSet::parse(&union).unwrap()).unwrap();
            let mut sets = sets.into_iter().map(|set| set.params().unwrap());
            let first = sets.next().unwrap_or(Set::parse("[k] -> { : 1 = 0 }").unwrap());
            let all = sets.fold(first, |all, set| all.union(set).unwrap());
            let mut found = conditions(all, &known).unwrap();
            found.sort();
            let mut wanted: Vec<&str> = expected.split(", ").filter(|text| !text.is_empty()).collect();
            wanted.sort();
            assert_eq!(found, wanted, "{set}");
            assert!(is_value(&guarded("p->x", &found)), "{found:?}");
        }
    }
}
