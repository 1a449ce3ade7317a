//! How fast a GPU is.

use serde::Deserialize;

use super::error::TargetError;

/// The form of a program that a machine executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Executes {
    /// Machine code: the assembler has moved loads up and interleaved independent chains of instructions, so that a
    /// warp waits as little as possible.
    #[default]
    Sass,
    /// The compiler's intermediate code, in the order of the source, as some simulators do: each instruction follows
    /// the one whose result it needs.
    Ptx,
}

/// Rates, latencies and costs. A *clock* is a cycle of the multiprocessors; rates are those of one multiprocessor
/// unless they are of the memory system.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Rates {
    /// The form of a program that the machine executes.
    #[serde(default)]
    pub executes: Executes,
    /// The number of multiprocessors.
    pub multiprocessors: u64,
    /// Clocks per microsecond.
    pub clock_mhz: f64,
    /// Warp instructions that can be issued per clock.
    pub schedulers: f64,
    /// Results of single precision per clock.
    pub rate_fp32: f64,
    /// Results of double precision per clock.
    pub rate_fp64: f64,
    /// Integer results per clock.
    pub rate_integer: f64,
    /// Results of special functions (reciprocal, square root, sine, exponential) per clock.
    pub rate_special: f64,
    /// Conversions between types per clock.
    pub rate_conversion: f64,
    /// Lanes whose loads and stores can be issued per clock.
    pub rate_load_store: f64,
    /// Threads that can arrive at a barrier per clock.
    pub rate_barrier: f64,
    /// Bytes that the L1 cache delivers per clock.
    pub l1_bytes_per_clock: f64,
    /// Lines that can be looked up in the L1 cache per clock.
    pub l1_lines_per_clock: f64,
    /// Bytes that shared memory delivers per clock.
    pub shared_bytes_per_clock: f64,
    /// Bytes that a multiprocessor exchanges with the L2 cache per clock.
    pub l2_port_bytes_per_clock: f64,
    /// Bytes that the whole L2 cache delivers per clock.
    pub l2_bytes_per_clock: f64,
    /// The bandwidth of device memory that the data sheet names, in units of 10⁹ bytes per second.
    pub dram_gigabytes_per_second: f64,
    /// The share of this bandwidth that streaming programs reach, between 0 and 1.
    pub dram_efficiency: f64,
    /// Clocks until a value of shared memory can be used.
    pub latency_shared: f64,
    /// Clocks until a value in the L1 cache can be used.
    pub latency_l1: f64,
    /// Clocks until a value in the L2 cache can be used.
    pub latency_l2: f64,
    /// Clocks until a value in device memory can be used.
    pub latency_dram: f64,
    /// Clocks until a value in the cache of constant memory can be used.
    pub latency_constant: f64,
    /// Clocks until a result of single precision can be used.
    pub latency_fp32: f64,
    /// Clocks until a result of double precision can be used.
    pub latency_fp64: f64,
    /// Clocks until an integer result can be used.
    pub latency_integer: f64,
    /// Clocks until the result of a special function can be used.
    pub latency_special: f64,
    /// Clocks until a converted value can be used.
    pub latency_conversion: f64,
    /// Clocks from the start of one block to that of the next one, wherever they run.
    pub block_start_clocks: f64,
    /// The host's time for a launch that it does not wait for, in microseconds.
    pub launch_microseconds: f64,
    /// The time between the end of a kernel and the start of the next one in the same stream, in microseconds.
    pub launch_gap_microseconds: f64,
    /// The bandwidth of copies from and to pinned host memory, in units of 10⁹ bytes per second.
    pub transfer_pinned_gigabytes_per_second: f64,
    /// The bandwidth of copies from and to pageable host memory, in units of 10⁹ bytes per second.
    pub transfer_pageable_gigabytes_per_second: f64,
    /// The time of a copy of no bytes, in microseconds.
    pub transfer_microseconds: f64,
    /// The operations and accesses of compiled C that a thread of the host does per microsecond.
    #[serde(default = "host_operations")]
    pub host_operations_per_microsecond: f64,
}

/// Three operations or accesses per nanosecond, as a core of a server does in loops whose data is in its caches.
fn host_operations() -> f64 {
    3000.0
}

impl Rates {
    /// Returns the bytes that device memory really moves per clock.
    pub fn dram_bytes_per_clock(&self) -> f64 {
        self.dram_gigabytes_per_second * 1e3 * self.dram_efficiency / self.clock_mhz
    }

    /// Returns the microseconds of a number of clocks.
    pub fn microseconds(&self, clocks: f64) -> f64 {
        clocks / self.clock_mhz
    }

    /// Refuses numbers by which the model would have to divide, or that make no sense.
    pub(super) fn check(&self) -> Result<(), TargetError> {
        if let Some((name, _)) =
            self.rates().into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0))
        {
            return Err(TargetError::NotPositive(name));
        }
        if let Some((name, _)) =
            self.costs().into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0))
        {
            return Err(TargetError::Negative(name));
        }
        Ok(())
    }

    fn costs(&self) -> [(&'static str, f64); 4] {
        [
            ("block_start_clocks", self.block_start_clocks),
            ("launch_microseconds", self.launch_microseconds),
            ("launch_gap_microseconds", self.launch_gap_microseconds),
            ("transfer_microseconds", self.transfer_microseconds),
        ]
    }

    fn rates(&self) -> [(&'static str, f64); 30] {
        [
            ("host_operations_per_microsecond", self.host_operations_per_microsecond),
            ("multiprocessors", self.multiprocessors as f64),
            ("clock_mhz", self.clock_mhz),
            ("schedulers", self.schedulers),
            ("rate_fp32", self.rate_fp32),
            ("rate_fp64", self.rate_fp64),
            ("rate_integer", self.rate_integer),
            ("rate_special", self.rate_special),
            ("rate_conversion", self.rate_conversion),
            ("rate_load_store", self.rate_load_store),
            ("rate_barrier", self.rate_barrier),
            ("l1_bytes_per_clock", self.l1_bytes_per_clock),
            ("l1_lines_per_clock", self.l1_lines_per_clock),
            ("shared_bytes_per_clock", self.shared_bytes_per_clock),
            ("l2_port_bytes_per_clock", self.l2_port_bytes_per_clock),
            ("l2_bytes_per_clock", self.l2_bytes_per_clock),
            ("dram_gigabytes_per_second", self.dram_gigabytes_per_second),
            ("dram_efficiency", self.dram_efficiency),
            ("latency_shared", self.latency_shared),
            ("latency_l1", self.latency_l1),
            ("latency_l2", self.latency_l2),
            ("latency_dram", self.latency_dram),
            ("latency_constant", self.latency_constant),
            ("latency_fp32", self.latency_fp32),
            ("latency_fp64", self.latency_fp64),
            ("latency_integer", self.latency_integer),
            ("latency_special", self.latency_special),
            ("latency_conversion", self.latency_conversion),
            ("transfer_pinned_gigabytes_per_second", self.transfer_pinned_gigabytes_per_second),
            ("transfer_pageable_gigabytes_per_second", self.transfer_pageable_gigabytes_per_second),
        ]
    }
}
