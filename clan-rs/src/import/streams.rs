//! Streams of C's library that lead to memory instead of a file.
//!
//! `fprintf(f, …)` changes no number of the program, unless `f` was made by `fmemopen`, writes into a buffer that
//! `setvbuf` gave it, or leads to a file that is mapped into memory. Who gets a stream from elsewhere does not know.

use crate::c::clang::{Cursor, Unit};
use crate::c::ctree::{Expr, ExprKind, Lifetime, Tree, VariableId};

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

/// Those that give one that leads to a file, or to another process.
const OPENING: [&str; 6] = ["fopen", "fopen64", "freopen", "fdopen", "tmpfile", "popen"];

/// The streams that every program has.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// True if the user's files name such a function.
pub fn may_lead_to_memory(unit: &Unit) -> bool {
    unit.files_of_user().into_iter().any(|file| {
        let words = unit.contents(file).split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        words.into_iter().any(|word| TO_MEMORY.iter().any(|name| name.as_bytes() == word))
    })
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

/// True for a stream that certainly leads to a file: one of the standard ones, or a variable of a function that only
/// `fopen` and its like give a value.
pub fn leads_to_a_file(tree: &Tree, stream: &Expr) -> bool {
    let Some(id) = stream.without_casts().as_variable() else { return false };
    let variable = tree.variable(id);
    !tree.has_streams_to_memory
        && match variable.lifetime {
            Lifetime::Static => STANDARD.contains(&variable.name.as_str()),
            Lifetime::Automatic => is_only_opened(tree, id),
            Lifetime::Parameter => false,
        }
}

fn is_only_opened(tree: &Tree, id: VariableId) -> bool {
    let mut only = tree.variable(id).initial.as_ref().is_none_or(opens);
    for function in &tree.functions {
        function.body.walk_expressions(tree, &mut |expr| match &expr.kind {
            ExprKind::Assign { target, value, .. } if target.as_variable() == Some(id) => {
                only &= opens(value)
            }
            ExprKind::AddressOf(operand) if operand.as_variable() == Some(id) => only = false,
            _ => {}
        });
    }
    only
}

fn opens(value: &Expr) -> bool {
    match &value.without_casts().kind {
        ExprKind::Call { callee: Some(callee), .. } => {
            OPENING.contains(&callee.name.as_str()) && !callee.of_user
        }
        ExprKind::Integer(value) => *value == 0,
        _ => false,
    }
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
