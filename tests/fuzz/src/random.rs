//! Random choices that are the same on every machine and with every version of a library.
//!
//! ChaCha is a cipher: its stream is fixed by its definition. What is made of the stream is written here, because
//! the ranges and distributions of libraries change with their versions.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The choices of one program.
pub struct Random(Box<ChaCha8Rng>);

impl Random {
    /// The stream of program `number` under a seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(number);
        Self(Box::new(generator))
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.abs_diff(low) + 1;
        low + i64::try_from(self.0.next_u64() % span).unwrap_or(0)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, share: i64) -> bool {
        self.between(0, 99) < share
    }

    /// One of the items, which are not empty.
    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// One of the items, each as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, items: &[(i64, T)]) -> T {
        let total: i64 = items.iter().map(|(weight, _)| weight).sum();
        let mut ticket = self.between(0, total - 1);
        for (weight, item) in items {
            if ticket < *weight {
                return *item;
            }
            ticket -= weight;
        }
        items[items.len() - 1].1
    }

    /// A position in a list of this length, which is not 0.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.0.next_u64() % length as u64).unwrap_or(0)
    }
}
