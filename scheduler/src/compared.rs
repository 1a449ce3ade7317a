//! The sizes for which plans are compared where the user gives ranges, and what comes of it.

use tool::Interval;

/// Values of parameters in their ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Point {
    /// The smallest ones.
    Least,
    /// The geometric middles.
    #[default]
    Middle,
    /// The largest ones.
    Most,
}

impl Point {
    /// All points, from small to large.
    pub const ALL: [Self; 3] = [Self::Least, Self::Middle, Self::Most];

    /// Returns the value of a parameter.
    pub fn of(self, range: Interval) -> i64 {
        match self {
            Self::Least => range.least,
            Self::Middle => range.middle(),
            Self::Most => range.most,
        }
    }
}

/// What was compared to choose between the plans for several sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The sizes, in words.
    pub sizes: Vec<String>,
    /// The microseconds of each plan for each of the sizes, in their order.
    pub times: Vec<Vec<f64>>,
    /// The position of the plan that was taken.
    pub taken: usize,
}

impl Compared {
    /// Returns how many times as long as the best plan for some sizes another one takes, where that is worst.
    pub fn worst(&self, plan: usize) -> f64 {
        let best = |size: usize| self.times.iter().map(|of| of[size]).fold(f64::INFINITY, f64::min);
        let times = self.times[plan].iter().enumerate();
        times.map(|(size, time)| time / best(size).max(f64::MIN_POSITIVE)).fold(1.0, f64::max)
    }

    /// Returns the plan that is best where it is worst; of several, that for the sizes in the middle.
    pub fn best(&self) -> usize {
        let middle = self.times.len() / 2;
        let plans = (0..self.times.len()).map(|plan| (self.worst(plan), plan != middle, plan));
        plans
            .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))
            .map_or(0, |best| best.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_that_is_best_where_it_is_worst_is_taken() {
        let taken = |times: [[f64; 3]; 3]| {
            let times = times.iter().map(|of| of.to_vec()).collect();
            let compared = Compared { sizes: Vec::new(), times, taken: 0 };
            (compared.best(), compared.worst(compared.best()))
        };
        assert_eq!(taken([[1.0, 30.0, 900.0], [2.0, 20.0, 300.0], [8.0, 25.0, 200.0]]), (1, 2.0));
        assert_eq!(taken([[1.0, 10.0, 100.0]; 3]), (1, 1.0), "the middle one if all are the same");
        assert_eq!(taken([[1.0, 11.0, 100.0], [4.0, 10.0, 100.0], [4.0, 10.0, 100.0]]), (0, 1.1));
    }
}
