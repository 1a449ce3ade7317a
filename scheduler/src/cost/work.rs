//! What a kernel will do, estimated from its plan: the counts that the time model prices.

use gpu::place::Uses;
use polyhedra::{
    DimType, Map, PwAff, PwQPolynomial, Result, Set, Simplify, Text, UnionMap, integer, maps_of, sets_of,
};
use scop::{Kernel, Model, PricedArray, Statement};

use super::blocks::Blocks;
use super::count::{Count, count};
use super::divided::Division;
use super::estimate::{Estimate, Use};
use super::estimated::estimated;
use super::footprint::{WARP, groups};
use super::geometry::{Geometry, Nest};
use super::lines::{Estimated, Launched};
use super::operations::{carried_in_loops, operations, ways};
use super::part::{Part, WrittenArrays, written};
use super::part_work::{KernelPart, part_work};
use super::places::Places;
use super::points::Points;
use super::registers::Known;
use super::site::Site;
use crate::shape::Shape;

/// The launches for which the size of the grid is evaluated.
const GRIDS: usize = 8;
/// The launches for which grids are compared.
const LAUNCHES: usize = 16;
const REGISTER_BYTES: f64 = 4.0;

/// The loops and accesses of a kernel, whatever the sizes of its tiles and blocks are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Subject {
    parts: Vec<Part>,
    /// The number of launches.
    launches: f64,
    /// The values of the loops on the host in some of them.
    samples: Vec<Vec<i64>>,
    /// The values in more of them.
    more_samples: Vec<Vec<i64>>,
    /// At which points of its loops its statements are.
    points: Points,
}

impl Subject {
    /// Describes a kernel: the instances that it executes, the loops on the host around it, and its band, if it has
    /// one. Returns nothing if it is too complicated for an estimate.
    pub fn new(site: &Site, model: &Model, places: &Places) -> Result<Option<Self>> {
        estimated(|| Self::described(site, model, places))
    }

    fn described(site: &Site, model: &Model, places: &Places) -> Result<Self> {
        let mut subject = Self::default();
        let only_read = site.only_read(model)?;
        for set in sets_of(&site.instances)? {
            let Ok(id) = set.get_tuple_name()?.parse() else { continue };
            let statement = model.statement(id)?;
            let domain = set.copy()?.intersect_params(places.context.copy()?)?.project_out_all_params()?;
            if domain.is_empty()? {
                continue;
            }
            let Some(prefix) = map_of(&site.prefix, statement, &places.context)? else { continue };
            let blocks = Blocks::of(&prefix)?;
            let of_function = |function: Map| match &blocks {
                Some(blocks) => blocks.of_function(function),
                None => Ok(function),
            };
            let band = match &site.band {
                Some(band) => map_of(band, statement, &places.context)?,
                None => None,
            };
            let band = band.map(of_function).transpose()?;
            let (set, domain, prefix) = match &blocks {
                Some(blocks) => (blocks.of_set(set)?, blocks.of_set(domain)?, blocks.of_prefix(prefix)?),
                None => (set, domain, prefix),
            };
            let mut division = Division::of(&domain, band.as_ref())?;
            let numbers = blocks.as_ref().map_or(0, Blocks::number);
            let mut nest = Nest::new(&set, &domain, &prefix, band.as_ref(), &mut division, numbers)?;
            if site.in_steps {
                nest.count_steps(&domain)?;
            }
            let subscripts = |access: &scop::Access| {
                let relation = Map::parse(&access.relation.0)?.intersect_params(places.context.copy()?)?;
                of_function(relation.project_out_all_params()?)
            };
            let (groups, group_of) =
                groups(statement, places, &subscripts, (only_read, &site.bins), &division)?;
            subject.parts.push(Part {
                nest,
                groups,
                operations: operations(statement, &group_of),
                ways: ways(statement, &group_of),
                divides_loops: !division.is_empty(),
            });
        }
        subject.points = Points::of(site, &places.context)?;
        let launches = launches(site, &places.context)?;
        let some = |samples: &[Vec<i64>], most: usize| {
            let step = (samples.len() / most).max(1);
            samples.iter().skip(step / 2).step_by(step).cloned().collect()
        };
        let mut sorted = launches.samples.clone();
        sorted.sort_unstable();
        subject.launches = launches.points;
        subject.samples = some(&sorted, GRIDS);
        subject.more_samples = some(&launches.samples, LAUNCHES);
        Ok(subject)
    }

    /// True if a member of the band divides a loop among partial sums.
    pub fn divides_loops(&self) -> bool {
        self.parts.iter().any(|part| part.divides_loops)
    }

    /// Returns the registers that take the values which one iteration of an innermost loop loads. Statements that run
    /// much more seldom than others are outside.
    pub fn loaded_registers(&self) -> f64 {
        let most = self.parts.iter().map(|part| part.nest.instances()).fold(0.0, f64::max);
        let inside = self.parts.iter().filter(|part| 2.0 * part.nest.instances() >= most);
        let groups = inside.flat_map(|part| &part.groups);
        groups.map(|group| group.reads * group.bytes / REGISTER_BYTES).sum()
    }

    /// Returns the bytes that a tile reads of arrays that the kernel does not write.
    pub fn loaded_bytes(&self, shape: &Shape) -> f64 {
        let written = written(&self.parts);
        let of_part = |part: &Part| -> f64 {
            let geometry = part.nest.geometry(shape);
            let read =
                part.groups.iter().filter(|group| !group.irregular && !written.contains(&group.class()));
            let elements =
                read.map(|group| (group, group.extents(&geometry.tile_spans).iter().product::<f64>()));
            elements
                .filter(|(_, elements)| *elements > 1.0)
                .map(|(group, elements)| group.bytes * elements)
                .sum()
        };
        self.parts.iter().map(of_part).sum()
    }

    /// Returns the values of the loops on the host in some launches.
    pub fn some_launches(&self) -> &[Vec<i64>] {
        &self.more_samples
    }

    /// Returns where the price of the kernel takes elements to be that several threads of a block use.
    pub fn priced_arrays(&self, shape: &Shape, places: &Places) -> Vec<PricedArray> {
        let uses = self.estimate(shape, self.mean_blocks(shape), places).uses;
        let of_array = |of_array: &Use| {
            let Uses { elements, accesses, are_written, are_scattered, .. } = of_array.shared?;
            Some(PricedArray {
                array: of_array.array,
                elements,
                accesses,
                written: are_written,
                scattered: are_scattered,
                in_shared: of_array.is_staged(),
            })
        };
        let mut priced: Vec<PricedArray> = uses.iter().filter_map(of_array).collect();
        priced.sort_by_key(|priced| priced.array);
        priced
    }

    /// Estimates the blocks of a launch from the mean length of the loops.
    pub fn mean_blocks(&self, shape: &Shape) -> f64 {
        let parallel = shape.first..shape.first + shape.threads.len();
        let blocks = |member: usize| {
            let extents = self.parts.iter().map(|part| part.nest.member_extent(member));
            (extents.fold(1.0, f64::max) / f64::from(shape.tiles[member].max(1))).ceil()
        };
        parallel.map(blocks).product()
    }

    /// Returns the mean number of blocks of a launch.
    pub fn blocks(&self, kernel: &Kernel, places: &Places) -> Result<f64> {
        let ranked = match &kernel.ranked {
            Some(ranked) => {
                Some(PwQPolynomial::parse(&ranked.blocks.0)?.intersect_params(places.context.copy()?)?)
            }
            None => None,
        };
        let mut extents = Vec::new();
        for dimension in &kernel.grid {
            extents.push(PwAff::parse(&dimension.extent.0)?.intersect_params(places.context.copy()?)?);
        }
        let mut blocks = 0.0;
        for sample in &self.samples {
            let values: Vec<String> = sample.iter().map(ToString::to_string).collect();
            let point = Set::parse(&format!("{{ [{}] }}", values.join(", ")))?;
            if let Some(ranked) = &ranked {
                let blocks_there = ranked.copy()?.intersect_domain(point)?;
                blocks += integer(&blocks_there.max()?).map_or(0.0, |blocks| blocks.max(0) as f64);
                continue;
            }
            let mut product = 1.0;
            for extent in &extents {
                let extent = extent.copy()?.intersect_domain(point.copy()?)?;
                product *= integer(&extent.max_val()?).map_or(0.0, |extent| extent.max(0) as f64);
            }
            blocks += product;
        }
        Ok(blocks / self.samples.len().max(1) as f64)
    }

    /// Estimates the work of the kernel with tiles and blocks of a shape, and so many blocks in a launch.
    pub fn estimate(&self, shape: &Shape, blocks_of_launch: f64, places: &Places) -> Estimate {
        self.estimate_with(shape, (blocks_of_launch, blocks_of_launch), places)
    }

    /// Estimates the work if so many blocks are in a launch, of which at most so many have work.
    pub fn estimate_with(&self, shape: &Shape, blocks_of_launch: (f64, f64), places: &Places) -> Estimate {
        let geometries: Vec<Geometry> = self.parts.iter().map(|part| part.nest.geometry(shape)).collect();
        let written = WrittenArrays::new(&self.parts, &geometries);
        let [blocks, most] = [blocks_of_launch.0, blocks_of_launch.1].map(|blocks| blocks * self.launches);
        let mut result = Estimate::default();
        let mut known = Known::new(&self.parts, &geometries, &written);
        let together = geometries.iter().filter(|geometry| !geometry.has_own_loops);
        let most_instances = together.map(|geometry| geometry.instances).fold(0.0, f64::max);
        let (mut barriers, mut with_work) = (0.0_f64, 0.0_f64);
        // Statements without loops of their own are in the same loops, unless they run much more seldom.
        let innermost = |(number, geometry): (usize, &Geometry)| match geometry.has_own_loops {
            true => Some(1 + number as u64),
            false => (2.0 * geometry.instances >= most_instances).then_some(0),
        };
        let innermost: Vec<Option<u64>> = geometries.iter().enumerate().map(innermost).collect();
        let reading = self.parts.iter().zip(&geometries).map(|(part, geometry)| part.reading(geometry));
        let carried = carried_in_loops(&reading.collect::<Vec<_>>(), &innermost);
        for (number, (part, geometry)) in self.parts.iter().zip(&geometries).enumerate() {
            let (innermost, carried) = (innermost[number], carried[number]);
            let kernel = KernelPart {
                shape,
                launches: self.launches,
                most,
                apart: self.points.apart.max(1.0),
                alone: self.points.alone.get(number).copied().unwrap_or(1.0),
                written: &written,
                innermost,
                carried,
            };
            let own = part_work(part, geometry, &kernel, places, (&mut known, &mut result));
            barriers = barriers.max(own.barriers);
            with_work = with_work.max(own.blocks_with_work);
        }
        let with_work = with_work.min(most);
        if shape.search_instructions > 0 {
            let warps = with_work * (shape.block_threads() / WARP).ceil();
            let integer = warps * shape.search_instructions as f64;
            result.lines.add(&Estimated { executions: warps, integer, ..Estimated::default() });
        }
        result.lines.add_barriers(barriers);
        result.launched = Launched {
            launches: self.launches,
            blocks,
            blocks_with_work: with_work,
            threads: shape.block_threads() as u64,
            copies_ahead: shape.ahead,
            ..result.launched
        };
        result
    }
}

/// Returns the launches of a kernel.
fn launches(site: &Site, context: &Set) -> Result<Count> {
    let mut points: Option<Set> = None;
    for map in maps_of(&site.prefix.copy()?.intersect_domain(site.instances.copy()?)?)? {
        let range = map.range()?.intersect_params(context.copy()?)?.project_out_all_params()?;
        points = Some(match points {
            Some(others) => others.union(range)?.simplified()?,
            None => range,
        });
    }
    match points {
        Some(points) => count(&points),
        None => Ok(Count::default()),
    }
}

fn map_of(all: &UnionMap, statement: &Statement, context: &Set) -> Result<Option<Map>> {
    let name = statement.id.to_string();
    for map in maps_of(all)? {
        if map.get_tuple_name(DimType::In)? == name {
            return Ok(Some(map.intersect_params(context.copy()?)?.project_out_all_params()?));
        }
    }
    Ok(None)
}
