//! The command line of `gpu-time`.

mod report;
mod table;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use crate::counts::profile::{self, Copies, Kernel, Profile};
use crate::counts::{Code, Transfers, Work, code, work};
use crate::sass::Listing;
use crate::target::{self, Gpu};
use crate::time::{HostMemory, Program, program_time};

/// Prices a program on a GPU: from what cudasim counted to microseconds, and what dominates them.
#[derive(Debug, Parser)]
#[command(name = "gpu-time", version)]
pub struct CommandLine {
    /// What cudasim wrote to the file that CUDASIM_PROFILE names, in its profile mode.
    profile: PathBuf,

    /// The GPU, as in the folder `targets`. It should be the one that cudasim simulated (CUDASIM_TARGET).
    #[arg(long, value_name = "FILE")]
    target: PathBuf,

    /// The kernels' instructions: what `cuobjdump -res-usage` and `nvdisasm -gi -c` print of a cubin that
    /// `nvcc -lineinfo` made from the same source, one after the other. Without it, instructions are estimated.
    #[arg(long, value_name = "FILE")]
    cubin_listing: Option<PathBuf>,

    /// The registers of a kernel's threads, if another compiler than the listing's determines them.
    #[arg(long, value_name = "KERNEL=NUMBER", value_parser = registers)]
    registers: Vec<(String, u64)>,

    /// Host memory is pinned. By default, transfers are priced as those of pageable memory.
    #[arg(long)]
    pinned: bool,

    /// The time of the code on the host, in microseconds.
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 0.0, value_parser = microseconds)]
    host: f64,

    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

fn microseconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("it must be a number of microseconds, at least 0".to_owned()),
    }
}

fn registers(text: &str) -> Result<(String, u64), String> {
    let parts =
        text.rsplit_once('=').and_then(|(kernel, number)| Some((kernel.to_owned(), number.parse().ok()?)));
    parts
        .filter(|(_, number)| *number > 0)
        .ok_or_else(|| "it must be a kernel's name, `=` and a positive number".to_owned())
}

impl CommandLine {
    /// Reads the files and returns the text to print.
    ///
    /// # Errors
    /// Fails if a file cannot be read or has the wrong content.
    pub fn report(&self) -> Result<String, Failure> {
        let gpu = read(&self.target, target::read_gpu)?;
        let profile = read(&self.profile, profile::read)?;
        let codes = self.codes(&profile, &gpu)?;
        let time = program_time(&self.program(&profile, &codes, &gpu), &gpu);
        let report = report::report(&profile, &gpu, &time);
        if self.json {
            let text =
                serde_json::to_string_pretty(&report).map_err(|error| Failure::Bug(error.to_string()))?;
            Ok(text + "\n")
        } else {
            Ok(table::table(&report))
        }
    }

    /// Returns the code of each kernel, as far as there is a listing that has it.
    fn codes(&self, profile: &Profile, gpu: &Gpu) -> Result<Vec<Option<Code>>, Failure> {
        let Some(listing) = &self.cubin_listing else { return Ok(vec![None; profile.kernels.len()]) };
        let listing = read(listing, Listing::parse)?;
        let code = |kernel| code(&listing, kernel, &gpu.rates);
        profile
            .kernels
            .iter()
            .map(code)
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::Bug(error.to_string()))
    }

    fn program(&self, profile: &Profile, codes: &[Option<Code>], gpu: &Gpu) -> Program {
        let Copies { host_to_device, device_to_host, device_to_device, fill } = profile.copies;
        let kernels = profile.kernels.iter().zip(codes);
        Program {
            kernels: kernels
                .map(|(kernel, code)| self.with_registers(kernel, work(kernel, code.as_ref(), &gpu.rates)))
                .collect(),
            transfers: sum(host_to_device, device_to_host),
            device_copies: sum(device_to_device, fill),
            memory: if self.pinned { HostMemory::Pinned } else { HostMemory::Pageable },
            host_microseconds: self.host,
        }
    }

    fn with_registers(&self, kernel: &Kernel, mut work: Work) -> Work {
        if let Some((_, number)) = self.registers.iter().find(|(name, _)| *name == kernel.name) {
            work.shape.registers = Some(*number);
        }
        work
    }
}

/// Why nothing is printed.
#[derive(Debug)]
pub enum Failure {
    /// A file cannot be read or has the wrong content.
    Input(String),
    /// A bug in this program.
    Bug(String),
}

impl Failure {
    /// Shows the message, and returns the exit status.
    pub fn exit(&self) -> ExitCode {
        match self {
            Self::Input(message) => {
                eprintln!("gpu-time: {message}");
                ExitCode::FAILURE
            }
            Self::Bug(message) => {
                eprintln!("gpu-time: {message}; this is a bug in gpu-time");
                ExitCode::from(3)
            }
        }
    }
}

fn sum(one: Transfers, other: Transfers) -> Transfers {
    Transfers { calls: one.calls + other.calls, bytes: one.bytes + other.bytes }
}

fn read<T, E: std::fmt::Display>(path: &Path, parse: impl Fn(&str) -> Result<T, E>) -> Result<T, Failure> {
    let text = fs::read_to_string(path).map_err(|error| unusable(path, &error))?;
    parse(&text).map_err(|error| unusable(path, &error))
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {error}", path.display()))
}

/// Prints a text. A reader that has closed the pipe is no error.
pub fn print(text: &str) -> ExitCode {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("gpu-time: the output cannot be written: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
