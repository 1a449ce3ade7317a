//! The arithmetic of a statement.

use crate::{BinaryOp, CType, Expr, ExprKind, Statement, walk_expressions};

/// Operations that a statement executes, as cudasim counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arithmetic {
    /// Sums, differences and products of single precision.
    pub fp32: u64,
    /// The same of double precision.
    pub fp64: u64,
    /// Divisions, and calls of functions.
    pub library: u64,
}

impl Arithmetic {
    /// Counts the operations of a statement; of a condition, those of both branches.
    pub fn of(statement: &Statement) -> Self {
        let mut all = Self::default();
        walk_expressions(&statement.body, &mut |expression| all.add(expression));
        all
    }

    fn add(&mut self, expression: &Expr) {
        let parts = if expression.ctype.is_complex() { 2 } else { 1 };
        match &expression.kind {
            ExprKind::Binary { operator: BinaryOp::Div, .. } if !expression.ctype.is_integer() => {
                self.library += parts;
            }
            ExprKind::Binary { operator: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, .. } => {
                match expression.ctype {
                    CType::Float | CType::FloatComplex => self.fp32 += parts,
                    CType::Double | CType::DoubleComplex => self.fp64 += parts,
                    _ => {}
                }
            }
            ExprKind::Call { .. } => self.library += 1,
            _ => {}
        }
    }
}
