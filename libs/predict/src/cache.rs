//! The L1 cache of a multiprocessor.

use std::collections::{BTreeMap, HashMap};

use gpu::target::SECTOR_BYTES;

use crate::requests::LINE_BYTES;

/// A cache with lines of sectors, which forgets the line that was not used for the longest time. Stores go to the L2
/// cache and put nothing into this one.
#[derive(Debug)]
pub struct Cache {
    /// The most lines that it holds.
    lines: usize,
    /// The sectors of each line that are present, and when it was used last.
    present: HashMap<u64, (u8, u64)>,
    /// The lines by their last use.
    by_use: BTreeMap<u64, u64>,
    clock: u64,
    /// Since when an iteration warms the cache, if one does, and the lines that it needs.
    warming: Option<(u64, f64)>,
}

impl Cache {
    /// Creates an empty cache of some bytes.
    pub fn new(bytes: u64) -> Self {
        let lines = (bytes / LINE_BYTES).max(1) as usize;
        Self { lines, present: HashMap::new(), by_use: BTreeMap::new(), clock: 0, warming: None }
    }

    /// Begins an iteration that warms the cache, of the first warp that comes to it.
    pub fn begin_warming(&mut self) {
        self.warming.get_or_insert((self.clock, 0.0));
    }

    /// Ends an iteration that warms the cache. If it needs more lines than there are, nothing is left for the next one.
    pub fn end_warming(&mut self) {
        if self.warming.take().is_some_and(|(_, lines)| lines > self.lines as f64) {
            self.present.clear();
            self.by_use.clear();
        }
    }

    /// Loads a sector. Returns true if it was there. In an iteration that warms the cache, the load stands for so many.
    pub fn load(&mut self, sector: u64, stands_for: f64) -> bool {
        let per_line = LINE_BYTES / SECTOR_BYTES;
        let (line, bit) = (sector / per_line, 1u8 << (sector % per_line));
        self.clock += 1;
        let (mut mask, last) = self.present.get(&line).copied().unwrap_or((0, 0));
        if let Some((begin, lines)) = &mut self.warming
            && last <= *begin
        {
            *lines += stands_for;
        }
        if mask == 0
            && self.present.len() >= self.lines
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.present.remove(&oldest);
        }
        if last > 0 {
            self.by_use.remove(&last);
        }
        let was_there = mask & bit != 0;
        mask |= bit;
        self.present.insert(line, (mask, self.clock));
        self.by_use.insert(self.clock, line);
        was_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_was_used_longest_ago_goes() {
        let mut cache = Cache::new(2 * LINE_BYTES);
        assert!(!cache.load(0, 1.0));
        assert!(!cache.load(1, 1.0));
        assert!(cache.load(0, 1.0));
        assert!(!cache.load(4, 1.0));
        assert!(cache.load(1, 1.0));
        assert!(!cache.load(8, 1.0));
        assert!(cache.load(0, 1.0));
        assert!(!cache.load(4, 1.0));
    }

    #[test]
    fn an_iteration_leaves_what_fits() {
        let warmed = |stands_for: f64| {
            let mut cache = Cache::new(8 * LINE_BYTES);
            cache.begin_warming();
            for sector in [0, 1, 4, 8, 12] {
                cache.load(sector, stands_for);
            }
            cache.end_warming();
            cache.load(4, 1.0)
        };
        assert!(warmed(2.0), "eight lines are all that there are");
        assert!(!warmed(3.0));
    }
}
