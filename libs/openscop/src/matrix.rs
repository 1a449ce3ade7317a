//! Parses relations as [`Matrix`]es.
//!
//! As everywhere in this crate, no memory is allocated for a count in the text: every row must be present.

use crate::error::{OpenScopError, Result};
use crate::file::{Matrix, Row};
use crate::lines::{Line, Lines};

/// The greatest number of dimensions of one kind in a relation.
pub const MAX_DIMENSIONS: usize = 256;

/// The greatest number of parts of a union.
const MAX_PARTS: usize = 4096;

/// Parses a relation: it starts with six numbers, a union with the number of its parts.
pub fn parts(lines: &mut Lines<'_>) -> Result<Vec<Matrix>> {
    let head = lines.expect("the size of a relation")?;
    let count = match head.integers()?[..] {
        [count] => union_size(head, count)?,
        _ => return Ok(vec![matrix(head, lines)?]),
    };
    let mut parts: Vec<Matrix> = Vec::new();
    for _ in 0..count {
        let head = lines.expect("the size of a part of a union")?;
        let part = matrix(head, lines)?;
        let shape = |matrix: &Matrix| (matrix.output, matrix.input, matrix.parameters);
        if parts.first().is_some_and(|first| shape(first) != shape(&part)) {
            return Err(OpenScopError::syntax(head.at, "the parts of this union have different dimensions"));
        }
        parts.push(part);
    }
    Ok(parts)
}

fn union_size(head: Line<'_>, count: i64) -> Result<usize> {
    match usize::try_from(count) {
        Ok(count) if count > MAX_PARTS => {
            let message = format!("the union has {count} parts; at most {MAX_PARTS} are supported");
            Err(OpenScopError::limit(head.at, message))
        }
        Ok(count) if count > 0 => Ok(count),
        _ => Err(OpenScopError::syntax(head.at, "a union has at least one part")),
    }
}

fn matrix(head: Line<'_>, lines: &mut Lines<'_>) -> Result<Matrix> {
    let sizes: Vec<usize> =
        head.integers()?.into_iter().map(|size| dimension(head, size)).collect::<Result<_>>()?;
    let [count, columns, output, input, local, parameters] = sizes[..] else {
        let message = "expected six integers: rows, columns, output, input and local dimensions, parameters";
        return Err(OpenScopError::syntax(head.at, message));
    };
    if let Some(size) = [output, input, local, parameters].into_iter().find(|&size| size > MAX_DIMENSIONS) {
        let message =
            format!("the relation has {size} dimensions of one kind; at most {MAX_DIMENSIONS} are supported");
        return Err(OpenScopError::limit(head.at, message));
    }
    let mut matrix = Matrix { output, input, local, parameters, rows: Vec::new() };
    if columns != matrix.columns() + 1 {
        let expected = matrix.columns() + 1;
        let message = format!("the relation has {columns} columns, but its dimensions require {expected}");
        return Err(OpenScopError::syntax(head.at, message));
    }
    for _ in 0..count {
        let row = row(lines.expect("a row of a relation")?, columns)?;
        matrix.rows.push(row);
    }
    Ok(matrix)
}

fn dimension(head: Line<'_>, size: i64) -> Result<usize> {
    usize::try_from(size).map_err(|_| OpenScopError::syntax(head.at, "a size is negative"))
}

fn row(line: Line<'_>, columns: usize) -> Result<Row> {
    let numbers = line.integers()?;
    if numbers.len() != columns {
        let message = format!("expected {columns} integers, found {}", numbers.len());
        return Err(OpenScopError::syntax(line.at, message));
    }
    match numbers.split_first() {
        Some((kind @ (0 | 1), coefficients)) => {
            Ok(Row { equality: *kind == 0, coefficients: coefficients.to_vec() })
        }
        _ => Err(OpenScopError::syntax(line.at, "a row starts with 0 for `= 0` or 1 for `>= 0`")),
    }
}
