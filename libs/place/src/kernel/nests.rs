//! Whether isl generates one nest of loops for statements whose schedule has them in common.
//!
//! At each loop, isl first separates statements of which one certainly precedes the other: the iterations of one are
//! then in a loop before that of the other, whatever the options of the tree say. So a statement that is executed only
//! in the last iteration, and after the others there, is not in their loop:
//!
//! ```text
//! for (k < n) { S(k); if (k == n - 1) T(k); }   →   for (k < n) S(k);  T(n - 1);
//! ```

use std::collections::BTreeMap;

use polyhedra::{
    DimType, Map, Result, ScheduleNode, ScheduleNodeType, Set, Simplify, Text, UnionMap, UnionSet,
};
use scop::{Statement, StatementId};

/// Statements below some loops.
pub struct Nest<'a> {
    /// The statements.
    pub statements: &'a [&'a Statement],
    /// The map from their instances to the iterations of all loops that they share.
    pub iterations: UnionMap,
    /// The number of the outer ones of these that are asked about.
    pub depth: u32,
    /// The order of the statements in one iteration, as far as it is known.
    pub order: &'a BTreeMap<StatementId, usize>,
}

impl Nest<'_> {
    /// True if isl certainly generates one nest of loops for those of the statements that are `asked` about: some
    /// statement is executed in all iterations, these have no holes, and isl separates none of the others from it. isl
    /// may generate several loops for iterations that have no statement in common, or for the pieces of a set.
    pub fn is_one(&self, asked: &[&Statement]) -> Result<bool> {
        let outer = self.prefix()?;
        let of = |statement: &Statement| self.iterations_of(statement);
        let all = UnionSet::from_set(self.all()?)?.apply(UnionMap::from_map(outer.copy()?)?)?;
        let all = all.as_set()?.simplified()?;
        if all.n_basic_set()? != 1 {
            return Ok(false);
        }
        for whole in self.statements {
            let Some(own) = of(whole)? else { continue };
            if !all.copy()?.is_subset(&own.copy()?.apply(outer.copy()?)?)? {
                continue;
            }
            let joins = |other: &&Statement| -> Result<bool> {
                match of(other)? {
                    Some(iterations) if other.id != whole.id => {
                        self.are_joined((whole, &own), (other, &iterations))
                    }
                    _ => Ok(true),
                }
            };
            let mut are_joined = true;
            for other in asked {
                are_joined = are_joined && joins(other)?;
            }
            if are_joined {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if isl generates common loops for two statements: as far as isl can see before each of the loops, some
    /// iteration of each follows one of the other.
    fn are_joined(&self, one: (&Statement, &Set), other: (&Statement, &Set)) -> Result<bool> {
        for outer in 0..self.depth {
            if self.is_no_loop(one.1, outer)? {
                continue;
            }
            if !self.follows(one, other, outer)? || !self.follows(other, one, outer)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if, with the first loops fixed, no later one has more than one iteration.
    fn is_no_loop(&self, iterations: &Set, outer: u32) -> Result<bool> {
        let inner = iterations.dim(DimType::Set)? as u32 - outer;
        let outermost = self.projection(iterations, outer)?.reverse()?.intersect_range(iterations.copy()?)?;
        let changing = self.depth.saturating_sub(outer).min(inner);
        let rest = inner - changing;
        let changing = outermost.project_out(DimType::Out, outer + changing, rest)?;
        Ok(changing.is_single_valued()?)
    }

    /// True if some iteration of the first statement follows one of the second, with the first loops fixed.
    fn follows(&self, first: (&Statement, &Set), second: (&Statement, &Set), outer: u32) -> Result<bool> {
        let ordered = |map: Map| -> Result<bool> {
            let mut pairs = map.intersect_domain(first.1.copy()?)?.intersect_range(second.1.copy()?)?;
            for dimension in 0..outer as i32 {
                pairs = pairs.equate(DimType::In, dimension, DimType::Out, dimension)?;
            }
            Ok(!pairs.is_empty()?)
        };
        let space = || first.1.get_space();
        if ordered(Map::lex_gt(space()?)?)? {
            return Ok(true);
        }
        let is_after = match (self.order.get(&first.0.id), self.order.get(&second.0.id)) {
            (Some(one), Some(other)) => one > other,
            _ => false,
        };
        Ok(is_after && ordered(first.1.copy()?.identity()?)?)
    }

    fn iterations_of(&self, statement: &Statement) -> Result<Option<Set>> {
        let domain = UnionSet::parse(&statement.domain.0)?;
        let own = self.iterations.copy()?.intersect_domain(domain)?.range()?;
        Ok(if own.is_empty()? { None } else { Some(own.as_set()?) })
    }

    fn all(&self) -> Result<Set> {
        Ok(self.iterations.copy()?.range()?.as_set()?)
    }

    fn prefix(&self) -> Result<Map> {
        self.projection(&self.all()?, self.depth)
    }

    /// Returns the map from iterations to those of the first loops.
    fn projection(&self, iterations: &Set, loops: u32) -> Result<Map> {
        let inner = iterations.dim(DimType::Set)? as u32 - loops;
        Ok(iterations.copy()?.identity()?.project_out(DimType::Out, loops, inner)?)
    }
}

/// Returns the order of statements in one iteration of the loops that they share; `inside` is the node below these.
/// Statements that come in several places have none.
pub fn order(inside: &ScheduleNode, statements: &[&Statement]) -> Result<BTreeMap<StatementId, usize>> {
    let mut order = BTreeMap::new();
    if inside.get_type()? != ScheduleNodeType::Sequence {
        return Ok(order);
    }
    let mut filters = Vec::new();
    for position in 0..inside.n_children()? {
        filters.push(inside.get_child(position)?.filter_get_filter()?);
    }
    for statement in statements {
        let domain = UnionSet::parse(&statement.domain.0)?;
        let mut places = Vec::new();
        for (position, filter) in filters.iter().enumerate() {
            if !filter.copy()?.intersect(domain.copy()?)?.is_empty()? {
                places.push(position);
            }
        }
        if let [only] = places[..] {
            order.insert(statement.id, only);
        }
    }
    Ok(order)
}
