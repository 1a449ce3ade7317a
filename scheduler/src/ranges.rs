//! Chooses a plan where the user gives ranges for parameters.
//!
//! A plan is searched for the smallest sizes, for the geometric middle of all ranges, and for the largest sizes. Each
//! of the three is then priced for all three sizes. That plan is taken whose time, where it is worst, is the fewest
//! times that of the best plan for these sizes.

use polyhedra::Result;
use scop::Model;
use scop::wish::AlgorithmKind;
use tool::Interval;

use crate::options::Priced;
use crate::price::time_at;
use crate::trial::Tried;
use crate::variants::{Chosen, Forms};

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
    const ALL: [Self; 3] = [Self::Least, Self::Middle, Self::Most];

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
    fn best(&self) -> usize {
        let middle = self.times.len() / 2;
        let plans = (0..self.times.len()).map(|plan| (self.worst(plan), plan != middle, plan));
        plans
            .min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)))
            .map_or(0, |best| best.2)
    }
}

/// Finds the best order of the best form of a region ([`Forms::choose`]), for all sizes that its parameters may have.
pub fn choose(
    forms: Forms<'_>,
    priced: &Priced,
    algorithm: AlgorithmKind,
    explain: bool,
) -> Result<Option<Chosen>> {
    let ranges = priced.ranges_of(forms.extracted);
    if ranges.is_empty() {
        return forms.choose(|model| priced.pricing(model), algorithm, explain);
    }
    let mut plans = Vec::new();
    for point in Point::ALL {
        let Some(plan) = chosen_at(forms, &priced.at(point), algorithm)? else { return Ok(None) };
        plans.push(plan);
    }
    let Some(times) = times(forms, priced, &plans)? else { return Ok(plans.into_iter().nth(1)) };
    let words = |point: Point| {
        let of = |(name, range): &(&str, Interval)| format!("{name} = {}", point.of(*range));
        ranges.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let mut compared = Compared { sizes: Point::ALL.map(words).to_vec(), times, taken: 0 };
    compared.taken = compared.best();
    let taken = plans.into_iter().nth(compared.taken);
    Ok(taken.map(|plan| Chosen { compared: Some(compared), ..plan }))
}

/// Finds the best plan for one of the sizes.
fn chosen_at(forms: Forms<'_>, priced: &Priced, algorithm: AlgorithmKind) -> Result<Option<Chosen>> {
    let pricing = priced.pricing(forms.own.model)?;
    let own = Tried { pricing: &pricing, ..forms.own };
    Forms { own, ..forms }.choose(|model| priced.pricing(model), algorithm, true)
}

/// Returns the times of plans for all sizes; nothing if one of them cannot be estimated.
fn times(forms: Forms<'_>, priced: &Priced, plans: &[Chosen]) -> Result<Option<Vec<Vec<f64>>>> {
    let of_plan = |plan: &Chosen| -> Result<Option<Vec<f64>>> {
        let Some(trial) = &plan.found.trial else { return Ok(None) };
        let (model, _) = forms.form(plan.variant);
        let time = |point: Point| {
            let pricing = priced.at(point).pricing(&model)?;
            time_at(&trial.placed, &model, &pricing.places, &pricing.gpu)
        };
        Point::ALL.into_iter().map(time).collect()
    };
    plans.iter().map(of_plan).collect()
}

impl Priced {
    /// Returns the ranges of a region's parameters that have more than one value.
    fn ranges_of<'a>(&self, model: &'a Model) -> Vec<(&'a str, Interval)> {
        let names = model.parameters.iter().map(|parameter| parameter.name.as_str());
        let ranges = names.filter_map(|name| Some((name, *self.sizes.get(name)?)));
        ranges.filter(|(_, range)| !range.is_one()).collect()
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
