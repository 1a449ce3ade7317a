//! `__attribute__((optimize("…")))` and `#pragma GCC optimize("…")` that let a program mean something else.

use crate::clang::Token;
use crate::errors::{ATTRIBUTE, Fault, Faults};

/// What they may say by which memory is shared or overflow is defined where the translation rests on the opposite.
const MEANINGS: [&str; 5] = ["no-strict-aliasing", "wrapv", "wrapv-pointer", "trapv", "no-strict-overflow"];

/// Refuses a file that has one: for which functions it holds is not known.
pub fn check(tokens: &[Token], faults: &mut Faults) {
    for (position, token) in tokens.iter().enumerate() {
        let is_named = ["optimize", "__optimize__"].contains(&token.text.as_str());
        let arguments = tokens[position + 1..].iter();
        let arguments =
            arguments.take_while(|token| ["(", ","].contains(&token.text.as_str()) || is_string(token));
        let Some(option) = arguments.filter(|_| is_named).find_map(|token| meaning(&token.text)) else {
            continue;
        };
        let message = format!("`{}(\"{option}\")` changes what the program means", token.text);
        let label = "the translation assumes the opposite";
        let help = "leave it out, or move the functions that need it to a file that is not translated";
        faults.push(Fault::new(ATTRIBUTE, message, token.range, label).with_help(help));
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
