//! What a statement of a kernel does: the lines of a profile.

use gpu::place::copies_pay;
use scop::Arithmetic;

use super::estimate::{Estimate, Use};
use super::footprint::{Group, SECTOR_BYTES, WARP};
use super::geometry::{Geometry, InSteps, InnermostLoop};
use super::lines::{Access, Estimated, Innermost, Lines};
use super::operations::arithmetic;
use super::part::{Part, WrittenArrays};
use super::places::Places;
use super::registers::Known;
use super::traffic::{Traffic, accesses, touched_bytes, traffic};
use crate::shape::Shape;

/// The steps by which the threads of a warp combine their values, if their order is free: sums and exchanges.
const EXCHANGES: f64 = 5.0;
/// The numbers that are added in order after each update of all threads.
const IN_ORDER: f64 = 32.0;
const REGISTER_BYTES: f64 = 4.0;

/// What is known of a kernel when a part of it is estimated.
pub struct KernelPart<'a> {
    pub shape: &'a Shape,
    pub launches: f64,
    /// The most blocks with work.
    pub most: f64,
    /// How many times as many points of the loops there are as the statement with the most has.
    pub apart: f64,
    /// The share of the points of the statement at which no statement before it is.
    pub alone: f64,
    pub written: &'a WrittenArrays,
    /// The number of the innermost loop, if the statement is in one.
    pub innermost: Option<u64>,
    /// The operations that wait for the iteration before.
    pub carried: Arithmetic,
}

pub struct PartWork {
    pub barriers: f64,
    pub blocks_with_work: f64,
}

/// Adds the lines of a statement and of its copies, and what it needs of arrays.
pub fn part_work(
    part: &Part,
    geometry: &Geometry,
    kernel: &KernelPart<'_>,
    places: &Places,
    (known, result): (&mut Known, &mut Estimate),
) -> PartWork {
    let KernelPart { shape, launches, most, apart, alone, written, innermost: innermost_number, carried } =
        *kernel;
    let threads = shape.computing_threads();
    let lanes = threads.clamp(1.0, WARP);
    // Of the threads that share a sum, one executes the other statements.
    let is_sum = geometry.updates.is_none_or(|updates| updates > 1.0);
    let computing = if is_sum { threads } else { threads / f64::from(shape.sum_threads()) };
    let per_block = geometry.of_thread * computing;
    let has_steps = shape.first > 0;
    let mut work = PartWork {
        barriers: 0.0,
        blocks_with_work: (apart * geometry.instances / per_block.max(1.0)).max(launches).min(most),
    };
    let executions = if shape.skewed {
        let steps: f64 = shape.tiles.iter().map(|tile| f64::from(*tile) - 1.0).sum::<f64>() + 1.0;
        work.blocks_with_work = geometry.tiles.max(launches).min(most);
        work.barriers = steps * work.blocks_with_work;
        // A warp works in those steps in which one of its lanes does.
        let active = (geometry.sequential + geometry.lanes.along_x + geometry.lanes.rows - 2.0).min(steps);
        work.blocks_with_work * active * (threads / WARP).ceil()
    } else if has_steps {
        work.blocks_with_work = geometry.tiles.max(launches).min(most);
        let steps: f64 = shape.tiles[..shape.first].iter().map(|tile| f64::from(*tile)).product();
        work.barriers = steps * work.blocks_with_work;
        geometry.in_steps.map_or(geometry.instances / lanes, |in_steps| in_steps.rows * rounds_along_x(shape))
    } else if let Some(updates) = geometry.updates {
        geometry.instances / updates * (updates / WARP).ceil()
    } else {
        geometry.instances / lanes
    };
    // Of threads that help others to load, none executes statements.
    let busiest = match geometry.in_steps {
        Some(in_steps) => Some(busiest_in_steps(in_steps, shape)),
        None => (shape.loading > 1).then(|| 1.0 / (threads / WARP).ceil()),
    };
    let innermost = innermost_number.zip(geometry.innermost.as_ref());
    let innermost = innermost.map(|(number, InnermostLoop { iterations, factor, .. })| Innermost {
        number,
        iterations: *iterations,
        factor: *factor,
    });
    let mut line = Estimated {
        executions,
        operations: arithmetic(&part.operations, part.reading(geometry), &written.all),
        carried: [carried.fp32, carried.fp64, carried.library].map(|operations| operations as f64),
        busiest,
        innermost,
        ..Estimated::default()
    };
    let mut is_staged = false;
    known.enter(innermost_number);
    if apart > 1.0 {
        known.leave_iteration();
    }
    for group in &part.groups {
        let tile = (executions, work.blocks_with_work);
        let mut traffic = traffic((group, &part.groups), geometry, tile, shape.loading > 1, written);
        let own = Use {
            array: group.array,
            touched: touched_bytes(group, geometry).min(places.array_bytes(group.array)),
            shared: traffic.shared,
        };
        match result.uses.iter_mut().find(|known| known.array == own.array) {
            Some(known) => known.add(own),
            None => result.uses.push(own),
        }
        if traffic.shared.is_some_and(|uses| copies_pay(&uses)) {
            is_staged = true;
            if known.has(group) {
                traffic.reads = 0.0;
            }
            let wavefronts = group.wavefronts_of_request(geometry);
            for (of_kind, requests) in line.shared.iter_mut().zip([traffic.reads, traffic.writes]) {
                of_kind.0 += requests;
                of_kind.1 += requests * wavefronts;
            }
            let is_new = known.stage(group, geometry, written);
            traffic.sectors *= if is_new { 1.0 } else { alone };
            let is_of_block = written.of_one_block.contains_key(&group.class());
            if is_new || apart > 1.0 && alone > 0.0 && !is_of_block {
                let ways = if is_of_block { [true; 2] } else { [group.reads > 0.0, group.writes > 0.0] };
                copies(group, &traffic, (shape, ways), &mut result.lines);
            }
            if is_new {
                let tiles = if shape.ahead { 2.0 } else { 1.0 };
                result.launched.shared_bytes +=
                    tiles * group.bytes * traffic.shared.map_or(0, |uses| uses.elements) as f64;
            }
        } else {
            if known.has(group) {
                traffic.reads = 0.0;
            }
            if !written.is_mixed(group, geometry)
                && let Some(values) = known.in_registers.get_mut(&group.class())
            {
                values.of_loops(&mut traffic);
            }
            // At other points there are other elements, most of them in the same sectors.
            let cached = match traffic.reads > 0.0 && known.caches(group, geometry) {
                true => 1.0 - alone * (group.bytes / SECTOR_BYTES).min(1.0),
                false => 0.0,
            };
            let active = geometry.in_steps.map_or(lanes, |_| geometry.instances / executions.max(1.0));
            let accesses = accesses(group, &traffic, geometry, (active, cached));
            if traffic.kept > 1.0 {
                // A value in a register has lines of its own, in front of the loops and after them.
                for access in accesses {
                    let executions = access.requests;
                    let global = vec![access];
                    result.lines.add(&Estimated { executions, global, busiest, ..Estimated::default() });
                }
            } else {
                line.global.extend(accesses);
            }
        }
    }
    known.load_and_store(&part.groups, geometry.updates.is_some());
    result.lines.add(&line);
    if is_staged && !has_steps {
        // Threads wait for the copies, and, in a loop over tiles, before the next copies for each other.
        let each =
            if shape.ahead || geometry.steps.is_empty() && geometry.updates.is_none() { 1.0 } else { 2.0 };
        let times = each * geometry.staged_steps * apart;
        work.barriers = work.barriers.max(times * work.blocks_with_work);
    }
    if let Some(updates) = geometry.updates.filter(|updates| *updates > 1.0) {
        combine(part, geometry, (executions, updates), result);
    }
    work
}

/// Returns the warps of a row of the elements of a block.
fn rounds_along_x(shape: &Shape) -> f64 {
    shape.tiles.last().map_or(1.0, |tile| (f64::from(*tile) / WARP).ceil())
}

/// Returns the share of a statement in the steps of a block that the busiest warp has. The warps have rows of elements
/// in turn. Where there are fewer rows on average than in a full step, they become more or fewer step by step.
fn busiest_in_steps(in_steps: InSteps, shape: &Shape) -> f64 {
    let warps = if shape.threads.len() > 1 { shape.threads[0] } else { 1 };
    let most = f64::from(shape.tiles[shape.tiles.len().saturating_sub(2)]);
    let mean = (in_steps.rows / in_steps.steps.max(1.0)).clamp(1.0, most.max(1.0));
    let least = (2.0 * mean - most).max(1.0).round() as u32;
    let most = (2.0 * mean - f64::from(least)).round().max(1.0) as u32;
    let rounds: u32 = (least..=most).map(|rows| rows.div_ceil(warps)).sum();
    f64::from(rounds) / (least..=most).sum::<u32>().max(1) as f64
}

/// Adds the line that combines the values of a warp's threads.
fn combine(part: &Part, geometry: &Geometry, (executions, updates): (f64, f64), result: &mut Estimate) {
    let (executions, steps) = match geometry.in_order {
        true => (executions, IN_ORDER),
        false => (geometry.instances / updates, EXCHANGES),
    };
    let written = part.groups.iter().filter(|group| group.writes > 0.0);
    let bytes = written.map(|group| group.bytes).fold(REGISTER_BYTES, f64::max);
    let operations = if bytes > REGISTER_BYTES { [0.0, steps, 0.0] } else { [steps, 0.0, 0.0] };
    let exchanges = executions * steps * (bytes / REGISTER_BYTES);
    result.lines.add(&Estimated { executions, operations, exchanges, ..Estimated::default() });
}

/// Adds the lines that copy elements to shared memory, and back.
fn copies(group: &Group, traffic: &Traffic, (shape, ways): (&Shape, [bool; 2]), lines: &mut Lines) {
    let elements = traffic.shared.map_or(1.0, |uses| uses.elements as f64);
    let rounds = (elements / shape.copying_threads()).max(1.0);
    // Warps that compute meanwhile are waited for.
    let busiest = if shape.ahead { 0.0 } else { rounds.ceil() / (elements / WARP).ceil().max(1.0) };
    let sectors_of_request = (group.bytes * WARP / SECTOR_BYTES).max(1.0);
    let requests = traffic.sectors / sectors_of_request;
    let wavefronts = requests * (group.bytes / REGISTER_BYTES).max(1.0);
    let access = Access {
        array: group.array,
        stores: false,
        requests,
        lines: requests * (group.bytes / REGISTER_BYTES).max(1.0),
        touched: traffic.sectors,
        sectors: traffic.sectors,
    };
    let number = COPIES + lines.len() as u64;
    let innermost = (rounds > 1.0).then_some(Innermost { number, iterations: rounds, factor: None });
    let line = Estimated { executions: requests, busiest: Some(busiest), innermost, ..Estimated::default() };
    let [copied_in, copied_out] = ways;
    if group.bins.is_some() {
        // Sums of a block begin with nothing.
        lines.add(&Estimated { shared: [(0.0, 0.0), (requests, wavefronts)], ..line.clone() });
    }
    if copied_in {
        let shared = [(0.0, 0.0), (requests, wavefronts)];
        lines.add(&Estimated { global: vec![access], shared, ..line.clone() });
    }
    if copied_out {
        let shared = [(requests, wavefronts), (0.0, 0.0)];
        lines.add(&Estimated { global: vec![Access { stores: true, ..access }], shared, ..line });
    }
}

/// The number of the first loop that copies.
const COPIES: u64 = 100_000;
