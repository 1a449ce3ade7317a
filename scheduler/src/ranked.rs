//! Numbers the tiles of a kernel, so that only tiles with work become blocks.
//!
//! *Before → after:* for the triangle `0 <= bx <= by < n` of tiles, a grid of `n × n` blocks becomes one of
//! `n (n + 1) / 2` blocks. The block with the rank `r` has the coordinates `by`, the largest number with
//! `by (by + 1) / 2 <= r`, and `bx = r - by (by + 1) / 2`.
//!
//! How many tiles precede a tile is counted by libbarvinok. Its counts are not trusted: [`proof::is_bijection`] has to
//! find that they number the tiles, as the proof of the loop program does later.

use std::cell::RefCell;
use std::collections::BTreeMap;

use place::counting::{Counting, WORK};
use polyhedra::polynomial::pieces_of;
use polyhedra::{
    DimType, Map, PwMultiAff, PwQPolynomial, Range, Result, Set, Text, numbered, range_of_last, within,
};
use scop::ast::search::Search;
use scop::from_isl::of_ranked;
use scop::{Axis, IslPwAff, IslPwQPolynomial, Ranked, RankedCoordinate};

/// The limit on isl operations for one numbering.
const OPERATIONS: u64 = 3_000_000;

/// The most pieces of a count that a kernel distinguishes.
const MOST_PIECES: usize = 3;

/// The most combinations of counts that are compared with the tiles.
const MOST_ATTEMPTS: usize = 24;

/// Numbered tiles.
pub struct Numbered {
    /// The numbering.
    pub ranked: Ranked,
    /// The tiles that have a number: the loops around, then the coordinates, slowest first.
    pub shape: Set,
    /// What it takes a warp to find each coordinate.
    pub searches: Vec<(Axis, Search)>,
}

/// The texts of the tiles and of what is known of the parameters, and the axes.
type Question = (String, String, Vec<Axis>);

/// Numberings that were found before: the orders that are tried have most of their kernels in common.
#[derive(Default)]
pub struct Numberings(RefCell<BTreeMap<Question, std::result::Result<Numbered, String>>>);

impl Numberings {
    /// Does what [`ranked`] does, once for the same tiles.
    pub fn ranked(
        &self,
        tiles: &Map,
        axes: &[Axis],
        context: &Set,
        counting: &Counting,
    ) -> Result<std::result::Result<Numbered, String>> {
        let question = (tiles.text()?, context.text()?, axes.to_vec());
        if let Some(known) = self.0.borrow().get(&question) {
            return copied(known);
        }
        let found = ranked(tiles, axes, context, counting)?;
        self.0.borrow_mut().insert(question, copied(&found)?);
        Ok(found)
    }
}

fn copied(found: &std::result::Result<Numbered, String>) -> Result<std::result::Result<Numbered, String>> {
    Ok(match found {
        Ok(Numbered { ranked, shape, searches }) => {
            Ok(Numbered { ranked: ranked.clone(), shape: shape.copy()?, searches: searches.clone() })
        }
        Err(why) => Err(why.clone()),
    })
}

/// Numbers tiles: `{ [h] -> [t] : … }`, with the axis of each coordinate. `context` is what is known of the
/// parameters. Returns the reason if the tiles cannot be numbered.
fn ranked(
    tiles: &Map,
    axes: &[Axis],
    context: &Set,
    counting: &Counting,
) -> Result<std::result::Result<Numbered, String>> {
    if let Some(missing) = counting.missing() {
        return Ok(Err(missing));
    }
    counting.allow(WORK);
    let numbered = || Numberer::new(tiles, axes, context, counting)?.ranked();
    let found = match within(OPERATIONS, numbered) {
        // The hull of several parts may have no bounds although each part has some.
        Err(error) if !error.is_limit() => return Ok(Err(error.to_string())),
        found => found?,
    };
    Ok(found.unwrap_or_else(|| Err("the tiles are too complicated to be numbered".to_owned())))
}

struct Numberer<'a> {
    counting: &'a Counting,
    context: &'a Set,
    /// The axes, slowest first.
    axes: Vec<Axis>,
    /// The number of loops around the kernel.
    depth: u32,
    /// The values of these loops for which there are tiles.
    guard: Set,
    /// The bounds of each coordinate, as functions of the loops around and of slower coordinates.
    ranges: Vec<Range>,
    /// The tiles between these bounds: the loops around, then the coordinates.
    shape: Set,
}

impl<'a> Numberer<'a> {
    fn new(tiles: &Map, axes: &[Axis], context: &'a Set, counting: &'a Counting) -> Result<Self> {
        let depth = tiles.dim(DimType::In)? as u32;
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&member| std::cmp::Reverse(axes[member]));
        let slowest_first: Vec<String> = order.iter().map(|member| format!("m{member}")).collect();
        let reorder =
            format!("{{ [{}] -> [{}] }}", numbered("m", axes.len()).join(", "), slowest_first.join(", "));
        let tiles = tiles.copy()?.intersect_params(context.copy()?)?.apply_range(Map::parse(&reorder)?)?;
        let guard = Set::from_basic_set(tiles.copy()?.domain()?.simple_hull()?)?.remove_divs()?;
        let tiles = tiles.wrap()?.flatten()?.remove_divs()?;
        let tiles = Set::from_basic_set(tiles.simple_hull()?.remove_redundancies()?)?;
        let count = axes.len() as u32;
        let mut shape = Set::universe(tiles.get_space()?)?.intersect_params(context.copy()?)?;
        let mut ranges = Vec::new();
        for position in 0..count {
            let faster = count - 1 - position;
            let known = tiles.copy()?.project_out(DimType::Set, depth + position + 1, faster)?;
            let range = range_of_last(&known)?;
            let bounds = Set::from_basic_set(range.hull.copy()?)?;
            let bounds = bounds.drop_constraints_not_involving_dims(DimType::Set, depth + position, 1)?;
            shape = shape.intersect(bounds.add_dims(DimType::Set, faster)?)?;
            ranges.push(range);
        }
        let all = guard.copy()?.add_dims(DimType::Set, count)?;
        let shape = shape.intersect(all)?;
        let axes = order.iter().map(|&member| axes[member]).collect();
        Ok(Self { counting, context, axes, depth, guard, ranges, shape })
    }

    fn ranked(self) -> Result<std::result::Result<Numbered, String>> {
        let blocks = match self.count(&self.below(0, false)?)? {
            Ok(counts) => counts,
            Err(why) => return Ok(Err(why)),
        };
        let mut before = Vec::new();
        for position in 0..self.axes.len().saturating_sub(1) {
            match self.count(&self.below(position as u32, true)?)? {
                Ok(counts) => before.push(counts),
                Err(why) => return Ok(Err(why)),
            }
        }
        let choices: Vec<&[IslPwQPolynomial]> =
            std::iter::once(&blocks[..]).chain(before.iter().map(|counts| &counts[..])).collect();
        for choice in combinations(&choices).into_iter().take(MOST_ATTEMPTS) {
            let ranked = self.with(choice)?;
            if let Some(searches) = self.searches_if_right(&ranked)? {
                return Ok(Ok(Numbered { ranked, shape: self.shape, searches }));
            }
        }
        Ok(Err("no count of the tiles is proved to be right".to_owned()))
    }

    /// Returns the relation from the loops around, slower coordinates and, if `counted`, a value of the coordinate at
    /// `position` to the tiles with these slower coordinates and, if `counted`, a smaller one here:
    /// `{ [h, slower, b] -> [t, faster] : t < b and … }`.
    fn below(&self, position: u32, counted: bool) -> Result<Map> {
        let outer = self.depth + position;
        let tiles = Map::from_range(self.shape.copy()?)?;
        let tiles = tiles.move_dims(DimType::In, 0, DimType::Out, 0, outer)?;
        if !counted {
            return Ok(tiles);
        }
        let faster = self.axes.len() as u32 - 1 - position;
        let domain = self.shape.copy()?.project_out(DimType::Set, outer + 1, faster)?;
        let tiles = tiles.insert_dims(DimType::In, outer, 1)?;
        let tiles = tiles.order_lt(DimType::Out, 0, DimType::In, outer as i32)?;
        Ok(tiles.intersect_domain(domain)?)
    }

    /// Returns functions of which one counts the images of a relation, the simplest one first, or the reason why
    /// there is none.
    fn count(&self, relation: &Map) -> Result<std::result::Result<Vec<IslPwQPolynomial>, String>> {
        let text = relation.text()?;
        let count = match self.counting.count(|counter| counter.card_of_images(&text))? {
            Ok(count) => PwQPolynomial::parse(&count)?.coalesce()?,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let mut found = Vec::new();
        let Ok(pieces) = pieces_of(&count) else { return Ok(Err("the count is too large".to_owned())) };
        for piece in &pieces {
            // Counting gives rows without predecessors a piece of their own, although the polynomial of the other rows
            // is often 0 there as well.
            let here = count.copy()?.intersect_domain(piece.domain.copy()?)?.gist(piece.domain.copy()?)?;
            if here.isa_qpolynomial()? {
                found.push(IslPwQPolynomial(here.text()?));
            }
        }
        found.sort_by_key(|count| std::cmp::Reverse(count.0.len()));
        found.truncate(MOST_PIECES);
        if pieces.len() <= MOST_PIECES {
            found.push(IslPwQPolynomial(count.text()?));
        }
        if found.is_empty() {
            return Ok(Err("the count of the tiles has too many cases".to_owned()));
        }
        Ok(Ok(found))
    }

    /// Returns the numbering with these counts: that of all tiles, then those of the coordinates.
    fn with(&self, counts: Vec<&IslPwQPolynomial>) -> Result<Ranked> {
        let mut counts = counts.into_iter().cloned();
        let blocks = counts.next().unwrap_or_else(|| IslPwQPolynomial("{ 0 }".to_owned()));
        let coordinate = |(axis, range): (&Axis, &Range)| -> Result<RankedCoordinate> {
            Ok(RankedCoordinate {
                axis: *axis,
                lower: IslPwAff(range.lower.text()?),
                upper: IslPwAff(range.upper.text()?),
                before: counts.next(),
            })
        };
        let coordinates = self.axes.iter().zip(&self.ranges).map(coordinate).collect::<Result<_>>()?;
        Ok(Ranked { coordinates, blocks })
    }

    /// Returns what it takes to find the coordinates, if the numbering is right.
    fn searches_if_right(&self, ranked: &Ranked) -> Result<Option<Vec<(Axis, Search)>>> {
        let names = numbered("h", self.depth as usize);
        let dimensions: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
        let named =
            PwMultiAff::parse(&format!("[{}] -> {{ [{}] }}", names.join(", "), dimensions.join(", ")))?;
        let known = self.guard.copy()?.preimage_pw_multi_aff(named)?.params()?;
        let known = known.intersect(self.context.copy()?)?;
        let written = of_ranked(&known, ranked, &names)?;
        let domain = self.guard.copy()?.intersect_params(self.context.copy()?)?;
        let is_right = proof::is_bijection(&names, &domain, &written)?;
        let searches = written.coordinates.iter().map(|one| (one.axis, Search::of(one)));
        Ok(is_right.then(|| searches.collect()))
    }
}

/// Returns all ways to choose one of each.
fn combinations<'c, T>(choices: &[&'c [T]]) -> Vec<Vec<&'c T>> {
    choices.iter().fold(vec![Vec::new()], |known, choice| {
        let longer = |chosen: &Vec<&'c T>| {
            let chosen = chosen.clone();
            choice.iter().map(move |next| chosen.iter().copied().chain([next]).collect::<Vec<_>>())
        };
        known.iter().flat_map(longer).collect()
    })
}

#[cfg(test)]
mod tests {
    use polyhedra::polynomial::evaluate;
    use polyhedra::{PwAff, integer, points_of};

    use super::*;

    /// Returns nothing if libbarvinok is not installed: there is nothing to test without it.
    fn numbered_tiles(tiles: &str, axes: &[Axis]) -> Option<std::result::Result<Ranked, String>> {
        let counting = Counting::open();
        if counting.missing().is_some() {
            return None;
        }
        let context = Set::parse("[n] -> { : n >= 1 }").unwrap();
        let found = ranked(&Map::parse(tiles).unwrap(), axes, &context, &counting).unwrap();
        Some(found.map(|numbered| numbered.ranked))
    }

    fn count(count: &IslPwQPolynomial, n: i64, dimensions: &[i64]) -> i64 {
        let pieces = pieces_of(&PwQPolynomial::parse(&count.0).unwrap()).unwrap();
        evaluate(&pieces, &[("n", n)], dimensions).unwrap()
    }

    fn bound(bound: &IslPwAff, n: i64, dimensions: &[i64]) -> i64 {
        let values: Vec<String> = dimensions.iter().map(ToString::to_string).collect();
        let point = Set::parse(&format!("[n] -> {{ [{}] : n = {n} }}", values.join(", "))).unwrap();
        let value = PwAff::parse(&bound.0).unwrap().intersect_domain(point).unwrap();
        integer(&value.max_val().unwrap()).unwrap()
    }

    /// Returns the coordinates of the block with a rank, as generated code finds them.
    fn located(ranked: &Ranked, n: i64, h: i64, rank: i64) -> Vec<i64> {
        let (mut known, mut rest) = (vec![h], rank);
        for one in &ranked.coordinates {
            let (mut value, mut end) = (bound(&one.lower, n, &known), bound(&one.upper, n, &known) + 1);
            let Some(before) = &one.before else {
                known.push(value + rest);
                continue;
            };
            let before = |value: i64| count(before, n, &[&known[..], &[value]].concat());
            while end - value > 1 {
                let middle = value + (end - value) / 2;
                if before(middle) <= rest { value = middle } else { end = middle }
            }
            rest -= before(value);
            known.push(value);
        }
        known.split_off(1)
    }

    /// Checks that ranks lead to all tiles, in lexicographic order, for small sizes.
    fn check(tiles: &str, axes: &[Axis], ranked: &Ranked) {
        let map = Map::parse(tiles).unwrap();
        for n in [1, 2, 17, 40, 65] {
            for h in [0, 1, 7, 20] {
                let launch = Set::parse(&format!("[n] -> {{ [{h}] : n = {n} }}")).unwrap();
                let there = map.copy().unwrap().intersect_domain(launch).unwrap().range().unwrap();
                let there = there.project_out_all_params().unwrap();
                let points = points_of(&there, 100_000).unwrap().unwrap();
                if points.is_empty() {
                    continue;
                }
                let mut slowest_first: Vec<usize> = (0..axes.len()).collect();
                slowest_first.sort_by_key(|&member| std::cmp::Reverse(axes[member]));
                let reordered =
                    |point: &Vec<i64>| slowest_first.iter().map(|&member| point[member]).collect();
                let mut expected: Vec<Vec<i64>> = points.iter().map(reordered).collect();
                expected.sort();
                let blocks = count(&ranked.blocks, n, &[h]);
                let found: Vec<Vec<i64>> = (0..blocks).map(|rank| located(ranked, n, h, rank)).collect();
                assert!(
                    found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]),
                    "{tiles} {n} {h}"
                );
                assert!(expected.iter().all(|tile| found.contains(tile)), "{tiles} {n} {h}: {found:?}");
                assert!(found.len() * 9 <= expected.len() * 10 + 90, "{tiles} {n} {h}: too many");
            }
        }
    }

    #[test]
    fn triangles_and_trapezoids_are_numbered() {
        let mut numbered = 0;
        for (number, (high, wide)) in [(16, 16), (16, 32), (32, 8), (64, 64)].into_iter().enumerate() {
            for shape in [
                "0 <= i < n and 0 <= j <= i",
                "h < i < n and h < j <= i",
                "h < i < n and i <= j < n",
                "0 <= i < n and 0 <= j < n + h - i",
                "0 <= i < n and i <= j <= i + 50",
            ] {
                let tiles = format!(
                    "[n] -> {{ [h] -> [y, x] : n >= 1 and 0 <= h < n and exists i, j : {shape} and \
                     {high}y <= i < {high}y + {high} and {wide}x <= j < {wide}x + {wide} }}"
                );
                let axes = if number % 2 == 0 { [Axis::Y, Axis::X] } else { [Axis::X, Axis::Y] };
                match numbered_tiles(&tiles, &axes) {
                    Some(Ok(ranked)) => check(&tiles, &axes, &ranked),
                    Some(Err(_)) => continue,
                    None => return,
                }
                numbered += 1;
            }
        }
        assert!(numbered >= 15, "only {numbered} of 20 shapes");
    }

    #[test]
    fn pyramids_are_numbered() {
        let tiles = "[n] -> { [h] -> [z, y, x] : n >= 1 and 0 <= h < n and 0 <= 8z < n and 0 <= y <= z and 0 <= x <= y }";
        let axes = [Axis::Z, Axis::Y, Axis::X];
        let Some(ranked) = numbered_tiles(tiles, &axes) else { return };
        check(tiles, &axes, &ranked.unwrap());
    }
}
