//! Checks that the order of the loop program respects every dependence.
//!
//! Which of two points of a program runs first is decided by the outermost loop around both in which they differ, or
//! else by their position in the text. A relation between points is therefore followed through the loops around
//! both, outermost first. In each loop, pairs that go back are a breach, pairs that go forward are in order, and
//! pairs that agree are passed on to the next loop.

use polyhedra::{Map, Result};

use super::barriers::{Separation, separation};
use super::compare::{Order, apart, common, compare, equal, extended};
use super::instances::Executed;
use super::leaf::{Launch, Leaf, Step, dimensions};
use crate::report::Breach;

/// Returns the first way in which instances that two leaves execute are not in order, with these pairs of instances.
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

/// Converts a relation between instances to one between the points that execute them.
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

/// Returns the first way in which the second point of some pairs does not follow the first, with these pairs.
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

/// Returns pairs of points of different threads of a block, the first of which comes before the second without a
/// barrier in between. `pairs` returns the pairs that agree in a number of leading coordinates.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn check_race(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    pairs: impl Fn(usize) -> Result<Map>,
    barriers: &[&Leaf<'_>],
) -> Result<Option<Map>> {
    let ends = Ends { first, second, common: common(&first.path, &second.path), separators: barriers };
    let Some(launch) = first.launch.filter(|launch| launch.step < ends.common) else { return Ok(None) };
    if ends.is_always_separated(launch.step + 1)? {
        return Ok(None);
    }
    for dimension in launch.thread_dimensions() {
        for apart in apart(&pairs(dimension)?, dimension)? {
            let open = ends.unseparated(launch.step + 1, apart, Back::Ignore)?;
            if open.is_some() {
                return Ok(open);
            }
        }
    }
    Ok(None)
}

/// Returns the pairs of points, one on the host and one on the device, without a transfer in between.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn untransferred(
    first: &Leaf<'_>,
    second: &Leaf<'_>,
    pairs: impl FnOnce() -> Result<Map>,
    transfers: &[&Leaf<'_>],
) -> Result<Option<Map>> {
    let ends = Ends { first, second, common: common(&first.path, &second.path), separators: transfers };
    if ends.is_always_separated(0)? { Ok(None) } else { ends.unseparated(0, pairs()?, Back::Ignore) }
}

/// How pairs are treated whose second point comes first.
#[derive(Debug, Clone, Copy)]
enum Back {
    /// They are breaches.
    Breach,
    /// They are ignored: another check covers them.
    Ignore,
}

struct Ends<'a> {
    first: &'a Leaf<'a>,
    second: &'a Leaf<'a>,
    /// The number of steps that their paths share.
    common: usize,
    /// The barriers or transfers of which one has to be between points that are not ordered otherwise.
    separators: &'a [&'a Leaf<'a>],
}

impl Ends<'_> {
    /// Checks points in one kernel: in different launches, different blocks, different threads, and the same thread.
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

    /// Checks points of one thread, or on the host, that agree in the loops of the first `step` steps.
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

    /// Returns the pairs without a separator in between, among points that agree in the loops of the first `step`
    /// steps.
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

    /// True if [`Ends::unseparated`] finds nothing whatever the pairs are, because a separator is always in between.
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

    /// Returns the pairs that no separator separates.
    fn open(&self, separation: Separation<'_>, points: impl FnOnce() -> Result<Map>) -> Result<Option<Map>> {
        let Separation::Sometimes { after_first, before_second, in_loops } = separation else {
            return Ok(None);
        };
        let mut open = points()?;
        for prefixes in after_first {
            open = open.subtract_domain(extended(prefixes, self.first)?)?;
        }
        for prefixes in before_second {
            open = open.subtract_range(extended(prefixes, self.second)?)?;
        }
        for separator in in_loops {
            if open.is_empty()? {
                return Ok(None);
            }
            let prefixes = separator.prefixes()?;
            open = if separator.is_around_second {
                open.subtract_range(extended(prefixes, self.second)?)?
            } else {
                open.subtract_domain(extended(prefixes, self.first)?)?
            };
        }
        Ok(if open.is_empty()? { None } else { Some(open) })
    }

    /// Returns the loops around both leaves from a step on: the step into each, and its dimension.
    fn loops(&self, from: usize) -> impl Iterator<Item = (usize, usize)> {
        let path = &self.first.path[..self.common];
        let loops = path.iter().enumerate().skip(from).filter(|(_, step)| matches!(step, Step::Loop));
        loops.map(|(step, _)| (step, dimensions(&path[..step])))
    }

    /// Returns the positions in the text where the two paths diverge, if they diverge at the children of a block.
    fn positions(&self) -> Option<(usize, usize)> {
        match (self.first.path.get(self.common), self.second.path.get(self.common)) {
            (Some(Step::Child(first)), Some(Step::Child(second))) => Some((*first, *second)),
            _ => None,
        }
    }

    /// True if the first leaf runs before the second where all loops agree.
    fn is_forward(&self) -> bool {
        self.positions().is_some_and(|(first, second)| first < second)
    }
}

#[cfg(test)]
mod tests {
    use polyhedra::{Set, Text};
    use scop::ast::Node;

    use super::*;

    static BARRIER: Node = Node::Barrier;

    /// Returns a leaf in a kernel with blocks `b`, `c` and threads `x`, `y`, in a host loop `t` and in the loops of
    /// its path. The leaf is reached where a condition holds.
    fn leaf_where(inside: &[Step], condition: &str) -> Leaf<'static> {
        let path = [&[Step::Loop, Step::Kernel(4)], inside].concat();
        let names = ["t", "b", "c", "x", "y", "k", "l"].map(ToOwned::to_owned)[..dimensions(&path)].to_vec();
        let domain = Set::parse(&format!("{{ [{}] : {condition} }}", names.join(", "))).unwrap();
        let launch = Launch { step: 1, first: 1, blocks: 2, threads: 2, sizes: [8, 8, 1], grid: 0 };
        Leaf {
            node: &BARRIER,
            path,
            names,
            domain,
            launch: Some(launch),
            divergent: false,
            fixed: Vec::new(),
        }
    }

    fn leaf(inside: &[Step]) -> Leaf<'static> {
        leaf_where(inside, "true")
    }

    /// Returns the pairs of a relation that agree in a number of leading coordinates.
    fn agreeing(pairs: &str) -> impl Fn(usize) -> Result<Map> {
        move |dimensions| (0..dimensions).try_fold(Map::parse(pairs)?, equal)
    }

    /// True if pairs of points, `{ [t, b, c, x, y] -> … }`, are a race.
    fn is_race(first: &[Step], second: &[Step], pairs: &str, barriers: &[Leaf<'_>]) -> bool {
        let barriers: Vec<&Leaf<'_>> = barriers.iter().collect();
        let found = check_race(&leaf(first), &leaf(second), agreeing(pairs), &barriers);
        found.unwrap().is_some()
    }

    /// Returns how pairs of points of two leaves break the order.
    fn breach(first: &[Step], second: &[Step], pairs: &str, barriers: &[Leaf<'_>]) -> Option<Breach> {
        let barriers: Vec<&Leaf<'_>> = barriers.iter().collect();
        let found = check_points(&leaf(first), &leaf(second), Map::parse(pairs).unwrap(), &barriers);
        found.unwrap().map(|(breach, _)| breach)
    }

    const NEIGHBOURS: [&str; 4] = ["x + 1, y", "x - 1, y", "x, y + 1", "x, y - 1"];

    fn to(thread: &str) -> String {
        format!("{{ [t, b, c, x, y] -> [t, b, c, {thread}] }}")
    }

    #[test]
    fn threads_in_any_direction_race_unless_a_barrier_is_between() {
        use Step::Child;
        let (put, used) = ([Child(1), Child(1)], [Child(3), Child(1)]);
        for thread in NEIGHBOURS {
            assert!(is_race(&put, &used, &to(thread), &[]), "{thread}");
            for between in [&[Child(2)][..], &[Child(1), Child(2)], &[Child(3), Child(0)]] {
                assert!(!is_race(&put, &used, &to(thread), &[leaf(between)]), "{thread} {between:?}");
            }
            for elsewhere in [&[Child(0)][..], &[Child(1), Child(0)], &[Child(3), Child(2)], &[Child(4)]] {
                assert!(is_race(&put, &used, &to(thread), &[leaf(elsewhere)]), "{thread} {elsewhere:?}");
            }
            assert!(is_race(&put, &put, &to(thread), &[leaf(&[Child(2)])]), "{thread}");
            // These pairs are checked with the leaves exchanged.
            assert!(!is_race(&used, &put, &to(thread), &[]), "{thread}");
        }
        assert!(!is_race(&put, &used, &to("x, y"), &[]));
    }

    #[test]
    fn barriers_that_are_not_always_reached_part_only_those_that_reach_them() {
        use Step::{Branch, Child, Loop};
        let (put, used) = ([Child(0)], [Child(2)]);
        let first_block = leaf_where(&[Child(1), Branch(true)], "b = 0");
        let loops = leaf_where(&[Child(1), Loop], "0 <= k < b");
        for (barrier, blocks, expected) in [
            (&first_block, "b = 0", false),
            (&first_block, "b >= 0", true),
            (&loops, "b > 0", false),
            (&loops, "b >= 0", true),
        ] {
            let pairs = format!("{{ [t, b, c, x, y] -> [t, b, c, x + 1, y] : {blocks} }}");
            let found = check_race(&leaf(&put), &leaf(&used), agreeing(&pairs), &[barrier]);
            assert_eq!(found.unwrap().is_some(), expected, "{blocks}");
        }
    }

    /// A barrier in a loop around only one of the two points is between them in the iteration of that point, in later
    /// ones than that of the first point, and in earlier ones than that of the second.
    #[test]
    fn barriers_in_a_loop_around_one_point_part_those_that_come_by() {
        use Step::{Branch, Child, Loop};
        let condition = "k = 3";
        for (first, barrier, second, pairs, races) in [
            (
                &[Child(0), Loop, Child(0)][..],
                &[Child(0), Loop, Child(1), Branch(true)][..],
                &[Child(1)][..],
                "[t, b, c, x, y, k] -> [t, b, c, x + 1, y]",
                [false, false, true],
            ),
            (
                &[Child(0)],
                &[Child(1), Loop, Child(0), Branch(true)],
                &[Child(1), Loop, Child(1)],
                "[t, b, c, x, y] -> [t, b, c, x + 1, y, k]",
                [true, false, false],
            ),
        ] {
            for (k, expected) in [2, 3, 4].into_iter().zip(races) {
                let pairs = format!("{{ {pairs} : k = {k} }}");
                assert_eq!(
                    is_race(first, second, &pairs, &[leaf_where(barrier, condition)]),
                    expected,
                    "{pairs}"
                );
            }
        }
    }

    #[test]
    fn barriers_in_a_loop_are_between_its_iterations() {
        use Step::{Child, Loop};
        let step = |k: &str, thread: &str| format!("{{ [t, b, c, x, y, k] -> [t, b, c, {thread}, {k}] }}");
        let at = |child: usize| [Loop, Child(child)];
        for thread in NEIGHBOURS {
            let (same, later) = (step("k", thread), step("k + 1", thread));
            // Put, used, barrier.
            assert!(is_race(&at(0), &at(1), &same, &[leaf(&at(2))]));
            assert!(!is_race(&at(0), &at(1), &later, &[leaf(&at(2))]));
            // Barrier, put, used.
            assert!(is_race(&at(1), &at(2), &same, &[leaf(&at(0))]));
            assert!(!is_race(&at(1), &at(2), &later, &[leaf(&at(0))]));
            // Used, barrier, put: from one iteration to the next there is none.
            assert!(!is_race(&at(2), &at(0), &same, &[leaf(&at(1))]));
            assert!(is_race(&at(2), &at(0), &later, &[leaf(&at(1))]));
            // A barrier outside the loop is between none of its iterations.
            let inner = |child: usize| [Child(1), Loop, Child(child)];
            for outside in [leaf(&[Child(0)]), leaf(&[Child(2)])] {
                assert!(is_race(&inner(0), &inner(1), &later, &[outside]));
            }
        }
    }

    #[test]
    fn dependences_lead_forward_within_a_block() {
        use Step::{Child, Loop};
        let (first, second) = ([Child(0)], [Child(2)]);
        let between = || [leaf(&[Child(1)])];
        for (sink, expected) in [
            ("t, b, c, x, y", None),
            ("t + 1, b + 1, c, x, y + 1", None),
            ("t - 1, b, c, x, y", Some(Breach::Order)),
            ("t, b + 1, c, x, y", Some(Breach::Blocks)),
            ("t, b, c - 1, x, y", Some(Breach::Blocks)),
            ("t, b, c, x + 1, y", Some(Breach::Threads)),
            ("t, b, c, x, y - 1", Some(Breach::Threads)),
        ] {
            let pairs = format!("{{ [t, b, c, x, y] -> [{sink}] }}");
            assert_eq!(breach(&first, &second, &pairs, &[]), expected, "{sink}");
            let expected = expected.filter(|breach| *breach != Breach::Threads);
            assert_eq!(breach(&first, &second, &pairs, &between()), expected, "{sink}");
        }
        // No barrier helps if a dependence goes backwards in the text or in a loop.
        let pairs = |sink: &str| format!("{{ [t, b, c, x, y] -> [t, b, c, {sink}] }}");
        assert_eq!(breach(&second, &first, &pairs("x, y"), &between()), Some(Breach::Order));
        assert_eq!(breach(&second, &first, &pairs("x + 1, y"), &between()), Some(Breach::Threads));
        let at = |child: usize| [Loop, Child(child)];
        let pairs = |sink: &str| format!("{{ [t, b, c, x, y, k] -> [t, b, c, {sink}] }}");
        let barriers = || [leaf(&at(1))];
        assert_eq!(breach(&at(0), &at(2), &pairs("x, y, k - 1"), &barriers()), Some(Breach::Order));
        assert_eq!(breach(&at(0), &at(2), &pairs("x, y + 1, k - 1"), &barriers()), Some(Breach::Threads));
        assert_eq!(breach(&at(0), &at(2), &pairs("x, y + 1, k + 1"), &barriers()), None);
    }
}
