//! `gpu-sass`: what the warps of a program execute on a GPU; see [`gpu::sass`].

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use gpu::counts::profile;
use gpu::sass::{self, Listing};
use gpu::target;

/// Counts the instructions that warps execute, by class, from nvdisasm's listing and cudasim's profile.
///
/// The listing has what these print, one after the other: `cuobjdump -res-usage x.cubin`, which tells registers and
/// shared memory and may be missing, and `nvdisasm -gi -c x.cubin`. The cubin comes from `nvcc -lineinfo -cubin`. The
/// profile is that of the same source, compiled with `cudasim-cc --profile` and run with CUDASIM_PROFILE=FILE.
///
/// Exit status: 0 the instructions are printed, 1 a file cannot be read or used, 2 wrong command line, 3 a bug.
#[derive(Parser)]
#[command(version)]
struct CommandLine {
    /// The listing of the instructions.
    #[arg(long, value_name = "FILE")]
    cubin_listing: PathBuf,
    /// The profile of a run.
    #[arg(long, value_name = "FILE")]
    profile: PathBuf,
    /// The GPU, as in the folder `targets`: how long a warp waits for each result.
    #[arg(long, value_name = "FILE")]
    target: PathBuf,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match printed(&CommandLine::parse()) {
        Ok(text) => {
            use std::io::Write;
            // A reader that has seen enough is no failure.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err((code, message)) => {
            eprintln!("gpu-sass: {message}");
            ExitCode::from(code)
        }
    }
}

/// Returns what to print, or the exit status and a message.
fn printed(command_line: &CommandLine) -> Result<String, (u8, String)> {
    let named = |path: &Path, error: &dyn std::fmt::Display| (1, format!("{}: {error}", path.display()));
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| named(path, &error));
    let CommandLine { cubin_listing: listing, profile, target, .. } = command_line;
    let gpu = target::read_gpu(&read(target)?).map_err(|error| named(target, &error))?;
    let listing = Listing::parse(&read(listing)?).map_err(|error| named(listing, &error))?;
    let counts = profile::read(&read(profile)?).map_err(|error| named(profile, &error))?;
    let work = sass::work(&listing, &counts, &gpu.rates)
        .map_err(|error| (3, format!("{error}; this is a bug in gpu-sass")))?;
    for name in &work.missing {
        eprintln!("gpu-sass: warning: the listing has no kernel '{name}'");
    }
    if work.kernels.is_empty() {
        return Err(named(profile, &"the listing has none of its kernels"));
    }
    if command_line.json {
        let json = serde_json::to_string_pretty(&work.kernels).map_err(|error| (3, error.to_string()))?;
        return Ok(json + "\n");
    }
    Ok(sass::tables(&work.kernels))
}
