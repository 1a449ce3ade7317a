//! Where the places of a buffer are in its memory.

use polyhedra::polynomial::pieces_of;
use polyhedra::{PwQPolynomial, Result, Set, Text};
use scop::ast::expression::{count, replace};
use scop::ast::{AstExpr, AstOp};
use scop::c_text::{self, Fragment, Helper};
use scop::{Buffer, CType, Layout, Numbering, from_isl};

/// The position of a place in a buffer without gaps, whose array has one dimension.
#[derive(Debug, Clone)]
pub struct Positions {
    /// The position, an expression in [`Positions::coordinates`].
    expression: AstExpr,
    /// The names of a place's coordinates.
    coordinates: Vec<String>,
    /// True if the expression is no longer than a reader likes to find it at each access.
    short: bool,
}

impl Positions {
    /// Those of a buffer; nothing if it is a box.
    ///
    /// # Errors
    /// A failure of isl, or a position that no expression gives.
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

    /// The position of a place as one expression, if it is short.
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

    /// The names of a place's coordinates, of which the function that gives positions is one.
    pub fn coordinates(&self) -> &[String] {
        &self.coordinates
    }

    /// The value of that function.
    pub fn value(&self) -> Fragment {
        c_text::index_text(&self.expression, CType::Int)
    }

    /// What the function calls.
    pub fn helpers(&self) -> impl Iterator<Item = Helper> {
        c_text::helpers(&self.expression).into_iter()
    }
}

/// Coordinates of places are not negative, so a sum of them without negative summands is divided as C divides.
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

    /// C rounds towards zero, so only a sum that is not negative is divided as C divides.
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
