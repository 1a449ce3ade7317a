//! Translates isl's AST expressions to the document's.
//!
//! cloog-rs makes loop programs of them; cudagen makes sizes and positions of elements that were numbered by
//! counting.

use polyhedra::ast::{parameter_condition, parameter_expression};
use polyhedra::polynomial::{Monomial, Piece, Variable, least_multiple, pieces_of};
use polyhedra::{
    ASTExpr, ASTExprOpType, ASTExprType, DimType, Error, PwAff, PwMultiAff, PwQPolynomial, Result, Set, Text,
};

use crate::Ranked;
use crate::ast::{self, AstExpr, AstOp};

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

/// Translates the operands from position `first` on, such as the indices of an access `A[x][y]`, whose operand
/// 0 is the array.
pub fn operands(expr: &ASTExpr, first: i32) -> Result<Vec<AstExpr>> {
    (first..expr.op_get_n_arg()?).map(|position| translate(&expr.op_get_arg(position)?)).collect()
}

/// Returns the name of what is called or accessed.
pub fn target(expr: &ASTExpr) -> Result<String> {
    Ok(expr.op_get_arg(0)?.id_get_id()?.get_name()?.to_owned())
}

/// Returns the value of a function of the parameters, where `context` holds.
pub fn of_parameters(context: &Set, function: PwAff) -> Result<AstExpr> {
    translate(&parameter_expression(context.copy()?, function)?)
}

/// Returns the condition that the parameters are in a set, where `context` holds.
pub fn condition_on_parameters(context: &Set, set: Set) -> Result<AstExpr> {
    translate(&parameter_condition(context.copy()?, set)?)
}

/// Returns a count as an expression in the parameters and in `dimensions`, the names of the function's own
/// dimensions, which must differ from those of all parameters. Where `context` does not hold or the function is
/// not defined, the value is arbitrary.
///
/// # Errors
/// Fails if [`pieces_of`] cannot take the function apart, and for numbers that do not fit in 64 bits.
pub fn of_polynomial(context: &Set, function: &PwQPolynomial, dimensions: &[String]) -> Result<AstExpr> {
    let mut pieces = pieces_of(function)?;
    let Some(last) = pieces.pop() else { return Ok(AstExpr::Int(0)) };
    let mut value = sum(&last.terms, dimensions)?;
    for piece in pieces.iter().rev() {
        let condition = condition_of(context, piece, dimensions)?;
        value = AstExpr::Op(AstOp::Select, vec![condition, sum(&piece.terms, dimensions)?, value]);
    }
    Ok(value)
}

/// Returns the numbering of blocks as expressions in the parameters, the names of `outer` for the loops around the
/// kernel, and the coordinates of blocks. `context` is what is known of the parameters and of these names, which are
/// parameters there.
///
/// # Errors
/// Fails as [`of_polynomial`] does.
pub fn of_ranked(context: &Set, ranked: &Ranked, outer: &[String]) -> Result<ast::Ranked> {
    let mut names = outer.to_vec();
    let mut coordinates = Vec::new();
    for one in &ranked.coordinates {
        let bound = |text: &str| of_parameters(context, with_named_dimensions(PwAff::parse(text)?, &names)?);
        let (lower, upper) = (bound(&one.lower.0)?, bound(&one.upper.0)?);
        names.push(one.axis.block_parameter().to_owned());
        let before = one.before.as_ref().map(|before| count(context, &before.0, &names)).transpose()?;
        coordinates.push(ast::RankedCoordinate { axis: one.axis, lower, upper, before });
    }
    Ok(ast::Ranked { coordinates, blocks: count(context, &ranked.blocks.0, outer)? })
}

/// Returns a count in the parameters and in named dimensions. Where `context` holds and the count is not defined, it
/// is zero.
fn count(context: &Set, text: &str, names: &[String]) -> Result<AstExpr> {
    let function = PwQPolynomial::parse(text)?;
    let value = of_polynomial(context, &function, names)?;
    let domain = named_dimensions(function.domain()?, names)?;
    if context.is_subset(&domain)? {
        return Ok(value);
    }
    let condition = condition_on_parameters(context, domain)?;
    Ok(AstExpr::Op(AstOp::Select, vec![condition, value, AstExpr::Int(0)]))
}

/// Makes the dimensions of a set parameters with these names.
fn named_dimensions(mut set: Set, names: &[String]) -> Result<Set> {
    if set.is_params()? {
        return Ok(set);
    }
    for (position, name) in names.iter().enumerate() {
        set = set.set_dim_name(DimType::Set, position as u32, name)?;
    }
    let parameters = set.dim(DimType::Param)? as u32;
    Ok(set.move_dims(DimType::Param, parameters, DimType::Set, 0, names.len() as u32)?.params()?)
}

/// Makes the dimensions on which a function depends parameters with these names.
fn with_named_dimensions(function: PwAff, names: &[String]) -> Result<PwAff> {
    let dimensions: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
    let text = format!("[{}] -> {{ [{}] }}", names.join(", "), dimensions.join(", "));
    Ok(function.pullback_pw_multi_aff(PwMultiAff::parse(&text)?)?)
}

/// Returns the condition of a piece. Its dimensions become parameters, so that the condition can refer to them
/// by name.
fn condition_of(context: &Set, piece: &Piece, dimensions: &[String]) -> Result<AstExpr> {
    condition_on_parameters(context, named_dimensions(piece.domain.copy()?, dimensions)?)
}

/// Returns a sum of terms over one denominator.
fn sum(terms: &[Monomial], dimensions: &[String]) -> Result<AstExpr> {
    let common = terms.iter().fold(1, |common, term| least_multiple(common, i128::from(term.denominator)));
    let mut sum = AstExpr::Int(0);
    for term in terms {
        let factor = i128::from(term.numerator) * (common / i128::from(term.denominator));
        let factor = i64::try_from(factor).map_err(|_| Error::too_large(&factor.to_string()))?;
        sum = plus(sum, times(product(term, dimensions)?, factor));
    }
    let common = i64::try_from(common).map_err(|_| Error::too_large(&common.to_string()))?;
    Ok(if common == 1 { sum } else { AstExpr::Op(AstOp::Div, vec![sum, AstExpr::Int(common)]) })
}

/// Returns the product of a term's powers, or 1.
fn product(term: &Monomial, dimensions: &[String]) -> Result<AstExpr> {
    let mut product = AstExpr::Int(1);
    for (variable, exponent) in &term.powers {
        for _ in 0..*exponent {
            let factor = variable_of(variable, dimensions)?;
            product = match product {
                AstExpr::Int(1) => factor,
                product => AstExpr::Op(AstOp::Mul, vec![product, factor]),
            };
        }
    }
    Ok(product)
}

fn variable_of(variable: &Variable, dimensions: &[String]) -> Result<AstExpr> {
    Ok(match variable {
        Variable::Parameter(name) => AstExpr::Name(name.clone()),
        Variable::Dimension(position) => {
            let name = dimensions.get(*position as usize);
            AstExpr::Name(name.ok_or_else(|| Error::new("a dimension without a name"))?.clone())
        }
        Variable::Floor { terms, constant, divisor } => {
            let mut sum = AstExpr::Int(0);
            for (variable, factor) in terms {
                sum = plus(sum, times(variable_of(variable, dimensions)?, *factor));
            }
            AstExpr::Op(AstOp::FloorDiv, vec![plus(sum, AstExpr::Int(*constant)), AstExpr::Int(*divisor)])
        }
    })
}

fn plus(left: AstExpr, right: AstExpr) -> AstExpr {
    match (left, right) {
        (AstExpr::Int(0), other) | (other, AstExpr::Int(0)) => other,
        (left, right) => AstExpr::Op(AstOp::Add, vec![left, right]),
    }
}

fn times(expr: AstExpr, factor: i64) -> AstExpr {
    match (expr, factor) {
        (AstExpr::Int(1), factor) => AstExpr::Int(factor),
        (expr, 1) => expr,
        (expr, -1) => AstExpr::Op(AstOp::Minus, vec![expr]),
        (expr, factor) => AstExpr::Op(AstOp::Mul, vec![AstExpr::Int(factor), expr]),
    }
}

fn integer(expr: &ASTExpr) -> Result<i64> {
    polyhedra::integer(&expr.int_get_val()?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_numbers_become_expressions() {
        let cases = [
            (
                "[n] -> { A0[i, j] -> (1/2 * i + 1/2 * i^2 + j) : 0 <= j <= i < n }",
                "exactdiv(i + i * i + 2 * j, 2)",
            ),
            ("[n] -> { A0[i, j] -> (n * i + floor((j + 1)/2)) }", "n * i + j + -floordiv(j, 2)"),
            ("{ A0[i, j] -> i : i < 4; A0[i, j] -> 2j : i >= 4 }", "select(i <= 3, i, 2 * j)"),
        ];
        let names = ["i".to_owned(), "j".to_owned()];
        let context = Set::parse("{ : }").unwrap();
        for (text, expected) in cases {
            let expr = of_polynomial(&context, &PwQPolynomial::parse(text).unwrap(), &names).unwrap();
            assert_eq!(expr.to_string(), expected, "{text}");
        }
    }
}
