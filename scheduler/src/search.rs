//! Searches for the best order: tries several, prices what they lead to, and takes the cheapest.

use polyhedra::{Result, Schedule, Text};
use scop::wish::AlgorithmKind;
use scop::{Expansions, IslSchedule, PartialSum, PrefixSum, Selection, Statement, StatementId};

use crate::constraints::Constraints;
use crate::host_only;
use crate::last_values::with_last_values;
use crate::old_values::with_old_values;
use crate::order::{self, Alternative, Divided, Order};
use crate::price::Price;
use crate::trial::{Trial, Tried};

/// An order with as many kernels or more must take at most this share of the time, because prices are estimates.
pub const CLEARLY_BETTER: f64 = 0.9;

/// An order with fewer kernels may take this many times as long: at sizes below the assumed ones, launches count more.
const AS_GOOD: f64 = 1.2;

/// An order that was tried.
#[derive(Debug)]
pub struct Considered {
    /// The algorithm that finds it.
    pub algorithm: AlgorithmKind,
    /// How it was found.
    pub description: String,
    /// What it costs.
    pub price: Price,
    /// The reason why it was not taken among the orders of the same form of the region; nothing for the best of them.
    pub why_not: Option<String>,
}

/// The result of a search.
pub struct Found {
    /// The order, as text.
    pub schedule: IslSchedule,
    /// How it was found.
    pub order: Order,
    /// Its mapping, if it was tried.
    pub trial: Option<Trial>,
    /// The orders that were priced, and the position of the one that was taken.
    pub considered: Vec<Considered>,
    /// The position of the order that was taken.
    pub taken: usize,
}

/// The statements that candl-rs added to a region.
pub struct Added {
    /// Those that store last values. They follow the statements that write these.
    last: Vec<StatementId>,
    /// Those that store old values. They come before the statements that overwrite these.
    old: Vec<StatementId>,
    /// The sums with partial sums.
    sums: Vec<PartialSum>,
    /// The selections with many results.
    selections: Vec<Selection>,
    /// The prefix sums that are divided into chunks.
    prefixes: Vec<PrefixSum>,
}

impl Added {
    /// Returns the statements that expansions add.
    pub fn new(expansions: &Expansions) -> Self {
        let ids = |statements: &[Statement]| statements.iter().map(|statement| statement.id).collect();
        let sums = expansions.partial_sums().to_vec();
        let selections = expansions.selections().to_vec();
        let prefixes = expansions.prefix_sums().to_vec();
        Self { last: ids(expansions.added()), old: ids(expansions.kept()), sums, selections, prefixes }
    }

    /// Returns what is divided, if anything is.
    fn divided(&self) -> Option<Divided<'_>> {
        match (&self.sums[..], &self.selections[..], &self.prefixes[..]) {
            ([], [], []) => None,
            (sums, [], []) => Some(Divided::Sums(sums)),
            (_, [], prefixes) => Some(Divided::Prefixes(prefixes)),
            (_, selections, _) => Some(Divided::Selections(selections)),
        }
    }

    fn all(&self) -> Vec<StatementId> {
        [&self.last[..], &self.old[..]].concat()
    }

    /// Adds the statements to an order; returns nothing if it has no place for one of them.
    fn to(&self, schedule: &Schedule, tried: Tried<'_>) -> Result<Option<IslSchedule>> {
        let (model, dependences) = (tried.model, tried.dependences);
        let schedule = with_old_values(schedule.copy()?, model, dependences, &self.old, &self.last)?;
        let Some(schedule) = schedule else { return Ok(None) };
        let schedule = with_last_values(schedule, model, dependences, &self.last)?;
        Ok(Some(IslSchedule(schedule.text()?)))
    }
}

/// Searches for an order; returns nothing if the algorithm cannot order this region. Orders are priced if there is a
/// choice, or if `explain` is true. One that is too complicated for a price is taken only if it is the first.
pub fn search(
    tried: Tried<'_>,
    added: &Added,
    algorithm: AlgorithmKind,
    explain: bool,
) -> Result<Option<Found>> {
    let model = tried.model;
    let all_added = added.all();
    let constraints = Constraints::of(model, tried.dependences, &all_added)?;
    let mut on_host = host_only::host_only(model, tried.functions, &tried.dependences.dead);
    on_host.retain(|host| !all_added.contains(&host.statement));
    let fusion = tried.wishes.fusion();
    let orders = order::Search::new(model, &constraints);
    let first = match (added.divided(), algorithm) {
        (None, _) => order::find(&orders, algorithm, fusion, &on_host)?,
        (Some(divided), AlgorithmKind::Isl | AlgorithmKind::Perfect) => {
            order::with_parts(model, divided, &constraints)?
        }
        _ => None,
    };
    let Some(first) = first else { return Ok(None) };
    let Some(schedule) = added.to(&first.schedule, tried)? else { return Ok(None) };
    let mut found = Found { schedule, order: first, trial: None, considered: Vec::new(), taken: 0 };
    let alternatives = found.order.alternatives.clone();
    if alternatives.is_empty() && !explain {
        return Ok(Some(found));
    }
    let trial = Trial::new(tried, &found.schedule)?;
    let consider = |trial: &Trial, order: &Order| -> Result<Option<Considered>> {
        let price = trial.price(tried)?;
        let description = order.description.clone();
        Ok(price.map(|price| Considered { algorithm: order.algorithm, description, price, why_not: None }))
    };
    let first = consider(&trial, &found.order)?;
    found.trial = Some(trial);
    let Some(first) = first else { return Ok(Some(found)) };
    found.considered.push(first);
    for alternative in alternatives {
        let Some(best) = &found.trial else { break };
        let price = &found.considered[found.taken].price;
        let is_worth_it = match alternative {
            // It may pass values in registers that now go through memory.
            Alternative::Perfect => best.placed.kernels.len() > 1,
            Alternative::Apart | Alternative::Levels | Alternative::Blocked => {
                tried.is_slow(price.microseconds)?
            }
        };
        if !is_worth_it {
            continue;
        }
        let Some(order) = order::alternative(alternative, &orders)? else { continue };
        let Some(schedule) = added.to(&order.schedule, tried)? else { continue };
        let trial = Trial::new(tried, &schedule)?;
        let Some(mut considered) = consider(&trial, &order)? else { continue };
        let has_fewer_kernels = trial.placed.kernels.len() < best.placed.kernels.len();
        let limit = if has_fewer_kernels { AS_GOOD } else { CLEARLY_BETTER };
        considered.why_not =
            why_not((considered.price.microseconds, &trial), (price.microseconds, best), limit);
        let is_better = considered.why_not.is_none();
        found.considered.push(considered);
        if is_better {
            found.considered[found.taken].why_not = Some(format!("{} is better", order.algorithm));
            found.taken = found.considered.len() - 1;
            (found.schedule, found.order, found.trial) = (schedule, order, Some(trial));
        }
    }
    Ok(Some(found))
}

/// Returns the reason why a mapping is not taken instead of another one; nothing if it is better. It must take less
/// than a share of the other's time.
pub fn why_not((time, one): (f64, &Trial), (other_time, other): (f64, &Trial), limit: f64) -> Option<String> {
    if leaves_more_to_host(one, other) {
        return Some("it leaves statements to the host that the other one has in kernels".to_owned());
    }
    if time >= limit.max(1.0) * other_time {
        return Some("it takes no less time".to_owned());
    }
    let percent = 100.0 * (1.0 - limit);
    (time >= limit * other_time)
        .then(|| format!("it saves less than {percent:.0} %, and prices are estimates"))
}

/// True if a mapping leaves statements to the host that another one has in kernels. Their data may be on the device,
/// and moving it is not priced, unless they need none.
fn leaves_more_to_host(one: &Trial, other: &Trial) -> bool {
    let on_host = |statement| other.placed.host.iter().any(|host| host.statement == statement);
    let needs_data = |statement| !one.placed.computed_by_host.contains(&statement);
    one.placed.host.iter().any(|host| needs_data(host.statement) && !on_host(host.statement))
}
