//! Values.

use super::Generator;
use crate::program::{Expression, Function, Operator, Type};
use crate::value::{Value, divisor_offset};

#[derive(Clone, Copy)]
enum Shape {
    Binary,
    Select,
    Ratio,
    Call,
    Cast,
    Remainder,
}

impl Generator {
    /// A value that may be stored in an element of a type, or added to it.
    pub(super) fn value_for(&mut self, element: Type) -> Expression {
        let size = self.random.weighted(&[(20, 1), (25, 2), (25, 3), (15, 4), (10, 6), (5, 8)]);
        let value = self.expression(size);
        self.fitted(value, element)
    }

    /// How often a loop that depends on data runs.
    pub(super) fn count(&mut self) -> Expression {
        let value = self.leaf();
        self.fitted(value, Type::Int)
    }

    fn expression(&mut self, size: i64) -> Expression {
        if size <= 1 {
            return self.leaf();
        }
        let shape = self.random.weighted(&[
            (75, Shape::Binary),
            (7, Shape::Select),
            (4, Shape::Ratio),
            (6, Shape::Call),
            (4, Shape::Cast),
            (4, Shape::Remainder),
        ]);
        let first = self.random.between(1, size - 1);
        let a = self.expression(first);
        let combined = match shape {
            Shape::Binary => self.binary(a.clone(), size - first),
            Shape::Select => {
                let b = self.expression(size - first);
                Expression::Select(Box::new(self.condition(1)), Box::new(a.clone()), Box::new(b))
            }
            Shape::Ratio => self.ratio(a.clone(), size - first),
            Shape::Call => self.call(a.clone()),
            Shape::Cast => {
                let to =
                    self.random.one_of(&[Type::Int, Type::Float, Type::Double, Type::Long, Type::Unsigned]);
                Expression::Cast(to, Box::new(a.clone()))
            }
            Shape::Remainder => Expression::Remainder(Box::new(a.clone()), self.random.between(2, 100)),
        };
        if self.known(&combined).is_some() { combined } else { a }
    }

    fn leaf(&mut self) -> Expression {
        let counting = if self.iterators.is_empty() { 0 } else { 8 };
        match self.random.weighted(&[(75, 0), (7, 1), (10, 2), (counting, 3)]) {
            0 => {
                let arrays = self.readable();
                let array = self.random.one_of(&arrays);
                Expression::Read(self.access(array))
            }
            1 => Expression::Integer(self.random.between(-3, 9)),
            2 => Expression::Real(25 * self.random.between(-4, 8)),
            _ => Expression::Affine(self.form()),
        }
    }

    fn binary(&mut self, a: Expression, size: i64) -> Expression {
        let b = self.expression(size);
        let floating =
            [&a, &b].into_iter().any(|side| self.known(side).is_none_or(|value| value.kind.is_floating()));
        let bits = if floating { 0 } else { 5 };
        let operator = self.random.weighted(&[
            (45, Operator::Add),
            (20, Operator::Subtract),
            (35, Operator::Multiply),
            (bits, Operator::And),
            (bits, Operator::Or),
            (bits, Operator::Xor),
        ]);
        let whole = Expression::Binary(operator, Box::new(a.clone()), Box::new(b.clone()));
        if self.known(&whole).is_some() {
            return whole;
        }
        Expression::Binary(
            operator,
            Box::new(self.fitted(a, Type::Long)),
            Box::new(self.fitted(b, Type::Long)),
        )
    }

    fn ratio(&mut self, a: Expression, size: i64) -> Expression {
        let b = self.expression(size);
        let offset = self.known(&b).and_then(divisor_offset).unwrap_or(1);
        Expression::Ratio(Box::new(a), Box::new(b), offset)
    }

    fn call(&mut self, a: Expression) -> Expression {
        let function =
            self.random.one_of(&[Function::Smooth, Function::Stepped, Function::Absolute, Function::Root]);
        Expression::Call(function, Box::new(self.fitted(a, Type::Double)))
    }

    /// True if the arithmetic of a value is defined.
    pub(super) fn is_known(&self, expression: &Expression) -> bool {
        self.known(expression).is_some()
    }

    fn known(&self, expression: &Expression) -> Option<Value> {
        self.checker().expression(expression)
    }

    /// The value, brought into what an element of a type may get.
    pub(super) fn fitted(&self, expression: Expression, element: Type) -> Expression {
        let Some(value) = self.known(&expression) else { return Expression::Integer(1) };
        let most = element.most_stored();
        match (element.is_floating(), value.kind.is_floating()) {
            (true, _) => scaled(expression, value.magnitude / most),
            (false, true) => {
                let small = scaled(expression, value.magnitude);
                let large = Expression::Binary(
                    Operator::Multiply,
                    Box::new(small),
                    Box::new(Expression::Real(10_000)),
                );
                Expression::Cast(Type::Int, Box::new(large))
            }
            (false, false) if element.is_unsigned() || value.magnitude <= most => expression,
            (false, false) => Expression::Remainder(Box::new(expression), 1000),
        }
    }
}

/// The value divided by a power of ten that is at least `by`.
fn scaled(expression: Expression, by: f64) -> Expression {
    if by <= 1.0 {
        return expression;
    }
    // A power of ten is not exactly representable below 1: one more digit keeps the product in its range.
    Expression::Scaled(Box::new(expression), by.log10().floor() as i64 + 1)
}
