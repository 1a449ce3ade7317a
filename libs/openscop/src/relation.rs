//! Translates matrices to isl's relations and back.

use std::fmt::Write as _;

use polyhedra::{Map, Polyhedron, Set, Text, polyhedra_of};

use crate::error::{OpenScopError, Result};
use crate::file::{Matrix, Relation, RelationKind, Row};
use crate::position::Position;

/// Returns the matrices of a map, in a form that depends only on isl's constraints of the map. Equalities come
/// first, in the order of the first output dimension in them, whose coefficient is negative where possible.
pub fn matrices(map: &Map) -> polyhedra::Result<Vec<Matrix>> {
    let mut parts: Vec<Matrix> = polyhedra_of(map)?.into_iter().map(matrix).collect();
    if parts.is_empty() {
        parts.push(nothing(map)?);
    }
    Ok(parts)
}

/// Returns the matrices of a set, which may be a set of parameters without dimensions of its own.
pub fn set_matrices(set: Set) -> polyhedra::Result<Vec<Matrix>> {
    let set = if set.is_params()? { set.from_params()? } else { set };
    matrices(&Map::from_range(set)?)
}

fn matrix(polyhedron: Polyhedron) -> Matrix {
    let Polyhedron { output, input, local, parameters, constraints } = polyhedron;
    let mut rows: Vec<Row> = constraints
        .into_iter()
        .map(|constraint| oriented(constraint.equality, constraint.coefficients, output))
        .collect();
    let place = |row: &Row| (!row.equality, if row.equality { pivot(row, output) } else { 0 });
    rows.sort_by_key(place);
    Matrix { output, input, local, parameters, rows }
}

/// Returns the first output dimension in a row.
fn pivot(row: &Row, output: usize) -> usize {
    row.coefficients[..output].iter().position(|&coefficient| coefficient != 0).unwrap_or(output)
}

fn oriented(equality: bool, coefficients: Vec<i64>, output: usize) -> Row {
    let row = Row { equality, coefficients };
    let first = row.coefficients.get(pivot(&row, output)).copied().unwrap_or_default();
    match negated(&row.coefficients) {
        Some(coefficients) if equality && first > 0 => Row { equality, coefficients },
        _ => row,
    }
}

fn negated(coefficients: &[i64]) -> Option<Vec<i64>> {
    coefficients.iter().map(|coefficient| coefficient.checked_neg()).collect()
}

/// Returns the matrix of an empty relation: one part with a constraint that never holds.
fn nothing(map: &Map) -> polyhedra::Result<Matrix> {
    use polyhedra::DimType::{In, Out, Param};
    let size = |kind| -> polyhedra::Result<usize> { Ok(usize::try_from(map.dim(kind)?).unwrap_or(0)) };
    let mut matrix =
        Matrix { output: size(Out)?, input: size(In)?, local: 0, parameters: size(Param)?, rows: Vec::new() };
    let mut coefficients = vec![0; matrix.columns() - 1];
    coefficients.push(1);
    matrix.rows.push(Row { equality: true, coefficients });
    Ok(matrix)
}

/// A tuple of a space: its name and its number of dimensions.
pub type Tuple<'a> = (&'a str, usize);

/// Returns a relation without input dimensions as a set in isl's notation.
pub fn set_text(relation: &Relation, parameters: &[String], tuple: Tuple<'_>) -> Result<String> {
    check_shape(relation, parameters, Some(tuple.1), 0)?;
    Ok(text(&relation.parts, parameters, &elements('o', tuple)))
}

/// Returns a context as a set of parameters in isl's notation.
pub fn context_text(relation: &Relation, parameters: &[String]) -> Result<String> {
    check_shape(relation, parameters, Some(0), 0)?;
    Ok(text(&relation.parts, parameters, ""))
}

/// Returns a relation as a map in isl's notation.
pub fn map_text(parts: &[Matrix], parameters: &[String], from: Tuple<'_>, to: Tuple<'_>) -> String {
    text(parts, parameters, &format!("{} -> {}", elements('i', from), elements('o', to)))
}

/// Parses a text in isl's notation that was made from the relation at `at`.
pub fn parsed<T: Text>(at: Position, text: &str) -> Result<T> {
    T::parse(text).map_err(|error| OpenScopError::isl(at, &error))
}

/// Checks the numbers of a relation's dimensions. If `output` is absent, any number of output dimensions is
/// accepted.
pub fn check_shape(
    relation: &Relation,
    parameters: &[String],
    output: Option<usize>,
    input: usize,
) -> Result<()> {
    let name = relation.kind.name();
    for part in &relation.parts {
        let expected =
            [("parameters", part.parameters, parameters.len()), ("input dimensions", part.input, input)];
        let output = output.map(|output| ("output dimensions", part.output, output));
        for (what, found, expected) in expected.into_iter().chain(output) {
            if found != expected {
                let message = format!("this {name} has {found} {what} instead of {expected}");
                return Err(OpenScopError::meaning(relation.at, message));
            }
        }
    }
    Ok(())
}

fn elements(letter: char, (name, size): Tuple<'_>) -> String {
    let names: Vec<String> = (0..size).map(|position| format!("{letter}{position}")).collect();
    format!("{name}[{}]", names.join(", "))
}

fn text(parts: &[Matrix], parameters: &[String], space: &str) -> String {
    let part = |matrix: &Matrix| format!("{space} : {}", condition(matrix, parameters));
    let parts: Vec<String> = parts.iter().map(part).collect();
    format!("[{}] -> {{ {} }}", parameters.join(", "), parts.join("; "))
}

fn condition(matrix: &Matrix, parameters: &[String]) -> String {
    if matrix.rows.is_empty() {
        return "true".to_owned();
    }
    let numbered = |letter: char, size: usize| (0..size).map(move |number| format!("{letter}{number}"));
    let locals: Vec<String> = numbered('e', matrix.local).collect();
    let names: Vec<String> = numbered('o', matrix.output)
        .chain(numbered('i', matrix.input))
        .chain(locals.iter().cloned())
        .chain(parameters.iter().cloned())
        .collect();
    let rows: Vec<String> = matrix.rows.iter().map(|row| constraint(row, &names)).collect();
    let rows = rows.join(" and ");
    if locals.is_empty() { rows } else { format!("exists ({} : {rows})", locals.join(", ")) }
}

fn constraint(row: &Row, names: &[String]) -> String {
    let mut sum = row.coefficients.last().copied().unwrap_or_default().to_string();
    for (coefficient, name) in
        row.coefficients.iter().zip(names).filter(|(coefficient, _)| **coefficient != 0)
    {
        let sign = if *coefficient < 0 { '-' } else { '+' };
        let _ = write!(sum, " {sign} {}*{name}", coefficient.unsigned_abs());
    }
    format!("{sum} {} 0", if row.equality { "=" } else { ">=" })
}

/// Splits an access into the number of its array and the matrices of its subscripts.
pub fn split_access(relation: &Relation) -> Result<(i64, Vec<Matrix>)> {
    let mut array = None;
    let mut parts = Vec::new();
    for part in &relation.parts {
        let number = array_number(part).ok_or_else(|| {
            let message = "the first output dimension of this access is not the number of an array";
            OpenScopError::meaning(relation.at, message)
        })?;
        if array.is_some_and(|array| array != number) {
            return Err(OpenScopError::meaning(
                relation.at,
                "the parts of this access refer to different arrays",
            ));
        }
        array = Some(number);
        parts.push(without_array(part, number).ok_or_else(|| {
            OpenScopError::limit(relation.at, "a number in this access does not fit into 64 bits")
        })?);
    }
    match array {
        Some(array) => Ok((array, parts)),
        None => Err(OpenScopError::meaning(relation.at, "this access has no parts")),
    }
}

/// Returns the value of the first output dimension, if an equality fixes it to a constant.
fn array_number(matrix: &Matrix) -> Option<i64> {
    matrix.rows.iter().filter(|_| matrix.output > 0).find_map(|row| {
        let (first, rest) = row.coefficients.split_first()?;
        let (constant, rest) = rest.split_last()?;
        let alone = row.equality && *first != 0 && rest.iter().all(|&coefficient| coefficient == 0);
        let number = constant.checked_neg()?.checked_div(*first).filter(|_| alone)?;
        (number.checked_mul(*first)? == constant.checked_neg()?).then_some(number)
    })
}

/// Returns the matrix for a fixed value of the first output dimension.
fn without_array(matrix: &Matrix, number: i64) -> Option<Matrix> {
    let fixed = |row: &Row| {
        let (first, rest) = row.coefficients.split_first()?;
        let mut coefficients = rest.to_vec();
        let constant = coefficients.last_mut()?;
        *constant = constant.checked_add(first.checked_mul(number)?)?;
        Some(Row { equality: row.equality, coefficients })
    };
    let mut rows = matrix.rows.iter().map(fixed).collect::<Option<Vec<_>>>()?;
    rows.retain(|row| row.coefficients.iter().any(|&coefficient| coefficient != 0));
    Some(Matrix { output: matrix.output - 1, rows, ..*matrix })
}

/// One side of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The range.
    Output,
    /// The domain.
    Input,
}

/// Adds a dimension with the number of an array, at a position of one side.
pub fn with_array(mut matrix: Matrix, side: Side, position: usize, number: i64) -> Matrix {
    let column = match side {
        Side::Output => position,
        Side::Input => matrix.output + position,
    };
    for row in &mut matrix.rows {
        row.coefficients.insert(column, 0);
    }
    match side {
        Side::Output => matrix.output += 1,
        Side::Input => matrix.input += 1,
    }
    let mut coefficients = vec![0; matrix.columns()];
    coefficients[column] = -1;
    if let Some(constant) = coefficients.last_mut() {
        *constant = number;
    }
    matrix.rows.insert(0, Row { equality: true, coefficients });
    matrix
}

/// Creates a relation that was not read from a text.
pub fn relation(kind: RelationKind, parts: Vec<Matrix>) -> Relation {
    Relation { kind, parts, at: Position::default() }
}
