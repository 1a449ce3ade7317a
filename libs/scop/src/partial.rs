//! Updates of which several threads can each do a part, with a value of their own that is combined at the end.
//!
//! ```c
//! sum += a[i] * b[i];                       // partial sums, added at the end
//! best = best >= a[i] ? best : a[i];        // partial maxima
//! ```

use crate::contribution::{contributed, uses, without_sign};
use crate::{AccessId, BinaryOp, CType, Expr, ExprKind, Reduction, ReductionOp, Statement, Step};

/// True if a thread can have a partial value of a reduction: nothing else in the statement looks at the element, and
/// the element is a number that the threads of a warp can exchange.
pub fn can_be_partial(statement: &Statement, reduction: &Reduction) -> bool {
    let Some(element) = element_type(statement, reduction) else { return false };
    let is_number = without_sign(element).is_some() || matches!(element, CType::Float | CType::Double);
    is_number
        && match reduction.operator {
            ReductionOp::Sum | ReductionOp::Product if element.is_integer() => {
                contributed(statement, reduction).is_some()
            }
            ReductionOp::Sum | ReductionOp::Product => uses(&statement.body, reduction.read) == 1,
            ReductionOp::BitAnd | ReductionOp::BitOr | ReductionOp::BitXor => {
                element.is_integer() && contributed(statement, reduction).is_some()
            }
            ReductionOp::Min | ReductionOp::Max => {
                let all: usize = reads(reduction).map(|read| uses(&statement.body, read)).sum();
                uses_in_update(&statement.body, reduction) == Some(all)
            }
            ReductionOp::And | ReductionOp::Or => false,
        }
}

fn reads(reduction: &Reduction) -> impl Iterator<Item = AccessId> {
    std::iter::once(reduction.read).chain(reduction.compared.iter().copied())
}

/// True if an update adds one number to the element, or multiplies the element by one: another thread can compute this
/// number, and the update itself rounds as in the source. The neutral values (minus zero, and one) leave each number as
/// it is, and so does a sum or product of a number and a neutral value.
pub fn can_be_in_order(statement: &Statement, reduction: &Reduction) -> bool {
    let is_simple = |value: &Expr, ctype: CType| match &value.kind {
        ExprKind::Binary { operator, left, right } => {
            let is_own = |operand: &Expr| {
                operand.ctype == ctype
                    && matches!(operand.kind, ExprKind::Read { access, .. } if access == reduction.read)
            };
            let either = is_own(left) || is_own(right);
            value.ctype == ctype
                && match (operator, reduction.operator) {
                    (BinaryOp::Add, ReductionOp::Sum) | (BinaryOp::Mul, ReductionOp::Product) => either,
                    (BinaryOp::Sub, ReductionOp::Sum) => is_own(left),
                    _ => false,
                }
        }
        _ => false,
    };
    let [Step::Assign { access, subscripts, value, .. }] = &statement.body[..] else { return false };
    let ctype = value.ctype;
    let is_float = matches!(ctype, CType::Float | CType::Double);
    *access == reduction.write
        && subscripts.is_empty()
        && is_float
        && is_simple(value, ctype)
        && can_be_partial(statement, reduction)
}

/// True if every order of a reduction's updates gives the same bits, also if parts of them are combined apart.
///
/// Integers of any width are rings under `+ * & | ^`, and partial values are computed in unsigned types, so no overflow
/// is possible that was not in the source. Minimum and maximum of integers only choose a value. Among floating-point
/// numbers, rounding depends on the order, and so does which of two zeros or which NaN an extremum chooses.
pub fn is_exact(statement: &Statement, reduction: &Reduction) -> bool {
    can_be_partial(statement, reduction)
        && element_type(statement, reduction).is_some_and(|element| element.is_integer())
}

/// Returns the type of the element that a reduction updates, if one assignment does that.
fn element_type(statement: &Statement, reduction: &Reduction) -> Option<CType> {
    let mut types = Vec::new();
    for step in &statement.body {
        step.walk(&mut |step| {
            if let Step::Assign { access, value, .. } = step
                && *access == reduction.write
            {
                types.push(value.ctype);
            }
        });
    }
    match types[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// Returns how often the step that updates the element reads it: in the assignment, or in the condition of an `if`
/// that contains nothing but the assignment.
fn uses_in_update(steps: &[Step], reduction: &Reduction) -> Option<usize> {
    let of_assignment = |step: &Step| match step {
        Step::Assign { access, subscripts, value, .. }
            if *access == reduction.write && subscripts.is_empty() =>
        {
            Some(uses_of(value, reduction))
        }
        _ => None,
    };
    let mut found = None;
    for step in steps {
        step.walk(&mut |step| match step {
            Step::If { condition, then, otherwise } if otherwise.is_empty() => {
                if let [only] = &then[..]
                    && let Some(uses) = of_assignment(only)
                {
                    found = Some(uses + uses_of(condition, reduction));
                }
            }
            step => found = found.or_else(|| of_assignment(step)),
        });
    }
    found
}

fn uses_of(expr: &Expr, reduction: &Reduction) -> usize {
    let mut count = 0;
    let is_read = |access: AccessId| reads(reduction).any(|read| read == access);
    expr.walk(&mut |node| {
        count += usize::from(matches!(node.kind, ExprKind::Read { access, .. } if is_read(access)));
    });
    count
}
