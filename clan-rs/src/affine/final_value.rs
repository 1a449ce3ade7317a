//! Values of iterators after their loops, as typed expressions.
//!
//! *before → after*: `[n] -> { [] -> [(n)] : n > 0; [] -> [(0)] : n <= 0 }` becomes `(int)(n > 0 ? n : 0)`, computed
//! in `long long`.

use polyhedra::{DimType, Id, PwAff, Set, context};
use scop::ast::{AstExpr, AstOp};
use scop::{BinaryOp, CType, Expr, ExprKind, from_isl};

use crate::affine::point::Point;
use crate::affine::translator::Affine;
use crate::c::conversions::{cast, promoted};
use crate::c::ctree::VariableId;
use crate::errors::{Fault, Result};

/// The type in which such values are computed.
const WIDE: CType = CType::LongLong;

impl Affine<'_, '_> {
    /// Returns the expression of type `ctype` that has this value at the instances of a point.
    pub fn final_value(&self, value: PwAff, ctype: CType, point: &Point) -> Result<Expr> {
        let known = self.known(point)?;
        let value = value.gist(known.copy()?)?.coalesce()?;
        if value.copy()?.domain()?.is_empty()? {
            // Control never reaches this point.
            return Ok(converted(integer(0), ctype));
        }
        let prefix = self.unused_prefix();
        let known = iterators_as_parameters(known, point, &prefix)?;
        let value = of_parameters_alone(value, point, &prefix)?;
        let expr = from_isl::of_parameters(&known, value)?;
        Ok(converted(self.typed(&expr, point, &prefix)?, ctype))
    }

    /// Returns a prefix that no parameter's name has; it names iterators while they are parameters in isl.
    fn unused_prefix(&self) -> String {
        let products = self.products.values().map(|product| &product.name);
        let names: Vec<&String> = self.environment.parameters.values().chain(products).collect();
        let mut prefix = "iterator_".to_owned();
        while names.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        prefix
    }

    fn typed(&self, expr: &AstExpr, point: &Point, prefix: &str) -> Result<Expr> {
        match expr {
            AstExpr::Int(value) => Ok(integer(*value)),
            AstExpr::Name(name) => self.leaf(name, point, prefix),
            AstExpr::Op(operator, operands) => {
                let operands = operands.iter().map(|operand| self.typed(operand, point, prefix));
                operation(*operator, &operands.collect::<Result<Vec<_>>>()?)
                    .ok_or_else(|| Fault::bug("isl returned an operation with the wrong number of operands"))
            }
        }
    }

    fn leaf(&self, name: &str, point: &Point, prefix: &str) -> Result<Expr> {
        let position = name.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
        if let Some((dimension, &id)) = position.and_then(|k| Some((k, point.loops.get(k as usize)?))) {
            return Ok(Expr { ctype: self.type_of(id), kind: ExprKind::Iterator { dimension } });
        }
        let variables = self.environment.parameters.iter();
        let of_variable = variables.filter(|(_, other)| *other == name).map(|(&id, _)| self.type_of(id));
        let products = self.products.values().filter(|product| product.name == name);
        let ctype = of_variable.chain(products.map(|product| product.ctype)).next();
        let ctype = ctype.ok_or_else(|| Fault::bug(format!("`{name}` is not a parameter")))?;
        Ok(Expr { ctype, kind: ExprKind::Parameter { name: name.to_owned() } })
    }

    fn type_of(&self, id: VariableId) -> CType {
        self.environment.tree.variable(id).arithmetic().unwrap_or(CType::Int)
    }
}

fn iterators_as_parameters(known: Set, point: &Point, prefix: &str) -> Result<Set> {
    let mut known = known;
    for position in 0..point.depth() {
        known = known.set_dim_name(DimType::Set, position, &format!("{prefix}{position}"))?;
    }
    let count = known.dim(DimType::Param)?.unsigned_abs();
    Ok(known.move_dims(DimType::Param, count, DimType::Set, 0, point.depth())?.params()?)
}

fn of_parameters_alone(value: PwAff, point: &Point, prefix: &str) -> Result<PwAff> {
    let mut value = value;
    for position in 0..point.depth() {
        let name = Id::read_from_str(context(), &format!("{prefix}{position}"))?;
        value = value.set_dim_id(DimType::In, position, name)?;
    }
    let count = value.dim(DimType::Param)?.unsigned_abs();
    let value = value.move_dims(DimType::Param, count, DimType::In, 0, point.depth())?;
    Ok(value.project_domain_on_params()?)
}

fn operation(operator: AstOp, operands: &[Expr]) -> Option<Expr> {
    let operator = match (operator, operands) {
        (AstOp::Minus, [operand]) => return Some(binary(BinaryOp::Sub, integer(0), operand.clone())),
        (AstOp::Select, [condition, then, otherwise]) => {
            return Some(choice(condition.clone(), then.clone(), otherwise.clone()));
        }
        (AstOp::FloorDiv, [dividend, divisor]) => return Some(floor_quotient(dividend, divisor)),
        (AstOp::Max, _) => return fold(operands, |left, right| extreme(BinaryOp::Gt, left, right)),
        (AstOp::Min, _) => return fold(operands, |left, right| extreme(BinaryOp::Lt, left, right)),
        (AstOp::And, _) => BinaryOp::And,
        (AstOp::Or, _) => BinaryOp::Or,
        (AstOp::Add, _) => BinaryOp::Add,
        (AstOp::Sub, _) => BinaryOp::Sub,
        (AstOp::Mul, _) => BinaryOp::Mul,
        (AstOp::Div | AstOp::PosDiv, _) => BinaryOp::Div,
        (AstOp::PosMod | AstOp::ZeroMod, _) => BinaryOp::Rem,
        (AstOp::Eq, _) => BinaryOp::Eq,
        (AstOp::Le, _) => BinaryOp::Le,
        (AstOp::Lt, _) => BinaryOp::Lt,
        (AstOp::Ge, _) => BinaryOp::Ge,
        (AstOp::Gt, _) => BinaryOp::Gt,
        (AstOp::Minus | AstOp::Select | AstOp::FloorDiv, _) => return None,
    };
    fold(operands, |left, right| binary(operator, left, right))
}

fn fold(operands: &[Expr], combine: impl Fn(Expr, Expr) -> Expr) -> Option<Expr> {
    operands.iter().cloned().reduce(combine)
}

fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    use BinaryOp::*;
    let (ctype, (left, right)) = match operator {
        And | Or => (CType::Int, (left, right)),
        Lt | Gt | Le | Ge | Eq | Ne => (CType::Int, of_one_type(left, right)),
        _ => (WIDE, (converted(left, WIDE), converted(right, WIDE))),
    };
    Expr { ctype, kind: ExprKind::Binary { operator, left: left.into(), right: right.into() } }
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let (then, otherwise) = of_one_type(then, otherwise);
    let ctype = then.ctype;
    let (condition, then, otherwise) = (condition.into(), then.into(), otherwise.into());
    Expr { ctype, kind: ExprKind::Conditional { condition, then, otherwise } }
}

/// Returns `left > right ? left : right`, or the same with `<`.
fn extreme(comparison: BinaryOp, left: Expr, right: Expr) -> Expr {
    choice(binary(comparison, left.clone(), right.clone()), left, right)
}

/// Returns the quotient by a positive divisor, rounded towards minus infinity: `a >= 0 ? a / d : -1 - (-1 - a) / d`.
fn floor_quotient(dividend: &Expr, divisor: &Expr) -> Expr {
    let complement = |value: Expr| binary(BinaryOp::Sub, integer(-1), value);
    let quotient = |value: Expr| binary(BinaryOp::Div, value, divisor.clone());
    choice(
        binary(BinaryOp::Ge, dividend.clone(), integer(0)),
        quotient(dividend.clone()),
        complement(quotient(complement(dividend.clone()))),
    )
}

/// Converts two values to a type that holds both: the type of one of them, if the other has the same type or is a
/// constant that fits, and C does not promote it; otherwise `WIDE`.
fn of_one_type(left: Expr, right: Expr) -> (Expr, Expr) {
    let ctype = match (constant(&left), constant(&right)) {
        (Some(value), None) if holds(right.ctype, value) => right.ctype,
        (None, Some(value)) if holds(left.ctype, value) => left.ctype,
        _ if left.ctype == right.ctype && promoted(left.ctype) == left.ctype => left.ctype,
        _ => WIDE,
    };
    (converted(left, ctype), converted(right, ctype))
}

fn holds(ctype: CType, value: i128) -> bool {
    let (least, largest) = ctype.range();
    promoted(ctype) == ctype && (least..=largest).contains(&value)
}

fn constant(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Integer { value } => value.parse().ok(),
        _ => None,
    }
}

fn converted(expr: Expr, ctype: CType) -> Expr {
    if constant(&expr).is_some() { Expr { ctype, ..expr } } else { cast(expr, ctype) }
}

fn integer(value: i64) -> Expr {
    Expr { ctype: WIDE, kind: ExprKind::Integer { value: value.to_string() } }
}
