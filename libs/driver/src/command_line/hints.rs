//! Suggestions for options that do not exist.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::options;
use crate::stages::Stage;
use crate::stop::Stop;
use crate::words;

/// The least number of leading bytes, dashes included, that an option and a suggestion have in common.
const ALIKE: usize = 4;

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// It takes none.
    Nothing,
    /// It takes one after `=`, or none.
    Perhaps,
    /// It takes one.
    Value,
}

/// Returns whether an option of the driver takes a value, or `None` if it does not exist. `name` is without dashes.
pub fn takes_value(name: &str) -> Option<Takes> {
    let command = options::command();
    let mut all = command.get_arguments();
    let option = all.find(|option| {
        option.get_long() == Some(name) || option.get_all_aliases().is_some_and(|names| names.contains(&name))
    })?;
    Some(match option.get_action().takes_values() {
        true if option.is_require_equals_set() => Takes::Perhaps,
        true => Takes::Value,
        false => Takes::Nothing,
    })
}

/// Refuses an option that does not exist, with a suggestion if there is one.
pub fn unknown_option(word: &OsStr) -> Stop {
    let text = word.display();
    Stop::misused(format!("unknown option '{text}'{}", hint(word).unwrap_or_default()))
}

fn hint(word: &OsStr) -> Option<String> {
    let bytes = word.as_bytes();
    let name = bytes.split(|&byte| byte == b'=').next().unwrap_or_default();
    let tool = std::str::from_utf8(name).ok().and_then(Stage::with_option);
    if let Some(stage) = tool {
        let quoted = words::shown([words::joined("--", format!("{stage}-options")).as_os_str(), word]);
        return Some(format!("; it is an option of {stage}: pass it with {}", quoted.display()));
    }
    if bytes.len() < ALIKE {
        return None;
    }
    let known = known_options().into_iter().map(|known| (alike(&known, name), known));
    let best = known.filter(|(length, known)| *length >= ALIKE || known.as_bytes()[1..] == *bytes);
    let (_, known) =
        best.max_by_key(|(length, known)| (known.as_bytes()[1..] == *bytes, *length, Reverse(known.len())))?;
    Some(format!("; did you mean {known}?"))
}

fn known_options() -> Vec<String> {
    let command = options::command();
    let names = command.get_arguments().filter_map(|option| option.get_long());
    names.map(|name| format!("--{name}")).collect()
}

/// Returns the number of leading bytes that both have in common.
fn alike(known: &str, word: &[u8]) -> usize {
    known.bytes().zip(word).take_while(|(one, other)| one == *other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found() {
        for (word, expected) in [
            ("--kep", Some("; did you mean --keep?")),
            ("-keep", Some("; did you mean --keep?")),
            ("--tile-size=5", Some("; did you mean --tile-sizes?")),
            ("--shared", Some("; did you mean --shared-memory?")),
            ("--assume", Some("; it is an option of scheduler: pass it with --scheduler-options --assume")),
            (
                "--memories=a b",
                Some(
                    "; it is an option of gpulocalizer: pass it with --gpulocalizer-options '--memories=a b'",
                ),
            ),
            ("-Z", None),
            ("--x", None),
        ] {
            assert_eq!(hint(OsStr::new(word)).as_deref(), expected, "{word}");
        }
    }
}
