//! What the lanes of a warp do at the same time.

use std::collections::BTreeSet;

use polyhedra::{DimType, End, Map, MultiPwAff, Result, Set, Text, points_of, unchecked_optimum};
use scop::{Access, Axis, BlockDimension, Kernel};

use crate::kernel::banks::{LANES, Request};
use crate::kernel::shares::{copying, shares};
use crate::kernel::view::{Iteration, KernelView, names, parameter_as_input};

/// Returns the requests of some accesses to places of a box: those of the first warp of a block, in the first
/// iteration that it executes in a tile in which all threads work. Later iterations shift all lanes alike. If threads
/// wait for each other in a tile, other lanes work in each step, and three of the steps represent all.
///
/// `place` maps the schedule dimensions at the tile and an element to the element's place.
pub fn requests(view: &KernelView<'_>, accesses: &[&Access], place: &MultiPwAff) -> Result<Vec<Request>> {
    let place = Map::from_multi_pw_aff(place.copy()?)?;
    let mut requests = Vec::new();
    for access in accesses {
        let relation = Map::parse(&access.relation.0)?;
        let statement = relation.copy()?.domain()?.text()?;
        for iteration in &*view.iterations(statement, || examples(view, access))? {
            requests.extend(request(iteration, view, relation.copy()?, &place)?);
        }
    }
    Ok(requests)
}

/// The steps of a tile that are examined, in percent of all steps. Few lanes work at the ends of a wavefront.
const STEPS: [i64; 3] = [25, 50, 75];

/// Returns the first iteration in which the statement of an access is executed, in a tile in which all threads work;
/// if the threads wait for each other in the tile, one iteration for each of several steps.
fn examples(view: &KernelView<'_>, access: &Access) -> Result<Vec<Iteration>> {
    let Some(mut relation) = view.thread_instances(access)? else { return Ok(Vec::new()) };
    let block = &view.kernel.block;
    for dimension in block {
        relation = parameter_as_input(relation, dimension.axis.thread_parameter())?;
    }
    let computing = computing(view);
    let tile = full_tile(&relation.copy()?.domain()?, &computing)?;
    let relation = relation.intersect_domain(tile)?;
    // In a triangular tile, the last thread may execute everything that the first one does not.
    let last = last_thread(block, &computing);
    let times = (times_of(&relation, block, 0)? + times_of(&relation, block, last)?).div_ceil(2);
    let first_warp = lanes(&relation, block, &format!("< {LANES}"))?;
    let relation = relation.intersect_domain(first_warp)?;
    if !view.has_steps() || relation.is_empty()? {
        return Ok(vec![Iteration { instances: unchecked_optimum(&relation, End::First)?, times }]);
    }
    let mut examples = Vec::new();
    for percent in STEPS {
        let together = view.of_step(relation.copy()?.range()?, percent)?;
        let instances = unchecked_optimum(&relation.copy()?.intersect_range(together)?, End::First)?;
        examples.push(Iteration { instances, times: times.div_ceil(STEPS.len() as u64) });
    }
    Ok(examples)
}

/// Returns the dimensions of a block, with one thread along the axis of those that only copy.
fn computing(view: &KernelView<'_>) -> Vec<BlockDimension> {
    let Kernel { block, loading, .. } = view.kernel;
    let of_axis = |dimension: &BlockDimension| {
        let size = if Some(dimension.axis) == *loading { 1 } else { dimension.size };
        BlockDimension { size, ..*dimension }
    };
    block.iter().map(of_axis).collect()
}

/// Returns the position of the last thread that computes.
fn last_thread(block: &[BlockDimension], computing: &[BlockDimension]) -> u64 {
    let mut stride = 1;
    let mut last = 0;
    for (dimension, own) in block.iter().zip(computing) {
        last += stride * u64::from(own.size.saturating_sub(1));
        stride *= u64::from(dimension.size);
    }
    last
}

/// Returns the request for the elements to which a relation maps the instances of an iteration.
fn request(
    iteration: &Iteration,
    view: &KernelView<'_>,
    relation: Map,
    place: &Map,
) -> Result<Option<Request>> {
    let block = &view.kernel.block;
    let threads = block.len() as u32;
    let domain = iteration.instances.copy()?.domain()?;
    let outer = Map::identity(domain.get_space()?.map_from_set()?)?;
    let outer = outer.project_out(DimType::Out, 0, threads)?.intersect_domain(domain)?;
    let elements = iteration.instances.copy()?.apply_range(relation)?;
    let places = outer.range_product(elements)?.apply_range(place.copy()?)?.wrap()?.flatten()?;
    let points = points_of(&places.project_out_all_params()?, LANES * LANES)?;
    let Some(points) = points else { return Ok(None) };
    let first_of_place = (threads + view.tile_depth) as usize;
    let mut lanes = vec![None; LANES];
    for point in points {
        let (Some(coordinates), Some(place)) = (point.get(..threads as usize), point.get(first_of_place..))
        else {
            continue;
        };
        // The coordinates begin with the last axis.
        if let Some(lane) = lanes.get_mut(lane_of(coordinates.iter().rev(), block)) {
            *lane = Some(place.to_vec());
        }
    }
    Ok(Some(Request { lanes, times: iteration.times }))
}

/// Returns the position of a thread in its block, x fastest. `coordinates` are in the order of the axes.
fn lane_of<'a>(coordinates: impl Iterator<Item = &'a i64>, block: &[BlockDimension]) -> usize {
    let mut lane = 0;
    let mut stride = 1;
    for (coordinate, dimension) in coordinates.zip(block) {
        lane += usize::try_from(*coordinate).unwrap_or(usize::MAX / 4).saturating_mul(stride);
        stride = stride.saturating_mul(dimension.size as usize);
    }
    lane
}

/// Returns how many instances of a relation a thread executes.
fn times_of(relation: &Map, block: &[BlockDimension], thread: u64) -> Result<u64> {
    let own = relation.copy()?.intersect_domain(lanes(relation, block, &format!("= {thread}"))?)?;
    Ok(own.wrap()?.project_out_all_params()?.count_val()?.get_num_si()?.unsigned_abs())
}

/// Returns the threads of a block whose position satisfies the condition (such as `< 32`), in the space of the domain
/// of a relation `{ [tz, ty, tx, h…] -> … }`.
fn lanes(relation: &Map, block: &[BlockDimension], position: &str) -> Result<Set> {
    let mut terms = Vec::new();
    let mut stride = 1u64;
    for (position, dimension) in block.iter().enumerate() {
        terms.push(format!("{stride} t{}", block.len() - 1 - position));
        stride *= u64::from(dimension.size);
    }
    let outer = relation.dim(DimType::In)? as u32 - block.len() as u32;
    let dims: Vec<String> = [names("t", block.len() as u32), names("h", outer)]
        .into_iter()
        .filter(|names| !names.is_empty())
        .collect();
    Set::parse(&format!("{{ [{}] : {} {position} }}", dims.join(", "), terms.join(" + ")))
}

/// Returns a tile in which all threads of a `block` work that compute, if there is one, or else any tile: values for
/// the parameters and the outer schedule dimensions. `active` contains the pairs of a thread and a tile in which it
/// works; the result is in the same space.
fn full_tile(active: &Set, block: &[BlockDimension]) -> Result<Set> {
    let threads = block.len() as u32;
    let tiles = active.copy()?.project_out(DimType::Set, 0, threads)?;
    let outer = tiles.dim(DimType::Set)? as u32;
    let sizes = block.iter().rev().enumerate();
    let bounds: Vec<String> =
        sizes.map(|(position, dimension)| format!("0 <= t{position} < {}", dimension.size)).collect();
    let dims: Vec<String> =
        [names("t", threads), names("h", outer)].into_iter().filter(|names| !names.is_empty()).collect();
    let all = Set::parse(&format!("{{ [{}] : {} }}", dims.join(", "), bounds.join(" and ")))?;
    let everywhere = tiles.copy()?.insert_dims(DimType::Set, 0, threads)?.intersect(all)?;
    let missing = everywhere.subtract(active.copy()?)?.project_out(DimType::Set, 0, threads)?;
    let full = tiles.copy()?.subtract(missing)?;
    let chosen = if full.is_empty()? { tiles } else { full };
    let large = with_large_parameters(chosen.copy()?)?;
    let chosen = if large.is_empty()? { chosen } else { large };
    Ok(Set::from_point(chosen.sample_point()?)?.insert_dims(DimType::Set, 0, threads)?)
}

/// Returns the part of a set in which parameters are large, so that loops up to them have many steps. Block
/// coordinates are not restricted.
fn with_large_parameters(set: Set) -> Result<Set> {
    let mut large = set.copy()?;
    for position in 0..set.dim(DimType::Param)? {
        let name = set.get_dim_name(DimType::Param, position as u32)?;
        if !Axis::ALL.iter().any(|axis| axis.block_parameter() == name) {
            large = large.lower_bound_si(DimType::Param, position as u32, MANY_STEPS)?;
        }
    }
    Ok(large)
}

/// More steps than a tile has.
const MANY_STEPS: i32 = 1000;

/// The fewest bytes that an access of global memory moves.
const SECTOR: u64 = 32;

/// Returns the number of sectors that a request touches if the elements of a box are laid out as in their array, and
/// the fewest sectors that can hold as many elements. Rows are assumed to be far from each other, and to begin at a
/// sector boundary.
pub fn sectors(request: &Request, bytes: u32) -> (u64, u64) {
    let per_sector = (SECTOR / u64::from(bytes.max(1))).max(1);
    let elements: BTreeSet<&Vec<i64>> = request.lanes.iter().flatten().collect();
    let touched: BTreeSet<(&[i64], i64)> = elements
        .iter()
        .filter_map(|place| place.split_last())
        .map(|(last, row)| (row, last.div_euclid(per_sector.cast_signed())))
        .collect();
    let filled = (elements.len() as u64).div_ceil(per_sector);
    (touched.len() as u64, filled)
}

/// Returns the request of the first warp that copies into a box: adjacent threads fill adjacent places (see
/// [`shares`]).
pub fn copy_request(kernel: &Kernel, sizes: &[u32]) -> Request {
    let copying = copying(kernel);
    let shares = shares(sizes, &copying);
    let threads: u64 = copying.iter().map(|one| u64::from(one.size)).product();
    let lanes = (0..LANES as u64).map(|lane| {
        if lane >= threads {
            return None;
        }
        let mut place = vec![0i64; sizes.len()];
        let mut rest = lane;
        for share in &shares {
            let thread = rest % share.threads();
            rest /= share.threads();
            for member in &share.members {
                place[member.dimension] = (thread / member.divisor % member.modulus).cast_signed();
            }
        }
        let inside = place.iter().zip(sizes).all(|(place, size)| *place < i64::from(*size));
        inside.then_some(place)
    });
    let elements: u64 = sizes.iter().map(|&size| u64::from(size)).product();
    Request { lanes: lanes.collect(), times: elements.div_ceil(threads.max(1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sectors that a request touches if lane `k` reads the float at `place(k)`.
    fn of_floats(place: impl Fn(i64) -> Vec<i64>) -> (u64, u64) {
        sectors(&Request { lanes: (0..32).map(|lane| Some(place(lane))).collect(), times: 1 }, 4)
    }

    #[test]
    fn threads_that_only_copy_are_not_the_last_that_computes() {
        let block = |sizes: [u32; 2]| {
            [Axis::X, Axis::Y]
                .into_iter()
                .zip(sizes)
                .map(|(axis, size)| BlockDimension { axis, size })
                .collect::<Vec<_>>()
        };
        assert_eq!(last_thread(&block([32, 8]), &block([32, 8])), 255);
        assert_eq!(last_thread(&block([32, 8]), &block([32, 1])), 31);
        assert_eq!(last_thread(&block([32, 8]), &block([1, 8])), 224);
    }

    #[test]
    fn sectors_are_counted_of_rows() {
        assert_eq!(of_floats(|lane| vec![7, lane]), (4, 4), "one row");
        assert_eq!(of_floats(|lane| vec![7, lane + 1]), (5, 4), "a row that begins elsewhere");
        assert_eq!(of_floats(|lane| vec![lane, 7]), (32, 4), "a column");
        assert_eq!(of_floats(|lane| vec![4 * lane]), (16, 4), "a member of structures");
        assert_eq!(of_floats(|_| vec![3, 3]), (1, 1), "one element for all");
        let none = Request { lanes: vec![None; 32], times: 1 };
        assert_eq!(sectors(&none, 8), (0, 0));
    }
}
