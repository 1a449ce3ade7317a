//! Where the places of a buffer are in memory.

use polyhedra::polynomial::pieces_of;
use polyhedra::{PwQPolynomial, Result, Set, Text};
use scop::ast::expression::{count, replace};
use scop::ast::{AstExpr, AstOp};
use scop::c_text::{self, Fragment, Helper};
use scop::{Buffer, CType, Layout, Numbering, from_isl};

/// The position of each place of a dense buffer, which is a one-dimensional array in memory.
#[derive(Debug, Clone)]
pub struct Positions {
    /// The position as an expression in [`Positions::coordinates`].
    expression: AstExpr,
    /// The names of a place's coordinates.
    coordinates: Vec<String>,
    /// True if the expression is short enough to be written at each access.
    short: bool,
}

impl Positions {
    /// Returns the positions of a buffer; `None` for a box or a ring, which need none.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails, and an error if no expression gives the position.
    pub fn of(buffer: &Buffer) -> Result<Option<Self>> {
        match &buffer.layout {
            Layout::Dense { numbering, .. } => Self::new(numbering, buffer.sizes.len()).map(Some),
            Layout::Box { .. } | Layout::Ring { .. } => Ok(None),
        }
    }

    fn new(numbering: &Numbering, dimensions: usize) -> Result<Self> {
        let position = PwQPolynomial::parse(&numbering.position.0)?;
        let position = position.copy()?.gist(position.domain()?)?;
        let coordinates = polyhedra::numbered("x", dimensions);
        let pieces = pieces_of(&position)?;
        let affine = pieces
            .iter()
            .flat_map(|piece| &piece.terms)
            .all(|term| term.powers.iter().map(|(_, exponent)| exponent).sum::<u32>() <= 1);
        let everywhere = Set::parse("{ : }")?;
        let expression = not_negative(&from_isl::of_polynomial(&everywhere, &position, &coordinates)?);
        let once = |name: &String| count(&expression, &AstExpr::Name(name.clone())) <= 1;
        let short = pieces.len() <= 1 && affine && coordinates.iter().all(once);
        Ok(Self { expression, coordinates, short })
    }

    /// Returns the position of a place as one expression, if it is short.
    pub fn inline(&self, place: &[AstExpr]) -> Option<AstExpr> {
        if !self.short {
            return None;
        }
        let named = self.coordinates.iter().zip(place);
        let filled = named.fold(self.expression.clone(), |expression, (name, value)| {
            replace(&expression, &AstExpr::Name(name.clone()), value)
        });
        Some(filled)
    }

    /// Returns the names of a place's coordinates, which are the parameters of the position function.
    pub fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    /// Returns the value of the position function.
    pub fn value(&self) -> Fragment {
        c_text::index_text(&self.expression, CType::Int)
    }

    /// Returns the helpers that the position function calls.
    pub fn helpers(&self) -> impl Iterator<Item = Helper> {
        c_text::helpers(&self.expression).into_iter()
    }
}

/// Replaces floor division by C's if the dividend is a sum without negative terms. Coordinates are not negative.
fn not_negative(expr: &AstExpr) -> AstExpr {
    let AstExpr::Op(operator, operands) = expr else { return expr.clone() };
    let operands: Vec<AstExpr> = operands.iter().map(not_negative).collect();
    let plain = operands.iter().all(is_not_negative);
    let operator = if *operator == AstOp::FloorDiv && plain { AstOp::PosDiv } else { *operator };
    AstExpr::Op(operator, operands)
}

fn is_not_negative(expr: &AstExpr) -> bool {
    match expr {
        AstExpr::Int(value) => *value >= 0,
        AstExpr::Name(_) => true,
        AstExpr::Op(operator, operands) => {
            matches!(operator, AstOp::Add | AstOp::Mul | AstOp::PosDiv | AstOp::FloorDiv)
                && operands.iter().all(is_not_negative)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scop::ast::expression::binary;

    /// C rounds towards zero, so floor division becomes C's division only if the dividend is not negative.
    #[test]
    fn what_may_be_negative_is_rounded_down() {
        let [x0, x1] = ["x0", "x1"].map(|name| AstExpr::Name(name.to_owned()));
        let halved = |operator, expr: AstExpr| binary(operator, expr, AstExpr::Int(2));
        let sum = binary(AstOp::Add, x0.clone(), binary(AstOp::Mul, AstExpr::Int(3), x1.clone()));
        assert_eq!(not_negative(&halved(AstOp::FloorDiv, sum.clone())), halved(AstOp::PosDiv, sum));
        let negative = AstExpr::Op(AstOp::Minus, vec![x1.clone()]);
        for expr in [
            binary(AstOp::Sub, x0.clone(), x1.clone()),
            binary(AstOp::Add, x0.clone(), AstExpr::Int(-1)),
            binary(AstOp::Add, x0, negative),
        ] {
            assert_eq!(not_negative(&halved(AstOp::FloorDiv, expr.clone())), halved(AstOp::FloorDiv, expr));
        }
    }
}
