//! The L1 cache of a multiprocessor.

use std::collections::HashMap;

use gpu::target::SECTOR_BYTES;

use crate::requests::LINE_BYTES;

/// A cache with lines of sectors, which forgets the line that was not used for the longest time. Stores go to the L2
/// cache and put nothing into this one.
#[derive(Debug)]
pub struct Cache {
    /// The most lines that it holds.
    most: usize,
    /// The lines that are present, in a ring by their last use.
    lines: Vec<Line>,
    /// Where each line is.
    places: HashMap<u64, usize>,
    /// Where the line is that was not used for the longest time.
    oldest: usize,
    /// The number of loads.
    clock: u64,
    /// Since when an iteration warms the cache, if one does, and the lines that it needs.
    warming: Option<(u64, f64)>,
}

/// A line that is present.
#[derive(Debug)]
struct Line {
    number: u64,
    /// The sectors that are present.
    sectors: u8,
    /// When it was used last.
    used: u64,
    /// Where the line is that was used next, and that which was used before. The newest one is before the oldest.
    newer: usize,
    older: usize,
}

impl Cache {
    /// Creates an empty cache of some bytes.
    pub fn new(bytes: u64) -> Self {
        let most = (bytes / LINE_BYTES).max(1) as usize;
        let (lines, places) = (Vec::new(), HashMap::new());
        Self { most, lines, places, oldest: 0, clock: 0, warming: None }
    }

    /// Begins an iteration that warms the cache, of the first warp that comes to it.
    pub fn begin_warming(&mut self) {
        self.warming.get_or_insert((self.clock, 0.0));
    }

    /// Ends an iteration that warms the cache. If it needs more lines than there are, nothing is left for the next one.
    pub fn end_warming(&mut self) {
        if self.warming.take().is_some_and(|(_, lines)| lines > self.most as f64) {
            self.lines.clear();
            self.places.clear();
            self.oldest = 0;
        }
    }

    /// Loads a sector. Returns true if it was there. In an iteration that warms the cache, the load stands for so many.
    pub fn load(&mut self, sector: u64, stands_for: f64) -> bool {
        let per_line = LINE_BYTES / SECTOR_BYTES;
        let (number, bit) = (sector / per_line, 1u8 << (sector % per_line));
        let place = match self.places.get(&number) {
            Some(&place) => {
                self.renew(place);
                place
            }
            None => {
                let place = self.room(number);
                self.places.insert(number, place);
                place
            }
        };
        self.clock += 1;
        let Line { sectors, used, .. } = &mut self.lines[place];
        if let Some((begin, lines)) = &mut self.warming
            && *used <= *begin
        {
            *lines += stands_for;
        }
        let was_there = *sectors & bit != 0;
        *sectors |= bit;
        *used = self.clock;
        was_there
    }

    /// Makes the line at a place the newest.
    fn renew(&mut self, place: usize) {
        if place == self.oldest {
            self.oldest = self.lines[place].newer;
            return;
        }
        let Line { newer, older, .. } = self.lines[place];
        (self.lines[newer].older, self.lines[older].newer) = (older, newer);
        self.put_before_oldest(place);
    }

    fn put_before_oldest(&mut self, place: usize) {
        let newest = self.lines[self.oldest].older;
        (self.lines[place].older, self.lines[place].newer) = (newest, self.oldest);
        (self.lines[newest].newer, self.lines[self.oldest].older) = (place, place);
    }

    /// Returns the place of a new line without sectors: that of the oldest line if the cache is full.
    fn room(&mut self, number: u64) -> usize {
        let place = self.lines.len();
        if place < self.most {
            self.lines.push(Line { number, sectors: 0, used: 0, newer: place, older: place });
            self.put_before_oldest(place);
            return place;
        }
        let place = self.oldest;
        let oldest = &mut self.lines[place];
        self.places.remove(&oldest.number);
        (oldest.number, oldest.sectors, oldest.used) = (number, 0, 0);
        self.oldest = oldest.newer;
        place
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
