//! The time of a program: its kernels, its copies, and its code on the host.

use serde::Serialize;

use super::{Dominant, Time, time};
use crate::counts::{Transfers, Work};
use crate::target::{Gpu, Rates};

/// The kind of host memory that is copied from and to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HostMemory {
    /// Ordinary memory, which the driver copies through a buffer of its own.
    #[default]
    Pageable,
    /// Memory that is locked, which the GPU reads and writes itself.
    Pinned,
}

/// What a program does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// Its kernels.
    pub kernels: Vec<Work>,
    /// Copies between host and device, in both directions.
    pub transfers: Transfers,
    /// Copies and fills within device memory: each of their bytes is read and written there.
    pub device_copies: Transfers,
    /// The kind of host memory.
    pub memory: HostMemory,
    /// The time of code on the host, in microseconds.
    pub host_microseconds: f64,
}

/// The time of a program. One part comes after another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProgramTime {
    /// The sum, in microseconds.
    pub microseconds: f64,
    /// What takes most of it.
    pub dominant: Dominant,
    /// All kernels with their launches, in microseconds.
    pub kernel_microseconds: f64,
    /// All copies, in microseconds.
    pub transfer_microseconds: f64,
    /// The host's code, in microseconds.
    pub host_microseconds: f64,
    /// The kernels, in the order of the program's.
    pub kernels: Vec<Time>,
}

/// Returns the time of a program.
pub fn program_time(program: &Program, gpu: &Gpu) -> ProgramTime {
    let kernels: Vec<Time> = program.kernels.iter().map(|kernel| time(kernel, gpu)).collect();
    let kernel_microseconds = total(kernels.iter().map(|kernel| kernel.microseconds));
    let transfer_microseconds = transfers(program, &gpu.rates) + device_copies(program, &gpu.rates);
    let mut parts: Vec<(Dominant, f64)> =
        kernels.iter().map(|kernel| (kernel.dominant, kernel.microseconds)).collect();
    parts.extend([(Dominant::Transfer, transfer_microseconds), (Dominant::Host, program.host_microseconds)]);
    ProgramTime {
        microseconds: total(parts.iter().map(|(_, microseconds)| *microseconds)),
        dominant: most_of(&parts),
        kernel_microseconds,
        transfer_microseconds,
        host_microseconds: program.host_microseconds,
        kernels,
    }
}

/// Returns a sum. That of nothing is 0; `sum` would return -0, which is printed as such.
pub fn total(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}

/// Returns what has the largest sum. Of equals, the first.
fn most_of(parts: &[(Dominant, f64)]) -> Dominant {
    let sum = |of: Dominant| -> f64 {
        parts.iter().filter(|(dominant, _)| *dominant == of).map(|(_, microseconds)| microseconds).sum()
    };
    let most = |most: (Dominant, f64), (dominant, _): &(Dominant, f64)| {
        let next = sum(*dominant);
        if next > most.1 { (*dominant, next) } else { most }
    };
    parts.iter().fold((Dominant::Transfer, 0.0), most).0
}

/// The bytes that a bandwidth of 10⁹ bytes per second moves in a microsecond.
const BYTES_PER_MICROSECOND: f64 = 1e3;

fn transfers(program: &Program, rates: &Rates) -> f64 {
    let bandwidth = match program.memory {
        HostMemory::Pageable => rates.transfer_pageable_gigabytes_per_second,
        HostMemory::Pinned => rates.transfer_pinned_gigabytes_per_second,
    };
    let Transfers { calls, bytes } = program.transfers;
    calls as f64 * rates.transfer_microseconds + bytes as f64 / (bandwidth * BYTES_PER_MICROSECOND)
}

fn device_copies(program: &Program, rates: &Rates) -> f64 {
    let Transfers { calls, bytes } = program.device_copies;
    let bandwidth = rates.dram_gigabytes_per_second * rates.dram_efficiency * BYTES_PER_MICROSECOND;
    calls as f64 * rates.launch_microseconds + 2.0 * bytes as f64 / bandwidth
}
