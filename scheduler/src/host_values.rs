//! Values that the host computes by itself, such as the coefficients of a filter.
//!
//! A piece of a program that has no parallel loop could be a kernel of one thread. If it needs nothing that a kernel
//! computes, it is better left where C has it, on the host: nothing waits for a launch, and kernels get the scalars
//! that it computes as arguments.

use std::collections::BTreeSet;

use scop::{AccessKind, Array, ArrayId, Model, StatementId};

/// A piece of a program that would be a kernel of one thread: its *units*, of which each as a whole may run on the
/// host, in their order.
pub type Piece = Vec<BTreeSet<StatementId>>;

/// Returns the statements that the host computes by itself. `pieces` are all the parts of the program without parallel
/// loops, `elsewhere` are the statements of its other parts.
///
/// A statement is one of them if each array that it touches is touched by such statements alone. Scalars may be read
/// by kernels as well. A piece is not divided into more kernels than one.
pub fn computed_by_host(
    model: &Model,
    pieces: &[Piece],
    elsewhere: &BTreeSet<StatementId>,
) -> BTreeSet<StatementId> {
    let mut pieces: Vec<&Piece> = pieces.iter().collect();
    let mut elsewhere = elsewhere.clone();
    loop {
        let found = closed(model, &pieces, &elsewhere);
        let Some(divided) = pieces.iter().position(|piece| kernels_left(piece, &found) > 1) else {
            return found;
        };
        elsewhere.extend(pieces.remove(divided).iter().flatten());
    }
}

/// Returns the number of kernels into which a piece falls if these statements run on the host.
fn kernels_left(piece: &Piece, on_host: &BTreeSet<StatementId>) -> usize {
    let is_kernel: Vec<bool> = piece.iter().map(|unit| !unit.is_subset(on_host)).collect();
    is_kernel.iter().enumerate().filter(|&(at, kernel)| *kernel && (at == 0 || !is_kernel[at - 1])).count()
}

/// Returns the largest set of whole units that satisfies the condition of [`computed_by_host`].
fn closed(model: &Model, pieces: &[&Piece], elsewhere: &BTreeSet<StatementId>) -> BTreeSet<StatementId> {
    let mut units: Vec<&BTreeSet<StatementId>> = pieces.iter().copied().flatten().collect();
    units.retain(|unit| unit.is_disjoint(elsewhere));
    loop {
        let all: BTreeSet<StatementId> = units.iter().copied().flatten().copied().collect();
        let foreign = foreign_arrays(model, &all);
        let is_own = |id: &StatementId| {
            let own = model.statements.iter().filter(|statement| statement.id == *id);
            own.flat_map(|statement| &statement.accesses).all(|access| !foreign.contains(&access.array))
        };
        let before = units.len();
        units.retain(|unit| unit.iter().all(is_own));
        if units.len() == before {
            return all;
        }
    }
}

/// Returns the scalars that other statements write, and the arrays that they touch.
fn foreign_arrays(model: &Model, own: &BTreeSet<StatementId>) -> BTreeSet<ArrayId> {
    let is_scalar = |id: ArrayId| model.array(id).is_ok_and(Array::is_scalar);
    let others = model.statements.iter().filter(|statement| !own.contains(&statement.id));
    let accesses = others.flat_map(|statement| &statement.accesses);
    let foreign = accesses.filter(|access| access.kind == AccessKind::Write || !is_scalar(access.array));
    foreign.map(|access| access.array).collect()
}

#[cfg(test)]
mod tests {
    use scop::{Analysed, Program, from_json};

    use super::*;

    fn ids(ids: &[u32]) -> BTreeSet<StatementId> {
        ids.iter().map(|id| StatementId(*id)).collect()
    }

    /// In `scalars.json`, `S0: a = n; S1: b = a * a; S2: c = x[0]; S3: d = c + b; S4: x[i] = b * x[i] + d; S5: e = b;`.
    fn found(pieces: &[&[&[u32]]], elsewhere: &[u32]) -> BTreeSet<StatementId> {
        let program: Program<Analysed> = from_json(include_str!("../tests/documents/scalars.json")).unwrap();
        let pieces: Vec<Piece> =
            pieces.iter().map(|piece| piece.iter().map(|unit| ids(unit)).collect()).collect();
        computed_by_host(&program.scops[0].model, &pieces, &ids(elsewhere))
    }

    #[test]
    fn what_needs_no_data_of_the_device_is_computed_on_the_host() {
        assert_eq!(found(&[&[&[0], &[1]], &[&[2], &[3]], &[&[5]]], &[4]), ids(&[0, 1, 5]));
    }

    #[test]
    fn a_scalar_that_a_kernel_writes_is_not() {
        assert_eq!(found(&[&[&[1]], &[&[2], &[3]], &[&[5]]], &[0, 4]), ids(&[]));
        assert_eq!(found(&[&[&[0]], &[&[2], &[3]], &[&[5]]], &[1, 4]), ids(&[0]));
    }

    #[test]
    fn units_are_not_divided() {
        assert_eq!(found(&[&[&[0], &[1, 2]], &[&[3]], &[&[5]]], &[4]), ids(&[0]));
    }

    #[test]
    fn a_piece_does_not_become_several_kernels() {
        assert_eq!(found(&[&[&[0], &[1], &[2], &[5], &[3]]], &[4]), ids(&[]));
        assert_eq!(found(&[&[&[0], &[1], &[2], &[3], &[5]]], &[4]), ids(&[0, 1, 5]));
    }
}
