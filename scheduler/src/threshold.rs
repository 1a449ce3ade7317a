//! The sizes for which the host is faster than the device, or for which the user wants it.
//!
//! A run of a region on the device takes some launches and copies, however little there is to do. The original region
//! is in the program as well, so a condition on the parameters chooses when the program runs. Both are priced for
//! growing sizes: the device by its kernels and copies, the host by its operations.
//!
//! - Arrays that may already be on the device would have to come to the host and go back; others are copied for the
//!   device. The side that needs the copies pays for them.
//! - Prices are estimates, so the host must take at most half of the time.
//! - If the device is slower for all sizes because its copies alone take longer than all that the host does, their
//!   bytes are left out: the user may want to keep the arrays on the device, and asked for a translation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Result, Set, Text};
use scop::{ArrayId, Dependences, IslSet, Model, Parameter, StatementId, Threshold};

use crate::cost::{Places, Pricing, estimated};
use crate::duration::duration;
use crate::host_time::host_time;
use crate::place::Placed;
use crate::price::time_at;
use crate::transfers::{Transfers, transfers};

/// The largest share of the device's time that the host may take.
const CLEARLY_FASTER: f64 = 0.5;

/// The sizes that are priced are powers of two: from 2^3 to 2^18.
const SMALLEST: u32 = 3;
const LARGEST: u32 = 18;

/// A parameter is no part of the condition if the host is faster for a value that is so many times larger as well.
const FAR_LARGER: i64 = 64;

/// No array that is priced is larger than this number of bytes.
const MOST_BYTES: f64 = 64e9;

/// The host's time in microseconds from which on it says something that it grows with the sizes.
const SUBSTANTIAL: f64 = 1e3;

/// A region with a mapping.
#[derive(Clone, Copy)]
pub struct Mapped<'a> {
    /// The region as it is in C.
    pub extracted: &'a Model,
    /// The region, with expansions.
    pub model: &'a Model,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// Its mapping.
    pub placed: &'a Placed,
    /// True if it runs several times, so that arrays may be on the device already.
    pub runs_again: bool,
}

/// The largest values of parameters for which a region runs on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The values by name. A run with a larger one for any of them is on the device.
    pub sizes: BTreeMap<String, i64>,
    /// The reason, for people.
    pub reason: String,
}

impl Limit {
    /// Returns the limit that the user asks for.
    pub fn asked(sizes: &BTreeMap<String, i64>) -> Self {
        let reason = format!("where {}, as the option or wish `offload` says", bounds(sizes));
        Self { sizes: sizes.clone(), reason }
    }

    /// Returns the limit as a condition on the parameters.
    pub fn threshold(&self) -> Result<Threshold> {
        let names: Vec<&str> = self.sizes.keys().map(String::as_str).collect();
        let host = Set::parse(&format!("[{}] -> {{ : {} }}", names.join(", "), bounds(&self.sizes)))?;
        Ok(Threshold { host: IslSet(host.text()?), reason: self.reason.clone() })
    }
}

fn bounds(sizes: &BTreeMap<String, i64>) -> String {
    let bounds: Vec<String> = sizes.iter().map(|(name, size)| format!("{name} <= {size}")).collect();
    bounds.join(" and ")
}

/// Returns the sizes for which the host is faster; nothing if there are none, or if the region has no kernels or is too
/// complicated for a price.
pub fn limit(mapped: Mapped<'_>, pricing: &Pricing) -> Result<Option<Limit>> {
    if mapped.placed.kernels.is_empty() {
        return Ok(None);
    }
    let names = parameters(mapped.model, pricing)?;
    if names.is_empty() {
        return Ok(None);
    }
    let mut search = Search { mapped, pricing, names: &names, bytes_count: true, known: RefCell::default() };
    loop {
        match search.largest()? {
            Found::Size(size) => return search.described(size).map(Some),
            Found::None => return Ok(None),
            Found::All if search.bytes_count => search.bytes_count = false,
            Found::All => return search.described(1 << LARGEST).map(Some),
        }
    }
}

/// Returns the parameters on which the number of instances depends: those without a known value, or all if all are
/// known.
fn parameters(model: &Model, pricing: &Pricing) -> Result<Vec<String>> {
    let mut used = Vec::new();
    for parameter in &model.parameters {
        for statement in &model.statements {
            let domain = Set::parse(&statement.domain.0)?;
            let position = domain.find_dim_by_name(polyhedra::DimType::Param, &parameter.name)?;
            if position >= 0 && domain.involves_dims(polyhedra::DimType::Param, position as u32, 1)? {
                used.push(parameter.name.clone());
                break;
            }
        }
    }
    let unknown: Vec<String> = used.iter().filter(|name| !pricing.known.contains(name)).cloned().collect();
    Ok(if unknown.is_empty() { used } else { unknown })
}

/// The result of a search.
enum Found {
    /// The host is faster up to this size.
    Size(i64),
    /// The device is faster for all sizes, or nothing is known.
    None,
    /// The host is faster for all sizes.
    All,
}

/// The times of both sides, in microseconds.
#[derive(Debug, Clone, Copy)]
struct Times {
    host: f64,
    device: f64,
}

impl Times {
    /// Returns the host's share, times the margin: the host is faster if it is at most 1.
    fn ratio(self) -> f64 {
        self.host / (CLEARLY_FASTER * self.device)
    }
}

/// What the times consist of.
#[derive(Debug, Clone, Copy)]
struct Prices {
    /// The region on the host.
    host: f64,
    /// The region on the device.
    device: f64,
    /// Copies to the host and back, which the host needs.
    fetched: Transfers,
    /// Copies to the device and back, which the device needs.
    copied: Transfers,
}

struct Search<'a> {
    mapped: Mapped<'a>,
    pricing: &'a Pricing,
    /// The parameters that grow.
    names: &'a [String],
    /// True if the bytes that are copied count.
    bytes_count: bool,
    /// The prices that were found before, by the sizes: they do not depend on whether bytes count.
    known: RefCell<BTreeMap<Sizes, Option<Prices>>>,
}

/// The names and the size of some parameters, and those of others.
type Sizes = (Vec<String>, i64, Vec<String>, i64);

impl Search<'_> {
    /// Searches for the largest size for which the host is faster, by bisection and, between the last two powers of
    /// two, by interpolation.
    fn largest(&self) -> Result<Found> {
        let (mut low, mut high) = (SMALLEST, LARGEST);
        let Some(first) = self.at(1 << low)?.map(Times::ratio) else { return Ok(Found::None) };
        if first > 1.0 {
            return Ok(Found::None);
        }
        let (mut below, mut above) = (first, None);
        if let Some(last) = self.at(1 << high)? {
            if last.ratio() <= 1.0 {
                return Ok(if last.host >= SUBSTANTIAL { Found::All } else { Found::None });
            }
            above = Some(last.ratio());
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            match self.at(1 << middle)?.map(Times::ratio) {
                Some(ratio) if ratio <= 1.0 => (low, below) = (middle, ratio),
                ratio => (high, above) = (middle, ratio),
            }
        }
        let Some(above) = above else {
            // Nothing larger can be priced.
            let known = self.at(1 << low)?.is_some_and(|times| times.host >= SUBSTANTIAL);
            return Ok(if known { Found::Size(1 << low) } else { Found::None });
        };
        let part = (1.0 / below.max(f64::MIN_POSITIVE)).ln() / (above / below.max(f64::MIN_POSITIVE)).ln();
        Ok(Found::Size(rounded((1_i64 << low) as f64 * part.clamp(0.0, 1.0).exp2())))
    }

    /// Returns the times for one size of all parameters; nothing if they cannot be estimated.
    fn at(&self, size: i64) -> Result<Option<Times>> {
        self.with(self.names, size, &[], size)
    }

    /// Returns the times for one size of some parameters and another one of others.
    fn with(&self, names: &[String], size: i64, others: &[String], other: i64) -> Result<Option<Times>> {
        let sizes = (names.to_vec(), size, others.to_vec(), other);
        let known = self.known.borrow().get(&sizes).copied();
        let prices = match known {
            Some(prices) => prices,
            None => {
                let prices = self.prices(&sizes)?;
                self.known.borrow_mut().insert(sizes, prices);
                prices
            }
        };
        let time =
            |transfers: Transfers| transfers.calls + if self.bytes_count { transfers.bytes } else { 0.0 };
        let times = |Prices { host, device, fetched, copied }| Times {
            host: host + time(fetched),
            device: device + time(copied),
        };
        Ok(prices.map(times))
    }

    fn prices(&self, (names, size, others, other): &Sizes) -> Result<Option<Prices>> {
        let Mapped { extracted, model, dependences, placed, .. } = self.mapped;
        let assumed = self.pricing.assumed.with(names, *size).with(others, *other);
        let places = Places::new(model, &assumed)?;
        let gpu = &self.pricing.gpu;
        let is_too_large = |bytes: f64| bytes.is_finite() && bytes > MOST_BYTES;
        if model.arrays.iter().any(|array| is_too_large(places.array_bytes(array.id))) {
            return Ok(None);
        }
        let estimate = || -> Result<Option<Prices>> {
            let Some(device) = time_at(placed, model, &places, gpu)? else { return Ok(None) };
            let (there, elsewhere) = self.arrays();
            let copied = transfers(model, dependences, &elsewhere, (&places, gpu))?;
            let fetched = transfers(model, dependences, &there, (&places, gpu))?;
            let host = host_time(self.statements(), extracted, &places, gpu)?;
            Ok(Some(Prices { host, device, fetched, copied }))
        };
        Ok(estimated(estimate)?.flatten())
    }

    /// Returns the arrays that may be on the device before the region, and the others. Scalars are in neither.
    fn arrays(&self) -> (BTreeSet<ArrayId>, BTreeSet<ArrayId>) {
        let arrays = self.mapped.model.arrays.iter().filter(|array| array.visible && !array.is_scalar());
        let (there, elsewhere): (Vec<_>, Vec<_>) =
            arrays.partition(|array| self.mapped.runs_again && !array.memory.is_empty());
        (there.iter().map(|array| array.id).collect(), elsewhere.iter().map(|array| array.id).collect())
    }

    fn statements(&self) -> impl Iterator<Item = StatementId> {
        let dead = &self.mapped.dependences.dead;
        let statements = self.mapped.extracted.statements.iter().map(|statement| statement.id);
        statements.filter(|id| !dead.contains(id))
    }

    /// Returns the limit at a size.
    fn described(&self, size: i64) -> Result<Limit> {
        let sizes: BTreeMap<String, i64> =
            self.that_matter(size)?.into_iter().map(|name| (name, size)).collect();
        let shown = |name: &str| {
            let mut parameters = self.mapped.model.parameters.iter();
            parameters.find(|one| one.name == name).map_or_else(|| name.to_owned(), Parameter::shown)
        };
        let bounds = bounds(&sizes.iter().map(|(name, size)| (shown(name), *size)).collect());
        let prices = match self.at(size)? {
            Some(Times { host, device }) => format!(": {} for {}", duration(host), duration(device)),
            None => String::new(),
        };
        let reason = format!("where {bounds}, the host takes at most half of the device's time{prices}");
        Ok(Limit { sizes, reason })
    }

    /// Returns the parameters that the condition needs.
    fn that_matter(&self, size: i64) -> Result<Vec<String>> {
        let mut free: Vec<String> = Vec::new();
        for name in self.names.iter().filter(|_| self.names.len() > 1) {
            let more = [&free[..], std::slice::from_ref(name)].concat();
            let times = self.with(self.names, size, &more, size.saturating_mul(FAR_LARGER))?;
            if times.is_some_and(|times| times.ratio() <= 1.0) {
                free = more;
            }
        }
        if free.len() == self.names.len() {
            free.clear();
        }
        Ok(self.names.iter().filter(|name| !free.contains(name)).cloned().collect())
    }
}

/// Returns a number with its first two digits.
fn rounded(value: f64) -> i64 {
    let unit = 10_f64.powf(value.max(10.0).log10().floor() - 1.0);
    ((value / unit).floor() * unit) as i64
}

#[cfg(test)]
mod tests {
    use gpu::target::read_gpu;
    use scop::{Analysed, Program, from_json};

    use super::*;
    use crate::trial::{Trial, Tried};
    use crate::wishes::Wishes;

    /// Returns the threshold of a region in the order of the source, with known sizes.
    fn found(document: &str, known: &[(&str, i64)], runs_again: bool) -> Option<String> {
        let program: Program<Analysed> = from_json(document).unwrap();
        let scop = &program.scops[0];
        let (model, dependences) = (&scop.model, &scop.stage.dependences);
        let known: BTreeMap<_, _> = known.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
        let gpu = read_gpu(include_str!("../../targets/h100.json")).unwrap();
        let pricing = Pricing::new(model, &known, gpu).unwrap();
        let wishes = Wishes::new(model, &[]);
        let tried = Tried { model, dependences, functions: &[], wishes: &wishes, pricing: &pricing };
        let placed = Trial::new(tried, &model.order).unwrap().placed;
        let mapped = Mapped { extracted: scop.extracted(), model, dependences, placed: &placed, runs_again };
        limit(mapped, &pricing).unwrap().map(|limit| limit.threshold().unwrap().host.0)
    }

    const PRODUCT: &str = include_str!("../tests/documents/matmul.json");

    #[test]
    fn small_products_stay_on_the_host() {
        let found = found(PRODUCT, &[], false).unwrap();
        let bound = found.rsplit("p <= ").next().unwrap().trim_end_matches(" }").parse::<i64>().unwrap();
        assert!((8..100).contains(&bound), "{found}");
        assert!(["m", "n", "p"].iter().all(|name| found.contains(&format!("{name} <= {bound}"))), "{found}");
    }

    /// With a million rows, there is work for the device even if the rows are short.
    #[test]
    fn known_sizes_are_no_part_of_the_condition() {
        let condition = found(PRODUCT, &[("m", 16), ("p", 16)], false).unwrap();
        assert!(condition.contains("n <= ") && !condition.contains("m <= "), "{condition}");
        assert_eq!(found(PRODUCT, &[("m", 4096), ("p", 4096)], false), None);
    }

    /// A recurrence is computed by one thread. The host does that sooner, for sizes at which launches do not matter.
    #[test]
    fn what_a_gpu_does_slowly_stays_on_the_host() {
        let condition = found(include_str!("../tests/documents/durbin.json"), &[], false).unwrap();
        let bound = condition.rsplit("n <= ").next().unwrap().trim_end_matches(" }").parse::<i64>().unwrap();
        assert!((10_000..=1 << LARGEST).contains(&bound), "{condition}");
    }

    #[test]
    fn arrays_that_may_be_on_the_device_would_have_to_come_back() {
        let bound = |again| {
            let found = found(include_str!("../tests/documents/again.json"), &[], again);
            found
                .map(|text| text.rsplit("<= ").next().unwrap().trim_end_matches(" }").parse::<i64>().unwrap())
        };
        let (once, again) = (bound(false), bound(true));
        assert!(once > again, "{once:?} {again:?}");
    }

    #[test]
    fn numbers_have_two_digits() {
        assert_eq!([9.7, 12.3, 123.4, 3149.0].map(rounded), [9, 12, 120, 3100]);
    }
}
