//! The value that an update contributes to an element, for updates that are performed by one atomic operation.
//!
//! ```c
//! count = (int)(count + (a[i] > limit));      // contributes (unsigned)(a[i] > limit)
//! total = (long)(total - x[i] - 1);           // contributes -(unsigned long)x[i] - 1ul
//! bins[x[i]] = bins[x[i]] + 1;                // contributes 1u to the element that data choose
//! ```
//!
//! Under `+ & | ^`, integers of any width are rings: bits that are cut off have no influence on those that are
//! kept, in any order. Contributions can therefore be computed in unsigned types, in which no overflow is
//! possible that was not in the source.

use crate::{
    AccessId, BinaryOp, CType, Expr, ExprKind, Reduction, ReductionOp, Statement, Step, UnaryOp,
    walk_expressions,
};

/// Returns the value that the only assignment of a statement combines with an element, by the operator of one
/// of the statement's updates. The value has the unsigned type of the element's size. Returns nothing if the
/// update is not such an operation on integers of 32 or 64 bits, or if the statement uses the element's value
/// in another way. Whether the assignment happens may depend on data, as in `if (a[i] > 0) s += a[i]`.
pub fn contribution(statement: &Statement, reduction: &Reduction) -> Option<Expr> {
    if reduction.operator == ReductionOp::Product { None } else { contributed(statement, reduction) }
}

/// As [`contribution`], also for products, for which GPUs have no atomic operation.
pub fn contributed(statement: &Statement, reduction: &Reduction) -> Option<Expr> {
    let (access, _, value) = only_assignment(statement)?;
    let (element, operator) = (value.ctype, operator(reduction.operator)?);
    if access != reduction.write || !is_wide(element, element) || uses(&statement.body, reduction.read) != 1 {
        return None;
    }
    let update = Update { own: reduction.read, operator, element };
    Some(cast(update.rest(value)??, without_sign(element)?))
}

/// Returns the access of the only assignment in a statement, the subscripts that the body computes for it, and the value
/// that it assigns.
pub(crate) fn only_assignment(statement: &Statement) -> Option<(AccessId, &[Expr], &Expr)> {
    let mut assigned = Vec::new();
    for step in &statement.body {
        step.walk(&mut |step| {
            if let Step::Assign { access, subscripts, value, .. } = step {
                assigned.push((*access, &subscripts[..], value));
            }
        });
    }
    let [only] = assigned[..] else { return None };
    Some(only)
}

/// Returns the C operator of an update.
pub(crate) fn operator(operator: ReductionOp) -> Option<BinaryOp> {
    Some(match operator {
        ReductionOp::Sum => BinaryOp::Add,
        ReductionOp::Product => BinaryOp::Mul,
        ReductionOp::BitAnd => BinaryOp::BitAnd,
        ReductionOp::BitOr => BinaryOp::BitOr,
        ReductionOp::BitXor => BinaryOp::BitXor,
        _ => return None,
    })
}

struct Update {
    /// The access that reads the element.
    own: AccessId,
    operator: BinaryOp,
    element: CType,
}

impl Update {
    /// Returns what an expression that reads the element combines with it: `Some(None)` if the expression is
    /// the element itself, `None` if it uses the element in another way.
    fn rest(&self, expr: &Expr) -> Option<Option<Expr>> {
        if !is_wide(expr.ctype, self.element) {
            return None;
        }
        match &expr.kind {
            ExprKind::Read { access, .. } if *access == self.own => Some(None),
            ExprKind::Cast { operand, .. } => self.rest(operand),
            ExprKind::Binary { operator, left, right } => {
                let own_is_left = self.is_in(left);
                let (own, other) = if own_is_left { (left, right) } else { (right, left) };
                let is_difference = *operator == BinaryOp::Sub && self.operator == BinaryOp::Add;
                if *operator != self.operator && !(is_difference && own_is_left) {
                    return None;
                }
                let ctype = without_sign(expr.ctype)?;
                let other = cast((**other).clone(), ctype);
                Some(Some(match self.rest(own)? {
                    None if is_difference => Expr {
                        ctype,
                        kind: ExprKind::Unary { operator: UnaryOp::Minus, operand: other.into() },
                    },
                    None => other,
                    Some(rest) => {
                        let (left, right) = (cast(rest, ctype).into(), other.into());
                        Expr { ctype, kind: ExprKind::Binary { operator: *operator, left, right } }
                    }
                }))
            }
            _ => None,
        }
    }

    fn is_in(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.walk(&mut |node| {
            found |= matches!(node.kind, ExprKind::Read { access, .. } if access == self.own);
        });
        found
    }
}

/// Returns the number of times that an access occurs in some steps.
pub fn uses(steps: &[Step], read: AccessId) -> usize {
    let mut count = 0;
    walk_expressions(steps, &mut |node| {
        count += usize::from(matches!(node.kind, ExprKind::Read { access, .. } if access == read));
    });
    count
}

/// True for an integer type that holds all bits of an element for which there are atomic operations.
fn is_wide(ctype: CType, element: CType) -> bool {
    without_sign(ctype).is_some() && ctype.size() >= element.size()
}

/// Returns the unsigned type of the same size, if there are atomic operations on it.
pub fn without_sign(ctype: CType) -> Option<CType> {
    match ctype {
        CType::Int | CType::UInt => Some(CType::UInt),
        CType::Long | CType::ULong => Some(CType::ULong),
        CType::LongLong | CType::ULongLong => Some(CType::ULongLong),
        _ => None,
    }
}

fn cast(expr: Expr, ctype: CType) -> Expr {
    if expr.ctype == ctype {
        return expr;
    }
    Expr { ctype, kind: ExprKind::Cast { implicit: false, operand: expr.into() } }
}

#[cfg(test)]
mod tests {
    use crate::{Access, AccessKind, ArrayId, Certainty, IslMap, IslSet, SourceRange, StatementId};

    use super::*;

    fn read(access: u32, ctype: CType) -> Expr {
        Expr { ctype, kind: ExprKind::Read { access: AccessId(access), subscripts: Vec::new() } }
    }

    fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr {
            ctype: left.ctype,
            kind: ExprKind::Binary { operator, left: left.into(), right: right.into() },
        }
    }

    /// Returns what `element a2 = value` contributes if a0 reads the element, as C text.
    fn of(value: Expr, operator: ReductionOp) -> Option<String> {
        of_body(vec![assign(value)], operator)
    }

    fn assign(value: Expr) -> Step {
        Step::Assign { access: AccessId(2), subscripts: Vec::new(), value, compound: None }
    }

    fn of_body(body: Vec<Step>, operator: ReductionOp) -> Option<String> {
        let access = |id, kind| Access {
            id: AccessId(id),
            array: ArrayId(0),
            kind,
            certainty: Certainty::Must,
            indirect: false,
            in_both_branches: false,
            relation: IslMap("{ S0[] -> A0[] }".to_owned()),
        };
        let accesses =
            vec![access(0, AccessKind::Read), access(1, AccessKind::Read), access(2, AccessKind::Write)];
        let statement = Statement {
            id: StatementId(0),
            loops: Vec::new(),
            domain: IslSet("{ S0[] }".to_owned()),
            accesses,
            body,
            range: SourceRange { start: 0, end: 0, line: 1, column: 1 },
            text: String::new(),
        };
        let reduction = Reduction {
            statement: StatementId(0),
            read: AccessId(0),
            write: AccessId(2),
            compared: Vec::new(),
            operator,
            relation: IslMap("{ S0[] -> S0[] }".to_owned()),
            relaxed: true,
            free: None,
        };
        contribution(&statement, &reduction).map(|value| shown(&value))
    }

    fn shown(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Read { access, .. } => access.to_string(),
            ExprKind::Cast { operand, .. } => format!("({}){}", expr.ctype.c_name(), shown(operand)),
            ExprKind::Unary { operator, operand } => format!("{}{}", operator.c_name(), shown(operand)),
            ExprKind::Binary { operator, left, right } => {
                format!("({} {} {})", shown(left), operator.c_name(), shown(right))
            }
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn sums_contribute_what_is_added_to_them() {
        use BinaryOp::{Add, BitXor, Mul, Sub};
        use CType::{Int, Long, Short, UInt, ULongLong};
        let (own, other) = (|| read(0, Int), || read(1, Int));
        let (sum, unsigned) = (ReductionOp::Sum, |text: &str| Some(text.to_owned()));
        assert_eq!(of(binary(Add, own(), other()), sum), unsigned("(unsigned int)a1"));
        assert_eq!(of(binary(Add, other(), own()), sum), unsigned("(unsigned int)a1"));
        assert_eq!(of(binary(Sub, own(), other()), sum), unsigned("-(unsigned int)a1"));
        assert_eq!(of(binary(Sub, other(), own()), sum), None);
        assert_eq!(of(binary(Mul, own(), other()), sum), None);
        assert_eq!(of(binary(Add, own(), other()), ReductionOp::Product), None);
        let three = binary(Sub, binary(Add, own(), other()), other());
        assert_eq!(of(three, sum), unsigned("((unsigned int)a1 - (unsigned int)a1)"));
        let within = binary(Add, other(), binary(Sub, own(), other()));
        assert_eq!(of(within, sum), unsigned("(-(unsigned int)a1 + (unsigned int)a1)"));
        assert_eq!(of(binary(Add, own(), own()), sum), None, "it doubles");
        let xor = binary(BitXor, read(0, UInt), read(1, UInt));
        assert_eq!(of(xor, ReductionOp::BitXor), unsigned("a1"));
        // A wider type on the way does no harm; a narrower one does, and short elements have no atomic
        // operations.
        let wide = |ctype| cast(binary(Add, cast(own(), ctype), cast(other(), ctype)), Int);
        assert_eq!(of(wide(Long), sum), unsigned("(unsigned int)(unsigned long)(long)a1"));
        assert_eq!(of(wide(Short), sum), None);
        let long = |inner| cast(binary(Add, cast(read(0, Long), inner), read(1, inner)), Long);
        assert_eq!(of(long(Int), sum), None);
        assert_eq!(of(long(ULongLong), sum), unsigned("(unsigned long)a1"));
        assert_eq!(of(cast(binary(Add, own(), other()), Short), sum), None);
        assert_eq!(of(binary(Add, read(0, CType::Double), read(1, CType::Double)), sum), None);
    }
    #[test]
    fn data_may_decide_whether_there_is_a_contribution() {
        let sum = || binary(BinaryOp::Add, read(0, CType::Int), read(1, CType::Int));
        let when = |condition, then: Step| Step::If { condition, then: vec![then], otherwise: Vec::new() };
        let of = |body| of_body(body, ReductionOp::Sum);
        let found = of(vec![when(read(1, CType::Int), assign(sum()))]);
        assert_eq!(found, Some("(unsigned int)a1".to_owned()));
        assert_eq!(of(vec![when(read(0, CType::Int), assign(sum()))]), None, "it looks at the element");
        assert_eq!(of(vec![assign(sum()), when(read(1, CType::Int), assign(sum()))]), None, "twice");
    }
}
