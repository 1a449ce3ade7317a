//! The time of a kernel; see the essay of the module above.

use super::demand::{Demand, Latency, barrier_demand, busiest, demand};
use super::overlap::{self, Need};
use super::{Dominant, Part, Resource, Time};
use crate::counts::{Phase, Work};
use crate::occupancy::{Block, Occupancy, occupancy};
use crate::target::{Gpu, Rates, WARP};

/// By how much numbers that are equal may differ after some operations.
const ROUNDING: f64 = 1e-9;

/// Returns the time of all launches of a kernel.
pub fn time(work: &Work, gpu: &Gpu) -> Time {
    let rates = &gpu.rates;
    let shape = &work.shape;
    let block =
        Block { threads: shape.block_threads, shared_bytes: shape.shared_bytes, registers: shape.registers };
    let occupancy = occupancy(&block, &gpu.target.multiprocessor);
    let grid = Grid::new(work, &occupancy, rates);
    let customer = Customer::new(work, rates);
    let (clocks, limit) = grid.clocks(&customer);
    let starts = rates.block_start_clocks * shape.blocks as f64 / shape.launches.max(1) as f64;
    let launches = shape.launches as f64;
    let kernel = launches * rates.microseconds(clocks.max(starts));
    let microseconds =
        (kernel + launches * rates.launch_gap_microseconds).max(launches * rates.launch_microseconds);
    let dominant = match limit {
        _ if kernel < microseconds - kernel => Dominant::Launch,
        Some(limit) if clocks >= starts => dominant(&grid, &customer, limit, clocks),
        _ => Dominant::Blocks,
    };
    Time {
        microseconds,
        dominant,
        parts: parts(work, &grid, &customer, rates, microseconds - kernel),
        waves: grid.waves() as u64,
        filled_percent: grid.filled_percent(),
        occupancy,
        is_estimated: work.is_estimated,
    }
}

/// The blocks with work of one launch, on average, and where they run.
#[derive(Debug, Clone, Copy)]
struct Grid {
    blocks: f64,
    multiprocessors: f64,
    /// The blocks that a multiprocessor runs at the same time.
    resident: f64,
}

impl Grid {
    fn new(work: &Work, occupancy: &Occupancy, rates: &Rates) -> Self {
        let launches = work.shape.launches.max(1) as f64;
        Self {
            blocks: work.shape.blocks_with_work as f64 / launches,
            multiprocessors: rates.multiprocessors as f64,
            resident: occupancy.blocks.max(1) as f64,
        }
    }

    /// Returns the blocks of the fullest multiprocessor.
    fn fullest(&self) -> f64 {
        (self.blocks / self.multiprocessors).ceil()
    }

    fn waves(&self) -> f64 {
        (self.fullest() / self.resident).ceil()
    }

    fn filled_percent(&self) -> f64 {
        let places = self.fullest() * self.multiprocessors;
        if places > 0.0 { 100.0 * self.blocks / places } else { 0.0 }
    }

    /// Returns the clocks of a launch, and the resource that needs them; nothing if there is no block.
    fn clocks(&self, customer: &Customer) -> (f64, Option<Resource>) {
        if self.blocks == 0.0 {
            return (0.0, None);
        }
        let least = Resource::ALL.into_iter().map(|resource| self.least_clocks_of(customer, resource));
        let least = least.fold(0.0, f64::max);
        let may_be_most = |resource: &Resource| {
            self.most_clocks_of(customer, *resource) * (1.0 + ROUNDING) >= least * (1.0 - ROUNDING)
        };
        let of = |resource| (self.clocks_of(customer, resource), Some(resource));
        Resource::ALL
            .into_iter()
            .filter(may_be_most)
            .map(of)
            .fold((0.0, None), |most, next| if next.0 > most.0 { next } else { most })
    }

    /// Returns clocks that are no more than [`Self::clocks_of`]: those in which the resource is in use.
    fn least_clocks_of(&self, customer: &Customer, resource: Resource) -> f64 {
        self.customers(customer, resource) * customer.need(resource).busy
    }

    /// Returns clocks that are no less than [`Self::clocks_of`]: those of customers of which each finds all others of
    /// its wave at the resource.
    fn most_clocks_of(&self, customer: &Customer, resource: Resource) -> f64 {
        let Need { busy, alone } = customer.need(resource);
        self.customers(customer, resource) * busy + self.waves() * alone
    }

    /// Returns how many customers share a resource during a launch.
    fn customers(&self, customer: &Customer, resource: Resource) -> f64 {
        customer.per_block * if resource.is_of_chip() { self.blocks } else { self.fullest() }
    }

    fn clocks_of(&self, customer: &Customer, resource: Resource) -> f64 {
        let together = |blocks: f64| customer.clocks(blocks, resource);
        if resource.is_of_chip() {
            return self.waves() * together(self.blocks / self.waves());
        }
        let full = (self.fullest() / self.resident).floor();
        full * together(self.resident) + together(self.fullest() - full * self.resident)
    }
}

/// What runs independently of others: a warp, or a block whose warps wait for each other at barriers.
#[derive(Debug, Clone, Copy)]
struct Customer {
    /// How many there are in a block.
    per_block: f64,
    /// The warps of one of them that work at the same time.
    warps: f64,
    /// What one of them uses.
    demand: Demand,
    /// The clocks of one that meets no other.
    alone: f64,
    /// Parts of these clocks: for memory,
    memory_latency: f64,
    /// for arithmetic,
    arithmetic_latency: f64,
    /// and for the phase that takes longest.
    longest_phase: f64,
}

impl Customer {
    fn new(work: &Work, rates: &Rates) -> Self {
        let warps = work.shape.block_threads.max(1).div_ceil(WARP) as f64;
        let blocks = work.shape.blocks_with_work.max(1) as f64;
        let of_phases: Vec<Self> =
            work.phases.iter().map(|phase| Self::warp(phase, blocks, warps, rates)).collect();
        match of_phases[..] {
            [warp] if work.barriers == 0.0 => warp,
            _ => {
                let barriers = barrier_demand(work.barriers / blocks, work.shape.block_threads, rates);
                Self::block(&of_phases, barriers)
            }
        }
    }

    /// Returns a warp of a phase. A block ends when its busiest warp does, so it has as many warps as would do the work
    /// if all were as busy.
    fn warp(phase: &Phase, blocks: f64, warps: f64, rates: &Rates) -> Self {
        let (latency, warps) = busiest(phase, blocks, warps, rates);
        let demand = demand(phase, rates).times(1.0 / (blocks * warps));
        let alone = latency.all() + demand.in_a_row();
        let Latency { memory, arithmetic } = latency;
        Self {
            per_block: warps,
            warps: 1.0,
            demand,
            alone,
            memory_latency: memory,
            arithmetic_latency: arithmetic,
            longest_phase: alone,
        }
    }

    /// Returns a block whose phases are one after the other.
    fn block(phases: &[Self], barriers: Demand) -> Self {
        let mut block = Self {
            per_block: 1.0,
            warps: 0.0,
            demand: barriers,
            alone: barriers.in_a_row(),
            memory_latency: 0.0,
            arithmetic_latency: 0.0,
            longest_phase: 0.0,
        };
        for phase in phases {
            let clocks = phase.together();
            block.demand = block.demand.and(phase.demand.times(phase.per_block));
            block.alone += clocks;
            block.memory_latency += phase.memory_latency;
            block.arithmetic_latency += phase.arithmetic_latency;
            block.longest_phase = block.longest_phase.max(clocks);
            block.warps += phase.per_block * clocks;
        }
        block.warps = if block.alone > 0.0 { (block.warps / block.alone).max(1.0) } else { 1.0 };
        block
    }

    /// Returns the clocks in which some blocks have one round each, if they share no other resource.
    ///
    /// Warps of one block have waited for each other in `alone` already. Those of other blocks they meet one by one, as
    /// far as a block leaves the resource to others: one that uses it all the time is in the way as a whole.
    fn clocks(&self, blocks: f64, resource: Resource) -> f64 {
        let customers = blocks * self.per_block;
        let Need { busy, alone } = self.need(resource);
        let parts = if busy > 0.0 { (alone / busy).clamp(1.0, self.warps) } else { 1.0 };
        let others = (customers - 1.0).max(0.0) * parts;
        let waiting = overlap::time(customers.min(1.0) + others, Need { busy: busy / parts, alone });
        waiting.max(customers * busy)
    }

    /// Returns the clocks of all warps of a block.
    fn together(&self) -> f64 {
        let of = |resource| overlap::time(self.per_block, self.need(resource));
        Resource::ALL.into_iter().map(of).fold(0.0, f64::max)
    }

    fn need(&self, resource: Resource) -> Need {
        let busy = self.demand.of(resource);
        Need { busy, alone: self.alone.max(busy) }
    }
}

/// Returns what takes most of the clocks of a launch: the resource that limits it, if it is in use at least half of the
/// time, or what its customers wait for.
fn dominant(grid: &Grid, customer: &Customer, limit: Resource, clocks: f64) -> Dominant {
    let customers = if limit.is_of_chip() { grid.blocks } else { grid.fullest() } * customer.per_block;
    if 2.0 * customers * customer.demand.of(limit) >= clocks {
        let shares_path = matches!(limit, Resource::L1 | Resource::Shared);
        let is_shared = customer.demand.own(Resource::Shared) > customer.demand.own(Resource::L1);
        return Dominant::Resource(match limit {
            _ if !shares_path => limit,
            _ if is_shared => Resource::Shared,
            _ => Resource::L1,
        });
    }
    let latency = customer.memory_latency + customer.arithmetic_latency;
    if 2.0 * latency < customer.alone {
        Dominant::Phases
    } else if customer.memory_latency > customer.arithmetic_latency {
        Dominant::MemoryLatency
    } else {
        Dominant::ArithmeticLatency
    }
}

fn parts(work: &Work, grid: &Grid, customer: &Customer, rates: &Rates, launches: f64) -> Vec<Part> {
    let customers = work.shape.blocks_with_work as f64 * customer.per_block;
    let of_resource = |resource: Resource| {
        let at_once = if resource.is_of_chip() { 1.0 } else { grid.multiprocessors };
        let clocks = customers * customer.demand.own(resource) / at_once;
        Part { name: resource.to_string(), microseconds: rates.microseconds(clocks) }
    };
    let waits = grid.waves() * work.shape.launches as f64;
    let of_latency = |name: &str, clocks: f64| Part {
        name: name.to_owned(),
        microseconds: rates.microseconds(waits * clocks),
    };
    let mut parts: Vec<Part> = Resource::ALL.into_iter().map(of_resource).collect();
    parts.push(of_latency("memory latency", customer.memory_latency));
    parts.push(of_latency("arithmetic latency", customer.arithmetic_latency));
    let starts = rates.block_start_clocks * work.shape.blocks as f64;
    parts.push(Part { name: "starting blocks".to_owned(), microseconds: rates.microseconds(starts) });
    parts.push(Part { name: "launches".to_owned(), microseconds: launches });
    parts.retain(|part| part.microseconds > 0.0);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn resources_that_are_left_out_do_not_take_most(
            clocks in vec(prop_oneof![Just(0.0), 0.0..100f64], Resource::ALL.len()),
            waiting in 0.0..1000f64,
            per_block in 0.5..16f64,
            warps in 1.0..8f64,
            blocks in prop_oneof![0.0..2f64, 0.0..4000f64],
            resident in 1..32u32,
        ) {
            let mut demand = Demand::default();
            Resource::ALL.into_iter().zip(clocks).for_each(|(resource, clocks)| demand.set(resource, clocks));
            let alone = demand.in_a_row() + waiting;
            let customer = Customer {
                per_block, warps, demand, alone,
                memory_latency: 0.0, arithmetic_latency: 0.0, longest_phase: 0.0,
            };
            let grid = Grid { blocks, multiprocessors: 132.0, resident: f64::from(resident) };
            let of_all = Resource::ALL.into_iter().map(|resource| grid.clocks_of(&customer, resource));
            let most = if blocks == 0.0 { 0.0 } else { of_all.fold(0.0, f64::max) };
            prop_assert_eq!(grid.clocks(&customer).0, most);
        }
    }
}
