//! Chooses between two orders by the kernels that they lead to.
//!
//! isl separates statements wherever that makes some loop parallel, and fuses only some of those that it could. Two
//! sums in scalars, `s = 0; for (j …) s += …; x[i] = s`, thus become several kernels that pass `s` through global
//! memory, although other orders have the same parallel loops and keep it in a register.

use scop::{Kernel, Model, Statement, StatementId};

use crate::place::Placed;

/// True if one order is better than another: it needs fewer kernels, and loses nothing in the deepest nests, which
/// take most of the time.
pub fn is_better(one: &Placed, other: &Placed, model: &Model) -> bool {
    let deepest = model.statements.iter().map(|statement| statement.depth()).max().unwrap_or(0);
    let loses = |statement: &Statement| {
        let is_deepest = statement.depth() == deepest;
        match (kernel_of(other, statement.id), kernel_of(one, statement.id)) {
            (Some(before), Some(after)) if is_deepest => !is_as_good(after, before),
            (Some(before), Some(after)) => after.grid.is_empty() && !before.grid.is_empty(),
            (Some(_), None) => true,
            (None, _) => false,
        }
    };
    one.kernels.len() < other.kernels.len()
        && launches(one) <= launches(other)
        && !model.statements.iter().any(loses)
}

/// True if a kernel has as many parallel loops as before, as many tiled loops, and no more loops on the host.
fn is_as_good(after: &Kernel, before: &Kernel) -> bool {
    after.grid.len() >= before.grid.len()
        && after.tile_sizes.len() >= before.tile_sizes.len()
        && after.host_depth <= before.host_depth
}

fn kernel_of(placed: &Placed, statement: StatementId) -> Option<&Kernel> {
    placed.kernels.iter().find(|kernel| kernel.statements.contains(&statement))
}

/// Returns the largest number of loops on the host around a kernel, and the number of kernels inside that many loops.
fn launches(placed: &Placed) -> (u32, usize) {
    let depth = placed.kernels.iter().map(|kernel| kernel.host_depth).max().unwrap_or(0);
    (depth, placed.kernels.iter().filter(|kernel| kernel.host_depth == depth).count())
}

#[cfg(test)]
mod tests {
    use scop::{Analysed, Axis, GridDimension, IslPwAff, KernelId, Program, from_json};

    use super::*;

    /// Returns a kernel of one statement of the matrix product, with loops on the host and parallel loops.
    fn kernel(statement: u32, host_depth: u32, parallel: usize) -> Kernel {
        let extent = || IslPwAff("{ [(1)] }".to_owned());
        let dimension = |axis| GridDimension { axis, lower: extent(), extent: extent() };
        Kernel {
            id: KernelId(statement),
            statements: vec![StatementId(statement)],
            host_depth,
            grid: Axis::ALL.into_iter().take(parallel).map(dimension).collect(),
            block: Vec::new(),
            tile_sizes: vec![16; 3],
            reasons: Vec::new(),
        }
    }

    /// The deepest statement is the second.
    #[test]
    fn fewer_kernels_are_better_if_nothing_is_given_up() {
        let program: Program<Analysed> = from_json(include_str!("../tests/documents/matmul.json")).unwrap();
        let model = &program.scops[0].model;
        let placed = |kernels: Vec<Kernel>| Placed {
            kernels,
            shapes: Vec::new(),
            thread_loops: Vec::new(),
            host: Vec::new(),
        };
        let three = placed(vec![kernel(0, 0, 2), kernel(1, 0, 2), kernel(2, 0, 2)]);
        let is_better = |first, second| super::is_better(&placed(vec![first, second]), &three, model);
        assert!(is_better(kernel(0, 0, 2), kernel(1, 0, 2)));
        assert!(is_better(kernel(0, 0, 1), kernel(1, 0, 2)), "the loops of the first take no time");
        assert!(!is_better(kernel(0, 0, 0), kernel(1, 0, 2)), "it had parallel loops");
        assert!(!is_better(kernel(0, 0, 2), kernel(1, 0, 1)), "the deepest nest loses a parallel loop");
        assert!(!is_better(kernel(0, 0, 2), kernel(1, 1, 2)), "the deepest nest is in a loop on the host");
        assert!(!is_better(kernel(0, 1, 2), kernel(1, 0, 2)), "the first is launched again and again");
        let two = placed(vec![kernel(0, 0, 2), kernel(1, 0, 2)]);
        assert!(!super::is_better(&two, &two, model), "as many kernels");
    }
}
