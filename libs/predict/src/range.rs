//! Between which numbers an expression lies, if each of its variables lies between two.
//!
//! An interval may be larger than need be, never smaller: variables that occur twice are taken to be independent.

use scop::ast::AstOp;

use crate::expression::{Compiled, Frame, Slot};

/// The least and the greatest value.
pub type Range = (i64, i64);

/// Any value.
const ANY: Range = (i64::MIN, i64::MAX);

/// The ranges of all variables.
#[derive(Debug, Clone)]
pub struct Ranges {
    values: Vec<Range>,
}

impl Ranges {
    /// Gives each variable the value that it has in the first lane.
    pub fn of(frame: &Frame) -> Self {
        Self { values: frame.first_lane().map(|value| (value, value)).collect() }
    }

    /// Gives a variable a range.
    pub fn set(&mut self, slot: Slot, range: Range) {
        self.values[slot] = range;
    }
}

/// Returns the range of an expression.
pub fn range(expression: &Compiled, ranges: &Ranges) -> Range {
    match expression {
        Compiled::Int(value) => (*value, *value),
        Compiled::Slot(slot, _) => ranges.values[*slot],
        Compiled::Op(operator, operands, _) => {
            let of =
                |position: usize| operands.get(position).map_or((0, 0), |operand| range(operand, ranges));
            let all = || operands.iter().map(|operand| range(operand, ranges));
            let most = |one: Range, other: Range| (one.0.max(other.0), one.1.max(other.1));
            let least = |one: Range, other: Range| (one.0.min(other.0), one.1.min(other.1));
            match operator {
                AstOp::Max => all().reduce(most).unwrap_or((0, 0)),
                AstOp::Min => all().reduce(least).unwrap_or((0, 0)),
                AstOp::Select => match truth(of(0)) {
                    Some(true) => of(1),
                    Some(false) => of(2),
                    None => union(of(1), of(2)),
                },
                operator => operation(*operator, of(0), of(1)),
            }
        }
    }
}

/// Returns whether a condition holds, if all values of its range say the same.
pub fn truth(range: Range) -> Option<bool> {
    match range {
        (0, 0) => Some(false),
        (least, greatest) if least > 0 || greatest < 0 => Some(true),
        _ => None,
    }
}

fn operation(operator: AstOp, one: Range, other: Range) -> Range {
    match operator {
        AstOp::And => condition(match (truth(one), truth(other)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }),
        AstOp::Or => condition(match (truth(one), truth(other)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }),
        AstOp::Minus => negated(one),
        AstOp::Add => sum(one, other),
        AstOp::Sub => sum(one, negated(other)),
        AstOp::Mul => product(one, other),
        AstOp::Div | AstOp::FloorDiv | AstOp::PosDiv => quotient(one, other),
        AstOp::PosMod | AstOp::ZeroMod => remainder(one, other),
        AstOp::Eq => condition(match (one, other) {
            _ if one.1 < other.0 || other.1 < one.0 => Some(false),
            _ if one.0 == one.1 && one == other => Some(true),
            _ => None,
        }),
        AstOp::Le => condition(at_most(one, other)),
        AstOp::Ge => condition(at_most(other, one)),
        AstOp::Lt => condition(at_most(other, one).map(|holds| !holds)),
        AstOp::Gt => condition(at_most(one, other).map(|holds| !holds)),
        AstOp::Max | AstOp::Min | AstOp::Select => ANY,
    }
}

/// The range of a condition.
fn condition(holds: Option<bool>) -> Range {
    holds.map_or((0, 1), |holds| (i64::from(holds), i64::from(holds)))
}

fn at_most(one: Range, other: Range) -> Option<bool> {
    if one.1 <= other.0 {
        Some(true)
    } else if one.0 > other.1 {
        Some(false)
    } else {
        None
    }
}

fn union(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

fn negated((least, greatest): Range) -> Range {
    (greatest.saturating_neg(), least.saturating_neg())
}

fn sum(one: Range, other: Range) -> Range {
    (one.0.saturating_add(other.0), one.1.saturating_add(other.1))
}

fn product(one: Range, other: Range) -> Range {
    let corner = |left: i64, right: i64| (left.saturating_mul(right), left.saturating_mul(right));
    let low = union(corner(one.0, other.0), corner(one.0, other.1));
    union(low, union(corner(one.1, other.0), corner(one.1, other.1)))
}

/// Divisors are constants in most cases; of others nothing is said.
fn quotient(one: Range, (divisor, greatest): Range) -> Range {
    if divisor != greatest || divisor <= 0 {
        return ANY;
    }
    (one.0.div_euclid(divisor), one.1.div_euclid(divisor))
}

fn remainder(one: Range, (divisor, greatest): Range) -> Range {
    if divisor != greatest || divisor <= 0 {
        return ANY;
    }
    if one.0.div_euclid(divisor) == one.1.div_euclid(divisor) {
        (one.0.rem_euclid(divisor), one.1.rem_euclid(divisor))
    } else {
        (0, divisor - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [AstOp; 20] = [
        AstOp::And,
        AstOp::Or,
        AstOp::Max,
        AstOp::Min,
        AstOp::Minus,
        AstOp::Add,
        AstOp::Sub,
        AstOp::Mul,
        AstOp::Div,
        AstOp::FloorDiv,
        AstOp::PosDiv,
        AstOp::PosMod,
        AstOp::ZeroMod,
        AstOp::Select,
        AstOp::Eq,
        AstOp::Le,
        AstOp::Lt,
        AstOp::Ge,
        AstOp::Gt,
        AstOp::Sub,
    ];

    /// Every value of an operation lies in its range, and the ends of a sum and of a comparison are met.
    #[test]
    fn values_lie_in_their_ranges() {
        let variables = [Compiled::Slot(0, true), Compiled::Slot(1, true), Compiled::Slot(2, true)];
        let intervals = [(-3, 4), (0, 0), (1, 1), (3, 3), (2, 7), (-5, -2)];
        for operator in ALL {
            let expression = Compiled::Op(operator, variables.to_vec(), true);
            for (one, other) in intervals.iter().flat_map(|one| intervals.map(|other| (*one, other))) {
                let mut ranges = Ranges::of(&Frame::new(3));
                ranges.set(0, one);
                ranges.set(1, other);
                ranges.set(2, (5, 6));
                let (least, greatest) = range(&expression, &ranges);
                for (left, right) in
                    (one.0..=one.1).flat_map(|left| (other.0..=other.1).map(move |r| (left, r)))
                {
                    let mut frame = Frame::new(3);
                    frame.set(0, left);
                    frame.set(1, right);
                    frame.set(2, 5);
                    let value = expression.value(&frame, 0);
                    assert!((least..=greatest).contains(&value), "{operator:?} {left} {right}: {value}");
                }
            }
        }
        let mut ranges = Ranges::of(&Frame::new(2));
        ranges.set(0, (0, 31));
        ranges.set(1, (32, 63));
        let of = |operator| range(&Compiled::Op(operator, variables[..2].to_vec(), true), &ranges);
        assert_eq!(of(AstOp::Add), (32, 94));
        assert_eq!((of(AstOp::Lt), of(AstOp::Ge), of(AstOp::Eq)), ((1, 1), (0, 0), (0, 0)));
    }
}
