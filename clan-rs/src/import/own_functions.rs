//! Functions of the program that have the name of a library function.
//!
//! A program may define a function of such a name in another file, unless the standard reserves the name: `trunc` in
//! C89, `gettimeofday` in any C. Whatever a header of the system declares is the library's.

use crate::c::clang::Cursor;
use crate::c::library;

/// Functions that no version of C reserves, or only the latest ones.
const NEVER_RESERVED: [&str; 15] = [
    "aligned_alloc",
    "atoll",
    "clock_gettime",
    "fdopen",
    "fopen64",
    "getrusage",
    "gettimeofday",
    "llabs",
    "omp_get_max_threads",
    "omp_get_wtime",
    "popen",
    "posix_memalign",
    "rand_r",
    "snprintf",
    "timespec_get",
];

/// The functions of `<math.h>` and `<stdlib.h>` that C89 has, for `double` or integers. It reserves the names for
/// `float` as well.
const OF_C89: [&str; 21] = [
    "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "exp", "fabs", "floor", "fmod", "labs",
    "ldexp", "log", "log10", "pow", "sin", "sinh", "sqrt", "tan",
];

/// True for a function whose name is that of a library function, but which may be the program's own. `before_c99` says
/// in which language the file is written.
pub fn may_be_own(function: Cursor, before_c99: bool) -> bool {
    let name = function.spelling();
    let may_be_own = NEVER_RESERVED.contains(&name.as_str())
        || library::is_mathematical(&name) && !is_reserved(&name, before_c99);
    may_be_own && !function.declaration().is_of_language()
}

/// True if the standard reserves the name of a mathematical function.
fn is_reserved(name: &str, before_c99: bool) -> bool {
    let stem = name.strip_suffix('f').unwrap_or(name);
    let is_old = [name, stem].iter().any(|name| OF_C89.contains(name) || *name == "tanh");
    name.starts_with("__") || is_old || !before_c99 && library::is_of_standard(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_reserved_by_the_version_of_the_language() {
        for (name, in_c89, in_c99) in [
            ("sqrt", true, true),
            ("sqrtf", true, true),
            ("tanh", true, true),
            ("trunc", false, true),
            ("hypotf", false, true),
            ("lround", false, true),
            ("__builtin_isinf", true, true),
            ("is_infinite", false, false),
            ("signbitf", false, false),
            ("isinf_sign", false, false),
            ("isnan", false, false),
        ] {
            assert_eq!((is_reserved(name, true), is_reserved(name, false)), (in_c89, in_c99), "{name}");
        }
    }
}
