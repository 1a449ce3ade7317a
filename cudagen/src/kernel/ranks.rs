//! Numbered blocks: how many there are, and where a block finds its coordinates.
//!
//! ```text
//! const long cuda_rank = blockIdx.x;
//! const int by = f_kernel0_by(cuda_rank, n);                      the last row that begins at or before the rank
//! const int bx = cuda_rank - f_kernel0_before_by(by, n);          the place in the row
//! ```
//!
//! The functions compute in 64 bits.

use std::collections::BTreeSet;

use scop::ast::expression::{binary, value};
use scop::ast::{AstExpr, AstOp, Ranked};
use scop::c_text::{self, Helper};
use scop::{Axis, CType};

use crate::code::element::parameters;
use crate::code::number::NumberFunction;
use crate::program::names::Names;

/// The functions of a kernel whose blocks are numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks {
    /// The number of blocks.
    pub blocks: NumberFunction,
    /// The coordinates, the slowest one first.
    pub coordinates: Vec<Coordinate>,
}

/// A coordinate of numbered blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordinate {
    /// The axis.
    pub axis: Axis,
    /// How a block finds it.
    pub found: Found,
}

/// How a block finds a coordinate by its rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It is the last value that at most `rank` blocks precede.
    Searched(Box<Search>),
    /// It is the rank plus this number.
    Consecutive(Option<String>),
}

/// The search for a coordinate: the last value that at most `rank` blocks precede.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The name of the function, whose first parameter is the rank.
    pub name: String,
    /// Its other parameters.
    pub parameters: Vec<String>,
    /// The smallest value.
    pub lower: String,
    /// The largest value.
    pub upper: String,
    /// The number of blocks before a value.
    pub before: NumberFunction,
    /// The index helpers that the bounds call.
    pub helpers: BTreeSet<Helper>,
}

impl Ranks {
    /// Returns the functions of a kernel.
    pub fn new(kernel: &str, ranked: &Ranked, names: &mut Names) -> Self {
        let mut known: Vec<String> = Vec::new();
        let mut coordinates = Vec::new();
        for one in &ranked.coordinates {
            let own = one.axis.block_parameter();
            let found = match &one.before {
                Some(before) => {
                    known.push(own.to_owned());
                    let name = names.fresh(&format!("{kernel}_before_{own}"));
                    let before = NumberFunction::new(&name, &known, before);
                    known.pop();
                    let bounds = binary(AstOp::Add, one.lower.clone(), one.upper.clone());
                    let others: BTreeSet<String> = parameters(&bounds, &[])
                        .into_iter()
                        .chain(before.parameters.iter().filter(|name| *name != own).cloned())
                        .collect();
                    Found::Searched(Box::new(Search {
                        name: names.fresh(&format!("{kernel}_{own}")),
                        parameters: others.into_iter().collect(),
                        lower: long(&one.lower),
                        upper: long(&one.upper),
                        before,
                        helpers: c_text::helpers(&bounds),
                    }))
                }
                None => {
                    let is_zero = value(&one.lower) == Some(0);
                    Found::Consecutive((!is_zero).then(|| long(&widened(&one.lower))))
                }
            };
            known.push(own.to_owned());
            coordinates.push(Coordinate { axis: one.axis, found });
        }
        let blocks = NumberFunction::new(&names.fresh(&format!("{kernel}_blocks")), &[], &ranked.blocks);
        Self { blocks, coordinates }
    }

    /// Returns the index helpers that the functions call.
    pub fn helpers(&self) -> impl Iterator<Item = &BTreeSet<Helper>> {
        let searches = self.coordinates.iter().filter_map(|one| match &one.found {
            Found::Searched(search) => Some(&**search),
            Found::Consecutive(_) => None,
        });
        let of_search = searches.flat_map(|search| [&search.helpers, &search.before.helpers]);
        of_search.chain([&self.blocks.helpers])
    }
}

/// Returns an expression with its values as `long`, so that both operands of `max` have this type. In a kernel, names
/// may be of type `int`.
fn widened(expr: &AstExpr) -> AstExpr {
    match expr {
        AstExpr::Name(name) => AstExpr::Name(format!("(long){name}")),
        AstExpr::Op(operator, operands) => AstExpr::Op(*operator, operands.iter().map(widened).collect()),
        AstExpr::Int(_) => expr.clone(),
    }
}

fn long(expr: &AstExpr) -> String {
    c_text::index_text(expr, CType::Long).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_in_kernels_are_long() {
        let operands = vec![AstExpr::Int(0), AstExpr::Name("by".to_owned())];
        let text = long(&widened(&AstExpr::Op(AstOp::Max, operands)));
        assert_eq!(text, "max(0L, (long)by)");
    }
}
