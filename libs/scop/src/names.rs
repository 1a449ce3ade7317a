//! The names that generated code may use.
//!
//! Every *name* in the document (of a parameter, an array, a temporary) must satisfy [`is_free`]: it is an
//! identifier in isl's notation, in C++ and in CUDA, and no tool uses it for a purpose of its own. clan-rs
//! renames everything whose name is not free ([`unused`]).

mod macros;
mod runtime;

use std::collections::BTreeSet;

use crate::CType;

pub use runtime::is_runtime_function;

/// Words that isl's parser reserves.
const ISL: &[&str] = &[
    "and", "ceil", "ceild", "exists", "false", "floor", "floord", "implies", "infty", "infinity", "max",
    "min", "mod", "NaN", "not", "or", "rat", "true",
];

/// Keywords of C++ that may be names in C.
const CXX: &[&str] = &[
    "alignas",
    "alignof",
    "atomic",
    "bool",
    "catch",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "final",
    "friend",
    "import",
    "module",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "requires",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
    "and_eq",
    "bitand",
    "bitor",
    "compl",
    "not_eq",
    "or_eq",
];

/// Keywords of both C and C++.
const BOTH: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
];

/// Keywords of only one of the two languages, or of extensions, that some standard of the other allows as
/// names. Generated code is compiled as both.
const ONE: &[&str] = &["asm", "restrict", "typeof", "typeof_unqual"];

/// Names that CUDA or generated code declares.
const CUDA: &[&str] = &[
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "dim3",
    "size_t",
    "ptrdiff_t",
    "grid",
    "block",
    "atomicAdd",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
];

/// Names that schedule trees and generated code use.
const OWN: &[&str] = &["bx", "by", "bz", "tx", "ty", "tz", "main"];

/// Prefixes of the names that tools generate.
const RESERVED_PREFIXES: &[&str] = &[
    "dev_",
    "shared_",
    "private_",
    "copy_in_",
    "copy_out_",
    "to_device_",
    "from_device_",
    "barrier_",
    "cuda",
    "hip",
    "__",
    "lower_",
];

/// True if generated code may use `name` for an object of the user.
pub fn is_free(name: &str) -> bool {
    is_identifier(name)
        && [ISL, CXX, BOTH, ONE, CUDA, OWN].iter().all(|words| !words.contains(&name))
        && !has_reserved_prefix(name)
        && !macros::is_macro(name)
        && !is_numbered(name)
        && math_function(name).is_none()
}

/// True for a keyword of both C and C++.
pub fn is_keyword(word: &str) -> bool {
    BOTH.contains(&word)
}

/// True if a tool may use `name` for a loop of the loop program or for a subscript of a packing: a numbered
/// name such as `c0`, or a free name.
pub fn is_iterator(name: &str) -> bool {
    is_free(name) || is_numbered(name)
}

/// True if gpulocalizer may use `name` for a buffer: the memory's prefix and the array's name, `shared_A`.
pub fn is_buffer(name: &str) -> bool {
    let array = ["shared_", "private_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    is_identifier(name) && array.is_some_and(|array| !array.is_empty())
}

fn has_reserved_prefix(name: &str) -> bool {
    RESERVED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// True for names that tools number: loop iterators `c0`, statements `S0`, arrays `A0`, kernels `K0` and
/// `kernel0`, buffers `B0`, and isl's own names `e0`, `i0`, `o0`, `p0`.
fn is_numbered(name: &str) -> bool {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let stem = &name[..name.len() - digits.len()];
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && ["c", "S", "A", "K", "B", "e", "i", "o", "p", "kernel"].contains(&stem)
}

fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Removes from the name of a region in a `static` function the part of a hash that distinguishes files of the
/// same name: `solver_step_3522a2_scop0` becomes `solver_step_scop0`.
pub fn without_digest(name: &str) -> String {
    let is_digest = |part: &str| part.len() == 6 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once("_scop").and_then(|(begin, number)| Some((begin.rsplit_once('_')?, number))) {
        Some(((begin, digest), number)) if is_digest(digest) => format!("{begin}_scop{number}"),
        _ => name.to_owned(),
    }
}

/// Returns a free name that is similar to `wish` and not in `taken`, and adds it to `taken`.
pub fn unused(wish: &str, taken: &mut BTreeSet<String>) -> String {
    let cleaned: String = wish.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let stem = if !cleaned.starts_with(|c: char| c.is_ascii_alphabetic()) {
        format!("v{cleaned}")
    } else if has_reserved_prefix(&cleaned) || macros::is_macro(&cleaned) {
        format!("v_{cleaned}")
    } else {
        cleaned
    };
    // A prefix such as `lower_` is reserved although `lower` is free.
    let longer = format!("{stem}_");
    let longer = if has_reserved_prefix(&longer) { format!("v_{longer}") } else { longer };
    let candidates = [stem.clone(), longer.clone()].into_iter().chain((1..).map(|k| format!("{longer}{k}")));
    for name in candidates {
        if is_free(&name) && taken.insert(name.clone()) {
            return name;
        }
    }
    stem
}

/// The types of a function with one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComplexFunction {
    /// The type of its argument.
    pub argument: CType,
    /// The type of its value.
    pub value: CType,
}

/// Returns the types of a `<complex.h>` function that bodies may call. These are the functions that need only
/// `<math.h>`: `cabs` is `hypot`, `carg` is `atan2`. The parts of a number are operators ([`crate::UnaryOp`]).
pub fn complex_function(name: &str) -> Option<ComplexFunction> {
    let (stem, argument) = match name.strip_suffix('f') {
        Some(stem) => (stem, CType::FloatComplex),
        None => (name, CType::DoubleComplex),
    };
    let value = match stem {
        "cabs" | "carg" => argument.part(),
        "conj" | "cproj" => argument,
        _ => return None,
    };
    Some(ComplexFunction { argument, value })
}

/// Returns the type of the first argument and of the value of `ldexp` and `ldexpf`, whose second argument is an
/// `int`. They multiply a number by a power of two.
pub fn scaled_by_exponent(name: &str) -> Option<CType> {
    match name {
        "ldexp" => Some(CType::Double),
        "ldexpf" => Some(CType::Float),
        _ => None,
    }
}

/// Returns the number of arguments of a function from C's `<math.h>`, `<complex.h>` or `<stdlib.h>` that has no
/// side effects, dereferences no pointers, and exists under the same name in CUDA or is defined by generated
/// code. Returns nothing for any other name.
///
/// Results are rounded alike on host and device only for the exact functions (`sqrt`, `fabs`, `fmin`, `floor`,
/// …).
pub fn math_function(name: &str) -> Option<usize> {
    const ONE: &[&str] = &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cbrt",
        "ceil",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "expm1",
        "fabs",
        "floor",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "nearbyint",
        "rint",
        "round",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
    ];
    const TWO: &[&str] = &[
        "atan2",
        "copysign",
        "fdim",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "ldexp",
        "nextafter",
        "pow",
        "remainder",
    ];
    if ["abs", "labs", "llabs"].contains(&name) {
        return Some(1);
    }
    if name == "fma" || name == "fmaf" {
        return Some(3);
    }
    if complex_function(name).is_some() {
        return Some(1);
    }
    let arity = |stem: &str| {
        if ONE.contains(&stem) {
            Some(1)
        } else if TWO.contains(&stem) {
            Some(2)
        } else {
            None
        }
    };
    arity(name).or_else(|| name.strip_suffix('f').and_then(arity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_finds_a_free_name_for_every_wish() {
        let table = [
            ("a", "a"),
            ("min", "min_"),
            ("c0", "c0_"),
            ("a.b", "a_b"),
            ("_x", "v_x"),
            ("shared_line", "v_shared_line"),
            ("cudaStream", "v_cudaStream"),
            ("__x", "v__x"),
            ("taken", "taken_"),
            ("lower", "v_lower_"),
            ("M_PI", "v_M_PI"),
            ("INT_MAX", "v_INT_MAX_"),
            ("EINVAL", "v_EINVAL"),
            ("errno", "v_errno"),
            ("private", "v_private_"),
            ("", "v"),
        ];
        for (wish, name) in table {
            let mut taken = BTreeSet::from(["taken", "lower"].map(str::to_owned));
            assert_eq!(unused(wish, &mut taken), name);
            assert!(is_free(name) && taken.contains(name), "{name}");
        }
    }
}
