//! isl's AST expressions as the document's.
//!
//! cloog-rs makes loop programs of them, cudagen sizes.

use polyhedra::ast::{parameter_condition, parameter_expression};
use polyhedra::{ASTExpr, ASTExprOpType, ASTExprType, Error, PwAff, Result, Set};

use crate::ast::{AstExpr, AstOp};

/// Translates an integer or boolean expression.
pub fn translate(expr: &ASTExpr) -> Result<AstExpr> {
    match expr.get_type()? {
        ASTExprType::Int => Ok(AstExpr::Int(integer(expr)?)),
        ASTExprType::Id => Ok(AstExpr::Name(expr.id_get_id()?.get_name()?.to_owned())),
        ASTExprType::Op => {
            let operator = operator(expr.op_get_type()?)?;
            Ok(AstExpr::Op(operator, operands(expr, 0)?))
        }
        ASTExprType::Error => Err(Error::new("isl gave an expression without a type")),
    }
}

/// The operands from position `first` on, such as the indices of an access `A[x][y]`, whose operand 0 is the array.
pub fn operands(expr: &ASTExpr, first: i32) -> Result<Vec<AstExpr>> {
    (first..expr.op_get_n_arg()?).map(|position| translate(&expr.op_get_arg(position)?)).collect()
}

/// The name of what is called or accessed.
pub fn target(expr: &ASTExpr) -> Result<String> {
    Ok(expr.op_get_arg(0)?.id_get_id()?.get_name()?.to_owned())
}

/// The value of a function of the parameters where `context` holds.
pub fn of_parameters(context: &Set, function: PwAff) -> Result<AstExpr> {
    translate(&parameter_expression(context.copy()?, function)?)
}

/// The condition that the parameters are in a set, where `context` holds.
pub fn condition_on_parameters(context: &Set, set: Set) -> Result<AstExpr> {
    translate(&parameter_condition(context.copy()?, set)?)
}

fn integer(expr: &ASTExpr) -> Result<i64> {
    let text = expr.int_get_val()?.to_str()?.to_owned();
    text.parse().map_err(|_| Error::too_large(&text))
}

fn operator(operator: ASTExprOpType) -> Result<AstOp> {
    Ok(match operator {
        ASTExprOpType::And | ASTExprOpType::AndThen => AstOp::And,
        ASTExprOpType::Or | ASTExprOpType::OrElse => AstOp::Or,
        ASTExprOpType::Max => AstOp::Max,
        ASTExprOpType::Min => AstOp::Min,
        ASTExprOpType::Minus => AstOp::Minus,
        ASTExprOpType::Add => AstOp::Add,
        ASTExprOpType::Sub => AstOp::Sub,
        ASTExprOpType::Mul => AstOp::Mul,
        ASTExprOpType::Div => AstOp::Div,
        ASTExprOpType::FdivQ => AstOp::FloorDiv,
        ASTExprOpType::PdivQ => AstOp::PosDiv,
        ASTExprOpType::PdivR => AstOp::PosMod,
        ASTExprOpType::ZdivR => AstOp::ZeroMod,
        ASTExprOpType::Cond | ASTExprOpType::Select => AstOp::Select,
        ASTExprOpType::Eq => AstOp::Eq,
        ASTExprOpType::Le => AstOp::Le,
        ASTExprOpType::Lt => AstOp::Lt,
        ASTExprOpType::Ge => AstOp::Ge,
        ASTExprOpType::Gt => AstOp::Gt,
        other => return Err(Error::new(format!("isl gave an expression of unexpected kind {other:?}"))),
    })
}
