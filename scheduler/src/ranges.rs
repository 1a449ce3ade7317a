//! Chooses a plan where the user gives ranges for parameters.
//!
//! A plan is searched for the smallest sizes, for the geometric middle of all ranges, and for the largest sizes. Each
//! of the three is then priced for all three sizes. That plan is taken whose time, where it is worst, is the fewest
//! times that of the best plan for these sizes.

use polyhedra::Result;
use scop::Model;
use scop::wish::AlgorithmKind;
use tool::Interval;

use crate::compared::{Compared, Point};
use crate::options::Priced;
use crate::price::time_at;
use crate::trial::Tried;
use crate::variants::{Chosen, Forms};

/// Finds the best order of the best form of a region ([`Forms::choose`]), for all sizes that its parameters may have.
pub fn choose(
    forms: Forms<'_>,
    priced: &Priced,
    algorithm: AlgorithmKind,
    explain: bool,
) -> Result<Option<Chosen>> {
    let ranges = priced.ranges_of(forms.extracted);
    if ranges.is_empty() {
        return forms.choose(algorithm, explain);
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
    Forms { own, ..forms }.choose(algorithm, true)
}

/// Returns the times of plans for all sizes; nothing if one of them cannot be estimated.
fn times(forms: Forms<'_>, priced: &Priced, plans: &[Chosen]) -> Result<Option<Vec<Vec<f64>>>> {
    let of_plan = |plan: &Chosen| -> Result<Option<Vec<f64>>> {
        let Some(trial) = &plan.found.trial else { return Ok(None) };
        let (model, _) = forms.form(plan.variant);
        let time = |point: Point| {
            let pricing = priced.at(point).pricing(forms.own.model)?.of_form(&model)?;
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
