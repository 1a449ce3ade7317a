//! Affine functions of a statement's iterators, as numbers.

use polyhedra::{DimType, Map, Result, Text, integer, polyhedra_of};

/// An affine function.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The coefficient of each iterator.
    pub coefficients: Vec<f64>,
    /// The constant.
    pub constant: f64,
    /// For a function with few values that counts as constant: how it depends on the inputs.
    pub alternating: Option<String>,
}

impl Row {
    /// Returns how far two functions with the same coefficients lie apart. Functions that alternate in different ways
    /// have different values at the same time.
    pub fn distance(&self, other: &Self) -> f64 {
        let alternate = self.alternating != other.alternating;
        (self.constant - other.constant).abs().max(f64::from(u8::from(alternate)))
    }
}

/// The most values of a function that counts as constant although it is none, such as `t mod 2`.
const FEW: i64 = 4;

/// Returns the output dimensions of a relation without parameters as functions of its inputs; nothing for those that
/// are none. One with few values counts as constant, unless it is the last, which decides on sectors.
pub fn rows(relation: &Map) -> Result<Vec<Option<Row>>> {
    let outputs = relation.dim(DimType::Out)? as usize;
    let Some(polyhedron) = polyhedra_of(relation)?.into_iter().next() else { return Ok(vec![None; outputs]) };
    let row_of = |output: usize| {
        polyhedron.constraints.iter().find_map(|constraint| {
            let coefficients = &constraint.coefficients;
            let own = coefficients[output];
            let others = coefficients[..outputs].iter().enumerate();
            let locals = &coefficients[outputs + polyhedron.input..][..polyhedron.local];
            let is_function = constraint.equality
                && own != 0
                && others.into_iter().all(|(position, other)| position == output || *other == 0)
                && locals.iter().all(|local| *local == 0);
            let scaled = |value: &i64| -(*value as f64) / own as f64;
            is_function.then(|| Row {
                coefficients: coefficients[outputs..][..polyhedron.input].iter().map(scaled).collect(),
                constant: coefficients.last().map_or(0.0, scaled),
                alternating: None,
            })
        })
    };
    let few = |output: usize| -> Result<Option<Row>> {
        if output + 1 == outputs {
            return Ok(None);
        }
        let after = (outputs - output - 1) as u32;
        let alone = relation.copy()?.project_out(DimType::Out, output as u32 + 1, after)?;
        let alternating = Some(alone.project_out(DimType::Out, 0, output as u32)?.coalesce()?.text()?);
        let values = relation.copy()?.range()?;
        let values = values.project_out(DimType::Set, output as u32 + 1, after)?;
        let values = values.project_out(DimType::Set, 0, output as u32)?;
        let values = values.coalesce()?;
        let (least, most) = (values.copy()?.dim_min_val(0)?, values.dim_max_val(0)?);
        let range = integer(&least).ok().zip(integer(&most).ok());
        let has_few = |(least, most): &(i64, i64)| most.saturating_sub(*least) < FEW;
        let coefficients = vec![0.0; polyhedron.input];
        Ok(range.filter(has_few).map(|(least, _)| Row { coefficients, constant: least as f64, alternating }))
    };
    (0..outputs).map(|output| row_of(output).map_or_else(|| few(output), |row| Ok(Some(row)))).collect()
}

/// A way to solve linear equations for the iterators, by elimination.
///
/// The equations are those of the loops on the host and the members of a band. Iterators that they do not determine are
/// those of loops inside a thread; they are zero in every solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Solver {
    /// For each equation, the change of each iterator if its right side changes by one.
    pub columns: Vec<Vec<f64>>,
    /// The iterators that the equations do not determine.
    pub free: Vec<usize>,
}

impl Solver {
    /// Prepares equations with these coefficients.
    pub fn new(equations: &[Vec<f64>], iterators: usize) -> Self {
        let number = equations.len();
        let mut matrix: Vec<Vec<f64>> = Vec::new();
        for (position, equation) in equations.iter().enumerate() {
            let mut row = equation.clone();
            row.extend((0..number).map(|other| f64::from(u8::from(other == position))));
            matrix.push(row);
        }
        let (mut pivots, mut used) = (vec![None; iterators], vec![false; number]);
        for iterator in 0..iterators {
            let pivot = (0..number).find(|&row| !used[row] && matrix[row][iterator].abs() > EPSILON);
            let Some(pivot) = pivot else { continue };
            used[pivot] = true;
            pivots[iterator] = Some(pivot);
            let own = matrix[pivot][iterator];
            matrix[pivot].iter_mut().for_each(|value| *value /= own);
            let pivot_row = matrix[pivot].clone();
            for (position, row) in matrix.iter_mut().enumerate() {
                let factor = row[iterator];
                if position != pivot && factor.abs() > EPSILON {
                    row.iter_mut().zip(&pivot_row).for_each(|(value, by)| *value -= factor * by);
                }
            }
        }
        let change = |iterator: usize, equation: usize| {
            pivots[iterator].map_or(0.0, |pivot: usize| matrix[pivot][iterators + equation])
        };
        let columns = (0..number)
            .map(|equation| (0..iterators).map(|iterator| change(iterator, equation)).collect())
            .collect();
        let free = (0..iterators).filter(|&iterator| pivots[iterator].is_none()).collect();
        Self { columns, free }
    }
}

const EPSILON: f64 = 1e-9;

/// Returns the change of a function for a change of the iterators.
pub fn change(row: &Row, iterators: &[f64]) -> f64 {
    row.coefficients.iter().zip(iterators).map(|(coefficient, change)| coefficient * change).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skewed_members_are_solved_for_the_iterators() {
        let map = Map::parse("{ S0[t, i, j] -> [t, t + i, 2t + i + j] }").unwrap();
        let equations: Vec<Vec<f64>> =
            rows(&map).unwrap().into_iter().map(|row| row.unwrap().coefficients).collect();
        let solver = Solver::new(&equations, 3);
        assert_eq!(solver.columns[0], [1.0, -1.0, -1.0], "a step of t alone");
        assert_eq!(solver.columns[2], [0.0, 0.0, 1.0], "a step of j");
        assert!(solver.free.is_empty());
    }

    #[test]
    fn loops_inside_a_thread_are_free() {
        let solver = Solver::new(&[vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0]], 3);
        assert_eq!(solver.free, [1]);
    }

    #[test]
    fn subscripts_are_functions_of_the_iterators() {
        let map = Map::parse("{ S0[i, j] -> A0[i + 2j - 1, e] : 0 <= e < 5 }").unwrap();
        let found = rows(&map).unwrap();
        assert_eq!(found[0], Some(Row { coefficients: vec![1.0, 2.0], constant: -1.0, alternating: None }));
        assert_eq!(found[1], None, "any element of a row");
    }

    #[test]
    fn arrays_that_take_turns_lie_apart() {
        let row = |text: &str| rows(&Map::parse(text).unwrap()).unwrap()[0].clone().unwrap();
        let even = row("{ S0[t, i] -> A0[t - 2*floor(t/2), i] : 0 <= t < 100 }");
        let odd = row("{ S0[t, i] -> A0[1 + t - 2*floor((1 + t)/2), i] : 0 <= t < 100 }");
        assert_eq!((even.distance(&odd), even.distance(&even)), (1.0, 0.0));
        assert_eq!(row("{ S0[t, i] -> A0[t + 3, i] }").distance(&row("{ S0[t, i] -> A0[t, i] }")), 3.0);
    }
}
