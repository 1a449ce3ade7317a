//! The command line.

pub mod compiler_flags;
pub mod rule;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use tool::{Messages, OutputFormat, Verification};

use crate::options::compiler_flags::CompilerFlags;

/// Extracts the loops between `#pragma scop` and `#pragma endscop` of a C file
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(name = "clan-rs", version, max_term_width = 100, after_help = format!("{}\n\n{}", compiler_flags::HELP, tool::EXPLAIN_HELP))]
pub struct Options {
    /// The C file, or a C++ file (.cpp, .cc, .cxx, .C) whose regions are valid C
    pub file: PathBuf,
    /// The flags of compilers.
    #[arg(skip)]
    pub flags: CompilerFlags,
    /// The compiler that builds the program, with its options; by default `gcc` or `g++`. It is asked for its
    /// predefined macros (`__GNUC__`, `__AVX2__`) if the file uses any
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub compiler: Option<String>,
    /// Also find loops to translate outside marked regions, and give the reason for each loop that is left
    #[arg(long)]
    pub autoscop: bool,
    /// Leave out regions that cannot be translated, with a warning; they stay C
    #[arg(long)]
    pub keep_going: bool,
    /// Promise that no other host thread uses the arrays of a region while it runs, nor between regions while they are
    /// resident on the device. Without this promise, if the program may have threads, only elements that regions
    /// certainly use are transferred back
    #[arg(long)]
    pub no_host_threads: bool,
    /// A file of wishes for tiles, blocks, memories, layouts and transfers, which later tools answer
    #[arg(long, value_name = "FILE")]
    pub wishes: Option<PathBuf>,
    /// What functions of another file do with memory, as `--effects-to` wrote it; may be given several times
    #[arg(long, value_name = "FILE")]
    pub effects: Vec<PathBuf>,
    /// Also write what the functions of this file do with memory of their callers. A file without regions is then no
    /// error
    #[arg(long, value_name = "FILE")]
    pub effects_to: Option<PathBuf>,
    /// The file to write; by default, or with `-`, standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How the document is written
    #[command(flatten)]
    pub format: OutputFormat,
    /// Whether the document is verified
    #[command(flatten)]
    pub verification: Verification,
    /// The form of messages
    #[command(flatten)]
    pub messages: Messages,
}

impl Options {
    /// Parses the command line.
    ///
    /// # Errors
    /// Returns the exit code if the command line is wrong or only asks for a text, such as the help.
    pub fn from_command_line() -> Result<Self, ExitCode> {
        Self::from_arguments(std::env::args_os().collect())
    }

    fn from_arguments(arguments: Vec<OsString>) -> Result<Self, ExitCode> {
        let (flags, rest) = CompilerFlags::split(arguments).map_err(|message| {
            tool::misused(&Self::command().error(ErrorKind::MissingRequiredArgument, message))
        })?;
        let options = Self { flags, ..tool::command_line_from(&rest)? };
        if options.compiler.as_deref().is_some_and(|command| compiler_flags::words(command).is_none()) {
            let message = "the command of --compiler has an unclosed quote";
            return Err(tool::misused(&Self::command().error(ErrorKind::ValueValidation, message)));
        }
        if options.overwrites_the_source() {
            let message = "the output would overwrite the source: name another file";
            return Err(tool::misused(&Self::command().error(ErrorKind::ArgumentConflict, message)));
        }
        Ok(options)
    }

    fn overwrites_the_source(&self) -> bool {
        let place = |path: &Path| path.canonicalize().ok();
        let rule = self.flags.rule.as_ref().and_then(|rule| rule.file.as_deref());
        let outputs = self.output.as_deref().into_iter().chain(rule).chain(self.effects_to.as_deref());
        outputs.filter_map(place).any(|output| place(&self.file) == Some(output))
    }

    /// Returns the default options for a file.
    pub fn for_file(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            flags: CompilerFlags::default(),
            compiler: None,
            autoscop: false,
            keep_going: false,
            no_host_threads: false,
            wishes: None,
            effects: Vec::new(),
            effects_to: None,
            output: None,
            format: OutputFormat::default(),
            verification: Verification::default(),
            messages: Messages::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Options {
        Options::from_arguments(["clan-rs"].iter().chain(arguments).map(OsString::from).collect()).unwrap()
    }

    #[test]
    fn flags_are_those_of_c_compilers() {
        let flags = ["-Ia", "-Ib", "-UN", "-DN", "-DM=2", "-std=c99"].map(OsString::from).to_vec();
        let expected = Options {
            flags: CompilerFlags { language: flags, ..CompilerFlags::default() },
            output: Some("out.json".into()),
            ..Options::for_file("f.c")
        };
        let glued = ["-Ia", "-Ib", "-UN", "-DN", "-DM=2", "-std=c99", "-oout.json", "f.c"];
        let apart = [
            "f.c", "-I", "a", "-I", "b", "-U", "N", "-D", "N", "-D", "M=2", "--std", "c99", "-o", "out.json",
        ];
        assert_eq!(options(&glued), expected);
        assert_eq!(options(&apart), expected);
    }
}
