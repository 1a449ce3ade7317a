//! The rule for make: what is made from which files.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use tool::OutputFile;

use crate::options::Options;
use crate::options::compiler_flags::{Rule, quoted_for_make};

/// A file that clang read for a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Included {
    /// Its path, as clang found it.
    pub path: OsString,
    /// Whether it is a header of the system.
    pub system: bool,
}

/// The file with the rule, if the command line wants one. `included` begins with the source itself.
pub fn rule(options: &Options, included: &[Included]) -> Option<OutputFile> {
    let rule = options.flags.rule.as_ref()?;
    let (target, beside) = names(options);
    let targets =
        if rule.targets.is_empty() { &[quoted_for_make(target.as_os_str())][..] } else { &rule.targets };
    let path = rule.file.clone().unwrap_or(beside);
    Some(OutputFile { path, contents: text(rule, targets, included) })
}

/// The target if none is named, and the file for the rule: as compilers have it, beside the output.
fn names(options: &Options) -> (PathBuf, PathBuf) {
    match options.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(output) => (output.to_owned(), output.with_extension("d")),
        None => {
            let name = Path::new(options.file.file_name().unwrap_or_default());
            (name.with_extension("json"), name.with_extension("d"))
        }
    }
}

fn text(rule: &Rule, targets: &[OsString], included: &[Included]) -> Vec<u8> {
    let files: Vec<OsString> = included
        .iter()
        .filter(|file| rule.system || !file.system)
        .map(|file| quoted_for_make(&file.path))
        .collect();
    let mut text = targets.join(OsStr::new(" ")).into_vec();
    text.push(b':');
    for file in &files {
        text.extend(b" \\\n  ");
        text.extend(file.as_bytes());
    }
    text.push(b'\n');
    for file in files.iter().skip(1).filter(|_| rule.phony) {
        text.push(b'\n');
        text.extend(file.as_bytes());
        text.extend(b":\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_the_headers() {
        let file = |path: &str, system| Included { path: path.into(), system };
        let included = [file("my f.c", false), file("a.h", false), file("/usr/include/stdio.h", true)];
        let text = |rule: Rule| String::from_utf8(super::text(&rule, &["x y".into()], &included)).unwrap();
        let all = "x y: \\\n  my\\ f.c \\\n  a.h \\\n  /usr/include/stdio.h\n";
        assert_eq!(text(Rule { system: true, ..Rule::default() }), all);
        let own = "x y: \\\n  my\\ f.c \\\n  a.h\n\na.h:\n";
        assert_eq!(text(Rule { phony: true, ..Rule::default() }), own);
    }
}
