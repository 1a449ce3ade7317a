//! Blocks sequential loops: several iterations of a loop run together, tile after tile of what they write.
//!
//! In iteration `k` of an LU decomposition, row `k` and column `k` are final, and all other elements are updated with
//! them. Each iteration is a launch that moves the whole matrix. But an element needs the other elements of its own
//! tile, of the tile on the diagonal, and of those in the same row and the same column of tiles. So 32 iterations can
//! run together: first those of their updates that write the tile on the diagonal, then those of the tiles beside and
//! below it, and then all others, which move the matrix once for 32 iterations. Libraries do the same ("right-looking"
//! algorithms with panels).
//!
//! Nothing here knows these algorithms. The iterations of a block are divided among the tiles of the array that they
//! write (the owner computes), and the tiles fall into levels as the dependences say ([`crate::levels`]): tiles of a
//! level depend on those of earlier ones only. In a level, coordinates of the written element along which no dependence
//! goes become parallel loops, and the order inside of them is the one that there was.

use polyhedra::{
    DimType, Map, MultiUnionPwAff, Result, Schedule, ScheduleNode, ScheduleNodeType, Set, Simplify, Text,
    UnionMap, UnionSet, Val, context, maps_of, numbered, within,
};
use scop::Model;

use crate::constraints::Constraints;
use crate::last_values::are_in_order;
use crate::levels::{convex_parts, peeled, split_into_levels};
use crate::old_values::{above, joined, subtree};
use crate::owner::{product, written_elements};
use crate::tree::{coincident_members, has_band_below, has_parallel_band, insert_band, replace_band};

/// The limit on isl operations for blocking one loop, and for the check of all.
const OPERATIONS: u64 = 100_000;

/// The number of iterations in a block, and of elements in a tile along each of its dimensions.
const SIZE: u32 = 32;

/// Blocks the loops of an order that are not parallel, wherever the tiles of their blocks fall into levels. Takes the
/// root of the order; returns nothing if there is no such loop.
///
/// *Rewrite:* `band (k) (N)` → `band (floor(k / 32)) (sequence (band (e…) (band (k) (N)), …))` with a child for each
/// level, in which `e…` are coordinates of the written element.
pub fn blocked(
    root: &ScheduleNode,
    model: &Model,
    constraints: &Constraints,
) -> Result<Option<ScheduleNode>> {
    let mut blocks = Blocks { model, constraints, found: false };
    let schedule = blocks.whole(&root.get_child(0)?)?;
    if !blocks.found {
        return Ok(None);
    }
    let root = schedule.get_root()?;
    let is_in_order = within(OPERATIONS, || are_in_order(&root.get_schedule()?, constraints))?;
    Ok((is_in_order == Some(true)).then_some(root))
}

struct Blocks<'a> {
    model: &'a Model,
    constraints: &'a Constraints,
    found: bool,
}

/// What the iterations of a band are divided by.
struct Tiling {
    /// The number of coordinates of `block`.
    outer: usize,
    /// The coordinates of the loops around the band, and the block.
    block: UnionMap,
    /// The coordinates of the written element, one by one.
    element: Vec<UnionMap>,
    /// `block`, and the tile of the written element.
    tiles: UnionMap,
}

impl Tiling {
    /// Returns for each coordinate of the element the dependences within a block between different values of it: from
    /// and to `tiles` and the coordinate.
    fn along(&self, dependences: &UnionMap) -> Result<Vec<UnionMap>> {
        let first = self.outer + self.element.len();
        let along = |coordinate: &UnionMap| {
            let place = self.tiles.copy()?.flat_range_product(coordinate.copy()?)?;
            let mut all = UnionMap::parse("{ }")?;
            for Apart { pairs, .. } in in_one_block(dependences, &place, self.outer, first)? {
                all = all.union(UnionMap::from_map(pairs)?)?;
            }
            Ok(all)
        };
        self.element.iter().map(along).collect()
    }
}

impl Blocks<'_> {
    fn whole(&mut self, node: &ScheduleNode) -> Result<Schedule> {
        match node.get_type()? {
            ScheduleNodeType::Filter => self.whole(&node.get_child(0)?),
            ScheduleNodeType::Band if coincident_members(node)?.is_empty() => {
                if let Some(schedule) = within(OPERATIONS, || self.block(node))?.flatten() {
                    self.found = true;
                    return Ok(schedule);
                }
                let below = self.whole(&node.get_child(0)?)?;
                above(node, node.band_get_partial_schedule()?, below)
            }
            kind @ (ScheduleNodeType::Sequence | ScheduleNodeType::Set) => {
                let mut all = self.whole(&node.get_child(0)?)?;
                for position in 1..node.n_children()? {
                    let child = self.whole(&node.get_child(position)?)?;
                    all = match kind {
                        ScheduleNodeType::Set => Schedule::set(all, child)?,
                        _ => all.sequence(child)?,
                    };
                }
                Ok(all)
            }
            _ => subtree(node),
        }
    }

    /// Returns the order of the iterations of a band in blocks; nothing if their tiles do not fall into levels, or if
    /// no level has a parallel loop.
    fn block(&self, band: &ScheduleNode) -> Result<Option<Schedule>> {
        let is_loop = band.band_n_member()? == 1;
        if !is_loop || band.get_child(0)?.get_type()? == ScheduleNodeType::Leaf {
            return Ok(None);
        }
        let domain = band.get_domain()?;
        let validity = self.constraints.validity.copy()?;
        let dependences = validity.intersect_domain(domain.copy()?)?.intersect_range(domain)?;
        let Some(tiling) = self.tiling(band)? else { return Ok(None) };
        let Some(across) = across_tiles(&tiling, &dependences)? else { return Ok(None) };
        let tiles = tiling.tiles.copy()?.range()?.simplified()?;
        let Some(levels) = peeled(tiles, across)? else { return Ok(None) };
        let Some(levels) = parts_of_levels(&tiling, &levels, &tiling.along(&dependences)?)? else {
            return Ok(None);
        };
        let mut all: Option<Schedule> = None;
        for parts in &levels {
            let Some(together) = self.level(band, &tiling, parts)? else { continue };
            all = Some(match all {
                Some(all) => all.sequence(together)?,
                None => together,
            });
        }
        let Some(all) = all else { return Ok(None) };
        let size = Val::int_from_si(context(), i64::from(SIZE))?;
        let block = band.band_get_partial_schedule()?.scale_down_val(size)?.floor()?;
        Ok(Some(all.insert_partial_schedule(block)?))
    }

    /// Returns by what the iterations of a band are divided; nothing if its statements do not all write elements of
    /// arrays with the same number of dimensions, or if no two iterations write the same element: then blocks would not
    /// save a pass over the array.
    fn tiling(&self, band: &ScheduleNode) -> Result<Option<Tiling>> {
        let Some(element) = written_elements(self.model, band)? else { return Ok(None) };
        if !writes_again(band, &element)? {
            return Ok(None);
        }
        let block = band.band_get_partial_schedule_union_map()?.apply_range(in_blocks()?)?;
        let block = band.get_prefix_schedule_union_map()?.flat_range_product(block)?;
        let outer = band.get_schedule_depth()? as usize + 1;
        let mut tiles = block.copy()?.intersect_domain(band.get_domain()?)?;
        for coordinate in &element {
            tiles = tiles.flat_range_product(coordinate.copy()?.apply_range(in_blocks()?)?)?;
        }
        Ok(Some(Tiling { outer, block, element, tiles }))
    }

    /// Returns the order of the instances in the tiles of a level.
    fn level(&self, band: &ScheduleNode, tiling: &Tiling, parts: &[Part]) -> Result<Option<Schedule>> {
        let mut all: Option<Schedule> = None;
        for part in parts {
            let schedule = match self.in_parallel(band, tiling, part)? {
                Some(schedule) => schedule,
                None => self.as_before(band, tiling, &part.tiles)?,
            };
            all = Some(match all {
                Some(all) => Schedule::set(all, schedule)?,
                None => schedule,
            });
        }
        Ok(all)
    }

    /// Returns the order of the instances in some tiles, with parallel loops outermost; nothing if there are none.
    fn in_parallel(&self, band: &ScheduleNode, tiling: &Tiling, part: &Part) -> Result<Option<Schedule>> {
        let Part { tiles, parallel } = part;
        if parallel.is_empty() {
            return Ok(None);
        }
        let members = parallel.len();
        let parallel = parallel.iter().map(|&coordinate| Ok(tiling.element[coordinate].copy()?));
        let parallel = product(&parallel.collect::<Result<Vec<_>>>()?)?;
        let instances = instances_in(tiling, tiles)?;
        let parallel = parallel.intersect_domain(instances.copy()?.universe()?)?;
        let outer = tiling.block.copy()?.flat_range_product(parallel.copy()?)?;
        let Some(schedule) = self.inside(band, &instances, outer)? else { return Ok(None) };
        let node = schedule.get_root()?.child(0)?;
        // The conditions of the domain need not be said again.
        let parallel = MultiUnionPwAff::from_union_map(parallel)?.gist(instances)?;
        let is_nest = node.get_type()? == ScheduleNodeType::Band
            && node.band_n_member()? == 1
            && !has_band_below(&node)?;
        if !is_nest {
            let node = insert_band(node, parallel, &vec![true; members])?;
            return Ok(Some(node.get_schedule()?));
        }
        // No dependence goes along the coordinates, and none goes backwards along a loop that was outermost.
        let both = parallel.flat_range_product(node.band_get_partial_schedule()?)?;
        let flags = [vec![true; members], vec![false]].concat();
        Ok(Some(replace_band(node, both, &flags)?.get_schedule()?))
    }

    /// Returns the order of the instances in some tiles without loops over the tiles.
    fn as_before(&self, band: &ScheduleNode, tiling: &Tiling, tiles: &UnionSet) -> Result<Schedule> {
        let instances = instances_in(tiling, tiles)?;
        let schedule = self.inside(band, &instances, tiling.block.copy()?)?;
        let schedule = match schedule {
            Some(schedule) => schedule,
            None => Schedule::from_domain(instances)?,
        };
        let node = schedule.get_root()?;
        if has_parallel_band(&node.get_child(0)?)? {
            return Ok(schedule);
        }
        Ok(match split_into_levels(node, self.constraints)? {
            Some(root) => root.get_schedule()?,
            None => schedule,
        })
    }

    /// Returns the part of the tree below a node that has some instances, without loops whose values follow from those
    /// of the loops around them; nothing if there are no such instances.
    fn inside(&self, node: &ScheduleNode, instances: &UnionSet, outer: UnionMap) -> Result<Option<Schedule>> {
        let here = node.get_domain()?.intersect(instances.copy()?)?;
        if here.is_empty()? {
            return Ok(None);
        }
        match node.get_type()? {
            ScheduleNodeType::Filter => self.inside(&node.get_child(0)?, instances, outer),
            ScheduleNodeType::Band => {
                // Functions of all instances are compared: those here are a complicated set.
                let statements = here.copy()?.universe()?;
                let mut outer = outer.intersect_domain(statements.copy()?)?;
                let mut members = node.band_get_partial_schedule()?;
                let mut coincident = Vec::new();
                for member in (0..node.band_n_member()?).rev() {
                    let own = UnionMap::from_union_pw_aff(members.get_at(member)?)?
                        .intersect_domain(statements.copy()?)?;
                    if outer.copy()?.reverse()?.apply_range(own.copy()?)?.is_single_valued()? {
                        members = members.drop_dims(DimType::Out, member as u32, 1)?;
                    } else {
                        coincident.insert(0, node.band_member_get_coincident(member)?);
                        outer = outer.flat_range_product(own)?;
                    }
                }
                let below = self.inside(&node.get_child(0)?, instances, outer)?;
                let below = match below {
                    Some(below) if !coincident.is_empty() => below,
                    below => return Ok(below),
                };
                let top = insert_band(below.get_root()?.child(0)?, members, &coincident)?;
                let is_permutable = i32::from(node.band_get_permutable()?);
                Ok(Some(top.band_set_permutable(is_permutable)?.get_schedule()?))
            }
            kind @ (ScheduleNodeType::Sequence | ScheduleNodeType::Set) => {
                let part = |child: &ScheduleNode| self.inside(child, instances, outer.copy()?).map(Some);
                let join = |one: Schedule, other: Schedule| match kind {
                    ScheduleNodeType::Set if is_leaf(&one)? && is_leaf(&other)? => {
                        let both = one.get_domain()?.union(other.get_domain()?)?;
                        Ok(Schedule::from_domain(both)?)
                    }
                    ScheduleNodeType::Set => Ok(Schedule::set(one, other)?),
                    _ => Ok(one.sequence(other)?),
                };
                Ok(joined(node, part, join)?.flatten())
            }
            _ => Ok(Some(Schedule::from_domain(here)?)),
        }
    }
}

/// True if several iterations of a loop may write the same element.
fn writes_again(band: &ScheduleNode, element: &[UnionMap]) -> Result<bool> {
    let outer = band.get_prefix_schedule_union_map()?.flat_range_product(product(element)?)?;
    let iterations = outer.reverse()?.apply_range(band.band_get_partial_schedule_union_map()?)?;
    Ok(!iterations.is_single_valued()?)
}

/// Tiles of a level whose instances have one order.
struct Part {
    tiles: UnionSet,
    /// The coordinates of the written element along which no dependence goes.
    parallel: Vec<usize>,
}

/// Divides levels into parts with parallel loops: each level as a whole if it has any, and else its convex parts.
/// Returns nothing if most of the work would have no parallel loops: if there is a part without any that has several
/// tiles in a block, or if no level has any as a whole.
fn parts_of_levels(
    tiling: &Tiling,
    levels: &[UnionSet],
    along: &[UnionMap],
) -> Result<Option<Vec<Vec<Part>>>> {
    let part = |tiles: UnionSet| {
        let places = UnionSet::from_set(tiles.copy()?.as_set()?.flat_product(Set::parse("{ [e] }")?)?)?;
        let mut parallel = Vec::new();
        for (coordinate, along) in along.iter().enumerate() {
            let here = along.copy()?.intersect_domain(places.copy()?)?.intersect_range(places.copy()?)?;
            if here.is_empty()? {
                parallel.push(coordinate);
            }
        }
        Ok(Part { tiles, parallel })
    };
    let wholes = levels.iter().map(|level| part(level.copy()?)).collect::<Result<Vec<_>>>()?;
    if wholes.iter().all(|whole| whole.parallel.is_empty()) {
        return Ok(None);
    }
    let mut found = Vec::new();
    for whole in wholes {
        if !whole.parallel.is_empty() {
            found.push(vec![whole]);
            continue;
        }
        let parts = convex_parts(&whole.tiles)?.into_iter().map(part).collect::<Result<Vec<_>>>()?;
        for part in &parts {
            if part.parallel.is_empty() && !has_one_tile_in_each_block(tiling, &part.tiles)? {
                return Ok(None);
            }
        }
        found.push(parts);
    }
    Ok(Some(found))
}

fn has_one_tile_in_each_block(tiling: &Tiling, tiles: &UnionSet) -> Result<bool> {
    let (blocks, own) = (numbered("b", tiling.outer), numbered("t", tiling.element.len()));
    let text = format!("{{ [{}] -> [{}] }}", [&blocks[..], &own].concat().join(", "), blocks.join(", "));
    let block = UnionMap::parse(&text)?.intersect_domain(tiles.copy()?)?;
    Ok(block.reverse()?.is_single_valued()?)
}

fn is_leaf(schedule: &Schedule) -> Result<bool> {
    Ok(schedule.get_root()?.get_child(0)?.get_type()? == ScheduleNodeType::Leaf)
}

/// Returns the relation between a coordinate and the block in which it is.
fn in_blocks() -> Result<UnionMap> {
    UnionMap::parse(&format!("{{ [e] -> [b] : {SIZE}b <= e < {SIZE}b + {SIZE} }}"))
}

fn instances_in(tiling: &Tiling, tiles: &UnionSet) -> Result<UnionSet> {
    tiling.tiles.copy()?.intersect_range(tiles.copy()?)?.domain()?.simplified()
}

/// Returns which tiles of a block may depend on which others of the same block; nothing if two depend on each other, as
/// in stencils: then no level has them.
fn across_tiles(tiling: &Tiling, dependences: &UnionMap) -> Result<Option<UnionMap>> {
    let mut all = UnionMap::parse("{ }")?;
    let mut before: Vec<Apart> = Vec::new();
    for own in maps_of(dependences)? {
        let own = UnionMap::from_map(own)?;
        for Apart { coordinate, grows, pairs } in
            in_one_block(&own, &tiling.tiles, tiling.outer, tiling.outer)?
        {
            let parts = pairs.get_basic_map_list()?;
            for position in 0..parts.size()? {
                // The points within tiles are eliminated by Fourier and Motzkin's method, which is quick, and exact for
                // most dependences.
                let part = Map::from_basic_map(parts.get_at(position)?.remove_divs()?)?;
                let back = part.copy()?.reverse()?;
                for other in &before {
                    let may_meet = other.coordinate == coordinate && other.grows != grows;
                    if may_meet && !back.is_disjoint(&other.pairs)? {
                        return Ok(None);
                    }
                }
                all = all.union(UnionMap::from_map(part.copy()?)?)?;
                before.push(Apart { coordinate, grows, pairs: part });
            }
        }
    }
    all.simplified().map(Some)
}

/// Dependences between different places in the same block.
struct Apart {
    /// A coordinate in which the places differ.
    coordinate: usize,
    /// True if that of the second place is larger.
    grows: bool,
    /// The places.
    pairs: Map,
}

/// Returns the dependences between different places in the same block. The first `outer` coordinates of a place are
/// those of the block, and those from `first` on differ.
fn in_one_block(dependences: &UnionMap, places: &UnionMap, outer: usize, first: usize) -> Result<Vec<Apart>> {
    let all = dependences.copy()?.apply_domain(places.copy()?)?.apply_range(places.copy()?)?;
    let mut found = Vec::new();
    for map in maps_of(&all)? {
        let inner = map.dim(DimType::In)? as usize - outer;
        let (blocks, from, to) = (numbered("b", outer), numbered("s", inner), numbered("t", inner));
        let side = |own: &[String]| [&blocks, own].concat().join(", ");
        for coordinate in first - outer..inner {
            for (sign, grows) in [("<", true), (">", false)] {
                let condition = format!("{} {sign} {}", from[coordinate], to[coordinate]);
                let text = format!("{{ [{}] -> [{}] : {condition} }}", side(&from), side(&to));
                let pairs = map.copy()?.intersect(Map::parse(&text)?)?;
                found.push(Apart { coordinate, grows, pairs });
            }
        }
    }
    Ok(found)
}
