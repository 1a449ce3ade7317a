//! Relations as matrices of constraints, which other tools than isl can read.

use isl_rs::{Aff, BasicMap, BasicSet, DimType, Map, Mat};

use crate::{Error, Result, integer};

/// A row of a matrix: `coefficients · (output, input, local, parameters, 1)` is zero, or at least zero.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constraint {
    /// True for `= 0`, false for `>= 0`.
    pub equality: bool,
    /// One number for each dimension, and the constant last.
    pub coefficients: Vec<i64>,
}

/// A relation without disjunctions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polyhedron {
    /// The number of dimensions of the range.
    pub output: usize,
    /// The number of dimensions of the domain.
    pub input: usize,
    /// The number of existentially quantified dimensions: `exists e: i = 2 e`.
    pub local: usize,
    /// The number of parameters.
    pub parameters: usize,
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

/// Returns the disjuncts of a relation; none if it is certainly empty.
///
/// # Errors
/// Fails if a coefficient does not fit 64 bits.
pub fn polyhedra_of(map: &Map) -> Result<Vec<Polyhedron>> {
    let list = map.get_basic_map_list()?;
    (0..list.size()?).map(|position| polyhedron(&list.get_at(position)?)).collect()
}

/// Reads the constraints of a relation from a set whose first dimensions are those of the domain, because isl gives
/// access to the local dimensions of sets only.
fn polyhedron(map: &BasicMap) -> Result<Polyhedron> {
    let size = |kind| -> Result<usize> { Ok(usize::try_from(map.dim(kind)?).unwrap_or(0)) };
    let mut polyhedron = Polyhedron {
        output: size(DimType::Out)?,
        input: size(DimType::In)?,
        local: size(DimType::Div)?,
        parameters: size(DimType::Param)?,
        constraints: Vec::new(),
    };
    let set = map.copy()?.wrap()?;
    let order = [DimType::Set, DimType::Div, DimType::Param, DimType::Cst];
    let [c1, c2, c3, c4] = order;
    let equalities = rows(&set.equalities_matrix(c1, c2, c3, c4)?)?;
    let [c1, c2, c3, c4] = order;
    let inequalities = rows(&set.inequalities_matrix(c1, c2, c3, c4)?)?;
    for coefficients in equalities {
        polyhedron.add(true, coefficients);
    }
    for coefficients in inequalities {
        polyhedron.add(false, coefficients);
    }
    polyhedron.define_locals(&set)?;
    Ok(polyhedron)
}

impl Polyhedron {
    /// Adds a constraint that lists the dimensions of the domain before those of the range.
    fn add(&mut self, equality: bool, mut coefficients: Vec<i64>) {
        coefficients[..self.input + self.output].rotate_left(self.input);
        let constraint = Constraint { equality, coefficients };
        if !self.constraints.contains(&constraint) {
            self.constraints.push(constraint);
        }
    }

    /// Adds `0 <= e - d q < d` for each local dimension `q = floor(e / d)`: isl may omit what follows from this
    /// definition.
    fn define_locals(&mut self, set: &BasicSet) -> Result<()> {
        for local in 0..self.local {
            let Some((mut numerator, denominator)) = definition(set, local, self)? else { continue };
            let column = self.output + self.input + local;
            let bounds = bounds(&mut numerator, column, denominator).ok_or_else(too_large)?;
            self.add(false, numerator);
            self.add(false, bounds);
        }
        Ok(())
    }
}

/// Turns `e` into `e - d q`, and returns `d - 1 - (e - d q)`; nothing if a number is too large.
fn bounds(numerator: &mut [i64], column: usize, denominator: i64) -> Option<Vec<i64>> {
    numerator[column] = numerator[column].checked_sub(denominator)?;
    let mut opposite = numerator.iter().map(|number| number.checked_neg()).collect::<Option<Vec<_>>>()?;
    let constant = opposite.last_mut()?;
    *constant = constant.checked_add(denominator - 1)?;
    Some(opposite)
}

fn too_large() -> Error {
    Error::new("a coefficient does not fit into 64 bits")
}

/// Returns the numerator and the denominator of the quotient whose floor a local dimension is, if isl has them.
fn definition(set: &BasicSet, local: usize, shape: &Polyhedron) -> Result<Option<(Vec<i64>, i64)>> {
    let aff = match set.get_div(local as i32).map_err(Error::from) {
        Ok(aff) => aff,
        Err(error) if error.is_limit() => return Err(error),
        Err(_) => return Ok(None),
    };
    if aff.is_nan()? {
        return Ok(None);
    }
    let denominator = aff.get_denominator_val()?;
    let number = integer(&denominator)?;
    if number <= 0 {
        return Ok(None);
    }
    let aff = aff.scale_val(denominator)?;
    let mut numerator = Vec::new();
    for (kind, size) in [
        (DimType::In, shape.input + shape.output),
        (DimType::Div, shape.local),
        (DimType::Param, shape.parameters),
    ] {
        numerator.extend(coefficients(&aff, kind, size)?);
    }
    numerator.push(integer(&aff.get_constant_val()?)?);
    Ok(Some((numerator, number)))
}

fn coefficients(aff: &Aff, kind: DimType, size: usize) -> Result<Vec<i64>> {
    let known = usize::try_from(aff.dim(kind)?).unwrap_or(0);
    (0..size)
        .map(|position| {
            if position >= known {
                return Ok(0);
            }
            integer(&aff.get_coefficient_val(kind, position as i32)?)
        })
        .collect()
}

fn rows(matrix: &Mat) -> Result<Vec<Vec<i64>>> {
    let (rows, columns) = (matrix.rows()?, matrix.cols()?);
    (0..rows)
        .map(|row| (0..columns).map(|column| integer(&matrix.get_element_val(row, column)?)).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    #[test]
    fn rows_are_ordered_by_output_input_local_parameters_and_constant() {
        let map = Map::parse("[n, m] -> { [i] -> [a, b] : a = i + 2 and 3b >= n - 5m + 7 }").unwrap();
        let [only] = polyhedra_of(&map).unwrap().try_into().unwrap();
        let Polyhedron { output, input, local, parameters, constraints } = only;
        assert_eq!((output, input, local, parameters), (2, 1, 0, 2));
        let row =
            |equality, coefficients: [i64; 6]| Constraint { equality, coefficients: coefficients.into() };
        assert!(constraints.contains(&row(false, [0, 3, 0, -1, 5, -7])), "{constraints:?}");
        let equality = constraints.iter().find(|constraint| constraint.equality).unwrap();
        let expected = [1, 0, -1, 0, 0, -2];
        let opposite = expected.map(|coefficient: i64| -coefficient);
        assert!([expected, opposite].contains(&equality.coefficients.clone().try_into().unwrap()));
    }

    #[test]
    fn integer_parts_are_bounded_on_both_sides() {
        let map = Map::parse("[n] -> { [i] -> [floor(i/4)] : i mod 3 = 1 }").unwrap();
        let list = polyhedra_of(&map).unwrap();
        for polyhedron in &list {
            for local in 0..polyhedron.local {
                let column = polyhedron.output + polyhedron.input + local;
                assert!(polyhedron.constraints.iter().any(|c| c.coefficients[column] != 0), "{list:?}");
            }
        }
    }

    /// True if the given values and some values from -9 to 9 of the local dimensions fulfil the constraints.
    fn is_met(polyhedron: &Polyhedron, values: &[i64], parameters: &[i64]) -> bool {
        if values.len() < polyhedron.output + polyhedron.input + polyhedron.local {
            return (-9..=9).any(|local| is_met(polyhedron, &[values, &[local]].concat(), parameters));
        }
        let values = [values, parameters, &[1]].concat();
        polyhedron.constraints.iter().all(|constraint| {
            let sum: i64 = constraint.coefficients.iter().zip(&values).map(|(a, b)| a * b).sum();
            if constraint.equality { sum == 0 } else { sum >= 0 }
        })
    }

    #[test]
    fn matrices_have_the_points_of_the_relation() {
        for text in
            ["[n] -> { [i] -> [floor((i + n)/4)] }", "[n] -> { [i] -> [j] : (i + j) mod 3 <= 1 and j >= n }"]
        {
            let map = Map::parse(text).unwrap();
            let list = polyhedra_of(&map).unwrap();
            for (i, j, n) in (-7..=7).flat_map(|i| (-3..=3).flat_map(move |j| [(i, j, 0), (i, j, 2)])) {
                let point = Map::parse(&format!("[n] -> {{ [{i}] -> [{j}] : n = {n} }}")).unwrap();
                let is_met = list.iter().any(|polyhedron| is_met(polyhedron, &[j, i], &[n]));
                assert_eq!(is_met, point.is_subset(&map).unwrap(), "{text} {i} {j} {n}: {list:?}");
            }
        }
    }

    #[test]
    fn every_disjunct_is_a_matrix() {
        let union = Map::parse("{ [i] -> [i] : 0 <= i <= 4; [i] -> [i + 1] : i >= 9 }").unwrap();
        assert_eq!(polyhedra_of(&union).unwrap().len(), 2);
        assert!(polyhedra_of(&Map::parse("{ [i] -> [j] : 1 = 0 }").unwrap()).unwrap().is_empty());
    }
}
