//! Translates schedule trees to scatterings.
//!
//! *Before → after:* the path from the root to a leaf becomes a vector: the position of the child at every
//! sequence and the value of every band member. A zero is inserted between two adjacent band members, and where
//! a vector would begin or end with one. For the order of a source, the result is the classical form with 2d +
//! 1 dimensions:
//!
//! ```text
//! sequence                                            S0[i]    -> [0, i, 0]
//!   S0: band i                                        S1[i, j] -> [1, i, 0, j, 0]
//!   S1: band i, band j
//! ```
//!
//! Vectors of different lengths differ before the shorter one ends. Marks, and the filters that bind instances
//! to blocks and threads, have no equivalent in OpenScop.

use std::collections::BTreeMap;

use polyhedra::{
    Error, Map, Result, Schedule, ScheduleNode, ScheduleNodeType, Simplify, Text, UnionMap, UnionSet, maps_of,
};
use scop::StatementId;
use scop::verify::tree_text;

/// Returns the scattering of every statement that a tree orders.
pub fn scatterings(tree: &str) -> Result<BTreeMap<StatementId, Map>> {
    tree_text::check(tree).map_err(Error::new)?;
    let tree = Schedule::parse(tree)?;
    let domain = tree.get_domain()?.universe()?;
    let prefix = UnionMap::from_domain_and_range(domain, point("[]")?)?;
    let mut found = BTreeMap::new();
    walk(tree.get_root()?, Prefix { map: prefix, after_band: true }, &mut found)?;
    found.into_iter().map(|(id, map)| Ok((id, map.simplified()?))).collect()
}

/// The vector above a node.
struct Prefix {
    map: UnionMap,
    /// True if it ends with the value of a band member, or is empty.
    after_band: bool,
}

impl Prefix {
    fn copy(&self) -> Result<Self> {
        Ok(Self { map: self.map.copy()?, after_band: self.after_band })
    }

    fn position(self, number: usize) -> Result<Self> {
        let constant = point(&format!("[{number}]"))?;
        let constant = UnionMap::from_domain_and_range(self.map.copy()?.domain()?, constant)?;
        Ok(Self { map: self.map.flat_range_product(constant)?, after_band: false })
    }

    /// Appends a zero if the vector is empty or ends with the value of a band member.
    fn separated(self) -> Result<Self> {
        if self.after_band { self.position(0) } else { Ok(self) }
    }

    fn band(mut self, node: &ScheduleNode) -> Result<Self> {
        let members = node.band_get_partial_schedule()?;
        for member in 0..members.size()? {
            let values = UnionMap::from_union_pw_aff(members.get_at(member)?)?;
            let map = self.separated()?.map.flat_range_product(values)?;
            self = Self { map, after_band: true };
        }
        Ok(self)
    }

    fn restricted(self, filter: UnionSet) -> Result<Self> {
        Ok(Self { map: self.map.intersect_domain(filter)?, after_band: self.after_band })
    }
}

/// Returns the set of one point: `{ [3] }`.
fn point(tuple: &str) -> Result<UnionSet> {
    UnionSet::parse(&format!("{{ {tuple} }}"))
}

fn walk(node: ScheduleNode, prefix: Prefix, found: &mut BTreeMap<StatementId, Map>) -> Result<()> {
    match node.get_type()? {
        ScheduleNodeType::Leaf => collect(prefix.separated()?.map, found),
        ScheduleNodeType::Sequence | ScheduleNodeType::Set => {
            let children = node.n_children()?;
            for position in 0..children {
                let child = node.copy()?.child(position)?;
                let restricted = prefix.copy()?.restricted(child.filter_get_filter()?)?;
                let number = usize::try_from(position).unwrap_or(0);
                walk(child.child(0)?, restricted.position(number)?, found)?;
            }
            Ok(())
        }
        ScheduleNodeType::Band => {
            let prefix = prefix.band(&node)?;
            walk(node.child(0)?, prefix, found)
        }
        ScheduleNodeType::Expansion => Err(Error::new("the order has an expansion node")),
        _ => walk(node.child(0)?, prefix, found),
    }
}

/// Adds the vectors of a leaf to those found, without barriers and copies.
fn collect(prefix: UnionMap, found: &mut BTreeMap<StatementId, Map>) -> Result<()> {
    for map in maps_of(&prefix)? {
        let name = map.get_tuple_name(polyhedra::DimType::In)?;
        let Ok(id) = name.parse::<StatementId>() else { continue };
        let map = match found.remove(&id) {
            Some(other) if other.dim(polyhedra::DimType::Out)? == map.dim(polyhedra::DimType::Out)? => {
                other.union(map)?
            }
            Some(other) => padded_union(other, map)?,
            None => map,
        };
        found.insert(id, map);
    }
    Ok(())
}

/// Returns the union of vectors of different lengths; zeros are appended to the shorter ones.
fn padded_union(one: Map, other: Map) -> Result<Map> {
    use polyhedra::DimType::Out;
    let (short, long) = if one.dim(Out)? < other.dim(Out)? { (one, other) } else { (other, one) };
    let missing = long.dim(Out)? - short.dim(Out)?;
    let zeros: Vec<&str> = (0..missing).map(|_| "0").collect();
    let zeros = UnionMap::from_domain_and_range(
        UnionSet::from_set(short.copy()?.domain()?)?,
        point(&format!("[{}]", zeros.join(", ")))?,
    )?;
    let padded = UnionMap::from_map(short)?.flat_range_product(zeros)?;
    Ok(long.union(Map::from_union_map(padded)?)?)
}
