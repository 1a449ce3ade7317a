//! The types and the greatest magnitudes of values, so that no arithmetic of a program is undefined in C.
//!
//! * Signed arithmetic never overflows: the magnitude of every operation is known and within its type.
//! * Unsigned arithmetic may wrap around.
//! * Floating-point values stay finite, for which bit patterns of NaNs are not defined: what is stored is at most
//!   1 in magnitude, and sums of such values are accumulators, of which no run adds more than `MOST_INSTANCES` values.
//! * No divisor is 0, and no value is converted to an integer type that cannot hold it.

use crate::affine::Range;
use crate::program::{Array, Expression, Function, Operator, Role, Type};

/// No run has larger parameters.
pub const LARGEST: i64 = 100;

/// What a run may cost: at worst each instance is a launch, for which the checking simulator takes some tenths of a
/// millisecond.
pub const MOST_INSTANCES: i64 = 5_000;

/// The greatest magnitude of what is stored in signed integers; a power of two, because of `|` and `^`.
const SMALL: f64 = 1024.0;

/// The type of a value and its greatest magnitude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// One to which C promotes: neither `short` nor `unsigned char`.
    pub kind: Type,
    pub magnitude: f64,
}

impl Type {
    pub fn is_floating(self) -> bool {
        matches!(self, Self::Double | Self::Float)
    }

    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::Unsigned | Self::UnsignedLong | Self::UnsignedChar)
    }

    /// The type in which C computes with it.
    pub fn promoted(self) -> Self {
        match self {
            Self::Short | Self::UnsignedChar => Self::Int,
            other => other,
        }
    }

    /// The greatest magnitude of finite values, for floating point one that leaves room.
    pub fn limit(self) -> f64 {
        match self {
            Self::Double | Self::Float => 1e30,
            Self::Int => 2_147_483_647.0,
            Self::Unsigned => 4_294_967_295.0,
            Self::Long => 9.2e18,
            Self::UnsignedLong => 1.85e19,
            Self::Short => 32_768.0,
            Self::UnsignedChar => 255.0,
        }
    }

    /// The type of `a op b`: the usual arithmetic conversions on x86-64 Linux.
    pub fn common(self, other: Self) -> Self {
        let order = [Self::Int, Self::Unsigned, Self::Long, Self::UnsignedLong, Self::Float, Self::Double];
        let rank = |kind: Self| order.iter().position(|known| *known == kind.promoted()).unwrap_or(0);
        order[rank(self).max(rank(other))]
    }
}

impl Array {
    /// What an element of it can be when it is read.
    pub fn content(&self) -> Value {
        let magnitude = match (self.role, self.element) {
            (_, kind) if kind.is_unsigned() => kind.limit(),
            (Role::Index, _) => 1000.0,
            (Role::Values, kind) => kind.most_stored(),
            (Role::Accumulator, Type::Short) => Type::Short.limit(),
            (Role::Accumulator, kind) => (MOST_INSTANCES + 1) as f64 * kind.most_stored(),
        };
        Value { kind: self.element.promoted(), magnitude }
    }
}

impl Type {
    /// The greatest magnitude of a value that may be stored or added.
    pub fn most_stored(self) -> f64 {
        match self {
            Self::Double | Self::Float => 1.0,
            kind if kind.is_unsigned() => kind.limit(),
            _ => SMALL,
        }
    }
}

/// The value of `a op b`; `None` if it is undefined.
pub fn operation(operator: Operator, a: Value, b: Value) -> Option<Value> {
    let kind = a.kind.common(b.kind);
    let magnitude = match operator {
        Operator::Add | Operator::Subtract => a.magnitude + b.magnitude,
        Operator::Multiply => a.magnitude * b.magnitude,
        Operator::And | Operator::Or | Operator::Xor if kind.is_floating() => return None,
        Operator::And | Operator::Or | Operator::Xor => power_of_two_above(a.magnitude.max(b.magnitude)),
    };
    within(kind, magnitude)
}

/// The constant that `a / (b + constant)` needs; `None` if there is none.
pub fn divisor_offset(b: Value) -> Option<i64> {
    (!b.kind.is_unsigned() && b.magnitude <= 1e6).then_some(b.magnitude.ceil() as i64 + 1)
}

/// The value of `a / (b + offset)`.
pub fn ratio(a: Value, b: Value, offset: i64) -> Option<Value> {
    if divisor_offset(b)? > offset || offset > 10_000_000 {
        return None;
    }
    within(a.kind.common(b.kind), a.magnitude)
}

/// The value of `a % by`.
pub fn remainder(a: Value, by: i64) -> Option<Value> {
    (!a.kind.is_floating() && by > 0)
        .then(|| Value { kind: a.kind, magnitude: a.magnitude.min((by - 1) as f64) })
}

/// The value of a cast.
pub fn cast(to: Type, a: Value) -> Option<Value> {
    let holds = a.magnitude <= to.limit();
    let magnitude = match (to.is_floating(), a.kind.is_floating()) {
        (true, _) => a.magnitude,
        (false, true) if to.is_unsigned() || !holds => return None,
        (false, _) if to.is_unsigned() || !holds => to.limit(),
        (false, _) => a.magnitude,
    };
    Some(Value { kind: to.promoted(), magnitude })
}

/// The value of a call.
pub fn call(function: Function, a: Value) -> Option<Value> {
    let kind = Type::Double;
    match function {
        Function::Absolute => Some(Value { kind, magnitude: a.magnitude }),
        Function::Root => Some(Value { kind, magnitude: a.magnitude.max(1.0) }),
        Function::Smooth | Function::Stepped => {
            (a.magnitude <= 1.0).then_some(Value { kind, magnitude: 1.0 })
        }
    }
}

/// The value of `condition ? a : b`.
pub fn either(a: Value, b: Value) -> Option<Value> {
    within(a.kind.common(b.kind), a.magnitude.max(b.magnitude))
}

/// The value of a number times `10^-digits`.
pub fn scaled(a: Value, digits: i64) -> Value {
    Value { kind: Type::Double, magnitude: a.magnitude / 10f64.powi(i32::try_from(digits).unwrap_or(0)) }
}

/// The value of a constant.
pub fn constant(expression: &Expression) -> Option<Value> {
    match expression {
        Expression::Integer(value) => Some(Value { kind: Type::Int, magnitude: value.unsigned_abs() as f64 }),
        Expression::Real(hundredths) => {
            Some(Value { kind: Type::Double, magnitude: hundredths.unsigned_abs() as f64 / 100.0 })
        }
        _ => None,
    }
}

/// The value of an affine form, at the largest parameters of any run.
pub fn of_form(range: Range) -> Value {
    let magnitude = range.low.value(LARGEST, LARGEST).abs().max(range.high.value(LARGEST, LARGEST).abs());
    Value { kind: Type::Int, magnitude: magnitude as f64 }
}

/// Unsigned values wrap around, others must be within the limit.
fn within(kind: Type, magnitude: f64) -> Option<Value> {
    if kind.is_unsigned() {
        return Some(Value { kind, magnitude: kind.limit() });
    }
    (magnitude <= kind.limit()).then_some(Value { kind, magnitude })
}

fn power_of_two_above(magnitude: f64) -> f64 {
    2f64.powi(magnitude.max(1.0).log2().ceil() as i32)
}
