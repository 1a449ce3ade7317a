//! The command line of `gpu-predict`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Parser;
use gpu::counts::profile;
use gpu::target::{Gpu, read_gpu};
use scop::{Diagnostic, Diagnostics, Outcome, Program, Scanned, allowance};
use tool::Io;

use crate::{Loads, NAME, predict};

/// Predicts what a translated program does on a GPU, without running it: a profile that `gpu-time` prices.
#[derive(Debug, Parser)]
#[command(name = "gpu-predict", version, after_help = tool::EXPLAIN_HELP)]
pub struct CommandLine {
    /// The document, which cloog-rs wrote.
    #[command(flatten)]
    pub io: Io,

    /// The GPU, as in the folder `targets`.
    #[arg(long, value_name = "FILE")]
    target: PathBuf,

    /// The values of parameters.
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',', value_parser = assumption)]
    assume: Vec<(String, i64)>,

    /// Which loads count
    #[arg(long, value_enum, default_value_t = Loads::Compiled)]
    loads: Loads,
}

fn assumption(text: &str) -> Result<(String, i64), String> {
    let wrong = || "it must be the name of a parameter and a number, as in n=4096".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name.trim().to_owned(), value.trim().parse().map_err(|_| wrong())?))
}

impl CommandLine {
    /// Predicts, and returns the profile as text.
    ///
    /// # Errors
    /// Fails if the target cannot be read, and as [`predict`] does.
    pub fn run(&self, program: &Program<Scanned>) -> Result<Outcome<String>, Diagnostics> {
        let gpu = target(&self.target)?;
        let values: BTreeMap<String, i64> = self.assume.iter().cloned().collect();
        // The time limit of all tools is one for compilers; here the effort bounds the work.
        allowance::end();
        let Outcome { value, diagnostics } = predict(program, &values, &gpu, self.loads)?;
        let text = profile::write(&value).map_err(|error| Diagnostic::bug(NAME, error.to_string()))?;
        Ok(Outcome { value: text + "\n", diagnostics })
    }
}

fn target(path: &Path) -> Result<Gpu, Diagnostics> {
    let wrong = |why: String| {
        Diagnostic::error("E0401", format!("the target file `{}` {why}", path.display()))
            .with_help("see the files in the folder `targets`")
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    Ok(read_gpu(&text).map_err(|error| wrong(format!("is wrong: {error}")))?)
}
