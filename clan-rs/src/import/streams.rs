//! Streams of C's library that lead to memory instead of a file.
//!
//! `fprintf(f, …)` changes no number of the program, unless `f` was made by `fmemopen`, writes into a buffer that
//! `setvbuf` gave it, or leads to a file that is mapped into memory. A stream from another file is taken to lead to no
//! array of a region.

use crate::c::clang::{Cursor, Unit};

/// Functions that give a stream, or what it leads to, a place in the program's memory, or let printing call functions
/// of the program.
const TO_MEMORY: [&str; 12] = [
    "fmemopen",
    "open_memstream",
    "fopencookie",
    "setvbuf",
    "setbuf",
    "setbuffer",
    "mmap",
    "mmap64",
    "shmat",
    "register_printf_function",
    "register_printf_specifier",
    "register_printf_modifier",
];

/// True if the user's files name such a function.
pub fn may_lead_to_memory(unit: &Unit) -> bool {
    unit.has_word_of_user(&TO_MEMORY)
}

/// True for a call of a function like `printf` with these arguments whose format may have `%n`, which writes.
pub fn may_count(function: &str, arguments: &[Cursor]) -> bool {
    let format = match function {
        "printf" => arguments.first(),
        "fprintf" => arguments.get(1),
        _ => return false,
    };
    let Some(format) = format else { return true };
    let literals = format.string_literals();
    literals.is_empty() || literals.iter().any(|literal| has_count(&literal.spelling()))
}

/// True if a format has a conversion `%n`, whatever stands between the two, or signs by their numbers, which may be
/// one.
fn has_count(format: &str) -> bool {
    if format.split('\\').skip(1).any(|after| after.starts_with(|c: char| c == 'x' || c.is_ascii_digit())) {
        return true;
    }
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let between = |c: char| c.is_ascii_digit() || "-+ #0.*'hlqjztLI$".contains(c);
        let conversion = after.trim_start_matches(between);
        if conversion.starts_with('n') {
            return true;
        }
        let mut after = conversion.chars();
        after.next();
        rest = after.as_str();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_write() {
        for format in ["%n", "step %d%hhn\\n", "%-3.2ln", "100%%%n", "\\x25n", "\\45n"] {
            assert!(has_count(format), "{format}");
        }
        for format in ["", "%d\\n", "100%% now", "%%n", "%5.2f %s %", "%lunits"] {
            assert!(!has_count(format), "{format}");
        }
    }
}
