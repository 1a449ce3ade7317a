//! Functions of the parameters as index expressions.

use polyhedra::ast::parameter_expression;
use polyhedra::{ASTExpr, ASTExprOpType, ASTExprType, Error, PwAff, Result, Set};
use scop::ast::{AstExpr, AstOp};

/// The value of a function of the parameters where `context` holds.
pub fn expression(context: &Set, function: PwAff) -> Result<AstExpr> {
    translate(&parameter_expression(context.copy()?, function)?)
}

fn translate(expr: &ASTExpr) -> Result<AstExpr> {
    match expr.get_type()? {
        ASTExprType::Int => {
            let text = expr.int_get_val()?.to_str()?.to_owned();
            let value = text.parse().map_err(|_| Error::new(format!("{text} does not fit 64 bits")))?;
            Ok(AstExpr::Int(value))
        }
        ASTExprType::Id => Ok(AstExpr::Name(expr.id_get_id()?.get_name()?.to_owned())),
        ASTExprType::Op => {
            let operands = 0..expr.op_get_n_arg()?;
            let operands = operands.map(|position| translate(&expr.op_get_arg(position)?));
            Ok(AstExpr::Op(operator(expr.op_get_type()?)?, operands.collect::<Result<_>>()?))
        }
        ASTExprType::Error => Err(Error::new("isl gave an expression without a type")),
    }
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
