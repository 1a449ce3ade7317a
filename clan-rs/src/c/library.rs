//! Functions of C's library that this file defines, as if the user had written them.
//!
//! CUDA has functions of these names, but with other types: its `isinf` returns `true` where C's may return -1. The
//! translation therefore gets functions of its own: `isnan(x)` is `x != x`. In C, the names are macros for compiler
//! built-ins such as `__builtin_isnan`, for both floating-point types; in C++, they are overloaded functions. CUDA
//! lacks the built-ins that inspect the bits of integers, such as `__builtin_popcount`: see [`crate::c::bits`].

use scop::{BinaryOp, CType, Expr, ExprKind, Function, FunctionParameter, LocalId, SourceRange, Step, names};

use crate::c::bits::Bits;
use crate::c::conversions::cast;
use crate::c::ctree::{self, Callee};

/// What a function computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    NotANumber,
    Infinite,
    /// 1 or -1 for infinities, otherwise 0.
    SignOfInfinity,
    Finite,
    Normal,
    Negative,
    /// A rounding function whose value is converted to an integer type.
    Integer(&'static str, CType),
    /// A count of bits in an unsigned integer, with the name of the compilers' built-in function; C has no other
    /// name for it.
    Bits(Bits, &'static str),
}

impl Meaning {
    /// True if both compute the same for different types of numbers.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(one, to), Self::Integer(two, also_to)) => {
                to == also_to && one.trim_end_matches('f') == two.trim_end_matches('f')
            }
            _ => self == other,
        }
    }
}

/// A function for one type of argument.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Its key among the functions of a program, which cannot be a name of the user's.
    pub key: &'static str,
    ctype: CType,
    meaning: Meaning,
}

const FUNCTIONS: &[Known] = &[
    double("std::isnan", Meaning::NotANumber),
    float("std::isnanf", Meaning::NotANumber),
    double("std::isinf", Meaning::SignOfInfinity),
    float("std::isinff", Meaning::SignOfInfinity),
    double("std::is_infinite", Meaning::Infinite),
    float("std::is_infinitef", Meaning::Infinite),
    double("std::isfinite", Meaning::Finite),
    float("std::isfinitef", Meaning::Finite),
    double("std::isnormal", Meaning::Normal),
    float("std::isnormalf", Meaning::Normal),
    double("std::signbit", Meaning::Negative),
    float("std::signbitf", Meaning::Negative),
    double("std::lround", Meaning::Integer("round", CType::Long)),
    float("std::lroundf", Meaning::Integer("roundf", CType::Long)),
    double("std::llround", Meaning::Integer("round", CType::LongLong)),
    float("std::llroundf", Meaning::Integer("roundf", CType::LongLong)),
    double("std::lrint", Meaning::Integer("rint", CType::Long)),
    float("std::lrintf", Meaning::Integer("rintf", CType::Long)),
    double("std::llrint", Meaning::Integer("rint", CType::LongLong)),
    float("std::llrintf", Meaning::Integer("rintf", CType::LongLong)),
    bits("std::popcount", CType::UInt, Bits::Ones, "__builtin_popcount"),
    bits("std::popcountl", CType::ULong, Bits::Ones, "__builtin_popcountl"),
    bits("std::popcountll", CType::ULongLong, Bits::Ones, "__builtin_popcountll"),
    bits("std::clz", CType::UInt, Bits::LeadingZeros, "__builtin_clz"),
    bits("std::clzl", CType::ULong, Bits::LeadingZeros, "__builtin_clzl"),
    bits("std::clzll", CType::ULongLong, Bits::LeadingZeros, "__builtin_clzll"),
    bits("std::ctz", CType::UInt, Bits::TrailingZeros, "__builtin_ctz"),
    bits("std::ctzl", CType::ULong, Bits::TrailingZeros, "__builtin_ctzl"),
    bits("std::ctzll", CType::ULongLong, Bits::TrailingZeros, "__builtin_ctzll"),
];

const fn double(key: &'static str, meaning: Meaning) -> Known {
    Known { key, ctype: CType::Double, meaning }
}

const fn float(key: &'static str, meaning: Meaning) -> Known {
    Known { key, ctype: CType::Float, meaning }
}

const fn bits(key: &'static str, ctype: CType, what: Bits, name_in_c: &'static str) -> Known {
    Known { key, ctype, meaning: Meaning::Bits(what, name_in_c) }
}

/// Returns the function that a call refers to, for arguments of these types.
pub fn called(callee: &Callee, arguments: &[ctree::Expr]) -> Option<&'static Known> {
    let [argument] = arguments else { return None };
    if callee.of_user {
        return None;
    }
    if let Some(known) = of_bits(&callee.name) {
        return (argument.ctype.arithmetic() == Some(known.ctype)).then_some(known);
    }
    let wanted = match argument.ctype.arithmetic()? {
        CType::Float => CType::Float,
        ctype if ctype == CType::Double || ctype.is_integer() => CType::Double,
        _ => return None,
    };
    let name = match callee.name.as_str() {
        "__builtin_isinf" => "is_infinite",
        "__builtin_isinf_sign" => "isinf",
        name => name.strip_prefix("__builtin_").unwrap_or(name),
    };
    let named = FUNCTIONS.iter().find(|known| known.name() == name && !known.is_of_bits())?;
    FUNCTIONS.iter().find(|known| known.ctype == wanted && known.meaning.is_like(named.meaning))
}

/// Functions of the C library that allocate memory.
pub const ALLOCATING: [&str; 3] = ["malloc", "calloc", "aligned_alloc"];

/// True for a function that computes a number from numbers and has no effects, as far as its name shows.
pub fn is_mathematical(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let is_named = |known: &Known| known.name() == plain && !known.is_of_bits();
    let is_defined_here = plain == "isinf_sign" || FUNCTIONS.iter().any(is_named) || of_bits(name).is_some();
    is_defined_here || names::math_function(name).is_some()
}

/// True for a mathematical function whose name C99 reserves. The classifications of numbers are macros in C99.
pub fn is_of_standard(name: &str) -> bool {
    let is_rounding = |known: &Known| known.name() == name && matches!(known.meaning, Meaning::Integer(..));
    FUNCTIONS.iter().any(is_rounding) || names::math_function(name).is_some()
}

/// Returns the function of this name that inspects the bits of integers.
fn of_bits(name: &str) -> Option<&'static Known> {
    FUNCTIONS.iter().find(|known| known.is_of_bits() && known.name_in_c() == name)
}

impl Known {
    fn is_of_bits(&self) -> bool {
        matches!(self.meaning, Meaning::Bits(..))
    }

    /// Returns the name that it should have in generated code.
    pub fn name(&self) -> &'static str {
        self.key.trim_start_matches("std::")
    }

    /// Returns the type of its value.
    pub fn value(&self) -> CType {
        match self.meaning {
            Meaning::Integer(_, ctype) => ctype,
            _ => CType::Int,
        }
    }

    /// Converts the argument to the type of the parameter.
    pub fn argument(&self, value: Expr) -> Expr {
        cast(value, self.ctype)
    }

    /// Returns its definition under the given name.
    pub fn definition(&self, name: String, range: SourceRange) -> Function {
        let parameter = FunctionParameter { name: "x".to_owned(), ctype: self.ctype, extents: Vec::new() };
        let body = self.body();
        let library = Some(self.name_in_c().to_owned());
        Function { name, ctype: self.value(), parameters: vec![parameter], body, range, library }
    }

    /// True if C defines only whether its value is zero: gcc's `signbit` of negative numbers is 1, or for `float`
    /// the smallest integer.
    pub fn is_only_zero_or_not(&self) -> bool {
        self.meaning == Meaning::Negative
    }

    /// Returns its name in C; some of these are macros for all types of numbers.
    pub fn name_in_c(&self) -> &'static str {
        match self.meaning {
            Meaning::NotANumber => "isnan",
            Meaning::Infinite => "__builtin_isinf",
            Meaning::SignOfInfinity => "isinf",
            Meaning::Finite => "isfinite",
            Meaning::Normal => "isnormal",
            Meaning::Negative => "signbit",
            Meaning::Integer(..) => self.name(),
            Meaning::Bits(_, name) => name,
        }
    }

    fn body(&self) -> Vec<Step> {
        let (least, largest) = limits(self.ctype);
        let (least, largest) = (|| self.constant(least), || self.constant(largest));
        let x = || Expr { ctype: self.ctype, kind: ExprKind::Local { local: LocalId(0) } };
        let magnitude = || self.call("fabs", vec![x()]);
        let value = match self.meaning {
            Meaning::Bits(what, _) => return what.count(self.ctype),
            Meaning::NotANumber => binary(BinaryOp::Ne, x(), x()),
            Meaning::Infinite => binary(BinaryOp::Gt, magnitude(), largest()),
            Meaning::SignOfInfinity => {
                let negative = negated(largest());
                let otherwise = choose(binary(BinaryOp::Lt, x(), negative), integer("-1"), integer("0"));
                choose(binary(BinaryOp::Gt, x(), largest()), integer("1"), otherwise)
            }
            Meaning::Finite => binary(BinaryOp::Le, magnitude(), largest()),
            Meaning::Normal => binary(
                BinaryOp::And,
                binary(BinaryOp::Ge, magnitude(), least()),
                binary(BinaryOp::Le, magnitude(), largest()),
            ),
            Meaning::Negative => {
                let one = self.call("copysign", vec![self.constant("1.0"), x()]);
                binary(BinaryOp::Lt, one, self.constant("0.0"))
            }
            Meaning::Integer(function, ctype) => {
                let kind = ExprKind::Call { function: function.to_owned(), arguments: vec![x()] };
                let operand = Expr { ctype: self.ctype, kind }.into();
                Expr { ctype, kind: ExprKind::Cast { implicit: false, operand } }
            }
        };
        vec![Step::Return { value }]
    }

    fn constant(&self, value: &str) -> Expr {
        Expr { ctype: self.ctype, kind: ExprKind::Floating { value: value.to_owned() } }
    }

    fn call(&self, function: &str, arguments: Vec<Expr>) -> Expr {
        let suffix = if self.ctype == CType::Float { "f" } else { "" };
        Expr {
            ctype: self.ctype,
            kind: ExprKind::Call { function: format!("{function}{suffix}"), arguments },
        }
    }
}

/// Returns the smallest positive normal number of a type, and the largest number.
fn limits(ctype: CType) -> (&'static str, &'static str) {
    match ctype {
        CType::Float => ("0x1p-126", "0x1.fffffep127"),
        _ => ("0x1p-1022", "0x1.fffffffffffffp1023"),
    }
}

fn integer(value: &str) -> Expr {
    Expr { ctype: CType::Int, kind: ExprKind::Integer { value: value.to_owned() } }
}

/// Applies an operator whose value is an `int`.
fn binary(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let kind = ExprKind::Binary { operator, left: left.into(), right: right.into() };
    Expr { ctype: CType::Int, kind }
}

fn negated(value: Expr) -> Expr {
    Expr {
        ctype: value.ctype,
        kind: ExprKind::Unary { operator: scop::UnaryOp::Minus, operand: value.into() },
    }
}

fn choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    let kind =
        ExprKind::Conditional { condition: condition.into(), then: then.into(), otherwise: otherwise.into() };
    Expr { ctype: CType::Int, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a hexadecimal floating literal of one of the limits, or a decimal one.
    fn literal(text: &str) -> f64 {
        match text {
            "0x1p-126" => f64::from(f32::MIN_POSITIVE),
            "0x1.fffffep127" => f64::from(f32::MAX),
            "0x1p-1022" => f64::MIN_POSITIVE,
            "0x1.fffffffffffffp1023" => f64::MAX,
            other => other.parse().unwrap(),
        }
    }

    /// Evaluates an expression in the only parameter of a function.
    fn value(expr: &Expr, x: f64) -> f64 {
        match &expr.kind {
            ExprKind::Integer { value } => value.parse().unwrap(),
            ExprKind::Floating { value } => literal(value),
            ExprKind::Local { .. } => x,
            ExprKind::Unary { operand, .. } => -value(operand, x),
            ExprKind::Cast { operand, .. } => value(operand, x),
            ExprKind::Binary { operator, left, right } => {
                let (left, right) = (value(left, x), value(right, x));
                f64::from(match operator {
                    BinaryOp::Ne => left != right,
                    BinaryOp::Gt => left > right,
                    BinaryOp::Lt => left < right,
                    BinaryOp::Ge => left >= right,
                    BinaryOp::Le => left <= right,
                    BinaryOp::And => left != 0.0 && right != 0.0,
                    other => unreachable!("{other:?}"),
                })
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                value(if value(condition, x) == 0.0 { otherwise } else { then }, x)
            }
            ExprKind::Call { function, arguments } => {
                let first = value(&arguments[0], x);
                match function.trim_end_matches('f') {
                    "fabs" => first.abs(),
                    "copysign" => first.copysign(value(&arguments[1], x)),
                    "round" => first.round(),
                    "rint" => first.round_ties_even(),
                    other => unreachable!("{other}"),
                }
            }
            other => unreachable!("{other:?}"),
        }
    }

    fn call(key: &str, x: f64) -> f64 {
        let known = FUNCTIONS.iter().find(|known| known.key == format!("std::{key}")).unwrap();
        match &known.body()[..] {
            [Step::Return { value: expr }] => value(expr, x),
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn classes_of_numbers_are_those_of_c() {
        let doubles = [
            0.0,
            -0.0,
            1.5,
            -2.5,
            f64::MAX,
            -f64::MAX,
            f64::MIN_POSITIVE,
            -f64::MIN_POSITIVE,
            f64::MIN_POSITIVE / 2.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -f64::NAN,
        ];
        for x in doubles {
            assert_eq!(call("isnan", x) != 0.0, x.is_nan(), "{x:?}");
            assert_eq!(call("is_infinite", x) != 0.0, x.is_infinite(), "{x:?}");
            let sign = if x.is_infinite() { x.signum() } else { 0.0 };
            assert_eq!(call("isinf", x), sign, "{x:?}");
            assert_eq!(call("isfinite", x) != 0.0, x.is_finite(), "{x:?}");
            assert_eq!(call("isnormal", x) != 0.0, x.is_normal(), "{x:?}");
            assert_eq!(call("signbit", x) != 0.0, x.is_sign_negative(), "{x:?}");
        }
        for x in [0.0, 1.5, f32::MAX, f32::MIN_POSITIVE, f32::MIN_POSITIVE / 2.0, f32::NEG_INFINITY, f32::NAN]
        {
            let wide = f64::from(x);
            assert_eq!(call("isnormalf", wide) != 0.0, x.is_normal(), "{x:?}");
            assert_eq!(call("isfinitef", wide) != 0.0, x.is_finite(), "{x:?}");
            assert_eq!(call("is_infinitef", wide) != 0.0, x.is_infinite(), "{x:?}");
        }
        for (x, away, even) in [(0.5, 1.0, 0.0), (1.5, 2.0, 2.0), (-2.5, -3.0, -2.0), (2.4, 2.0, 2.0)] {
            assert_eq!((call("lround", x), call("llrint", x)), (away, even));
        }
    }

    fn argument(ctype: CType) -> ctree::Expr {
        let range = SourceRange { start: 0, end: 0, line: 1, column: 1 };
        let ctype =
            ctree::Type { kind: ctree::TypeKind::Arithmetic(ctype), constant: false, volatile: false };
        ctree::Expr { kind: ctree::ExprKind::Integer(0), ctype, range }
    }

    #[test]
    fn functions_are_those_of_the_types_of_arguments() {
        let called = |name: &str, ctypes: &[CType], of_user: bool| {
            let (name, shown) = (name.to_owned(), name.to_owned());
            let callee = Callee {
                name,
                shown,
                of_user,
                attribute: None,
                passes: false,
                gives_reference: false,
                counts: false,
            };
            let arguments: Vec<ctree::Expr> = ctypes.iter().copied().map(argument).collect();
            called(&callee, &arguments).map(|known| known.key)
        };
        for (name, ctype, key) in [
            ("isnan", CType::Double, Some("std::isnan")),
            ("isnan", CType::Float, Some("std::isnanf")),
            ("isnan", CType::Int, Some("std::isnan")),
            ("isnan", CType::LongDouble, None),
            ("__builtin_isinf", CType::Double, Some("std::is_infinite")),
            ("__builtin_isinf_sign", CType::Float, Some("std::isinff")),
            ("isinf", CType::Double, Some("std::isinf")),
            ("lround", CType::Double, Some("std::lround")),
            ("lround", CType::Float, Some("std::lroundf")),
            ("llround", CType::Float, Some("std::llroundf")),
            ("lrint", CType::Double, Some("std::lrint")),
            ("lroundf", CType::Float, Some("std::lroundf")),
            ("__builtin_popcount", CType::UInt, Some("std::popcount")),
            ("__builtin_popcount", CType::ULong, None),
            ("__builtin_clzl", CType::ULong, Some("std::clzl")),
            ("popcount", CType::UInt, None),
            ("clz", CType::UInt, None),
            ("sqrt", CType::Double, None),
        ] {
            assert_eq!(called(name, &[ctype], false), key, "{name} of {ctype}");
            assert_eq!(called(name, &[ctype], true), None, "{name} of the user's");
            assert_eq!(called(name, &[ctype, ctype], false), None, "{name} of two");
        }
        for (name, expected) in [
            ("isnan", true),
            ("__builtin_isinf_sign", true),
            ("sqrt", true),
            ("__builtin_ctz", true),
            ("ctz", false),
            ("malloc", false),
        ] {
            assert_eq!(is_mathematical(name), expected, "{name}");
        }
    }
}
