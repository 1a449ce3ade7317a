//! Blocks of iterations of a loop on the host, for estimates.
//!
//! The number of the block, `floor(k/32)`, is no affine function of the iterators. In front of them there is therefore
//! one more iterator for each such loop: its value. With it, the iterations of a block are between two affine bounds,
//! and so are those of loops whose bounds depend on the block.

use polyhedra::{DimType, Map, Result, Set, Text, numbered};

use super::linear::rows;

/// The loops on the host that run through blocks, for a statement.
pub struct Blocks {
    /// From the iterators with numbers of blocks in front of them to those without.
    without: Map,
    /// The positions of the loops among those on the host.
    loops: Vec<usize>,
}

impl Blocks {
    /// Finds the loops that run through blocks; nothing if there are none.
    pub fn of(prefix: &Map) -> Result<Option<Self>> {
        let (iterators, outputs) = (prefix.dim(DimType::In)? as u32, prefix.dim(DimType::Out)? as u32);
        let name = prefix.get_tuple_name(DimType::In)?.to_owned();
        let (mut numbers, mut loops): (Option<Map>, _) = (None, Vec::new());
        for (position, row) in rows(prefix)?.into_iter().enumerate() {
            let own = position as u32;
            let alone = prefix.copy()?.project_out(DimType::Out, own + 1, outputs - own - 1)?;
            let alone = alone.project_out(DimType::Out, 0, own)?;
            if row.is_some() {
                continue;
            }
            let Some(alone) = of_one_iterator(&alone, iterators)? else { continue };
            loops.push(position);
            let alone = alone.reset_tuple_id(DimType::Out)?;
            numbers = Some(match numbers {
                Some(numbers) => numbers.flat_range_product(alone)?,
                None => alone,
            });
        }
        let Some(numbers) = numbers else { return Ok(None) };
        let all = numbered("i", iterators as usize).join(", ");
        let same = Map::parse(&format!("{{ {name}[{all}] -> [{all}] }}"))?;
        let with = numbers.flat_range_product(same)?.set_tuple_name(DimType::Out, &name)?;
        Ok(Some(Self { without: with.reverse()?, loops }))
    }

    /// Returns how many loops run through blocks.
    pub fn number(&self) -> u32 {
        self.loops.len() as u32
    }

    /// Adds the numbers of blocks to the iterators of a set.
    ///
    /// The set may also have conditions on blocks of other iterators, such as `floor(i/32) > floor(k/32)`. With the
    /// number of the block of `k`, they become affine bounds of `i`.
    pub fn of_set(&self, set: Set) -> Result<Set> {
        let set = set.apply(self.without.copy()?.reverse()?)?;
        let name = set.get_tuple_name()?.to_owned();
        Ok(without_divisions(set, self.loops.len() as u32)?.set_tuple_name(&name)?)
    }

    /// Makes a function of the iterators one of those with the numbers of blocks.
    pub fn of_function(&self, function: Map) -> Result<Map> {
        Ok(self.without.copy()?.apply_range(function)?)
    }

    /// Does the same for the loops on the host, of which some are the numbers themselves.
    pub fn of_prefix(&self, prefix: Map) -> Result<Map> {
        let mut prefix = self.of_function(prefix)?;
        for (number, position) in self.loops.iter().enumerate() {
            prefix = prefix.equate(DimType::In, number as i32, DimType::Out, *position as i32)?;
        }
        Ok(prefix)
    }
}

/// Returns a loop on the host as a function of one iterator, whatever the others are; nothing if it is none. The prefix
/// also says which instances there are, with conditions on all iterators.
fn of_one_iterator(function: &Map, iterators: u32) -> Result<Option<Map>> {
    for iterator in 0..iterators {
        let mut alone = function.copy()?;
        for other in (0..iterators).filter(|other| *other != iterator) {
            alone = alone.eliminate(DimType::In, other, 1)?;
        }
        if alone.is_single_valued()? {
            return Ok(Some(alone.coalesce()?));
        }
    }
    Ok(None)
}

/// Eliminates the integer divisions of a set whose first `numbers` dimensions are numbers of blocks: first the other
/// dimensions, so that the bounds between divisions become integers, and then the divisions.
pub fn without_divisions(set: Set, numbers: u32) -> Result<Set> {
    let set = set.reset_tuple_id()?;
    let mut all = Set::empty(set.get_space()?)?;
    let parts = set.make_disjoint()?.get_basic_set_list()?;
    for position in 0..parts.size()? {
        let part = parts.get_at(position)?;
        let dimensions = part.dim(DimType::Set)? as u32;
        let lifted = part.lift()?.flatten()?;
        let divisions = lifted.dim(DimType::Set)? as u32 - dimensions;
        let (mut tight, mut fewer) = (lifted.copy()?, lifted);
        for dimension in (numbers..dimensions).rev() {
            fewer = fewer.eliminate(DimType::Set, dimension, 1)?;
            tight = tight.intersect(fewer.copy()?)?;
        }
        let without = tight.eliminate(DimType::Set, dimensions, divisions)?;
        let without = without.project_out(DimType::Set, dimensions, divisions)?;
        all = all.union(Set::from_basic_set(without)?)?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::count::count;
    use super::*;

    #[test]
    fn blocks_and_what_depends_on_them_are_counted() {
        let prefix = Map::parse("{ S0[i, k] -> [floor(k/32), k] }").unwrap();
        let blocks = Blocks::of(&prefix).unwrap().unwrap();
        let domain =
            Set::parse("{ S0[i, k] : 0 <= k < 320 and 0 <= i < 640 and floor(i/32) > floor(k/32) }").unwrap();
        let domain = blocks.of_set(domain).unwrap();
        let counted = count(&domain).unwrap();
        let exact: f64 = (0..10).map(|block| 32.0 * (640.0 - 32.0 * f64::from(block + 1))).sum();
        assert!((counted.points - exact).abs() <= 0.05 * exact, "{counted:?}");
        let diagonal = "{ S0[i, k] : 0 <= k < 320 and k < i < 640 and 32*floor(i/32) <= k }";
        let counted = count(&blocks.of_set(Set::parse(diagonal).unwrap()).unwrap()).unwrap();
        let exact = 10.0 * 32.0 * 31.0 / 2.0;
        assert!((counted.points - exact).abs() <= 0.1 * exact, "{counted:?}");
        assert_eq!(counted.prefixes[1], 10.0);
        let found = rows(&blocks.of_prefix(prefix).unwrap()).unwrap();
        let coefficients = found.into_iter().map(|row| row.unwrap().coefficients);
        assert_eq!(coefficients.collect::<Vec<_>>(), [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    }

    /// The prefix says which instances there are, here those of several pieces.
    #[test]
    fn conditions_on_other_iterators_hide_no_block() {
        let prefix =
            "{ S0[i, k] -> [b] : 32b <= k <= 31 + 32b and (32*floor(i/32) <= k or 32*floor(i/32) > 99 + k) }";
        let blocks = Blocks::of(&Map::parse(prefix).unwrap()).unwrap().unwrap();
        assert_eq!(blocks.number(), 1);
        let domain = Set::parse("{ S0[i, k] : 0 <= k < 320 and 0 <= i < 64 }").unwrap();
        assert_eq!(count(&blocks.of_set(domain).unwrap()).unwrap().points, 320.0 * 64.0);
    }

    #[test]
    fn other_loops_are_left_alone() {
        for prefix in
            ["{ S0[t, i] -> [t] }", "{ S0[t, i] -> [floor(t/32) + floor((t + i)/32)] }", "{ S0[t] -> [] }"]
        {
            assert!(Blocks::of(&Map::parse(prefix).unwrap()).unwrap().is_none(), "{prefix}");
        }
    }
}
