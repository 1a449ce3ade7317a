//! `__attribute__((optimize("…")))` and `#pragma GCC optimize("…")` that let a program mean something else.

use scop::Diagnostic;

use crate::c::clang::{Token, Unit};
use crate::errors::{ATTRIBUTE, Fault};

/// What they may say by which memory is shared or overflow is defined where the translation rests on the opposite.
const MEANINGS: [&str; 5] = ["no-strict-aliasing", "wrapv", "wrapv-pointer", "trapv", "no-strict-overflow"];

/// Refuses a file that has one, or includes a header of the user's that has one: for which functions it holds is not
/// known.
pub fn check(unit: &Unit) -> Vec<Fault> {
    let mut faults = Vec::new();
    for file in unit.files_of_user() {
        let tokens = unit.tokens_of(file);
        let found = tokens.iter().enumerate().filter_map(|(position, token)| {
            Some((token, option_of_pragma(token).or_else(|| option_after(token, &tokens[position + 1..]))?))
        });
        faults.extend(found.map(|(token, option)| refused(unit, file, token, option)));
    }
    faults
}

/// The option that `optimize` names in an attribute or a directive.
fn option_after(token: &Token, rest: &[Token]) -> Option<&'static str> {
    if !["optimize", "__optimize__"].contains(&token.text.as_str()) {
        return None;
    }
    let in_parentheses = rest.first().is_some_and(|first| first.text == "(");
    let mut arguments = rest
        .iter()
        .take_while(
            |other| if in_parentheses { other.text != ")" } else { other.range.line == token.range.line },
        )
        .filter(|other| is_string(other));
    arguments.find_map(|token| meaning(&token.text))
}

/// The option in `_Pragma("GCC optimize(\"wrapv\")")`.
fn option_of_pragma(token: &Token) -> Option<&'static str> {
    let (_, options) = token.text.split_once("GCC optimize").filter(|_| is_string(token))?;
    options.split('"').find_map(|text| meaning(text.trim_end_matches('\\')))
}

fn refused(unit: &Unit, file: usize, token: &Token, option: &str) -> Fault {
    let help = "leave it out, or move the functions that need it to a file that is not translated";
    match unit.in_main_file(file, token.range) {
        Some(range) => {
            let message = format!("`optimize(\"{option}\")` changes what the program means");
            Fault::new(ATTRIBUTE, message, range, "the translation assumes the opposite").with_help(help)
        }
        None => {
            let (header, line) = (unit.name_of(file), token.range.line);
            let message = format!(
                "`optimize(\"{option}\")` on line {line} of {} changes what the program means",
                header.to_string_lossy()
            );
            Fault(Box::new(Diagnostic::error(ATTRIBUTE, message).with_help(help)))
        }
    }
}

fn is_string(token: &Token) -> bool {
    token.text.starts_with('"')
}

/// The option in a string such as `"O2,no-strict-aliasing"` that changes a meaning.
fn meaning(text: &str) -> Option<&'static str> {
    let mut options = text.trim_matches('"').split(',').map(|option| option.trim().trim_start_matches("-f"));
    options.find_map(|option| MEANINGS.into_iter().find(|meaning| *meaning == option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_strings() {
        assert_eq!(meaning("\"O2, -fno-strict-aliasing\""), Some("no-strict-aliasing"));
        assert_eq!(meaning("\"wrapv\""), Some("wrapv"));
        assert_eq!(meaning("\"O3,unroll-loops,strict-aliasing\""), None);
    }
}
