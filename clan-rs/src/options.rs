//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

/// Extracts the loops between `#pragma scop` and `#pragma endscop` of a C file
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "clan-rs", version, max_term_width = 100)]
pub struct Options {
    /// The C file
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
    /// The version of C, such as c99 or gnu17; `-std=c99` is understood as well
    #[arg(long = "std", value_name = "VERSION")]
    pub standard: Option<OsString>,
    /// The file to write; `-` or nothing means the standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl Options {
    /// The options of a command line. Wrong ones end the program.
    pub fn from_command_line() -> Self {
        Self::parse_from(std::env::args_os().map(two_dashes))
    }

    /// The options for a file alone.
    pub fn for_file(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            include: Vec::new(),
            define: Vec::new(),
            undefine: Vec::new(),
            standard: None,
            output: None,
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
