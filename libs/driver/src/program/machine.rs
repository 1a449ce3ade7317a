//! Chooses where a program runs.

use std::path::PathBuf;

use crate::command_line::Machine;
use crate::job::Job;
use crate::plan::{Run, Target};
use crate::process::is_executable;
use crate::stop::{Or, Stop};
use crate::tools::{is_unset, on_path};

/// A place where a program can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The GPU; the path is that of nvcc.
    Gpu(PathBuf),
    /// The CPU.
    Cpu,
    /// The CPU, with every memory access checked.
    Check,
    /// The CPU, with a profile of memory traffic.
    Profile,
}

/// Chooses the place that the user asks for; otherwise the GPU, if there is one and nvcc is installed, or the CPU.
pub fn choose(job: Job<'_>, run: &Run) -> Or<Place> {
    let say = |words: &str| job.processes.talk.say(words);
    match run.machine {
        Some(Target::On(Machine::Cpu)) => Ok(Place::Cpu),
        Some(Target::On(Machine::Check)) => Ok(Place::Check),
        Some(Target::Profile) => Ok(Place::Profile),
        Some(Target::On(Machine::Gpu)) => find_nvcc(job)
            .map(Place::Gpu)
            .ok_or_else(|| Stop::failed("--on gpu needs nvcc: install it by 'scripts/setup --with-nvcc'")),
        None => match (find_gpu(job)?, find_nvcc(job)) {
            (None, _) => {
                say("running on the CPU, because nvidia-smi finds no GPU");
                Ok(Place::Cpu)
            }
            (Some(_), None) => {
                say("running on the CPU, because there is no nvcc ('scripts/setup --with-nvcc' installs it)");
                Ok(Place::Cpu)
            }
            (Some(gpu), Some(nvcc)) => {
                say(&format!("running on the GPU ({gpu})"));
                Ok(Place::Gpu(nvcc))
            }
        },
    }
}

/// Returns the name of the first GPU.
fn find_gpu(job: Job<'_>) -> Or<Option<String>> {
    if on_path("nvidia-smi").is_none() {
        return Ok(None);
    }
    let command = job.processes.command(["nvidia-smi", "-L"]);
    let listed = job.processes.output(command, &job.work.join("gpus.txt"))?;
    Ok(listed.as_deref().and_then(first_gpu))
}

/// Returns the name in `GPU 0: NAME (UUID: ...)`.
fn first_gpu(listed: &str) -> Option<String> {
    let line = listed.lines().find(|line| line.starts_with("GPU"))?;
    let (name, _) = line.split_once(": ")?.1.rsplit_once(" (UUID")?;
    Some(name.to_owned()).filter(|name| !name.is_empty())
}

fn find_nvcc(job: Job<'_>) -> Option<PathBuf> {
    let home = match is_unset("CUDA_HOME") {
        true => PathBuf::from("/usr/local/cuda"),
        false => std::env::var_os("CUDA_HOME")?.into(),
    };
    let installed = [home.join("bin/nvcc"), job.tools.root.join("target/tools/nvcc/bin/nvcc")];
    on_path("nvcc").into_iter().chain(installed).find(|path| is_executable(path))
}

#[cfg(test)]
mod tests {
    use super::first_gpu;

    #[test]
    fn the_first_gpu_is_named() {
        let listed = "GPU 0: NVIDIA H200 (UUID: GPU-0)\nGPU 1: NVIDIA A2 (UUID: GPU-1)\n";
        assert_eq!(first_gpu(listed).as_deref(), Some("NVIDIA H200"));
        assert_eq!(first_gpu("No devices found.\n"), None);
    }
}
