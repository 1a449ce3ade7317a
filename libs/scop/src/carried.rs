//! Which operations of an iteration wait for the iteration before.
//!
//! A sum adds each number to the result of the last addition, and so do statements that pass a value around among each
//! other, as a recursive filter does. What they compute besides, such as the products that are added, does not wait:
//! the operations of several iterations overlap.

use std::collections::BTreeMap;

use crate::{AccessId, Arithmetic, ArrayId, Expr, ExprKind, LocalId, Statement, Step};

/// A statement of a loop's body, with its accesses to elements that are the same ones in every iteration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Passing {
    /// The arrays that it reads, each with the operations from there to the value that the statement stores.
    pub reads: Vec<(ArrayId, Arithmetic)>,
    /// The arrays that it writes.
    pub writes: Vec<ArrayId>,
}

/// Returns for each statement of a loop's body the operations that are on the longest chain from one iteration to the
/// next. Statements that are on no such chain, or on a shorter one, have none: the chain waits for nothing else.
pub fn carried(body: &[Passing]) -> Vec<Arithmetic> {
    let leads = paths(body);
    let component = |own: usize| -> Vec<usize> {
        (0..body.len()).filter(|&other| leads[own][other] && leads[other][own]).collect()
    };
    let on_chain = |own: usize, component: &[usize]| {
        let is_passed = |array: &ArrayId| component.iter().any(|&other| body[other].writes.contains(array));
        let ways = body[own].reads.iter().filter(|(array, _)| is_passed(array)).map(|(_, way)| *way);
        ways.max_by_key(Arithmetic::weight).unwrap_or_default()
    };
    let chains = (0..body.len()).filter(|&own| leads[own][own]).map(|own| {
        let component = component(own);
        component.iter().map(|&statement| (statement, on_chain(statement, &component))).collect::<Vec<_>>()
    });
    let length = |chain: &Vec<(usize, Arithmetic)>| chain.iter().map(|(_, way)| way.weight()).sum::<u64>();
    let mut all = vec![Arithmetic::default(); body.len()];
    for (statement, way) in chains.max_by_key(length).unwrap_or_default() {
        all[statement] = way;
    }
    all
}

/// Returns whether what a statement writes is needed for what another one writes, perhaps by way of others.
fn paths(body: &[Passing]) -> Vec<Vec<bool>> {
    let needs = |reader: &Passing, writer: &Passing| {
        reader.reads.iter().any(|(array, _)| writer.writes.contains(array))
    };
    let mut leads: Vec<Vec<bool>> =
        body.iter().map(|writer| body.iter().map(|reader| needs(reader, writer)).collect()).collect();
    for middle in 0..body.len() {
        for first in 0..body.len() {
            for last in 0..body.len() {
                leads[first][last] |= leads[first][middle] && leads[middle][last];
            }
        }
    }
    leads
}

/// Returns the operations from each element that a statement reads to the values that it stores: those of the longest
/// way. Of loops in the statement one iteration counts, and conditions choose between values without operations.
pub fn ways_to_result(statement: &Statement) -> BTreeMap<AccessId, Arithmetic> {
    let mut ways = Ways::default();
    ways.steps(&statement.body);
    ways.to_results
}

/// The operations from each element that was read.
type From = BTreeMap<AccessId, Arithmetic>;

#[derive(Default)]
struct Ways {
    to_locals: BTreeMap<LocalId, From>,
    to_results: From,
}

impl Ways {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Define { local, value: Some(value), .. }
                | Step::Set { local, value }
                | Step::SetElement { local, value, .. } => {
                    let from = self.to(value);
                    longest(self.to_locals.entry(*local).or_default(), from);
                }
                Step::DefineArray { local, values, .. } => {
                    for value in values {
                        let from = self.to(value);
                        longest(self.to_locals.entry(*local).or_default(), from);
                    }
                }
                Step::Assign { value, .. } | Step::Return { value } => {
                    let from = self.to(value);
                    longest(&mut self.to_results, from);
                }
                Step::Define { value: None, .. }
                | Step::If { .. }
                | Step::For { .. }
                | Step::While { .. } => {}
            }
            step.blocks().into_iter().for_each(|block| self.steps(block));
        }
    }

    /// Returns the operations from each element that was read to the value of an expression.
    fn to(&self, expression: &Expr) -> From {
        let mut from = From::new();
        match &expression.kind {
            ExprKind::Read { access, .. } => {
                from.insert(*access, Arithmetic::default());
            }
            ExprKind::Local { local } | ExprKind::Element { local, .. } | ExprKind::Array { local, .. } => {
                longest(&mut from, self.to_locals.get(local).cloned().unwrap_or_default());
            }
            _ => {}
        }
        expression.children().into_iter().for_each(|child| longest(&mut from, self.to(child)));
        let own = Arithmetic::of_operator(expression);
        from.values_mut().for_each(|way| *way += own);
        from
    }
}

/// Keeps the longest way from each element.
fn longest(all: &mut From, others: From) {
    for (access, way) in others {
        let known = all.entry(access).or_insert(way);
        if way.weight() > known.weight() {
            *known = way;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AccessKind;

    const SUM: Arithmetic = Arithmetic { fp32: 0, fp64: 1, library: 0 };
    const NONE: Arithmetic = Arithmetic { fp32: 0, fp64: 0, library: 0 };

    fn array(number: u32) -> ArrayId {
        ArrayId(number)
    }

    fn times(number: u64) -> Arithmetic {
        Arithmetic { fp64: number, ..NONE }
    }

    fn passing(reads: &[(u32, u64)], writes: &[u32]) -> Passing {
        Passing {
            reads: reads.iter().map(|&(read, operations)| (array(read), times(operations))).collect(),
            writes: writes.iter().copied().map(array).collect(),
        }
    }

    #[test]
    fn a_sum_waits_for_one_addition() {
        assert_eq!(carried(&[passing(&[(0, 1), (1, 2)], &[0])]), [SUM]);
        assert_eq!(carried(&[passing(&[(1, 2)], &[0])]), [NONE], "what nothing reads is passed to no one");
        assert_eq!(carried(&[]), []);
    }

    #[test]
    fn only_the_longest_chain_counts() {
        // Two sums, of which one has two additions; and a value that both use, but that does not wait for them.
        let body = [passing(&[], &[9]), passing(&[(0, 1), (9, 2)], &[0]), passing(&[(1, 2), (9, 3)], &[1])];
        assert_eq!(carried(&body), [NONE, NONE, times(2)]);
    }

    #[test]
    fn a_value_that_is_passed_around_waits_for_all_statements() {
        // y = f(y1, y2); y2 = y1; y1 = y.
        let filter =
            [passing(&[(1, 3), (2, 2), (7, 4)], &[0]), passing(&[(1, 0)], &[2]), passing(&[(0, 0)], &[1])];
        assert_eq!(carried(&filter), [times(3), NONE, NONE]);
    }

    #[test]
    fn the_way_of_a_sum_is_one_addition_and_that_of_a_factor_two_operations() {
        let program: crate::Program<crate::Analysed> =
            crate::from_json(include_str!("../../../scheduler/tests/documents/matmul.json")).unwrap();
        let statement = program.scops[0].model.statements.last().unwrap();
        let ways = ways_to_result(statement);
        let of_kind = |kind| statement.accesses.iter().filter(move |access| access.kind == kind);
        let written: Vec<ArrayId> = of_kind(AccessKind::Write).map(|access| access.array).collect();
        for access in of_kind(AccessKind::Read) {
            let expected = if written.contains(&access.array) { 1 } else { 2 };
            let way = ways[&access.id];
            assert_eq!(way.fp32 + way.fp64, expected, "{access:?}");
        }
    }
}
