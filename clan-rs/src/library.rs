//! Functions of C's library that are defined here, as if the user had written them.
//!
//! CUDA has functions of these names, but of other types: `isinf` is `true` where that of C is -1. So the program gets
//! functions of its own: `isnan(x)` is `x != x`. In C they are macros for what compilers call `__builtin_isnan`, for
//! both types of numbers; in C++ they are overloaded. CUDA lacks those that look at the bits of integers, such as
//! `__builtin_popcount`: see [`crate::bits`].

use scop::{BinaryOp, CType, Expr, ExprKind, Function, FunctionParameter, LocalId, SourceRange, Step, names};

use crate::bits::Bits;
use crate::conversions::cast;
use crate::ctree::{self, Callee};

/// What a function computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    NotANumber,
    Infinite,
    /// 1 or -1 for infinities.
    SignOfInfinity,
    Finite,
    Normal,
    Negative,
    /// The value of a function for integral numbers, as an integer.
    Integer(&'static str, CType),
    /// Something about the bits of an unsigned integer. C has it under a name of compilers' alone.
    Bits(Bits, &'static str),
}

impl Meaning {
    /// True for the same, of numbers of another type.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(one, to), Self::Integer(two, also_to)) => {
                to == also_to && one.trim_end_matches('f') == two.trim_end_matches('f')
            }
            _ => self == other,
        }
    }
}

/// A function for one type of numbers.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// By what it is known among the functions of a program: no name of the user's.
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

/// The function that a call calls, with arguments of these types.
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

/// True for a function that computes a number from numbers and does nothing else, for all that its name says.
pub fn is_mathematical(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let is_named = |known: &Known| known.name() == plain && !known.is_of_bits();
    let is_defined_here = plain == "isinf_sign" || FUNCTIONS.iter().any(is_named) || of_bits(name).is_some();
    is_defined_here || names::math_function(name).is_some()
}

/// The function of this name that looks at the bits of integers.
fn of_bits(name: &str) -> Option<&'static Known> {
    FUNCTIONS.iter().find(|known| known.is_of_bits() && known.name_in_c() == name)
}

impl Known {
    fn is_of_bits(&self) -> bool {
        matches!(self.meaning, Meaning::Bits(..))
    }

    /// The name that it should have in generated code.
    pub fn name(&self) -> &'static str {
        self.key.trim_start_matches("std::")
    }

    /// The type of its value.
    pub fn value(&self) -> CType {
        match self.meaning {
            Meaning::Integer(_, ctype) => ctype,
            _ => CType::Int,
        }
    }

    /// The argument, of its type.
    pub fn argument(&self, value: Expr) -> Expr {
        cast(value, self.ctype)
    }

    /// Its definition, under a name.
    pub fn definition(&self, name: String, range: SourceRange) -> Function {
        let parameter = FunctionParameter { name: "x".to_owned(), ctype: self.ctype };
        let body = self.body();
        let library = Some(self.name_in_c().to_owned());
        Function { name, ctype: self.value(), parameters: vec![parameter], body, range, library }
    }

    /// What C calls it: some are macros for all types of numbers.
    fn name_in_c(&self) -> &'static str {
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

/// The least normal number of a type that is above 0, and the largest.
fn limits(ctype: CType) -> (&'static str, &'static str) {
    match ctype {
        CType::Float => ("0x1p-126", "0x1.fffffep127"),
        _ => ("0x1p-1022", "0x1.fffffffffffffp1023"),
    }
}

fn integer(value: &str) -> Expr {
    Expr { ctype: CType::Int, kind: ExprKind::Integer { value: value.to_owned() } }
}

/// An operator whose value is an `int`.
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
