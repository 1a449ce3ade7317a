//! Steps that combine an element with a value by an operator for which the order does not matter.

use crate::{
    AccessId, BinaryOp, CType, Expr, ExprKind, ReductionOp, Statement, Step, is_same, is_same_element,
};

/// A step of the form `element = element operator value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The accesses that read the element: one, or two if the element is first compared and then used.
    pub reads: Vec<AccessId>,
    /// The access that writes it.
    pub write: AccessId,
    /// The operator.
    pub operator: ReductionOp,
}

/// Returns all updates in the body of a statement.
///
/// The recognised forms are `s op= e` and its equivalents `s = s + a + b`, `s = a * s` and `s -= e`; for minimum
/// and maximum, calls of `fmin` and similar functions, `s = e < s ? e : s`, and `if (e < s) s = e`. Differences
/// whose right operand is the element, as in `s = e - s`, are not updates. The value `e` is arbitrary here: if it
/// also reads the element, that is another access, which the dataflow shows.
///
/// For floating-point numbers, the operators are associative except for rounding; minimum and maximum by comparison
/// are associative only if no value is a NaN.
pub fn updates(statement: &Statement) -> Vec<Update> {
    let body = Body { statement };
    let mut found = Vec::new();
    for step in &statement.body {
        step.walk(&mut |step| found.extend(body.update(step)));
    }
    found
}

/// A read that is combined with other values, and the operator that combines them.
type Operand<'e> = (ReductionOp, &'e Expr);

struct Body<'a> {
    statement: &'a Statement,
}

impl Body<'_> {
    fn update(&self, step: &Step) -> Option<Update> {
        let (write, subscripts, operands) = match step {
            Step::Assign { access, subscripts, value, .. } => (access, subscripts, self.operands(value)),
            Step::If { condition, then, otherwise } if otherwise.is_empty() => match &then[..] {
                [Step::Assign { access, subscripts, value, .. }] => {
                    (access, subscripts, self.replaced(condition, value))
                }
                _ => return None,
            },
            _ => return None,
        };
        let written = (*write, &subscripts[..]);
        let own = operands.into_iter().filter_map(|(operator, operand)| match &operand.kind {
            ExprKind::Read { access, subscripts } if self.is_same_element(written, (*access, subscripts)) => {
                Some((operator, *access))
            }
            _ => None,
        });
        let own: Vec<(ReductionOp, AccessId)> = own.collect();
        let &(operator, _) = own.first()?;
        let reads: Vec<AccessId> = own.into_iter().map(|(_, access)| access).collect();
        let is_sound = reads.len() == 1 || is_idempotent(operator);
        is_sound.then_some(Update { reads, write: *write, operator })
    }

    /// Returns the reads that a single operator combines into a new value.
    fn operands<'e>(&self, value: &'e Expr) -> Vec<Operand<'e>> {
        let mut found = Vec::new();
        if let Some((operator, _)) = self.operation(value.without_casts()) {
            self.collect(value, value.ctype, operator, &mut found);
        }
        found
    }

    fn collect<'e>(
        &self,
        expr: &'e Expr,
        element: CType,
        operator: ReductionOp,
        found: &mut Vec<Operand<'e>>,
    ) {
        let inner = expr.without_casts();
        if !converts_harmlessly(expr, element, operator) {
            return;
        }
        match self.operation(inner) {
            _ if matches!(inner.kind, ExprKind::Read { .. }) => found.push((operator, inner)),
            Some((same, operands)) if same == operator && keeps_type(operator, element, &operands) => {
                operands.into_iter().for_each(|operand| self.collect(operand, element, operator, found));
            }
            _ => {}
        }
    }

    /// Returns the operator and the read that the value replaces, for `if (e < s) s = e`.
    fn replaced<'e>(&self, condition: &'e Expr, value: &Expr) -> Vec<Operand<'e>> {
        let Some((smaller, greater)) = comparison(condition) else { return Vec::new() };
        let element = value.ctype;
        let found = if self.is_same(value.without_casts(), smaller.without_casts()) {
            (ReductionOp::Min, greater.without_casts())
        } else if self.is_same(value.without_casts(), greater.without_casts()) {
            (ReductionOp::Max, smaller.without_casts())
        } else {
            return Vec::new();
        };
        let sides = [smaller, greater];
        let harmless = sides.iter().all(|side| converts_harmlessly(side, element, found.0));
        if harmless && keeps_type(found.0, element, &sides) { vec![found] } else { Vec::new() }
    }

    /// Returns an operator and the operands that it combines: for a difference, only the left operand; for a
    /// choice, also the compared values.
    fn operation<'e>(&self, expr: &'e Expr) -> Option<(ReductionOp, Vec<&'e Expr>)> {
        match &expr.kind {
            ExprKind::Binary { operator: BinaryOp::Sub, left, .. } => Some((ReductionOp::Sum, vec![left])),
            ExprKind::Binary { operator, left, right } => {
                Some((reduction_op(*operator)?, vec![&**left, &**right]))
            }
            ExprKind::Call { function, arguments } => Some((extremum(function)?, arguments.iter().collect())),
            ExprKind::Conditional { condition, then, otherwise } => {
                let (smaller, greater) = comparison(condition)?;
                let are = |one: &Expr, other: &Expr| {
                    self.is_same(then.without_casts(), one.without_casts())
                        && self.is_same(otherwise.without_casts(), other.without_casts())
                };
                let operator = if are(smaller, greater) {
                    ReductionOp::Min
                } else if are(greater, smaller) {
                    ReductionOp::Max
                } else {
                    return None;
                };
                Some((operator, vec![&**then, &**otherwise, smaller, greater]))
            }
            _ => None,
        }
    }

    fn is_same(&self, one: &Expr, other: &Expr) -> bool {
        is_same(self.statement, one, other)
    }

    fn is_same_element(&self, one: (AccessId, &[Expr]), other: (AccessId, &[Expr])) -> bool {
        is_same_element(self.statement, one, other)
    }
}

/// Returns the smaller (or equal) side and the greater side of a comparison that holds.
fn comparison(condition: &Expr) -> Option<(&Expr, &Expr)> {
    match &condition.without_casts().kind {
        ExprKind::Binary { operator: BinaryOp::Lt | BinaryOp::Le, left, right } => Some((left, right)),
        ExprKind::Binary { operator: BinaryOp::Gt | BinaryOp::Ge, left, right } => Some((right, left)),
        _ => None,
    }
}

/// True if the conversions around an expression commute with an operator on elements of a type.
///
/// Integers of any width form rings under `+ * & | ^`: the bits that are cut off have no influence on those that
/// are kept, unless a conversion cuts off bits of the element itself, as in `s = (char)s + e`. Conversions between
/// floating-point types only round. However, a conversion from a complex to a real number loses a part in each step
/// that the sum or product would have kept. Truth values survive all conversions under the logical operators, and
/// `_Bool` does under `&` and `|`. A conversion between integers and floating-point numbers in each step loses what
/// the sum would have kept.
fn converts_harmlessly(expr: &Expr, element: CType, operator: ReductionOp) -> bool {
    use ReductionOp::{And, BitAnd, BitOr, Or};
    let types = types_of_casts(expr);
    match operator {
        And | Or => true,
        _ if !element.is_integer() => {
            types.iter().all(|ctype| !ctype.is_integer() && ctype.is_complex() == element.is_complex())
        }
        BitAnd | BitOr if element == CType::Bool => types.iter().all(|ctype| ctype.is_integer()),
        _ => {
            let keeps = |ctype: &CType| *ctype != CType::Bool && ctype.size() >= element.size();
            types.iter().all(|ctype| ctype.is_integer() && keeps(ctype))
        }
    }
}

/// Returns the types that a value is converted through, outermost first.
fn types_of_casts(mut expr: &Expr) -> Vec<CType> {
    let mut types = vec![expr.ctype];
    while let ExprKind::Cast { operand, .. } = &expr.kind {
        expr = operand;
        types.push(expr.ctype);
    }
    types
}

/// True if the operands of an integer minimum or maximum have the type of the element, so that a later conversion
/// of the result changes nothing.
fn keeps_type(operator: ReductionOp, element: CType, operands: &[&Expr]) -> bool {
    let fits = |operand: &&Expr| operand.ctype == element || operand.without_casts().ctype == element;
    let is_extremum = matches!(operator, ReductionOp::Min | ReductionOp::Max);
    !is_extremum || !element.is_integer() || operands.iter().all(fits)
}

fn reduction_op(operator: BinaryOp) -> Option<ReductionOp> {
    Some(match operator {
        BinaryOp::Add => ReductionOp::Sum,
        BinaryOp::Mul => ReductionOp::Product,
        BinaryOp::BitAnd => ReductionOp::BitAnd,
        BinaryOp::BitOr => ReductionOp::BitOr,
        BinaryOp::BitXor => ReductionOp::BitXor,
        BinaryOp::And => ReductionOp::And,
        BinaryOp::Or => ReductionOp::Or,
        _ => return None,
    })
}

fn extremum(function: &str) -> Option<ReductionOp> {
    match function {
        "fmin" | "fminf" | "fminl" => Some(ReductionOp::Min),
        "fmax" | "fmaxf" | "fmaxl" => Some(ReductionOp::Max),
        _ => None,
    }
}

/// True if combining the same value repeatedly makes no difference.
fn is_idempotent(operator: ReductionOp) -> bool {
    !matches!(operator, ReductionOp::Sum | ReductionOp::Product | ReductionOp::BitXor)
}
