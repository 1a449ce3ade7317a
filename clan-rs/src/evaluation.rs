//! Constants that are something else when a compiler computes them than when the program does.
//!
//! `std::is_constant_evaluated` and `if consteval` ask who computes, and libclang's answer is that the program does.
//! `__PRETTY_FUNCTION__` is another text for clang than for the compiler that builds the program. Compilers do not
//! agree on the size of every class. A constant that such a question decides is a variable to the translation, which
//! takes its value from the program.

use std::collections::HashSet;

use crate::clang::Cursor;
use crate::cxx;
use crate::macros;

/// Those that ask.
const QUESTIONS: [&str; 3] =
    ["is_constant_evaluated", "__is_constant_evaluated", "__builtin_is_constant_evaluated"];

/// True if the value of an expression may depend on who computes it.
pub fn depends(expr: Cursor) -> bool {
    let mut seen = HashSet::new();
    let mut unread = vec![expr];
    while let Some(code) = unread.pop() {
        if code.measures().into_iter().any(cxx::measures_class) {
            return true;
        }
        for function in code.functions_below() {
            if QUESTIONS.contains(&function.spelling().as_str()) {
                return true;
            }
            // Those of C++'s library ask as well, and compute the same.
            if function.declaration().is_of_language() || !seen.insert(function.declaration().identity()) {
                continue;
            }
            let Some(body) = function.definition() else { continue };
            if macros::peculiar_word(body).is_some() || body.words().iter().any(|word| word == "consteval") {
                return true;
            }
            unread.push(body);
        }
    }
    false
}
