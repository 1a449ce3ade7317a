//! `--explain CODE`: explains a message.
//!
//! The texts are those of `docs/messages.md`. Every tool has all of them, so each can explain the messages of the
//! others.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::output;

/// The exit code that clap uses for a wrong command line.
const WRONG_COMMAND_LINE: u8 = 2;

const MESSAGES: &str = include_str!("../../../docs/messages.md");

/// The description of this option in the help of each tool.
pub const HELP: &str =
    "Messages:\n      --explain <CODE>  Explain a message such as E0120, and what to do about it";

/// Explains a message if the command line asks for nothing else. If the tool has an option of the same name, the
/// argument must look like a code.
pub fn explain_if_asked(arguments: &[OsString], is_option: bool) -> Option<ExitCode> {
    let code = match arguments {
        [_, option, code] if option == "--explain" => code.to_string_lossy(),
        [_, option] => option.to_str()?.strip_prefix("--explain=")?.into(),
        _ => return None,
    };
    if is_option && !looks_like_code(&code) {
        return None;
    }
    Some(print(&code))
}

fn looks_like_code(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && text.len() == 5
        && letters.all(|letter| letter.is_ascii_digit())
}

fn print(code: &str) -> ExitCode {
    let Some(text) = explanation(code) else {
        eprintln!(
            "error: there is no message `{code}`; codes look like E0120, and docs/messages.md has all of them"
        );
        return ExitCode::from(WRONG_COMMAND_LINE);
    };
    output::print(&format!("{text}\n"))
}

/// Returns the title and the text for a code, whose letter may be lower case.
pub fn explanation(code: &str) -> Option<String> {
    let wanted = code.trim().to_ascii_uppercase();
    let (title, text) = sections().find(|(title, _)| title.split(':').next() == Some(&wanted))?;
    Some(format!("{title}\n\n{}", text.trim()))
}

/// Returns the sections of all codes, each as its title and the text after it.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = MESSAGES.split("\n## ").skip(1);
    sections.map(|section| {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        (title, text.split("\n# ").next().unwrap_or(text))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Finds the source files of all tools and libraries, without their tests.
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !["target", "tests", ".git"].contains(&name.as_str()) {
                sources(&path, found);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                found.push(path);
            }
        }
    }

    /// Collects the codes that a text contains as strings, such as `"E0120"`, outside its tests.
    fn codes_in(text: &str, codes: &mut BTreeSet<String>) {
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        for word in text.split('"') {
            let digits = word.strip_prefix(['E', 'W', 'B']).unwrap_or_default();
            if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                codes.insert(word.to_owned());
            }
        }
    }

    #[test]
    fn every_code_has_an_explanation_and_every_explanation_a_code() {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), &mut files);
        let mut used = BTreeSet::new();
        for file in files {
            codes_in(&fs::read_to_string(file).unwrap(), &mut used);
        }
        let explained: BTreeSet<String> =
            sections().map(|(title, _)| title.split(':').next().unwrap().to_owned()).collect();
        assert!(used.len() > 40, "{used:?}");
        assert_eq!(used.difference(&explained).collect::<Vec<_>>(), Vec::<&String>::new(), "lack a section");
        assert_eq!(
            explained.difference(&used).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "are used nowhere"
        );
    }

    #[test]
    fn every_explanation_has_a_title_and_a_way_out_and_occurs_once() {
        let mut seen = BTreeSet::new();
        for (title, text) in sections() {
            let (code, words) = title.split_once(": ").expect(title);
            assert!(seen.insert(code), "{code} is there twice");
            assert!(!words.is_empty() && text.contains("out: "), "{title} has no way out");
        }
    }

    #[test]
    fn explanations_end_where_the_next_begins() {
        let text = explanation("e0162").unwrap();
        assert!(text.starts_with("E0162: elements that may not exist\n\nWhat a region"), "{text}");
        assert!(text.ends_with("bounds of the loop."), "{text}");
        assert!(!explanation("W0164").unwrap().contains("candl-rs\n"));
        assert_eq!(explanation("E9999"), None);
    }
}
