//! Whether accesses of different statements are to the same elements.
//!
//! The statements of a kernel have iterators of their own, but the members of the band, and the loops on the host around
//! it, are common to them. So elements are compared by how they change with these.

use super::geometry::AlongMember;

/// How an element changes with a step along each loop; nothing for a loop that has one value for the statement. Nothing
/// at all if data select the element.
pub type Changes = Option<Vec<Option<AlongMember>>>;

/// True if two accesses of different statements move alike with the loops along which both move.
pub fn agree(one: &Changes, other: &Changes) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one == other };
    let alike = |from: &[Option<AlongMember>], to: &[Option<AlongMember>]| {
        to.iter().flatten().all(|step| predicted(from, step).is_none_or(|change| change == step.change))
    };
    match (are_independent(one), are_independent(other)) {
        (true, _) => alike(one, other),
        (false, true) => alike(other, one),
        (false, false) => one == other,
    }
}

/// True if each step is along one loop alone.
fn are_independent(steps: &[Option<AlongMember>]) -> bool {
    let is_alone = |(member, step): (usize, &Option<AlongMember>)| {
        let moved = |step: &AlongMember| {
            step.moved.iter().enumerate().all(|(other, moved)| (other == member) == (*moved != 0.0))
        };
        step.as_ref().is_none_or(moved)
    };
    steps.iter().enumerate().all(is_alone)
}

/// Returns how an element changes with a step, given its changes with each loop alone; nothing if the step moves along a
/// loop that has one value there.
fn predicted(alone: &[Option<AlongMember>], step: &AlongMember) -> Option<Vec<f64>> {
    let mut sum = vec![0.0; step.change.len()];
    for (own, times) in alone.iter().zip(&step.moved).filter(|(_, times)| **times != 0.0) {
        let change = &own.as_ref()?.change;
        sum.iter_mut().zip(change).for_each(|(sum, change)| *sum += times * change);
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(change: &[f64], moved: &[f64]) -> Option<AlongMember> {
        Some(AlongMember { change: change.to_vec(), moved: moved.to_vec() })
    }

    /// `A[i][j]` for `[i, j]`, and `A[i][i]` for `[i, i]`: on the diagonal both members move together.
    #[test]
    fn a_diagonal_is_a_part_of_a_matrix() {
        let matrix = Some(vec![step(&[1.0, 0.0], &[1.0, 0.0]), step(&[0.0, 1.0], &[0.0, 1.0])]);
        let diagonal = Some(vec![step(&[1.0, 1.0], &[1.0, 1.0]), step(&[0.0, 0.0], &[0.0, 0.0])]);
        assert!(agree(&matrix, &diagonal) && agree(&diagonal, &matrix));
        let column = Some(vec![step(&[1.0, 0.0], &[1.0, 1.0]), step(&[0.0, 0.0], &[0.0, 0.0])]);
        assert!(!agree(&matrix, &column) && !agree(&column, &matrix), "A[i][0] for [i, i]");
        assert!(!agree(&diagonal, &column));
    }

    #[test]
    fn loops_with_one_value_and_irregular_accesses() {
        let matrix = Some(vec![step(&[1.0, 0.0], &[1.0, 0.0]), step(&[0.0, 1.0], &[0.0, 1.0])]);
        let row = Some(vec![None, step(&[0.0, 1.0], &[0.0, 1.0])]);
        assert!(agree(&matrix, &row) && agree(&row, &matrix));
        let transposed = Some(vec![step(&[0.0, 1.0], &[1.0, 0.0]), step(&[1.0, 0.0], &[0.0, 1.0])]);
        assert!(!agree(&matrix, &transposed));
        assert!(!agree(&matrix, &None) && agree(&None, &None));
    }
}
