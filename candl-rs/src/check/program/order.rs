//! Every dependence is respected by the order of the loop program.
//!
//! Two points of a program run one after the other if they differ in a loop around both, or else in the position in the text. So a
//! relation between points is followed through the loops around both, outermost first: in each, what goes back is a breach,
//! what goes forward is in order, and what stays goes on to the next.

use polyhedra::{Map, Result};

use super::barriers::{Separation, separation};
use super::compare::{Order, apart, common, compare, equal, extended};
use super::instances::Executed;
use super::leaf::{Launch, Leaf, Step, dimensions};
use crate::check::breach::Breach;

/// The first way in which instances that two leaves execute are not in order, and those that are not.
pub fn check_order(
    first: &Executed<'_>,
    second: &Executed<'_>,
    pairs: &Map,
    barriers: &[&Leaf<'_>],
) -> Result<Option<(Breach, Map)>> {
    let points = between_points(first, second, pairs)?;
    if points.plain_is_empty()? {
        return Ok(None);
    }
    let Some((breach, points)) = check_points(first.leaf, second.leaf, points, barriers)? else {
        return Ok(None);
    };
    let pairs = points.apply_domain(Map::from_pw_multi_aff(first.instance.copy()?)?)?;
    Ok(Some((breach, pairs.apply_range(Map::from_pw_multi_aff(second.instance.copy()?)?)?)))
}

/// A relation between instances as one between the points that execute them.
pub fn between_points(first: &Executed<'_>, second: &Executed<'_>, pairs: &Map) -> Result<Map> {
    let (domain, range) = (first.instance.copy()?, second.instance.copy()?);
    let pairs = pairs.copy()?;
    let pairs = if domain.isa_multi_aff()? {
        pairs.preimage_domain_multi_aff(domain.as_multi_aff()?)?
    } else {
        pairs.preimage_domain_pw_multi_aff(domain)?
    };
    let pairs = if range.isa_multi_aff()? {
        pairs.preimage_range_multi_aff(range.as_multi_aff()?)?
    } else {
        pairs.preimage_range_pw_multi_aff(range)?
    };
    Ok(pairs.intersect_domain(first.points.copy()?)?.intersect_range(second.points.copy()?)?)
}

/// The first way in which the second of two points of some pairs does not follow the first, and the pairs for which it does not.
pub fn check_points(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    points: Map,
    barriers: &[&Leaf<'_>],
) -> Result<Option<(Breach, Map)>> {
    let ends = Ends { first, second, common: common(&first.path, &second.path), separators: barriers };
    match first.launch {
        Some(launch) if launch.step < ends.common => ends.check_launches(launch, points),
        _ => ends.check_thread(0, points),
    }
}

/// The pairs of points of different threads of a block, the first of which comes before the second without a barrier between. The
/// points are those that `pairs` gives, in one block of one launch.
///
/// # Errors
/// As of isl's.
pub fn check_race(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    pairs: impl FnOnce() -> Result<Map>,
    barriers: &[&Leaf<'_>],
) -> Result<Option<Map>> {
    let ends = Ends { first, second, common: common(&first.path, &second.path), separators: barriers };
    let Some(launch) = first.launch.filter(|launch| launch.step < ends.common) else { return Ok(None) };
    if ends.is_always_separated(launch.step + 1)? {
        return Ok(None);
    }
    let mut points = pairs()?;
    for dimension in launch.thread_dimensions() {
        for apart in apart(&points, dimension)? {
            let open = ends.unseparated(launch.step + 1, apart, Back::Ignore)?;
            if open.is_some() {
                return Ok(open);
            }
        }
        points = equal(points, dimension)?;
    }
    Ok(None)
}

/// The pairs of points, one on the host and one on the device, between which no transfer stands.
///
/// # Errors
/// As of isl's.
pub fn untransferred(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    pairs: impl FnOnce() -> Result<Map>,
    transfers: &[&Leaf<'_>],
) -> Result<Option<Map>> {
    let ends = Ends { first, second, common: common(&first.path, &second.path), separators: transfers };
    if ends.is_always_separated(0)? { Ok(None) } else { ends.unseparated(0, pairs()?, Back::Ignore) }
}

/// What is made of pairs whose second point comes first.
#[derive(Debug, Clone, Copy)]
enum Back {
    /// They are breaches.
    Breach,
    /// They are looked at from the other side.
    Ignore,
}

struct Ends<'a> {
    first: &'a Leaf<'a>,
    second: &'a Leaf<'a>,
    /// The steps that their paths share.
    common: usize,
    /// What has to stand between points that are not in order by themselves.
    separators: &'a [&'a Leaf<'a>],
}

impl Ends<'_> {
    /// Points in one kernel: different launches, different blocks, different threads, the same thread.
    fn check_launches(&self, launch: Launch, points: Map) -> Result<Option<(Breach, Map)>> {
        let mut points = points;
        for dimension in 0..launch.first {
            let back = compare(&points, dimension, Order::After)?;
            if !back.is_empty()? {
                return Ok(Some((Breach::Order, back)));
            }
            points = equal(points, dimension)?;
        }
        if points.plain_is_empty()? {
            return Ok(None);
        }
        for dimension in launch.first..launch.first + launch.blocks {
            if let Some(apart) = apart(&points, dimension)?.pop() {
                return Ok(Some((Breach::Blocks, apart)));
            }
            points = equal(points, dimension)?;
        }
        for dimension in launch.first + launch.blocks..launch.first + launch.blocks + launch.threads {
            for apart in apart(&points, dimension)? {
                if let Some(breach) = self.unseparated(launch.step + 1, apart, Back::Breach)? {
                    return Ok(Some((Breach::Threads, breach)));
                }
            }
            points = equal(points, dimension)?;
        }
        self.check_thread(launch.step + 1, points)
    }

    /// Points of one thread, or on the host, that agree in the loops of the first `step` steps.
    fn check_thread(&self, step: usize, points: Map) -> Result<Option<(Breach, Map)>> {
        let mut points = points;
        for (_, dimension) in self.loops(step) {
            let back = compare(&points, dimension, Order::After)?;
            if !back.is_empty()? {
                return Ok(Some((Breach::Order, back)));
            }
            points = equal(points, dimension)?;
        }
        if self.is_forward() || points.is_empty()? { Ok(None) } else { Ok(Some((Breach::Order, points))) }
    }

    /// The pairs between which no separator stands, among points that agree in the loops of the first `step` steps.
    fn unseparated(&self, step: usize, points: Map, back: Back) -> Result<Option<Map>> {
        let mut points = points;
        for (step, dimension) in self.loops(step) {
            if matches!(back, Back::Breach) {
                let back = compare(&points, dimension, Order::After)?;
                if !back.is_empty()? {
                    return Ok(Some(back));
                }
            }
            let separation = separation(self.first, self.second, step + 1, None, self.separators)?;
            let open = self.open(separation, || compare(&points, dimension, Order::Before))?;
            if open.is_some() {
                return Ok(open);
            }
            points = equal(points, dimension)?;
        }
        match self.positions() {
            Some((first, second)) if first < second => {
                let positions = Some((first, second));
                let separation =
                    separation(self.first, self.second, self.common, positions, self.separators)?;
                self.open(separation, || Ok(points.copy()?))
            }
            Some(_) if matches!(back, Back::Ignore) => Ok(None),
            _ => Ok(if points.is_empty()? { None } else { Some(points) }),
        }
    }

    /// True if [`Ends::unseparated`] finds nothing whatever the pairs are: something stands between in every case.
    fn is_always_separated(&self, step: usize) -> Result<bool> {
        for (step, _) in self.loops(step) {
            let separation = separation(self.first, self.second, step + 1, None, self.separators)?;
            if !matches!(separation, Separation::Always) {
                return Ok(false);
            }
        }
        let Some((first, second)) = self.positions() else { return Ok(false) };
        let separation =
            || separation(self.first, self.second, self.common, Some((first, second)), self.separators);
        Ok(first > second || matches!(separation()?, Separation::Always))
    }

    /// The pairs that nothing keeps apart.
    fn open(&self, separation: Separation, points: impl FnOnce() -> Result<Map>) -> Result<Option<Map>> {
        let Separation::Sometimes { after_first, before_second } = separation else { return Ok(None) };
        let mut open = points()?;
        for prefixes in after_first {
            open = open.subtract_domain(extended(prefixes, self.first)?)?;
        }
        for prefixes in before_second {
            open = open.subtract_range(extended(prefixes, self.second)?)?;
        }
        Ok(if open.is_empty()? { None } else { Some(open) })
    }

    /// The loops around both from a step on: the step into each, and its dimension.
    fn loops(&self, from: usize) -> impl Iterator<Item = (usize, usize)> {
        let path = &self.first.path[..self.common];
        let loops = path.iter().enumerate().skip(from).filter(|(_, step)| matches!(step, Step::Loop));
        loops.map(|(step, _)| (step, dimensions(&path[..step])))
    }

    /// The positions in the text where the two ways part, if they part at the children of a block.
    fn positions(&self) -> Option<(usize, usize)> {
        match (self.first.path.get(self.common), self.second.path.get(self.common)) {
            (Some(Step::Child(first)), Some(Step::Child(second))) => Some((*first, *second)),
            _ => None,
        }
    }

    /// True if the first runs before the second where all loops agree.
    fn is_forward(&self) -> bool {
        self.positions().is_some_and(|(first, second)| first < second)
    }
}
