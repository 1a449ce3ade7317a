//! The arithmetic of a statement.

use crate::{AccessId, BinaryOp, CType, Expr, ExprKind, Statement, walk_expressions};

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

impl std::ops::AddAssign for Arithmetic {
    fn add_assign(&mut self, other: Self) {
        self.fp32 += other.fp32;
        self.fp64 += other.fp64;
        self.library += other.library;
    }
}

impl Arithmetic {
    /// Counts the operations of a statement; of a condition, those of both branches.
    pub fn of(statement: &Statement) -> Self {
        let mut all = Self::default();
        walk_expressions(&statement.body, &mut |expression| all.add(expression));
        all
    }

    /// Returns the operations of a statement one by one.
    pub fn operations(statement: &Statement) -> Vec<Operation> {
        let mut all = Vec::new();
        walk_expressions(&statement.body, &mut |expression| {
            let arithmetic = Self::of_operator(expression);
            if arithmetic != Self::default() {
                all.push(Operation { arithmetic, reads: reads(expression) });
            }
        });
        all
    }

    /// Counts the operation of an expression without those of its operands.
    pub(crate) fn of_operator(expression: &Expr) -> Self {
        let mut own = Self::default();
        own.add(expression);
        own
    }

    /// Returns how long the operations take one after the other, for comparing: double precision takes about twice as
    /// long as single precision, and a function some ten times as long.
    pub(crate) fn weight(&self) -> u64 {
        self.fp32 + 2 * self.fp64 + 10 * self.library
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

/// An operation of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What it counts as.
    pub arithmetic: Arithmetic,
    /// The accesses that its value depends on, besides constants and parameters; nothing if it depends on other values
    /// of the body as well.
    pub reads: Option<Vec<AccessId>>,
}

fn reads(expression: &Expr) -> Option<Vec<AccessId>> {
    let mut all = Some(Vec::new());
    expression.walk(&mut |part| match &part.kind {
        ExprKind::Read { access, subscripts } if subscripts.is_empty() => {
            if let Some(all) = &mut all {
                all.push(*access);
            }
        }
        ExprKind::Read { .. }
        | ExprKind::Iterator { .. }
        | ExprKind::Local { .. }
        | ExprKind::Element { .. }
        | ExprKind::Array { .. }
        | ExprKind::Call { .. } => all = None,
        _ => {}
    });
    all
}
