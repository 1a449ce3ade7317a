//! Numbers the tiles of a kernel, so that only tiles with work become blocks.
//!
//! *Before → after:* for the triangle `0 <= bx <= by < n` of tiles, a grid of `n × n` blocks becomes one of
//! `n (n + 1) / 2` blocks. The block with the rank `r` has the coordinates `by`, the largest number with
//! `by (by + 1) / 2 <= r`, and `bx = r - by (by + 1) / 2`.
//!
//! How many tiles precede a tile is counted by libbarvinok. Its counts are not trusted: [`proof::is_bijection`] has to
//! find that they number the tiles, as the proof of the loop program does later.

use place::counting::{Counting, WORK};
use polyhedra::polynomial::pieces_of;
use polyhedra::{
    DimType, Map, PwMultiAff, PwQPolynomial, Range, Result, Set, Text, numbered, range_of_last, within,
};
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
}

/// Numbers tiles: `{ [h] -> [t] : … }`, with the axis of each coordinate. `context` is what is known of the
/// parameters. Returns the reason if the tiles cannot be numbered.
pub fn ranked(
    tiles: &Map,
    axes: &[Axis],
    context: &Set,
    counting: &Counting,
) -> Result<std::result::Result<Numbered, String>> {
    if let Some(missing) = counting.missing() {
        return Ok(Err(missing));
    }
    counting.allow(WORK);
    let found = within(OPERATIONS, || Numberer::new(tiles, axes, context, counting)?.ranked())?;
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
            if self.is_right(&ranked)? {
                return Ok(Ok(Numbered { ranked, shape: self.shape }));
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

    fn is_right(&self, ranked: &Ranked) -> Result<bool> {
        let names = numbered("h", self.depth as usize);
        let dimensions: Vec<String> = names.iter().map(|name| format!("({name})")).collect();
        let named =
            PwMultiAff::parse(&format!("[{}] -> {{ [{}] }}", names.join(", "), dimensions.join(", ")))?;
        let known = self.guard.copy()?.preimage_pw_multi_aff(named)?.params()?;
        let known = known.intersect(self.context.copy()?)?;
        let written = of_ranked(&known, ranked, &names)?;
        let domain = self.guard.copy()?.intersect_params(self.context.copy()?)?;
        proof::is_bijection(&names, &domain, &written)
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
