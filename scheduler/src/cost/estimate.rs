//! The work of a kernel, estimated: what its lines do, and what it needs of each array.

use std::collections::BTreeMap;

use gpu::counts::Work;
use gpu::place::{Uses, copies_pay};
use gpu::target::Rates;
use scop::ArrayId;

use super::lines::{Launched, Lines};

/// The work of a kernel, and what it needs of each array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimate {
    /// What its lines do.
    pub lines: Lines,
    /// How it is launched.
    pub launched: Launched,
    /// What it needs of each array.
    pub uses: Vec<Use>,
}

impl Estimate {
    /// Returns the work, given the shares of the bytes of arrays, read and written, that device memory moves.
    pub fn work(&self, shares: &BTreeMap<ArrayId, [f64; 2]>, rates: &Rates) -> Work {
        gpu::counts::work(&self.lines.kernel(shares, self.launched), None, rates)
    }
}

/// What a kernel needs of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use {
    /// The array.
    pub array: ArrayId,
    /// The bytes that all launches touch.
    pub touched: f64,
    /// What a tile does with elements that several threads use, if it does.
    pub shared: Option<Uses>,
}

impl Use {
    /// True if blocks have copies of some of its elements in shared memory.
    pub fn is_staged(&self) -> bool {
        self.shared.is_some_and(|uses| copies_pay(&uses))
    }

    /// Adds what other accesses need.
    pub fn add(&mut self, other: Self) {
        self.touched = self.touched.max(other.touched);
        self.shared = most_used(self.shared, other.shared);
    }
}

/// Returns those uses for which copies pay sooner.
fn most_used(one: Option<Uses>, other: Option<Uses>) -> Option<Uses> {
    let (Some(own), Some(others)) = (one, other) else { return one.or(other) };
    let rank = |uses: &Uses| (copies_pay(uses), uses.accesses as f64 / uses.elements.max(1) as f64);
    Some(if rank(&others) > rank(&own) { others } else { own })
}
