//! The command line of `gpu-predict`.

use std::path::PathBuf;

use clap::Parser;
use gpu::counts::profile;
use gpu::target::read_gpu;
use scop::{Diagnostic, Diagnostics, Outcome, Program, Scanned, allowance};
use tool::{Io, Sizes};

use crate::{Loads, NAME, Offload, predict};

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

    #[command(flatten)]
    sizes: Sizes,

    /// Which loads count
    #[arg(long, value_enum, default_value_t = Loads::Compiled)]
    loads: Loads,

    /// Where regions run for which the program chooses host or device at run time
    #[arg(long, value_enum, default_value_t = Offload::BySize)]
    offload: Offload,
}

impl CommandLine {
    /// Predicts, and returns the profile as text.
    ///
    /// # Errors
    /// Fails if the target cannot be read, and as [`predict`] does.
    pub fn run(&self, program: &Program<Scanned>) -> Result<Outcome<String>, Diagnostics> {
        let gpu = tool::target(&self.target, read_gpu)?;
        let values = self.sizes.values()?;
        // The time limit of all tools is one for compilers; here the effort bounds the work.
        allowance::end();
        let Outcome { value, diagnostics } = predict(program, &values, &gpu, (self.loads, self.offload))?;
        let text = profile::write(&value).map_err(|error| Diagnostic::bug(NAME, error.to_string()))?;
        Ok(Outcome { value: text + "\n", diagnostics })
    }
}
