//! Names that headers define as macros.
//!
//! The compiler of the generated CUDA file reads CUDA's headers first, and with them those of C and the system,
//! even if the user's file does not include them. A variable of the user named `M_PI` would become a number
//! there.

/// Macros that belong to no family of names.
const SINGLE: &[&str] = &[
    "BIG_ENDIAN",
    "BUFSIZ",
    "BYTE_ORDER",
    "CHAR_BIT",
    "CSIGNAL",
    "CUDARTAPI",
    "CUDARTAPI_CDECL",
    "DECIMAL_DIG",
    "HUGE_VAL",
    "HUGE_VALF",
    "HUGE_VALL",
    "INFINITY",
    "LITTLE_ENDIAN",
    "LONG_BIT",
    "L_ctermid",
    "L_cuserid",
    "L_tmpnam",
    "MAXFLOAT",
    "MAX_CANON",
    "MAX_INPUT",
    "NAN",
    "NFDBITS",
    "NULL",
    "NZERO",
    "PDP_ENDIAN",
    "PIPE_BUF",
    "P_tmpdir",
    "SNAN",
    "SNANF",
    "SNANL",
    "TIMER_ABSTIME",
    "TIME_UTC",
    "UIO_MAXIOV",
    "WCONTINUED",
    "WEOF",
    "WEXITED",
    "WNOHANG",
    "WNOWAIT",
    "WORD_BIT",
    "WSTOPPED",
    "WUNTRACED",
    "errno",
    "i386",
    "linux",
    "math_errhandling",
    "sched_priority",
    "stderr",
    "stdin",
    "stdout",
    "unix",
];

/// Prefixes of other macros.
const PREFIXES: &[&str] = &[
    "ADJ_",
    "ATOMIC_",
    "BC_",
    "CLOCKS_",
    "CLOCK_",
    "CLONE_",
    "CLOSE_",
    "CPU_",
    "CUDART_",
    "CUDA_",
    "CU_",
    "DBL_",
    "EXIT_",
    "FD_",
    "FLT_",
    "FP_",
    "F_",
    "HUGE_VAL_",
    "LC_",
    "LDBL_",
    "L_",
    "MATH_",
    "MOD_",
    "M_",
    "NL_",
    "PTHREAD_",
    "RENAME_",
    "RWF_",
    "SCHED_",
    "SEEK_",
    "SNAN",
    "STA_",
    "STDERR_",
    "STDIN_",
    "STDOUT_",
];

/// Suffixes of other macros.
const SUFFIXES: &[&str] = &["_MAX", "_MIN", "_OK", "_WIDTH"];

/// True for a name that may be a macro without parameters where CUDA is compiled. It is also true for some
/// names that are not macros.
pub fn is_macro(name: &str) -> bool {
    let in_capitals = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    SINGLE.contains(&name)
        || PREFIXES.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(in_capitals))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || is_error(name)
}

/// True for the names of error numbers, such as `EINVAL` and `E2BIG`, and for other names of this form.
fn is_error(name: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    name.strip_prefix('E').is_some_and(|rest| rest.len() > 1 && rest.chars().all(is_capital))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_headers_take() {
        for name in
            ["M_PI", "M_2_PIf32x", "INT_MAX", "UINT8_WIDTH", "EINVAL", "E2BIG", "CUDART_VERSION", "linux"]
        {
            assert!(is_macro(name), "{name}");
        }
        for name in ["E", "EX", "Energy", "F_new", "A", "TMAX", "N_x", "NULLS", "M_"] {
            assert!(!is_macro(name), "{name}");
        }
    }
}
