//! Translates scatterings to schedule trees.
//!
//! A scattering gives each instance a vector; instances run in the lexicographic order of the vectors. The tree
//! is built dimension by dimension:
//!
//! ```text
//! all values are constants, one for all   →  nothing
//! all values are constants                →  sequence, one child for each constant
//! otherwise                               →  band of one member
//! ```
//!
//! Shorter vectors are treated as if zeros followed. A statement whose vector has different forms in different
//! parts of its domain is split into pieces.
//!
//! Statements with instances that have the same vector are ordered as in the text, as in CLooG: by a sequence
//! below the last dimension.

use std::collections::BTreeMap;

use polyhedra::{
    DimType, Map, MultiUnionPwAff, PwMultiAff, Result, Schedule, ScheduleNode, Set, Text, UnionMap, UnionSet,
    UnionSetList, context,
};

/// A part of a statement in which a single formula gives the vectors.
struct Piece {
    /// The position of the statement.
    statement: usize,
    /// The instances.
    domain: Set,
    /// The vectors of the instances.
    vectors: Map,
    /// True if the statement has no other piece, so that filters need no constraints on its instances.
    alone: bool,
}

/// A statement's instances and their scattering.
pub struct Scattered {
    /// The instances.
    pub domain: Set,
    /// The map from instances to vectors.
    pub scattering: Map,
}

impl Scattered {
    /// True if every instance has exactly one vector.
    pub fn is_function(&self) -> Result<bool> {
        let vectors = self.vectors()?;
        Ok(vectors.is_single_valued()? && self.domain.is_subset(&vectors.domain()?)?)
    }

    /// True if no two instances have the same vector.
    pub fn tells_apart(&self) -> Result<bool> {
        Ok(self.vectors()?.is_injective()?)
    }

    fn vectors(&self) -> Result<Map> {
        Ok(self.scattering.copy()?.intersect_domain(self.domain.copy()?)?)
    }
}

/// Returns the tree of some statements, all of whose scatterings are functions.
pub fn schedule(statements: &[Scattered]) -> Result<Schedule> {
    let mut pieces = Vec::new();
    let mut instances = UnionSet::parse("{ }")?;
    let mut depth = 0;
    for (position, statement) in statements.iter().enumerate() {
        instances = instances.union(UnionSet::from_set(statement.domain.copy()?)?)?;
        depth = depth.max(statement.scattering.dim(DimType::Out)?);
        pieces.extend(split(position, statement.vectors()?)?);
    }
    let root = Schedule::from_domain(instances)?.get_root()?;
    if pieces.is_empty() {
        return Ok(root.get_schedule()?);
    }
    let pieces: Vec<&Piece> = pieces.iter().collect();
    let node = build(root.child(0)?, &pieces, 0, u32::try_from(depth).unwrap_or(0))?;
    Ok(node.get_schedule()?)
}

/// Splits a statement into one piece for each formula.
fn split(statement: usize, vectors: Map) -> Result<Vec<Piece>> {
    let list = PwMultiAff::from_map(vectors)?.to_list()?;
    let size = list.size()?;
    (0..size)
        .map(|position| {
            let piece = list.get_at(position)?;
            let domain = piece.copy()?.domain()?;
            Ok(Piece { statement, domain, vectors: piece.as_map()?, alone: size == 1 })
        })
        .collect()
}

/// Inserts the dimensions from `dimension` on below a leaf, and returns a node of the resulting tree.
fn build(leaf: ScheduleNode, pieces: &[&Piece], dimension: u32, depth: u32) -> Result<ScheduleNode> {
    if dimension >= depth {
        return if meet(pieces, depth)? { in_order_of_text(leaf, pieces) } else { Ok(leaf) };
    }
    match by_constant(pieces, dimension)? {
        Some(groups) if groups.len() == 1 => build(leaf, pieces, dimension + 1, depth),
        Some(groups) => sequence(leaf, &groups, |below, group| build(below, group, dimension + 1, depth)),
        None => {
            let node = leaf.insert_partial_schedule(band(pieces, dimension)?)?;
            Ok(build(node.child(0)?, pieces, dimension + 1, depth)?.parent()?)
        }
    }
}

/// True if instances of different statements have the same vector.
fn meet(pieces: &[&Piece], depth: u32) -> Result<bool> {
    for (position, one) in pieces.iter().enumerate() {
        for other in pieces[position + 1..].iter().filter(|other| other.statement != one.statement) {
            let common = times(one, depth)?.intersect(times(other, depth)?)?;
            if !common.is_empty()? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Returns the vectors of a piece, padded with zeros.
fn times(piece: &Piece, depth: u32) -> Result<Set> {
    let times = piece.vectors.copy()?.range()?;
    let length = u32::try_from(times.dim(DimType::Set)?).unwrap_or(0);
    let mut times = times.add_dims(DimType::Set, depth.saturating_sub(length))?;
    for dimension in length..depth {
        times = times.fix_si(DimType::Set, dimension, 0)?;
    }
    Ok(times)
}

fn in_order_of_text(leaf: ScheduleNode, pieces: &[&Piece]) -> Result<ScheduleNode> {
    let mut statements: BTreeMap<usize, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces {
        statements.entry(piece.statement).or_default().push(piece);
    }
    sequence(leaf, &statements, |below, _| Ok(below))
}

/// Inserts a sequence with a child for each group, in the order of the keys; `below` fills a child.
fn sequence<'p, K>(
    leaf: ScheduleNode,
    groups: &BTreeMap<K, Vec<&'p Piece>>,
    below: impl Fn(ScheduleNode, &[&'p Piece]) -> Result<ScheduleNode>,
) -> Result<ScheduleNode> {
    let mut filters = UnionSetList::alloc(context(), i32::try_from(groups.len()).unwrap_or(0))?;
    for group in groups.values() {
        filters = filters.add(instances(group)?)?;
    }
    let mut node = leaf.insert_sequence(filters)?;
    for (position, group) in groups.values().enumerate() {
        let position = i32::try_from(position).unwrap_or(0);
        node = below(node.child(position)?.child(0)?, group)?.parent()?.parent()?;
    }
    Ok(node)
}

fn instances(pieces: &[&Piece]) -> Result<UnionSet> {
    let mut union = UnionSet::parse("{ }")?;
    for piece in pieces {
        let domain = UnionSet::from_set(piece.domain.copy()?)?;
        union = union.union(if piece.alone { domain.universe()? } else { domain })?;
    }
    Ok(union)
}

/// Groups the pieces by their value of a dimension, if it is a constant for each of them.
fn by_constant<'p>(pieces: &[&'p Piece], dimension: u32) -> Result<Option<BTreeMap<i64, Vec<&'p Piece>>>> {
    let mut groups: BTreeMap<i64, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces {
        let Some(value) = constant(&piece.vectors, dimension)? else { return Ok(None) };
        groups.entry(value).or_default().push(piece);
    }
    Ok(Some(groups))
}

fn constant(vectors: &Map, dimension: u32) -> Result<Option<i64>> {
    if beyond(vectors, dimension)? {
        return Ok(Some(0));
    }
    let value = vectors.plain_get_val_if_fixed(DimType::Out, dimension)?;
    if !value.is_int()? {
        return Ok(None);
    }
    Ok(Some(polyhedra::integer(&value)?))
}

fn beyond(vectors: &Map, dimension: u32) -> Result<bool> {
    Ok(u32::try_from(vectors.dim(DimType::Out)?).unwrap_or(0) <= dimension)
}

/// Returns the values of one dimension as a partial schedule.
fn band(pieces: &[&Piece], dimension: u32) -> Result<MultiUnionPwAff> {
    let mut values = UnionMap::parse("{ }")?;
    for piece in pieces {
        values = values.union(UnionMap::from_map(one_dimension(piece, dimension)?)?)?;
    }
    Ok(MultiUnionPwAff::from_union_map(values)?)
}

fn one_dimension(piece: &Piece, dimension: u32) -> Result<Map> {
    if beyond(&piece.vectors, dimension)? {
        return Ok(Map::from_domain_and_range(piece.domain.copy()?, Set::parse("{ [0] }")?)?);
    }
    let map = piece.vectors.copy()?;
    let dimensions = u32::try_from(map.dim(DimType::Out)?).unwrap_or(0);
    let map = map.project_out(DimType::Out, dimension + 1, dimensions - dimension - 1)?;
    let map = map.project_out(DimType::Out, 0, dimension)?;
    Ok(if piece.alone { map.gist_domain(piece.domain.copy()?)? } else { map })
}
