//! The compilers' built-in functions that count bits of unsigned integers, implemented with ordinary arithmetic.
//!
//! Zeros at either end are counted as the ones of another number: the leading zeros of `x` are the ones of
//! `~(x | x >> 1 | x >> 2 | …)`, and the trailing zeros are the ones of `~x & (x - 1)`. For 0, which C leaves
//! undefined, this gives the number of all bits.

use scop::{BinaryOp, CType, Expr, ExprKind, LocalId, Step, UnaryOp};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bits {
    /// The ones.
    Ones,
    /// The zeros before the first one, from the highest bit.
    LeadingZeros,
    /// The zeros after the last one.
    TrailingZeros,
}

impl Bits {
    /// Returns the steps of a function that counts these bits of its first parameter, an unsigned integer.
    pub fn count(self, ctype: CType) -> Vec<Step> {
        let mut code = Code { ctype, steps: Vec::new() };
        let x = code.local(0);
        let counted = match self {
            Self::Ones => x,
            Self::LeadingZeros => code.ones_before_the_first(x),
            Self::TrailingZeros => {
                let below = code.binary(BinaryOp::Sub, x.clone(), code.number(1));
                code.define("below", code.binary(BinaryOp::BitAnd, code.complement(x), below))
            }
        };
        let value = code.ones(counted);
        code.steps.push(Step::Return { value });
        code.steps
    }
}

/// Steps that compute with values of one type.
struct Code {
    ctype: CType,
    steps: Vec<Step>,
}

impl Code {
    /// Returns a number that has ones where `x` has leading zeros.
    fn ones_before_the_first(&mut self, mut x: Expr) -> Expr {
        let mut distance = 1;
        while distance < self.width() {
            let moved = self.shifted(x.clone(), distance);
            x = self.define(&format!("after{distance}"), self.binary(BinaryOp::BitOr, x, moved));
            distance *= 2;
        }
        self.define("before", self.complement(x))
    }

    /// Returns the number of ones, as an `int`. The ones are counted in groups of two, four and eight bits in
    /// place, and then in total.
    fn ones(&mut self, x: Expr) -> Expr {
        let halves = self.shifted_and_masked(x.clone(), 1, 0x55);
        let pairs = self.define("pairs", self.binary(BinaryOp::Sub, x, halves));
        let even = self.binary(BinaryOp::BitAnd, pairs.clone(), self.repeated(0x33));
        let odd = self.shifted_and_masked(pairs, 2, 0x33);
        let fours = self.define("fours", self.binary(BinaryOp::Add, even, odd));
        let sum = self.binary(BinaryOp::Add, fours.clone(), self.shifted(fours, 4));
        let bytes = self.define("bytes", self.binary(BinaryOp::BitAnd, sum, self.repeated(0x0f)));
        let all = self.binary(BinaryOp::Mul, bytes, self.repeated(0x01));
        let highest = self.shifted(all, self.width() - 8);
        Expr { ctype: CType::Int, kind: ExprKind::Cast { implicit: true, operand: highest.into() } }
    }

    fn shifted_and_masked(&self, x: Expr, distance: u32, byte: u8) -> Expr {
        self.binary(BinaryOp::BitAnd, self.shifted(x, distance), self.repeated(byte))
    }

    fn shifted(&self, x: Expr, distance: u32) -> Expr {
        let kind = ExprKind::Integer { value: distance.to_string() };
        self.binary(BinaryOp::Shr, x, Expr { ctype: CType::Int, kind })
    }

    /// Returns a number whose bytes all have the same value.
    fn repeated(&self, byte: u8) -> Expr {
        self.number(u64::from_ne_bytes([byte; 8]) >> (u64::BITS - self.width()))
    }

    fn number(&self, value: u64) -> Expr {
        Expr { ctype: self.ctype, kind: ExprKind::Integer { value: value.to_string() } }
    }

    fn complement(&self, x: Expr) -> Expr {
        let kind = ExprKind::Unary { operator: UnaryOp::Complement, operand: x.into() };
        Expr { ctype: self.ctype, kind }
    }

    fn binary(&self, operator: BinaryOp, left: Expr, right: Expr) -> Expr {
        let kind = ExprKind::Binary { operator, left: left.into(), right: right.into() };
        Expr { ctype: self.ctype, kind }
    }

    /// Appends a definition of a temporary. Local 0 is the parameter; the temporaries follow it.
    fn define(&mut self, name: &str, value: Expr) -> Expr {
        let number = self.steps.len() as u32 + 1;
        let (local, name, ctype) = (LocalId(number), name.to_owned(), self.ctype);
        self.steps.push(Step::Define { local, name, ctype, value: Some(value) });
        self.local(number)
    }

    fn local(&self, number: u32) -> Expr {
        Expr { ctype: self.ctype, kind: ExprKind::Local { local: LocalId(number) } }
    }

    fn width(&self) -> u32 {
        8 * self.ctype.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates an expression of an unsigned type; `locals` are the values of the parameter and the temporaries.
    fn value(expr: &Expr, locals: &[u64]) -> u64 {
        let mask = u64::MAX >> (u64::BITS - 8 * expr.ctype.size());
        let value = match &expr.kind {
            ExprKind::Integer { value } => value.parse().unwrap(),
            ExprKind::Local { local } => locals[local.0 as usize],
            ExprKind::Unary { operator: UnaryOp::Complement, operand } => !value(operand, locals),
            ExprKind::Cast { operand, .. } => value(operand, locals),
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (value(left, locals), value(right, locals));
                match operator {
                    BinaryOp::Add => left.wrapping_add(right),
                    BinaryOp::Sub => left.wrapping_sub(right),
                    BinaryOp::Mul => left.wrapping_mul(right),
                    BinaryOp::Shr => left >> right,
                    BinaryOp::BitAnd => left & right,
                    BinaryOp::BitOr => left | right,
                    other => unreachable!("{other:?}"),
                }
            }
            other => unreachable!("{other:?}"),
        };
        value & mask
    }

    fn count(bits: Bits, ctype: CType, x: u64) -> u32 {
        let mut locals = vec![x];
        for step in bits.count(ctype) {
            match step {
                Step::Define { local, value: Some(expr), .. } => {
                    assert_eq!(local.0 as usize, locals.len());
                    locals.push(value(&expr, &locals));
                }
                Step::Return { value: expr } => return value(&expr, &locals) as u32,
                other => unreachable!("{other:?}"),
            }
        }
        unreachable!("nothing is returned")
    }

    #[test]
    fn bits_are_counted() {
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        let mut numbers =
            vec![0, 1, 2, 3, u64::MAX, 1 << 63, 1 << 31, 1 << 32, 0xffff_ffff, 0xff00_ff00_ff00_ff00];
        for _ in 0..50 {
            x = x.wrapping_mul(0xd129_42f3_8c61_93b5).rotate_left(23);
            numbers.extend([x, x >> 40, x << 40]);
        }
        for x in numbers {
            let (narrow, small) = (x & 0xffff_ffff, x as u32);
            assert_eq!(count(Bits::Ones, CType::ULong, x), x.count_ones(), "{x:x}");
            assert_eq!(count(Bits::Ones, CType::UInt, narrow), small.count_ones(), "{x:x}");
            assert_eq!(count(Bits::LeadingZeros, CType::ULongLong, x), x.leading_zeros(), "{x:x}");
            assert_eq!(count(Bits::LeadingZeros, CType::UInt, narrow), small.leading_zeros(), "{x:x}");
            assert_eq!(count(Bits::TrailingZeros, CType::ULong, x), x.trailing_zeros(), "{x:x}");
            assert_eq!(count(Bits::TrailingZeros, CType::UInt, narrow), small.trailing_zeros(), "{x:x}");
        }
    }
}
