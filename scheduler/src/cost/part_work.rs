//! What a statement of a kernel does: the lines of a profile.

use gpu::place::copies_pay;
use scop::Arithmetic;

use super::estimate::{Estimate, Use};
use super::footprint::{Group, SECTOR_BYTES, WARP};
use super::geometry::{Geometry, InnermostLoop};
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
    let KernelPart { shape, launches, most, apart, written, innermost: innermost_number, carried } = *kernel;
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
        let sequential: f64 = shape.tiles[..shape.first].iter().map(|tile| f64::from(*tile)).product();
        let active = (sequential + geometry.lanes.along_x + geometry.lanes.rows - 2.0).min(steps);
        work.blocks_with_work * active * (threads / WARP).ceil()
    } else if has_steps {
        work.blocks_with_work = geometry.tiles.max(launches).min(most);
        let steps: f64 = shape.tiles[..shape.first].iter().map(|tile| f64::from(*tile)).product();
        work.barriers = steps * work.blocks_with_work;
        geometry.instances / lanes
    } else if let Some(updates) = geometry.updates {
        geometry.instances / updates * (updates / WARP).ceil()
    } else {
        geometry.instances / lanes
    };
    // Of threads that help others to load, none executes statements.
    let busiest = (shape.loading > 1).then(|| 1.0 / (threads / WARP).ceil());
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
        let tile = (executions, work.blocks_with_work, threads);
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
            if known.stage(group) {
                copies(group, &traffic, shape, &mut result.lines);
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
            let accesses = accesses(group, &traffic, geometry, lanes);
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
        // Threads wait for the copies, and before the next copies for each other.
        let each = if shape.ahead { 1.0 } else { 2.0 };
        let times = if geometry.staged_steps > 1.0 { each * geometry.staged_steps } else { 1.0 };
        work.barriers = work.barriers.max(times * work.blocks_with_work);
    }
    if let Some(updates) = geometry.updates.filter(|updates| *updates > 1.0) {
        combine(part, geometry, (executions, updates), result);
    }
    work
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

/// Adds the lines that copy elements to shared memory, and back if they are written.
fn copies(group: &Group, traffic: &Traffic, shape: &Shape, lines: &mut Lines) {
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
    if group.reads > 0.0 {
        let shared = [(0.0, 0.0), (requests, wavefronts)];
        lines.add(&Estimated { global: vec![access], shared, ..line.clone() });
    }
    if group.writes > 0.0 {
        let shared = [(requests, wavefronts), (0.0, 0.0)];
        lines.add(&Estimated { global: vec![Access { stores: true, ..access }], shared, ..line });
    }
}

/// The number of the first loop that copies.
const COPIES: u64 = 100_000;
