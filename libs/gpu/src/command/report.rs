//! What `gpu-time` says of a program.

use serde::Serialize;

use crate::counts::profile::{Kernel, Profile};
use crate::target::Gpu;
use crate::time::{Dominant, ProgramTime, Time, total};

/// What is printed.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    pub format: &'static str,
    pub version: u64,
    pub target: &'a str,
    pub microseconds: f64,
    pub dominant: Dominant,
    pub kernel_microseconds: f64,
    /// What launches add to the kernels' time: gaps, and the host's time where kernels are shorter.
    pub launch_microseconds: f64,
    pub transfer_microseconds: f64,
    pub host_microseconds: f64,
    pub kernels: Vec<KernelReport<'a>>,
    pub notes: Vec<String>,
}

/// A kernel with its time.
#[derive(Debug, Serialize)]
pub struct KernelReport<'a> {
    pub name: &'a str,
    pub file: &'a str,
    pub line: u64,
    pub launches: u64,
    pub blocks: u64,
    pub launch_microseconds: f64,
    #[serde(flatten)]
    pub time: &'a Time,
}

/// Makes the report of a profile.
pub fn report<'a>(profile: &'a Profile, gpu: &'a Gpu, time: &'a ProgramTime) -> Report<'a> {
    let of_kernel = |(kernel, time): (&'a Kernel, &'a Time)| KernelReport {
        name: &kernel.name,
        file: &kernel.file,
        line: kernel.line,
        launches: kernel.launches,
        blocks: kernel.blocks,
        launch_microseconds: launches(time),
        time,
    };
    Report {
        format: "gpu-time",
        version: 1,
        target: &gpu.target.name,
        microseconds: time.microseconds,
        dominant: time.dominant,
        kernel_microseconds: time.kernel_microseconds,
        launch_microseconds: total(time.kernels.iter().map(launches)),
        transfer_microseconds: time.transfer_microseconds,
        host_microseconds: time.host_microseconds,
        kernels: profile.kernels.iter().zip(&time.kernels).map(of_kernel).collect(),
        notes: notes(profile, gpu, time),
    }
}

/// Returns what launches add to the time of a kernel.
fn launches(time: &Time) -> f64 {
    let of_launches = time.parts.iter().filter(|part| part.name == Dominant::Launch.to_string());
    total(of_launches.map(|part| part.microseconds))
}

/// Returns what a reader must know about the figures.
fn notes(profile: &Profile, gpu: &Gpu, time: &ProgramTime) -> Vec<String> {
    let mut notes = Vec::new();
    if time.kernels.iter().any(|kernel| kernel.is_estimated) {
        notes.push(
            "instructions are estimated from operations, accesses and branches, because there is no listing of the \
             compiled code"
                .to_owned(),
        );
    }
    if let Some(name) = profile.device.name.as_ref().filter(|name| **name != gpu.target.name) {
        notes.push(format!("the caches that were simulated are those of {name}, not of {}", gpu.target.name));
    }
    for (kernel, time) in profile.kernels.iter().zip(&time.kernels) {
        if time.occupancy.blocks == 0 {
            let limit = time.occupancy.limit;
            notes.push(format!(
                "a block of {} does not fit on a multiprocessor, for its {limit}",
                kernel.name
            ));
        }
    }
    notes
}
