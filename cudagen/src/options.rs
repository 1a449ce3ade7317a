//! The command line.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use scop::{Diagnostic, Diagnostics, Outcome, Program, Scanned};
use tool::{Messages, OutputFile, Verification};

use crate::print::target::Target;

/// Generates CUDA or HIP from a loop program, and rewrites the C source to call it.
#[derive(Debug, Clone, Parser)]
#[command(version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    /// The document to read; by default, or with `-`, standard input
    pub input: Option<PathBuf>,

    /// The folder for NAME_host.c, NAME_gpu.cu (or NAME_gpu.hip) and NAME_gpu.h; it is created if necessary
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub output: PathBuf,

    /// The C source, if it is no longer at the path that the document names
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,

    /// The language of kernels and of the functions that launch them
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t)]
    pub target: Target,

    /// Generate a program that runs each region twice, in C and on the device, and compares the results
    #[arg(long)]
    pub verify: bool,

    /// Leave out regions for which no kernels can be generated, with a warning; they stay C
    #[arg(long)]
    pub keep_going: bool,

    /// Whether the document is verified.
    #[command(flatten)]
    pub verification: Verification,

    /// The form of messages.
    #[command(flatten)]
    pub messages: Messages,
}

impl CommandLine {
    /// Reads the source and generates the files of a program.
    ///
    /// # Errors
    ///
    /// Fails as [`crate::run`] does. Also returns `E0604` if the source cannot be read, and `E0607` if a file of
    /// another kind or of another source already has the name of a generated file.
    pub fn files(&self, program: Program<Scanned>) -> Result<Outcome<Vec<OutputFile>>, Diagnostics> {
        let path = self.source.clone().unwrap_or_else(|| PathBuf::from(&program.source.path));
        let source = fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        let outcome = crate::run(program, &source, self.target, self.verify)?;
        let generated = outcome.value;
        let (name, extension) = (&generated.name, &generated.extension);
        let file =
            |end: &str, contents| OutputFile { path: self.output.join(format!("{name}{end}")), contents };
        let files = vec![
            file(&format!("_host.{extension}"), generated.host),
            file(&format!("_gpu.{}", self.target.extension()), generated.kernels.into_bytes()),
            file("_gpu.h", generated.header.into_bytes()),
        ];
        files.iter().try_for_each(check_earlier)?;
        Ok(Outcome { value: files, diagnostics: outcome.diagnostics })
    }
}

/// Checks that a file would replace only a file generated from the same source, as its first line says.
fn check_earlier(file: &OutputFile) -> Result<(), Diagnostics> {
    let first = |text: &[u8]| text.split(|byte| *byte == b'\n').next().unwrap_or_default().to_vec();
    match fs::read(&file.path) {
        Ok(earlier) if !earlier.is_empty() && first(&earlier) != first(&file.contents) => {
            let message = format!("{} exists, and was not generated from this source", file.path.display());
            Err(Diagnostic::error("E0607", message)
                .with_help("rename or remove it, or write to another folder with `-o`")
                .into())
        }
        _ => Ok(()),
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error("E0604", format!("cannot read {}: {error}", path.display()))
        .with_help("`--source FILE` says where the C source is now")
}
