//! The loads of the warps of a block, as they reach the L1 cache.

use crate::cache::Cache;
use crate::program::Kind;
use crate::run::counts::Counts;

/// What a warp does, as far as it concerns the cache.
#[derive(Debug, Default)]
pub struct Stream {
    events: Vec<Event>,
    sectors: Vec<u64>,
}

/// A load, with its sectors, a barrier, or the begin or end of an iteration that only warms the cache.
#[derive(Debug)]
enum Event {
    Load { leaf: usize, array: usize, weight: f64, left_out: f64, begin: usize, end: usize },
    Barrier,
    BeginWarming,
    EndWarming,
}

impl Stream {
    /// Adds a load of elements of an array, with its weight. In an iteration that warms the cache, it stands for so many.
    pub fn load(&mut self, (leaf, array): (usize, usize), (weight, left_out): (f64, f64), sectors: Vec<u64>) {
        let begin = self.sectors.len();
        self.sectors.extend(sectors);
        self.events.push(Event::Load { leaf, array, weight, left_out, begin, end: self.sectors.len() });
    }

    /// Begins an iteration that only warms the cache for the next one.
    pub fn begin_warming(&mut self) {
        self.events.push(Event::BeginWarming);
    }

    /// Ends it.
    pub fn end_warming(&mut self) {
        self.events.push(Event::EndWarming);
    }

    /// Adds a barrier.
    pub fn barrier(&mut self) {
        self.events.push(Event::Barrier);
    }
}

/// Plays the loads of the warps of a block: one of each warp in turn, as far as barriers permit. Counts the sectors that
/// are not in the cache.
pub fn play(streams: &[Stream], cache: &mut Cache, counts: &mut [Counts]) {
    let mut next = vec![0; streams.len()];
    loop {
        let mut moved = false;
        for (stream, next) in streams.iter().zip(&mut next) {
            while let Some(warming @ (Event::BeginWarming | Event::EndWarming)) = stream.events.get(*next) {
                match warming {
                    Event::EndWarming => cache.end_warming(),
                    _ => cache.begin_warming(),
                }
                *next += 1;
                moved = true;
            }
            if let Some(Event::Load { leaf, array, weight, left_out, begin, end }) = stream.events.get(*next)
            {
                let missed = stream.sectors[*begin..*end]
                    .iter()
                    .filter(|sector| !cache.load(**sector, *left_out))
                    .count();
                counts[*leaf].beyond_l1(*array, Kind::Load, weight * missed as f64);
                *next += 1;
                moved = true;
            }
        }
        if moved {
            continue;
        }
        // All warps wait at a barrier or are done.
        if next.iter().zip(streams).all(|(next, stream)| *next >= stream.events.len()) {
            return;
        }
        next.iter_mut().for_each(|next| *next += 1);
    }
}
