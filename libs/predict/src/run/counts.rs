//! Sums over samples, each multiplied by what it stands for.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use gpu::counts::profile;

use crate::program::Kind;

/// Requests to global memory; the fields are those of [`profile::Traffic`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "they are those of the profile")]
pub struct Traffic {
    pub requests: f64,
    pub lanes: f64,
    pub touched_sectors: f64,
    pub sectors: f64,
    pub lines: f64,
    pub bytes: f64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.lanes += other.lanes;
        self.touched_sectors += other.touched_sectors;
        self.sectors += other.sectors;
        self.lines += other.lines;
        self.bytes += other.bytes;
    }
}

/// Requests to shared or constant memory.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "they are those of the profile")]
pub struct BankUse {
    pub requests: f64,
    pub wavefronts: f64,
}

/// What is counted of a leaf.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "they are those of the profile")]
pub struct Counts {
    pub(crate) global: [Traffic; 3],
    pub(crate) shared: [BankUse; 3],
    pub constant: BankUse,
    /// The sectors of each array that loads and stores ask the L2 cache for.
    pub of_arrays: BTreeMap<usize, [f64; 2]>,
    /// The slices of arrays with few of them that a launch reads and writes, as bits.
    pub slices: BTreeMap<usize, [u64; 2]>,
    pub barriers: f64,
    pub exchanges: f64,
    pub executions: f64,
    pub fp32: f64,
    pub fp64: f64,
    pub library: f64,
    pub integer: f64,
    /// Executions, operations and accesses together, and the part of them by the busiest warps.
    pub work: f64,
    pub busiest_work: f64,
    /// True if memory was accessed since this was false.
    pub has_work: bool,
}

/// The outermost slices of an array, if there are few: such an array may be several in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slices {
    number: u64,
    bytes: u64,
}

impl Slices {
    /// The most slices of an array that are told apart.
    const MOST: u64 = 8;

    /// Describes the slices of an array with so many of them and so many bytes.
    pub fn of(number: u64, bytes: u64) -> Self {
        let number = if (1..=Self::MOST).contains(&number) { number } else { 1 };
        Self { number, bytes: bytes / number }
    }

    /// Returns the slices with these bytes of the array, as bits.
    pub fn bits(self, bytes: impl Iterator<Item = u64>) -> u64 {
        bytes
            .map(|byte| 1 << (byte / self.bytes.max(1)).min(self.number - 1))
            .fold(0, |all, bit: u64| all | bit)
    }

    /// Returns which part of the array some slices are.
    pub fn part(self, bits: u64) -> f64 {
        f64::from(bits.count_ones()) / self.number as f64
    }
}

impl Counts {
    /// Notes which slices of an array are used.
    pub fn use_slices(&mut self, array: usize, kind: Kind, bits: u64) {
        let used = self.slices.entry(array).or_default();
        for (way, other) in [(0, Kind::Store), (1, Kind::Load)] {
            used[way] |= if kind == other { 0 } else { bits };
        }
    }

    /// Returns what is counted of global memory for a kind of access.
    pub fn global(&mut self, kind: Kind) -> &mut Traffic {
        &mut self.global[kind as usize]
    }

    /// Returns what is counted of shared memory for a kind of access.
    pub fn shared(&mut self, kind: Kind) -> &mut BankUse {
        &mut self.shared[kind as usize]
    }

    /// Adds sectors of an array that the L2 cache is asked for.
    pub fn beyond_l1(&mut self, array: usize, kind: Kind, sectors: f64) {
        self.global(kind).sectors += sectors;
        let of_array = self.of_arrays.entry(array).or_default();
        if kind != Kind::Store {
            of_array[0] += sectors;
        }
        if kind != Kind::Load {
            of_array[1] += sectors;
        }
    }

    /// Returns the counts as those of a profile, rounded, with the bytes that device memory moves.
    pub fn profile(&self, (dram_read_bytes, dram_written_bytes): (f64, f64)) -> profile::Counts {
        let [loads, stores, atomics] = self.global.map(traffic);
        let [shared_loads, shared_stores, shared_atomics] = self.shared.map(bank_use);
        profile::Counts {
            global: profile::ByKind { loads, stores, atomics },
            shared: profile::ByKind { loads: shared_loads, stores: shared_stores, atomics: shared_atomics },
            constant: bank_use(self.constant),
            barriers: round(self.barriers),
            exchanges: round(self.exchanges),
            dram_read_bytes: round(dram_read_bytes),
            dram_written_bytes: round(dram_written_bytes),
            ..profile::Counts::default()
        }
    }
}

/// Returns a count as an integer.
pub fn round(count: f64) -> u64 {
    count.round() as u64
}

fn traffic(traffic: Traffic) -> profile::Traffic {
    profile::Traffic {
        requests: round(traffic.requests),
        sectors: round(traffic.sectors),
        touched_sectors: round(traffic.touched_sectors),
        l1_wavefronts: round(traffic.lines),
        bytes: round(traffic.bytes),
        width_bytes: 0,
    }
}

fn bank_use(bank_use: BankUse) -> profile::BankUse {
    profile::BankUse {
        requests: round(bank_use.requests),
        wavefronts: round(bank_use.wavefronts),
        width_bytes: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_uses_some_slices_of_an_array() {
        let halves = Slices::of(2, 64);
        assert_eq!(halves.bits([0, 31].into_iter()), 1);
        assert_eq!(halves.bits([4, 32, 63].into_iter()), 3);
        assert_eq!((halves.part(1), halves.part(3)), (0.5, 1.0));
        assert_eq!(
            Slices::of(100, 6400).part(Slices::of(100, 6400).bits([0].into_iter())),
            1.0,
            "many are one"
        );
    }
}
