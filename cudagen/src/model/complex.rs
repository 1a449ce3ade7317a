//! Complex numbers in the generated file: structures, and the operators and functions on them that the program uses.
//!
//! CUDA has no complex types in device code, and the functions of its `cuComplex.h` round differently from C's
//! operators. The generated definitions are therefore those of GCC: a product that is NaN in both parts is repaired
//! as Annex G of C17 requires, and a quotient is scaled before it is computed.

use std::collections::BTreeSet;

use scop::names::complex_function;
use scop::{BinaryOp, CType, Expr, ExprKind, Function, Step, UnaryOp, walk_expressions};

use crate::model::view::View;

/// Which of the operands are complex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operands {
    /// Both.
    Both,
    /// Only the left one.
    Left,
    /// Only the right one.
    Right,
}

/// A definition for one complex type. The order of the variants is that of the generated text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// The conversion from the other complex type.
    Conversion,
    /// `-z`
    Negation,
    /// `conj`, or `~`.
    Conjugate(&'static str),
    /// `cabs`, `carg` or `cproj`.
    Function(&'static str),
    /// The function that repairs a product that is NaN in both parts.
    RepairedProduct,
    /// The same for a quotient.
    RepairedQuotient,
    /// A binary operator.
    Operator(&'static str, Operands),
}

/// The definitions that the generated file needs for one complex type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Type {
    /// True if the structure is needed.
    structure: bool,
    /// True if its conversion to a condition is needed.
    condition: bool,
    pieces: BTreeSet<Piece>,
}

/// How a structure is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Structure {
    /// True if it has a conversion to a condition.
    pub is_condition: bool,
}

/// The definitions that the generated file needs for complex numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complex {
    single: Type,
    double: Type,
}

impl Complex {
    /// Collects what the scops and the functions use.
    pub fn of<'a>(views: impl Iterator<Item = &'a View<'a>>, functions: &[Function]) -> Self {
        let mut needs = Self::default();
        for view in views {
            view.model.arrays.iter().for_each(|array| needs.structure(array.element));
            view.model.statements.iter().for_each(|statement| needs.steps(&statement.body));
        }
        for function in functions {
            let types = function.parameters.iter().map(|parameter| parameter.ctype);
            types.chain([function.ctype]).for_each(|ctype| needs.structure(ctype));
            needs.steps(&function.body);
        }
        needs
    }

    /// True if the definitions call functions of the mathematical library.
    pub fn calls_library(&self) -> bool {
        let needs_math =
            |piece: &Piece| matches!(piece, Piece::Operator("*" | "/", Operands::Both) | Piece::Function(_));
        self.single.pieces.iter().chain(&self.double.pieces).any(needs_math)
    }

    /// True if the definitions use the limits of `double`.
    pub fn needs_limits(&self) -> bool {
        self.double.pieces.contains(&Piece::Operator("/", Operands::Both))
    }

    /// Returns the structure of a complex type, if it is needed.
    pub fn structure_of(&self, ctype: CType) -> Option<Structure> {
        let needs = self.type_of(ctype);
        needs.structure.then_some(Structure { is_condition: needs.condition })
    }

    /// Returns the definitions that one complex type needs, in the order of the text.
    pub fn pieces(&self, ctype: CType) -> impl Iterator<Item = Piece> {
        self.type_of(ctype).pieces.iter().copied()
    }

    /// True if products or quotients are repaired.
    pub fn repairs(&self) -> bool {
        let repairs = |piece: &Piece| matches!(piece, Piece::RepairedProduct | Piece::RepairedQuotient);
        self.single.pieces.iter().chain(&self.double.pieces).any(repairs)
    }

    fn type_of(&self, ctype: CType) -> &Type {
        if ctype == CType::FloatComplex { &self.single } else { &self.double }
    }

    fn structure(&mut self, ctype: CType) {
        if ctype.is_complex() {
            self.needs(ctype).structure = true;
        }
    }

    fn needs(&mut self, ctype: CType) -> &mut Type {
        if ctype == CType::FloatComplex { &mut self.single } else { &mut self.double }
    }

    fn piece(&mut self, ctype: CType, piece: Piece) {
        self.needs(ctype).pieces.insert(piece);
        let used: &[Piece] = match piece {
            Piece::Operator("*", Operands::Both) => &[Piece::RepairedProduct],
            Piece::Operator("/", Operands::Both) => &[Piece::RepairedQuotient],
            Piece::Operator("/", Operands::Right) => &[Piece::Operator("/", Operands::Both)],
            _ => &[],
        };
        used.iter().for_each(|piece| self.piece(ctype, *piece));
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            step.walk(&mut |step| match step {
                Step::Define { ctype, .. } | Step::DefineArray { ctype, .. } => self.structure(*ctype),
                Step::If { condition, .. } | Step::While { condition, .. } | Step::For { condition, .. } => {
                    self.condition(condition);
                }
                Step::Set { .. } | Step::SetElement { .. } | Step::Assign { .. } | Step::Return { .. } => {}
            });
        }
        walk_expressions(steps, &mut |expr| self.expression(expr));
    }

    fn expression(&mut self, expr: &Expr) {
        self.structure(expr.ctype);
        match &expr.kind {
            ExprKind::Unary { operator: UnaryOp::Not, operand } => self.condition(operand),
            ExprKind::Unary { operator: UnaryOp::Minus, .. } if expr.ctype.is_complex() => {
                self.piece(expr.ctype, Piece::Negation);
            }
            ExprKind::Unary { operator: UnaryOp::Complement, .. } if expr.ctype.is_complex() => {
                self.piece(expr.ctype, Piece::Conjugate("operator~"));
            }
            ExprKind::Binary { operator: BinaryOp::And | BinaryOp::Or, left, right } => {
                self.condition(left);
                self.condition(right);
            }
            ExprKind::Binary { operator, left, right } => self.operator(*operator, left.ctype, right.ctype),
            ExprKind::Cast { operand, .. } if expr.ctype == CType::Bool => self.condition(operand),
            ExprKind::Cast { operand, .. }
                if expr.ctype.is_complex() && operand.ctype.is_complex() && expr.ctype != operand.ctype =>
            {
                self.piece(expr.ctype, Piece::Conversion);
            }
            ExprKind::Conditional { condition, .. } => self.condition(condition),
            ExprKind::Call { function, .. } => self.call(function),
            _ => {}
        }
    }

    /// Notes that an expression is compared with zero.
    fn condition(&mut self, expr: &Expr) {
        let below = match &expr.kind {
            ExprKind::Cast { operand, .. } => operand.ctype,
            _ => expr.ctype,
        };
        for ctype in [expr.ctype, below].into_iter().filter(|ctype| ctype.is_complex()) {
            self.needs(ctype).condition = true;
        }
    }

    fn operator(&mut self, operator: BinaryOp, left: CType, right: CType) {
        let operands = match (left.is_complex(), right.is_complex()) {
            (true, true) => Operands::Both,
            (true, false) => Operands::Left,
            (false, true) => Operands::Right,
            (false, false) => return,
        };
        let ctype = if left.is_complex() { left } else { right };
        self.piece(ctype, Piece::Operator(operator.c_name(), operands));
    }

    fn call(&mut self, name: &str) {
        let Some(function) = complex_function(name) else { return };
        let piece = match name {
            "conj" | "conjf" => Piece::Conjugate(if name == "conj" { "conj" } else { "conjf" }),
            "cproj" | "cprojf" => Piece::Function("cproj"),
            "carg" | "cargf" => Piece::Function("carg"),
            _ => Piece::Function("cabs"),
        };
        self.piece(function.argument, piece);
    }
}
