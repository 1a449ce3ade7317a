//! What it takes a warp to find the coordinates of a numbered block: instructions, as compilers for GPUs make them of
//! what cudagen prints (`cudagen/src/kernel/ranks.rs`). Two ask, gpu-predict and scheduler's prices.

use super::expression::{value, visit};
use super::{AstExpr, AstOp, RankedCoordinate};

/// A search by halving: of the middle between two ends, a comparison with the rank, four selections, a comparison of
/// the ends, and a jump.
const HALVING: u64 = 15;

/// The instructions by which a warp finds one coordinate. Values have 64 bits, so most operations take two
/// instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Search {
    /// Those before and after the steps: bounds, what does not depend on the coordinate, and the rank that is left.
    pub once: u64,
    /// Those of a step, which halves the values that are possible; 0 if nothing is searched.
    pub step: u64,
}

impl Search {
    /// Counts the instructions for a coordinate.
    pub fn of(coordinate: &RankedCoordinate) -> Self {
        let own = AstExpr::Name(coordinate.axis.block_parameter().to_owned());
        let mut all = Operations::default();
        all.add(&coordinate.lower, &own);
        let Some(before) = &coordinate.before else { return Self { once: all.fixed + 2, step: 0 } };
        all.add(&coordinate.upper, &own);
        all.add(before, &own);
        Self { once: all.fixed + all.changing + 2, step: HALVING + all.changing }
    }

    /// Returns the instructions of a search among so many values.
    pub fn instructions(self, values: f64) -> f64 {
        self.once as f64 + values.max(1.0).log2().ceil() * self.step as f64
    }
}

/// The operations of expressions. A compiler computes equal ones once, and those that do not depend on the coordinate
/// before the loop.
#[derive(Default)]
struct Operations<'a> {
    known: Vec<&'a AstExpr>,
    fixed: u64,
    changing: u64,
}

impl<'a> Operations<'a> {
    fn add(&mut self, expression: &'a AstExpr, own: &AstExpr) {
        visit(expression, &mut |inner| {
            let AstExpr::Op(operator, operands) = inner else { return };
            if self.known.contains(&inner) {
                return;
            }
            self.known.push(inner);
            let mut changes = false;
            visit(inner, &mut |leaf| changes |= leaf == own);
            let instructions = instructions(*operator, operands);
            *(if changes { &mut self.changing } else { &mut self.fixed }) += instructions;
        });
    }
}

fn instructions(operator: AstOp, operands: &[AstExpr]) -> u64 {
    let constant = operands.iter().find_map(value);
    let is_power = constant.is_some_and(|constant| constant.unsigned_abs().is_power_of_two());
    let times = operands.len().saturating_sub(1).max(1) as u64;
    match operator {
        AstOp::Add | AstOp::Sub | AstOp::Minus => 2 * times,
        AstOp::Mul if is_power => 2,
        AstOp::Mul if constant.is_some() => 3,
        AstOp::Mul => 4 * times,
        AstOp::FloorDiv | AstOp::PosDiv | AstOp::PosMod | AstOp::ZeroMod if is_power => 2,
        // A shift of what is rounded towards zero.
        AstOp::Div if is_power => 5,
        // The upper half of a product.
        AstOp::Div | AstOp::FloorDiv | AstOp::PosDiv | AstOp::PosMod | AstOp::ZeroMod => 14,
        AstOp::Max | AstOp::Min => 4 * times,
        AstOp::Select | AstOp::Eq | AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt => 2,
        AstOp::And | AstOp::Or => 1,
    }
}

#[cfg(test)]
mod tests {
    use crate::Axis;

    use super::*;

    fn op(operator: AstOp, operands: &[AstExpr]) -> AstExpr {
        AstExpr::Op(operator, operands.to_vec())
    }

    /// The rows of a triangle: nvcc 13 makes 39 instructions of a step of cholesky's search, which has three more
    /// terms.
    #[test]
    fn a_search_evaluates_the_count_in_each_step() {
        let (by, n) = (AstExpr::Name("by".to_owned()), AstExpr::Name("n".to_owned()));
        let sum = op(AstOp::Add, &[by.clone(), AstExpr::Int(1)]);
        let before = op(AstOp::Div, &[op(AstOp::Mul, &[by.clone(), sum]), AstExpr::Int(2)]);
        let upper = op(AstOp::FloorDiv, &[op(AstOp::Sub, &[n, AstExpr::Int(1)]), AstExpr::Int(64)]);
        let row = RankedCoordinate { axis: Axis::Y, lower: AstExpr::Int(0), upper, before: Some(before) };
        let found = Search::of(&row);
        assert_eq!(found, Search { once: 4 + 11 + 2, step: 15 + 2 + 4 + 5 });
        assert_eq!(found.instructions(1.0), 17.0);
        assert_eq!(found.instructions(500.0), 17.0 + 9.0 * 26.0);
        let place = RankedCoordinate { axis: Axis::X, lower: AstExpr::Int(0), upper: by, before: None };
        assert_eq!(Search::of(&place).instructions(500.0), 2.0);
    }
}
