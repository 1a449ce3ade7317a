//! Cases that can be computed by hand, and what must hold for all.
//!
//! The GPU of the tests has round numbers: 10 multiprocessors, 1000 clocks a microsecond, 64 results a clock, and
//! device memory of 100 bytes a clock that is 500 clocks away.

use proptest::prelude::*;

use super::*;
use crate::counts::{Instructions, Memory, Phase, Shape, Transfers, Waits, Work};
use crate::target::{Gpu, read_gpu};

fn gpu() -> Gpu {
    let text = r#"{
        "name": "round numbers", "shared_memory_per_block": 49152,
        "multiprocessors": 10, "threads_per_multiprocessor": 2048, "blocks_per_multiprocessor": 32,
        "shared_memory_per_multiprocessor": 100000, "registers_per_multiprocessor": 65536,
        "l1_bytes": 131072, "l2_bytes": 1048576,
        "clock_mhz": 1000, "schedulers": 4,
        "rate_fp32": 64, "rate_fp64": 32, "rate_integer": 64, "rate_special": 16, "rate_conversion": 16,
        "rate_load_store": 32, "rate_barrier": 16,
        "l1_bytes_per_clock": 128, "l1_lines_per_clock": 4, "shared_bytes_per_clock": 128,
        "l2_port_bytes_per_clock": 64, "l2_bytes_per_clock": 500,
        "dram_gigabytes_per_second": 125, "dram_efficiency": 0.8,
        "latency_shared": 20, "latency_l1": 30, "latency_l2": 200, "latency_dram": 500,
        "latency_constant": 27,
        "latency_fp32": 4, "latency_fp64": 8, "latency_integer": 4, "latency_special": 18, "latency_conversion": 14,
        "block_start_clocks": 2, "launch_microseconds": 2, "launch_gap_microseconds": 1,
        "transfer_pinned_gigabytes_per_second": 20, "transfer_pageable_gigabytes_per_second": 10,
        "transfer_microseconds": 8
    }"#;
    read_gpu(text).unwrap()
}

/// Warps of which each copies 128 bytes `times` times, one after the other, from device memory to device memory.
fn copy(blocks: u64, block_threads: u64, times: f64) -> Work {
    let warps = (blocks * block_threads / 32) as f64 * times;
    let phase = Phase {
        memory: Memory {
            requests: 2.0 * warps,
            lines: 2.0 * warps,
            touched_sectors: 8.0 * warps,
            sectors: 8.0 * warps,
        },
        dram_bytes: 256.0 * warps,
        instructions: Instructions { global: 2.0 * warps, integer: 2.0 * warps, ..Instructions::default() },
        waits: Waits { dram: warps, arithmetic_clocks: 16.0 * warps, ..Waits::default() },
        ..Phase::default()
    };
    let shape = Shape { launches: 1, blocks, blocks_with_work: blocks, block_threads, ..Shape::default() };
    Work { shape, phases: vec![phase], ..Work::default() }
}

/// Warps that only compute: each executes `times` operations of single precision, of which four are independent.
fn compute(blocks: u64, block_threads: u64, times: f64) -> Work {
    let operations = (blocks * block_threads / 32) as f64 * times;
    let phase = Phase {
        instructions: Instructions { fp32: operations, ..Instructions::default() },
        waits: Waits { arithmetic_clocks: operations, ..Waits::default() },
        ..Phase::default()
    };
    let shape = Shape { launches: 1, blocks, blocks_with_work: blocks, block_threads, ..Shape::default() };
    Work { shape, phases: vec![phase], ..Work::default() }
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() <= tolerance, "{found} instead of {expected}");
}

#[test]
fn a_copy_runs_at_the_rate_of_device_memory() {
    // 64 000 warps move 256 bytes each at 100 bytes a clock: 163 840 clocks. One more microsecond is the gap.
    let time = time(&copy(8000, 256, 1.0), &gpu());
    near(time.microseconds, 163.84 + 1.0, 0.01);
    assert_eq!(time.dominant, Dominant::Resource(Resource::Dram));
    assert_eq!((time.waves, time.occupancy.blocks), (100, 8));
}

#[test]
fn bytes_in_flight_cap_the_bandwidth() {
    // 4 warps on each multiprocessor have 4 * 128 bytes in flight for some 500 clocks. Each of 1000 rounds of a warp
    // takes 500 clocks for the value, 16 for arithmetic, and the time for which it uses resources when alone: 1 to
    // issue, 2 in L1, 4 on the way to L2, 0.5 in L2, 2.6 in device memory. Others are seldom in its way.
    let time = time(&copy(10, 128, 1000.0), &gpu());
    assert_eq!(time.dominant, Dominant::MemoryLatency);
    near(time.microseconds, 526.0 + 1.0, 0.03);
    // Device memory alone would need 40 * 1000 * 256 / 100 clocks.
    let dram = time.parts.iter().find(|part| part.name == "DRAM bandwidth").unwrap();
    near(dram.microseconds, 102.4, 1e-9);
}

#[test]
fn one_block_has_one_multiprocessor() {
    let gpu = gpu();
    let one = time(&compute(1, 1024, 10_000.0), &gpu);
    // 32 warps share units that take 2 warp instructions a clock.
    near(one.microseconds, 160.0 + 1.0, 0.02);
    assert_eq!(one.filled_percent, 10.0);
    // Ten blocks take as long.
    assert_eq!(time(&compute(10, 1024, 10_000.0), &gpu).microseconds, one.microseconds);
}

#[test]
fn a_product_is_bound_by_arithmetic() {
    // 20 blocks of 32 warps on 10 multiprocessors: 64 warps * 10 000 operations, 2 a clock.
    let time = time(&compute(20, 1024, 10_000.0), &gpu());
    near(time.microseconds, 320.0 + 1.0, 0.02);
    assert_eq!(time.dominant, Dominant::Resource(Resource::Fp32));
    assert_eq!(time.filled_percent, 100.0);
}

#[test]
fn a_tail_of_one_block_costs_a_wave() {
    // 21 blocks: one multiprocessor runs a third block alone.
    let time = time(&compute(21, 1024, 10_000.0), &gpu());
    near(time.microseconds, 320.0 + 160.0 + 1.0, 0.02);
    assert_eq!(time.waves, 2);
    assert_eq!(time.filled_percent, 70.0);
}

#[test]
fn a_launch_without_work_costs_a_launch() {
    for work in [copy(0, 128, 1.0), Work { phases: vec![Phase::default()], ..copy(10, 128, 0.0) }] {
        let work = Work { shape: Shape { launches: 5, ..work.shape }, ..work };
        let time = time(&work, &gpu());
        assert_eq!((time.microseconds, time.dominant), (10.0, Dominant::Launch));
    }
}

#[test]
fn blocks_without_work_only_start() {
    let mut work = compute(10, 1024, 10_000.0);
    let alone = time(&work, &gpu());
    // 10 000 blocks start in 20 000 clocks, while the others compute for 160 000.
    work.shape.blocks = 10_000;
    assert_eq!(time(&work, &gpu()).microseconds, alone.microseconds);
    work.shape.blocks = 1_000_000;
    let many = time(&work, &gpu());
    assert_eq!((many.microseconds, many.dominant), (2001.0, Dominant::Blocks));
}

#[test]
fn few_warps_cannot_fill_the_schedulers() {
    // One warp issues an instruction a clock: 10 000 clocks, though 4 schedulers would need 2500.
    let time = time(&compute(10, 32, 10_000.0), &gpu());
    assert_eq!(time.dominant, Dominant::ArithmeticLatency);
    near(time.microseconds, 10.0 + 5.0 + 1.0, 0.01);
}

/// One block a multiprocessor that loads for as long as it computes, with barriers in between.
fn phases(blocks: u64, shared_bytes: u64) -> Work {
    let loads = copy(blocks, 1024, 100.0).phases[0];
    let computes = compute(blocks, 1024, 5_000.0).phases[0];
    let mut work = copy(blocks, 1024, 100.0);
    work.shape.shared_bytes = shared_bytes;
    work.phases = vec![loads, computes];
    work.barriers = 2.0 * blocks as f64;
    work
}

#[test]
fn phases_add_unless_blocks_overlap() {
    let gpu = gpu();
    let apart = time(&phases(10, 60_000), &gpu);
    let [loads, computes] = [0, 1].map(|phase| {
        let work = phases(10, 60_000);
        time(&Work { phases: vec![work.phases[phase]], ..work }, &gpu).microseconds - 1.0
    });
    // The block's barriers are in both; they take 2 * 1024 / 16 clocks.
    assert!(apart.microseconds - 1.0 > loads.max(computes) * 1.3, "{apart:?} {loads} {computes}");
    assert!(apart.microseconds - 1.0 <= (loads + computes) * 1.01, "{apart:?} {loads} {computes}");
    // Twice as many blocks, two on a multiprocessor, take less than twice the time; one at a time, twice.
    let overlapping = time(&phases(20, 40_000), &gpu).microseconds - 1.0;
    let in_turn = time(&phases(20, 60_000), &gpu).microseconds - 1.0;
    near(in_turn, 2.0 * (apart.microseconds - 1.0), 0.01);
    assert!(overlapping < 0.95 * in_turn, "{overlapping} {in_turn}");
}

#[test]
fn blocks_meet_the_warps_of_others_one_by_one() {
    // Two blocks on each multiprocessor, of 4 warps each that wait for 900 clocks and compute for 25: a block takes 927
    // clocks alone, and 8 for its barrier. It meets the other's warps, not the 100 clocks of all of them.
    let mut gpu = gpu();
    (gpu.rates.launch_microseconds, gpu.rates.launch_gap_microseconds) = (0.0, 0.0);
    let of = |blocks: u64, instructions: f64, wait: f64| {
        let mut work = compute(blocks, 128, instructions);
        work.phases[0].waits.arithmetic_clocks = (4 * blocks) as f64 * wait;
        work.barriers = blocks as f64;
        1000.0 * time(&work, &gpu).microseconds
    };
    near(of(10, 50.0, 900.0), 935.1, 1e-3);
    near(of(20, 50.0, 900.0), 937.9, 1e-3);
    // Units of single precision that have no time left: 8 warps of 2500 clocks each.
    near(of(20, 5000.0, 5000.0), 20_000.0, 1e-3);
}

#[test]
fn a_block_takes_as_long_as_its_busiest_warp() {
    let gpu = gpu();
    // Of 8 warps one does all the work, or two do the same; or all do, which is what no figure means.
    let of = |busiest: f64, block_threads: u64| {
        let mut work = compute(10, block_threads, 1000.0);
        work.phases = compute(10, 32, 8000.0).phases;
        work.phases[0].busiest = work.phases[0].waits * busiest;
        time(&work, &gpu)
    };
    let alone = of(0.0, 32);
    assert_eq!(of(1.0, 256).microseconds, alone.microseconds);
    assert_eq!(of(0.5, 256).microseconds, of(0.0, 64).microseconds);
    assert_eq!(of(0.125, 256).microseconds, of(0.0, 256).microseconds);
    near(alone.microseconds, 8.0 + 4.0 + 1.0, 0.01);
    // No warp does less than the average, whatever the figures say.
    assert_eq!(of(0.01, 256).microseconds, of(0.0, 256).microseconds);
    // At barriers, others wait for it.
    let mut work = compute(10, 256, 1000.0);
    work.phases[0].busiest = work.phases[0].waits;
    work.barriers = 10.0;
    near(time(&work, &gpu).microseconds, alone.microseconds, 0.01);
}

#[test]
fn a_program_without_kernels_takes_no_time() {
    let time = program_time(&Program::default(), &gpu());
    let printed = [time.microseconds, time.kernel_microseconds].map(|time| time.to_string());
    assert_eq!(printed, ["0", "0"], "and not -0");
}

#[test]
fn the_parts_of_a_program_follow_one_another() {
    let program = Program {
        kernels: vec![copy(8000, 256, 1.0), copy(0, 32, 1.0)],
        transfers: Transfers { calls: 2, bytes: 1_000_000 },
        device_copies: Transfers { calls: 1, bytes: 100_000 },
        memory: HostMemory::Pageable,
        host_microseconds: 7.0,
    };
    let time = program_time(&program, &gpu());
    // Two calls of 8 µs and 10⁶ bytes at 10⁴ bytes a µs; a launch of 2 µs, and twice 10⁵ bytes at 10⁵ bytes a µs.
    near(time.transfer_microseconds, 16.0 + 100.0 + 2.0 + 2.0, 1e-9);
    near(time.microseconds, time.kernel_microseconds + 120.0 + 7.0, 1e-9);
    assert_eq!(time.dominant, Dominant::Resource(Resource::Dram));
    let pinned = program_time(&Program { memory: HostMemory::Pinned, ..program }, &gpu());
    near(pinned.transfer_microseconds, 70.0, 1e-9);
}

/// The share of the busiest warps in all that warps do, which decides how many of them work at the same time.
const BUSIEST: f64 = 0.4;

prop_compose! {
    fn any_phase()(counts in prop::collection::vec(0.0..1e6f64, 12)) -> Phase {
        let mut next = counts.into_iter();
        let mut next = || next.next().unwrap_or_default();
        let phase = Phase {
            memory: Memory { requests: next(), lines: next(), touched_sectors: next(), sectors: next() },
            dram_bytes: 32.0 * next(),
            shared_wavefronts: next(),
            constant_wavefronts: next(),
            instructions: Instructions { fp32: next(), integer: next(), ..Instructions::default() },
            waits: Waits { l1: next(), dram: next(), arithmetic_clocks: next(), ..Waits::default() },
            ..Phase::default()
        };
        Phase { busiest: phase.waits * BUSIEST, ..phase }
    }
}

prop_compose! {
    fn any_work()(
        launches in 1..4u64, blocks in 0..500u64, idle in 0..2000u64, warps in 1..33u64, shared_bytes in 0..50_000u64, barriers in 0..2u64,
        phases in prop::collection::vec(any_phase(), 1..3)
    ) -> Work {
        let shape = Shape {
            launches,
            blocks: blocks + idle,
            blocks_with_work: blocks,
            block_threads: 32 * warps,
            shared_bytes,
            registers: None,
        };
        let barriers = if phases.len() > 1 { blocks } else { barriers * blocks };
        Work { shape, phases, barriers: barriers as f64, is_estimated: true }
    }
}

fn no_longer(one: f64, other: f64) -> bool {
    one <= other * (1.0 + 1e-9)
}

proptest! {
    #[test]
    fn more_work_never_takes_less_time(work in any_work(), more in any_phase(), only in 0..12usize) {
        // One count at a time.
        let mut single = Phase::default();
        match only {
            0 => single.memory.requests = more.memory.requests,
            1 => single.memory.lines = more.memory.lines,
            2 => single.memory.touched_sectors = more.memory.touched_sectors,
            3 => single.memory.sectors = more.memory.sectors,
            4 => single.dram_bytes = more.dram_bytes,
            5 => single.shared_wavefronts = more.shared_wavefronts,
            6 => single.constant_wavefronts = more.constant_wavefronts,
            7 => single.instructions.fp32 = more.instructions.fp32,
            8 => single.instructions.integer = more.instructions.integer,
            9 => single.waits.l1 = more.waits.l1,
            10 => single.waits.dram = more.waits.dram,
            _ => single.waits.arithmetic_clocks = more.waits.arithmetic_clocks,
        }
        single.busiest = single.waits * BUSIEST;
        let mut larger = work.clone();
        larger.phases[0] += single;
        let gpu = gpu();
        prop_assert!(no_longer(time(&work, &gpu).microseconds, time(&larger, &gpu).microseconds));
    }

    #[test]
    fn more_multiprocessors_never_take_more_time(work in any_work(), few in 1..200u64, more in 1..200u64) {
        let mut gpu = gpu();
        gpu.rates.multiprocessors = few;
        let with_few = time(&work, &gpu).microseconds;
        gpu.rates.multiprocessors = few + more;
        prop_assert!(no_longer(time(&work, &gpu).microseconds, with_few));
    }

    #[test]
    fn faster_memory_never_takes_more_time(work in any_work(), factor in 1.0..10f64) {
        let mut gpu = gpu();
        let slow = time(&work, &gpu).microseconds;
        gpu.rates.dram_gigabytes_per_second *= factor;
        gpu.rates.latency_dram /= factor;
        prop_assert!(no_longer(time(&work, &gpu).microseconds, slow));
    }
}
