//! The coordinates of blocks: which blocks exist, and how many.

use polyhedra::{
    BasicSet, DimType, Map, PwAff, Range, Result, ScheduleNode, Set, Simplify, Text, UnionMap, Val,
    context as isl_context, integer,
};
use scop::wish::GridKind;
use scop::{Axis, BlockDimension, GridDimension, IslPwAff, Ranked};

use crate::cost::{Pricing, count};
use crate::ranked::Numbered;

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
    /// The numbering of the blocks, if they are numbered.
    pub ranked: Option<Ranked>,
    /// The instructions by which a warp finds the coordinates of a numbered block.
    pub search_instructions: u64,
    /// The block's coordinate along the axis of each member: a sum of members `m0`, `m1`, ….
    pub coordinates: Vec<String>,
    /// Bounds of `bx`, `by`, `bz` in terms of the parameters and the outer schedule dimensions, or none for an empty
    /// grid.
    pub context: Option<Set>,
    /// The parameters and outer schedule dimensions for which tiles exist. Without this guard, isl would also assume
    /// the bounds above where a launch has nothing to do.
    pub guard: Set,
    /// Why the grid is as it is, for people.
    pub reasons: Vec<String>,
    /// Why there is no grid of the kind that the user asks for.
    pub refused: Option<String>,
}

impl Grid {
    fn copy(&self) -> Result<Self> {
        Ok(Self {
            dimensions: self.dimensions.clone(),
            ranked: self.ranked.clone(),
            search_instructions: self.search_instructions,
            coordinates: self.coordinates.clone(),
            context: self.context.as_ref().map(Set::copy).transpose()?,
            guard: self.guard.copy()?,
            reasons: self.reasons.clone(),
            refused: self.refused.clone(),
        })
    }

    /// Returns the form.
    pub fn kind(&self) -> GridKind {
        if self.ranked.is_some() {
            GridKind::Ranked
        } else if self.coordinates == plain_coordinates(self.coordinates.len()) {
            GridKind::Box
        } else {
            GridKind::Sheared
        }
    }
}

/// What decides on the form of a grid.
pub struct Choice<'a> {
    /// The form that the user asks for.
    pub wanted: Option<GridKind>,
    /// Values of the loops around the kernel, in some of its launches.
    pub launches: &'a [Vec<i64>],
    /// Estimates how long the kernel takes with so many blocks in a launch, of which so many have work and each of whose
    /// warps finds its coordinates with so many instructions, in microseconds.
    pub time: &'a dyn Fn((f64, f64), u64) -> f64,
    /// What is known of the parameters.
    pub context: &'a Set,
    /// For what grids are priced.
    pub pricing: &'a Pricing,
}

/// A grid is not improved if this share of its blocks has work.
const FULL: f64 = 0.9;

/// Other coordinates must save at least this share of the blocks.
const CLEARLY_SMALLER: f64 = 0.9;

/// Blocks are numbered if the kernel then takes at most this many times as long by the estimate: while blocks without
/// work start, those with work wait, at the beginning of a launch more than on average.
const NO_SLOWER: f64 = 1.01;

/// Any search for the coordinates of numbered blocks takes as many instructions.
const FEWEST_INSTRUCTIONS: u64 = 50;

/// Computes the grid of the kernel at `band`, whose member `k` runs along `axes[k]`.
///
/// A grid is a box. If many of its blocks have no work, other coordinates may have a smaller one: the sum or the
/// difference of two members in the place of one. If there are still many without work, blocks are numbered
/// ([`mod@crate::ranked`]), if finding one's coordinates takes no longer than the blocks that are saved.
pub fn grid(band: &ScheduleNode, axes: &[Axis], choice: &Choice<'_>) -> Result<Grid> {
    let tiles = tiles_of(band)?;
    let points = points_of(&tiles, choice)?;
    let plain = plain_coordinates(axes.len());
    let mut grid = boxed(&tiles, &plain, axes, &points)?;
    if axes.len() < 2 || points.is_empty() {
        grid.refused = match choice.wanted {
            Some(GridKind::Ranked | GridKind::Sheared) if axes.len() < 2 => {
                Some("a grid of one dimension has no other coordinates".to_owned())
            }
            Some(GridKind::Ranked | GridKind::Sheared) => Some("the tiles are too complicated".to_owned()),
            _ => None,
        };
        return Ok(grid);
    }
    let mut blocks = blocks_of(&grid, &points)?;
    let work = tiles_at(&tiles, &points)?;
    if choice.wanted == Some(GridKind::Ranked) {
        return numbered_grid(grid, &tiles, axes, (blocks, work), choice);
    }
    let is_open = |blocks: f64| choice.wanted.is_none() && work < FULL * blocks;
    if is_open(blocks) || choice.wanted == Some(GridKind::Sheared) {
        for sheared in sheared_coordinates(axes.len()) {
            let other = match boxed(&tiles, &sheared, axes, &points) {
                // The hull of several parts may have no bounds in these coordinates.
                Err(error) if !error.is_limit() => continue,
                other => other?,
            };
            let fewer = blocks_of(&other, &points)?;
            if fewer < CLEARLY_SMALLER * blocks {
                let share = 100.0 * fewer / blocks;
                let reason = format!(
                    "blocks are counted along {}: the grid has {share:.0} % of the blocks",
                    listed(&sheared, axes)
                );
                blocks = fewer;
                grid = Grid { reasons: vec![reason], ..other };
            }
        }
        if choice.wanted == Some(GridKind::Sheared) && grid.reasons.is_empty() {
            grid.refused = Some("no sum or difference of tile coordinates has a smaller box".to_owned());
        }
    }
    let launches = points.len() as f64;
    let is_worth_it = |instructions: u64| {
        let (blocks, work) = (blocks / launches, work / launches);
        (choice.time)((work, work), instructions) <= NO_SLOWER * (choice.time)((blocks, work), 0)
    };
    if is_open(blocks) && is_worth_it(FEWEST_INSTRUCTIONS) && grid.coordinates == plain {
        let numbered = numbered_grid(grid.copy()?, &tiles, axes, (blocks, work), choice)?;
        if is_worth_it(numbered.search_instructions) {
            return Ok(numbered);
        }
        let share = 100.0 * work / blocks.max(1.0);
        let reason = format!(
            "{share:.0} % of the blocks have work; they are not numbered, because {} instructions to find the \
             coordinates of each take longer than starting those without work",
            numbered.search_instructions
        );
        return Ok(Grid { reasons: vec![reason], ..grid });
    }
    Ok(grid)
}

/// Returns `m0`, `m1`, ….
fn plain_coordinates(members: usize) -> Vec<String> {
    polyhedra::numbered("m", members)
}

/// Returns the coordinates in which one member is replaced by its sum with, or its distance from another one.
fn sheared_coordinates(members: usize) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for replaced in 0..members {
        for other in (0..members).filter(|other| *other != replaced) {
            for sign in ["+", "-"] {
                let mut coordinates = plain_coordinates(members);
                coordinates[replaced] = format!("m{replaced} {sign} m{other}");
                found.push(coordinates);
            }
        }
    }
    found
}

fn listed(coordinates: &[String], axes: &[Axis]) -> String {
    let along = coordinates.iter().zip(axes).map(|(coordinate, axis)| format!("{coordinate} ({axis})"));
    along.collect::<Vec<_>>().join(" and ")
}

/// Returns a grid that is a box in these coordinates, one for each member.
fn boxed(tiles: &Map, coordinates: &[String], axes: &[Axis], points: &[Set]) -> Result<Grid> {
    let members = plain_coordinates(axes.len());
    let change = format!("{{ [{}] -> [{}] }}", members.join(", "), coordinates.join(", "));
    let tiles = tiles.copy()?.apply_range(Map::parse(&change)?)?;
    let mut ranges = Vec::new();
    for (member, &axis) in axes.iter().enumerate() {
        ranges.push(range_of(&tiles, member, axis, points)?);
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
    let coordinates = coordinates.to_vec();
    Ok(Grid {
        dimensions,
        ranked: None,
        search_instructions: 0,
        coordinates,
        context,
        guard,
        reasons: Vec::new(),
        refused: None,
    })
}

/// Returns a grid whose blocks are numbered, or the box with the reason why they are not. `blocks` are those of the
/// box, `work` are those with work.
fn numbered_grid(
    grid: Grid,
    tiles: &Map,
    axes: &[Axis],
    (blocks, work): (f64, f64),
    choice: &Choice<'_>,
) -> Result<Grid> {
    let Pricing { numberings, .. } = choice.pricing;
    let numbered = numberings.ranked(tiles, axes, choice.context, choice.pricing.counting())?;
    let Numbered { ranked, shape, searches } = match numbered {
        Ok(numbered) => numbered,
        Err(why) => {
            let share = 100.0 * work / blocks.max(1.0);
            let reasons = vec![format!("{share:.0} % of the blocks have work; they are not numbered: {why}")];
            return Ok(Grid { refused: Some(why), reasons, ..grid });
        }
    };
    let points = points_of(tiles, choice)?;
    let mut instructions = 0.0;
    for dimension in &grid.dimensions {
        let search = searches.iter().find(|(axis, _)| *axis == dimension.axis);
        let values = blocks_along(dimension, &points)? / points.len().max(1) as f64;
        instructions += search.map_or(0.0, |(_, search)| search.instructions(values));
    }
    let mut shape = shape;
    let first = shape.dim(DimType::Set)? as u32 - axes.len() as u32;
    for one in &ranked.coordinates {
        let parameters = shape.dim(DimType::Param)? as u32;
        shape = shape.move_dims(DimType::Param, parameters, DimType::Set, first, 1)?;
        shape = shape.set_dim_name(DimType::Param, parameters, one.axis.block_parameter())?;
    }
    let context = match grid.context {
        Some(context) => Some(context.intersect(shape)?),
        None => Some(shape),
    };
    let share = 100.0 * work / blocks.max(1.0);
    let reasons = vec![format!("blocks are numbered: only {share:.0} % of those of a box would have work")];
    let search_instructions = instructions as u64;
    Ok(Grid { ranked: Some(ranked), search_instructions, context, reasons, ..grid })
}

/// Returns the loops around the kernel in some launches as sets of one point, for the assumed parameters.
fn points_of(tiles: &Map, choice: &Choice<'_>) -> Result<Vec<Set>> {
    let depth = tiles.dim(DimType::In)? as usize;
    let mut points = Vec::new();
    for launch in choice.launches.iter().filter(|launch| launch.len() == depth) {
        let values: Vec<String> = launch.iter().map(ToString::to_string).collect();
        let point = Set::parse(&format!("{{ [{}] }}", values.join(", ")))?;
        points.push(point.intersect_params(choice.pricing.places.context.copy()?)?);
    }
    Ok(points)
}

/// Returns the number of blocks along a dimension in all of these launches together.
fn blocks_along(dimension: &GridDimension, points: &[Set]) -> Result<f64> {
    let mut blocks = 0.0;
    for point in points {
        let extent = PwAff::parse(&dimension.extent.0)?.intersect_domain(point.copy()?)?;
        blocks += integer(&extent.max_val()?).map_or(0.0, |extent| extent.max(0) as f64);
    }
    Ok(blocks)
}

/// Returns the number of blocks in all of these launches together.
fn blocks_of(grid: &Grid, points: &[Set]) -> Result<f64> {
    let mut blocks = 0.0;
    for point in points {
        let mut product = 1.0;
        for dimension in &grid.dimensions {
            product *= blocks_along(dimension, std::slice::from_ref(point))?;
        }
        blocks += product;
    }
    Ok(blocks)
}

/// Estimates the number of tiles in all of these launches together.
fn tiles_at(tiles: &Map, points: &[Set]) -> Result<f64> {
    let mut sum = 0.0;
    for point in points {
        let here = tiles.copy()?.intersect_domain(point.copy()?)?.range()?.project_out_all_params()?;
        let here = Set::from_basic_set(here.remove_divs()?.simple_hull()?)?;
        if !here.is_empty()? {
            sum += count(&here)?.points;
        }
    }
    Ok(sum)
}

/// Returns the map from the outer schedule dimensions to the tiles that exist there.
fn tiles_of(band: &ScheduleNode) -> Result<Map> {
    let prefix: UnionMap = band.get_prefix_schedule_union_map()?.intersect_domain(band.get_domain()?)?;
    let partial = band.band_get_partial_schedule_union_map()?;
    prefix.reverse()?.apply_range(partial)?.as_map()?.simplified()
}

/// Returns the range of one member. It may contain a few tiles too many, which only costs empty blocks.
fn range_of(tiles: &Map, member: usize, axis: Axis, points: &[Set]) -> Result<TileRange> {
    let members = tiles.dim(DimType::Out)? as usize;
    let alone = tiles
        .copy()?
        .project_out(DimType::Out, member as u32 + 1, (members - member - 1) as u32)?
        .project_out(DimType::Out, 0, member as u32)?;
    let alone = alone.wrap()?.flatten()?;
    let range = if points.is_empty() {
        polyhedra::rough_range_of_last(&alone)?
    } else {
        polyhedra::range_of_last_near(&alone, points)?
    };
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
