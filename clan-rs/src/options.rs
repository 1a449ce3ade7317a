//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use tool::{OutputFormat, Verification};

/// Extracts the loops between `#pragma scop` and `#pragma endscop` of a C file, or all that it can
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "clan-rs", version, max_term_width = 100, after_help = tool::EXPLAIN_HELP)]
pub struct Options {
    /// The C file, or a C++ file (.cpp, .cc, .cxx, .C) whose regions could be C
    pub file: PathBuf,
    /// Look for headers in this directory as well
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<OsString>,
    /// Define a macro, as 1 unless a value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<OsString>,
    /// The version of C or C++, such as c99, gnu17 or c++20; `-std=c99` is understood as well
    #[arg(long = "std", value_name = "VERSION")]
    pub standard: Option<OsString>,
    /// Find loops to translate outside of the marked regions as well, and say why others are left
    #[arg(long)]
    pub autoscop: bool,
    /// The file to write; `-` or nothing means the standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How the document is written
    #[command(flatten)]
    pub format: OutputFormat,
    /// Whether the document is verified
    #[command(flatten)]
    pub verification: Verification,
}

impl Options {
    /// The options of a command line. Wrong ones end the program.
    pub fn from_command_line() -> Self {
        let options = Self::parse_from(std::env::args_os().map(two_dashes));
        if options.overwrites_the_source() {
            let message = "the output would overwrite the source: name another file";
            Self::command().error(ErrorKind::ArgumentConflict, message).exit()
        }
        options
    }

    fn overwrites_the_source(&self) -> bool {
        let place = |path: &Path| path.canonicalize().ok();
        self.output.as_deref().and_then(place).is_some_and(|output| place(&self.file) == Some(output))
    }

    /// The options for a file alone.
    pub fn for_file(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            include: Vec::new(),
            define: Vec::new(),
            undefine: Vec::new(),
            standard: None,
            autoscop: false,
            output: None,
            format: OutputFormat::default(),
            verification: Verification::default(),
        }
    }
}

/// C compilers write `-std=c99`.
fn two_dashes(argument: OsString) -> OsString {
    match argument.to_str().and_then(|text| text.strip_prefix("-std=")) {
        Some(version) => OsString::from(format!("--std={version}")),
        None => argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Options {
        let all = ["clan-rs"].iter().chain(arguments).map(|argument| two_dashes(argument.into()));
        Options::try_parse_from(all).unwrap()
    }

    #[test]
    fn flags_are_those_of_c_compilers() {
        let expected = Options {
            include: vec!["a".into(), "b".into()],
            define: vec!["N".into(), "M=2".into()],
            undefine: vec!["X".into()],
            standard: Some("c99".into()),
            output: Some("out.json".into()),
            ..Options::for_file("f.c")
        };
        let glued = ["-Ia", "-Ib", "-DN", "-DM=2", "-UX", "-std=c99", "-oout.json", "f.c"];
        let apart = [
            "f.c", "-I", "a", "-I", "b", "-D", "N", "-D", "M=2", "-U", "X", "--std", "c99", "-o", "out.json",
        ];
        assert_eq!(options(&glued), expected);
        assert_eq!(options(&apart), expected);
    }
}
