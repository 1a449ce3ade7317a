//! The warps that the others of their blocks wait for. The definitions are those of cudasim (`cudasim/README.md`).

use crate::run::counts::Counts;

/// What a warp does: executions, operations and accesses of each leaf, from barrier to barrier.
#[derive(Debug)]
pub struct Intervals {
    leaves: usize,
    work: Vec<Vec<f64>>,
}

impl Intervals {
    /// Returns those of a warp that has done nothing yet.
    pub fn new(leaves: usize) -> Self {
        Self { leaves, work: vec![vec![0.0; leaves]] }
    }

    /// Adds work of a leaf.
    pub fn work(&mut self, leaf: usize, amount: f64) {
        if let Some(work) = self.work.last_mut().and_then(|work| work.get_mut(leaf)) {
            *work += amount;
        }
    }

    /// The warp has come to a barrier.
    pub fn barrier(&mut self) {
        self.work.push(vec![0.0; self.leaves]);
    }

    fn total(&self, interval: usize) -> f64 {
        self.work.get(interval).map_or(0.0, |work| work.iter().sum())
    }
}

/// Counts the work of a block's warps, and that of the busiest one of each interval. Of equally busy warps, it is the
/// first.
pub fn count_busiest(warps: &[Intervals], counts: &mut [Counts]) {
    for work in warps.iter().flat_map(|warp| &warp.work) {
        counts.iter_mut().zip(work).for_each(|(counts, work)| counts.work += work);
    }
    let intervals = warps.iter().map(|warp| warp.work.len()).max().unwrap_or(0);
    for interval in 0..intervals {
        if let Some(work) = busiest(warps, interval).and_then(|warp| warp.work.get(interval)) {
            counts.iter_mut().zip(work).for_each(|(counts, work)| counts.busiest_work += work);
        }
    }
}

fn busiest(warps: &[Intervals], interval: usize) -> Option<&Intervals> {
    warps.iter().rev().max_by(|one, other| one.total(interval).total_cmp(&other.total(interval)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_interval_has_a_busiest_warp() {
        // Leaf 0 is everybody's, leaf 1 is added up by one warp while the others wait, and leaf 2 has no work.
        let warp = |loads: f64, adds: f64| {
            let mut warp = Intervals::new(3);
            warp.work(0, loads);
            warp.barrier();
            warp.work(1, adds);
            warp
        };
        let mut counts = vec![Counts::default(); 3];
        count_busiest(&[warp(4.0, 0.0), warp(5.0, 0.0), warp(3.0, 90.0)], &mut counts);
        let found = counts.iter().map(|counts| (counts.work, counts.busiest_work)).collect::<Vec<_>>();
        assert_eq!(found, [(12.0, 5.0), (90.0, 90.0), (0.0, 0.0)]);
        // The first of equal warps.
        let mut counts = vec![Counts::default(); 3];
        count_busiest(&[warp(4.0, 1.0), warp(1.0, 4.0)], &mut counts);
        assert_eq!((counts[0].busiest_work, counts[1].busiest_work), (4.0, 4.0));
    }
}
