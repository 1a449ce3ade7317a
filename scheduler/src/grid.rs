//! The coordinates of blocks: which blocks exist, and how many.

use polyhedra::{
    BasicSet, DimType, Map, PwAff, Range, Result, ScheduleNode, Set, Simplify, Text, UnionMap, Val,
    context as isl_context,
};
use scop::{Axis, BlockDimension, GridDimension, IslPwAff};

/// The tiles of one band member as a function of the loops around the kernel.
struct TileRange {
    axis: Axis,
    lower: PwAff,
    upper: PwAff,
    hull: BasicSet,
}

/// The grid dimensions for the members of a band of tile loops, and the constraints below the kernel's mark.
pub struct Grid {
    /// The dimensions, in the order of the axes.
    pub dimensions: Vec<GridDimension>,
    /// Bounds of `bx`, `by`, `bz` in terms of the parameters and the outer schedule dimensions, or none for an empty
    /// grid.
    pub context: Option<Set>,
    /// The parameters and outer schedule dimensions for which tiles exist. Without this guard, isl would also assume
    /// the bounds above where a launch has nothing to do.
    pub guard: Set,
}

/// Computes the grid of the kernel at `band`, whose member `k` runs along `axes[k]`.
pub fn grid(band: &ScheduleNode, axes: &[Axis]) -> Result<Grid> {
    let tiles = tiles_of(band)?;
    let mut ranges = Vec::new();
    for (member, &axis) in axes.iter().enumerate() {
        ranges.push(range_of(&tiles, member, axis)?);
    }
    ranges.sort_by_key(|range| range.axis);
    let mut dimensions = Vec::new();
    let mut context: Option<Set> = None;
    for range in ranges {
        let bounds = bounds_of(&range)?;
        context = Some(match context {
            Some(others) => others.intersect(bounds)?,
            None => bounds,
        });
        dimensions.push(dimension_of(range)?);
    }
    let guard = Set::from_basic_set(tiles.domain()?.simple_hull()?)?.remove_divs()?;
    Ok(Grid { dimensions, context, guard })
}

/// Returns the map from the outer schedule dimensions to the tiles that exist there.
fn tiles_of(band: &ScheduleNode) -> Result<Map> {
    let prefix: UnionMap = band.get_prefix_schedule_union_map()?.intersect_domain(band.get_domain()?)?;
    let partial = band.band_get_partial_schedule_union_map()?;
    prefix.reverse()?.apply_range(partial)?.as_map()?.simplified()
}

/// Returns the range of one member. It may contain a few tiles too many, which only costs empty blocks.
fn range_of(tiles: &Map, member: usize, axis: Axis) -> Result<TileRange> {
    let members = tiles.dim(DimType::Out)? as usize;
    let alone = tiles
        .copy()?
        .project_out(DimType::Out, member as u32 + 1, (members - member - 1) as u32)?
        .project_out(DimType::Out, 0, member as u32)?;
    let range = polyhedra::rough_range_of_last(&alone.wrap()?.flatten()?)?;
    let Range { lower, upper, hull } = range;
    Ok(TileRange { axis, lower, upper, hull })
}

/// Returns the constraints of the hull on the block's coordinate, which becomes a parameter: `{ [h…] : … }`.
fn bounds_of(range: &TileRange) -> Result<Set> {
    let last = range.hull.dim(DimType::Set)? as u32 - 1;
    let parameters = range.hull.dim(DimType::Param)? as u32;
    let set = Set::from_basic_set(range.hull.copy()?)?;
    let set = set.drop_constraints_not_involving_dims(DimType::Set, last, 1)?;
    let moved = set.move_dims(DimType::Param, parameters, DimType::Set, last, 1)?;
    Ok(moved.set_dim_name(DimType::Param, parameters, range.axis.block_parameter())?)
}

fn dimension_of(range: TileRange) -> Result<GridDimension> {
    let one = Val::int_from_si(isl_context(), 1)?;
    let extent = range.upper.sub(range.lower.copy()?)?.add_constant_val(one)?.simplified()?;
    Ok(GridDimension {
        axis: range.axis,
        lower: IslPwAff(range.lower.text()?),
        extent: IslPwAff(extent.text()?),
    })
}

/// Returns the bounds of thread coordinates in the space of the outer schedule dimensions at `node`:
/// `{ [h] : 0 <= tx < 32 and … }`.
pub fn thread_context(node: &ScheduleNode, block: &[BlockDimension]) -> Result<Set> {
    let depth = node.get_schedule_depth()?;
    let dims = polyhedra::numbered("h", depth as usize);
    let names: Vec<&str> = block.iter().map(|dimension| dimension.axis.thread_parameter()).collect();
    let bounds: Vec<String> = block
        .iter()
        .map(|dimension| format!("0 <= {} < {}", dimension.axis.thread_parameter(), dimension.size))
        .collect();
    let condition = if bounds.is_empty() { "true".to_owned() } else { bounds.join(" and ") };
    Set::parse(&format!("[{}] -> {{ [{}] : {condition} }}", names.join(", "), dims.join(", ")))
}
