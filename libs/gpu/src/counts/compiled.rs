//! What the listing of a kernel's code says, for the time model.
//!
//! How long a warp waits is not a property of single instructions: loads that are in flight together are waited for
//! once. It is the time of a warp that runs alone, less the time that it would take if memory answered as fast as
//! arithmetic does.

use super::chain::in_order;
use super::figures::Instructions;
use super::profile::{Counts, Kernel};
use super::work::{Code, CodeLine, CodeWaits};
use crate::sass::report::LineWork;
use crate::sass::{self, AttributionError, Class, KernelWork, Latencies, Listing};
use crate::target::{Executes, Rates};

/// Returns what a listing says about a kernel of a profile; nothing if it does not have the kernel.
///
/// # Errors
/// If the executions of its blocks cannot be computed, which is a bug.
pub fn code(listing: &Listing, kernel: &Kernel, rates: &Rates) -> Result<Option<Code>, AttributionError> {
    let latencies = Latencies::of_kernel(&kernel.counts, rates);
    let at = |latencies: Latencies| sass::kernel_work(listing, kernel, &latencies);
    let Some(work) = at(latencies)? else { return Ok(None) };
    let line = |line: &LineWork| {
        let instructions = instructions(&line.instructions, rates.executes);
        CodeLine {
            file: line.file.clone(),
            line: line.line,
            instructions,
            chain_clocks: in_order(&instructions, rates),
        }
    };
    let code = Code {
        registers: (work.registers > 0).then(|| work.registers.into()),
        lines: work.lines.iter().map(line).collect(),
        kept_global: kept(&work.instructions, &GLOBAL, global_bytes(&kernel.counts)),
        kept_shared: kept(&work.instructions, &SHARED, shared_bytes(&kernel.counts)),
        waits: None,
        arithmetic_clocks: in_order(&instructions(&work.instructions, rates.executes), rates),
    };
    if rates.executes == Executes::Ptx {
        return Ok(Some(code));
    }
    let cycles = |work: Option<KernelWork>| work.map_or(0.0, |work| work.warp_cycles);
    let near = rates.latency_fp32;
    let without_global = cycles(at(Latencies { global: near, ..latencies })?);
    let without_memory = cycles(at(Latencies { global: near, shared: near, ..latencies })?);
    let warps = kernel.warps as f64;
    let waits = CodeWaits {
        global: warps * waits(work.warp_cycles - without_global, latencies.global - near),
        shared: warps * waits(without_global - without_memory, latencies.shared - near),
    };
    Ok(Some(Code { waits: Some(waits), arithmetic_clocks: warps * without_memory, ..code }))
}

fn waits(cycles: f64, latency: f64) -> f64 {
    if latency > 0.0 { (cycles / latency).max(0.0) } else { 0.0 }
}

/// The classes of accesses to the memory that profiles call global.
const GLOBAL: [Class; 4] = [Class::GlobalLoad, Class::GlobalStore, Class::GlobalAtomic, Class::AsyncCopy];

/// The classes of accesses to shared memory.
const SHARED: [Class; 3] = [Class::SharedLoad, Class::SharedStore, Class::SharedAtomic];

/// Returns the share of accesses that the compiler kept, by the bytes of one lane: four accesses that have become one
/// of four times the width are still there.
fn kept(work: &sass::Instructions, classes: &[Class], profiled: u64) -> f64 {
    let widths = classes.iter().filter_map(|class| work.widths.get(class)).flatten();
    let bytes: f64 = widths.map(|(width, count)| f64::from(*width) * *count as f64).sum();
    if profiled > 0 { (bytes / profiled as f64).min(1.0) } else { 1.0 }
}

fn global_bytes(counts: &Counts) -> u64 {
    let kinds = &counts.global;
    let all = [kinds.loads, kinds.stores, kinds.atomics, counts.async_copies.traffic];
    all.iter().map(|kind| kind.width_bytes).sum()
}

fn shared_bytes(counts: &Counts) -> u64 {
    let kinds = &counts.shared;
    [kinds.loads, kinds.stores, kinds.atomics].iter().map(|kind| kind.width_bytes).sum()
}

/// Returns instructions by the unit that executes them. GPUs since Volta compute integer products in the units of
/// single precision (NVIDIA's Nsight Compute documentation, pipelines), and assemblers use them for moves and sums, to
/// share the load. In PTX these are moves and sums, which integer units execute.
fn instructions(counted: &sass::Instructions, executes: Executes) -> Instructions {
    let products = counted.of(Class::IntegerMultiply) as f64;
    let (in_fp32, in_integer) = match executes {
        Executes::Sass => (products, 0.0),
        Executes::Ptx => (0.0, products),
    };
    let of = |classes: &[Class]| -> f64 { classes.iter().map(|class| counted.of(*class) as f64).sum() };
    let known = Instructions {
        fp32: of(&[Class::Fp32, Class::Fp16]) + in_fp32,
        fp64: of(&[Class::Fp64]),
        integer: of(&[Class::Integer]) + in_integer,
        special: of(&[Class::Special]),
        conversion: of(&[Class::Conversion]),
        global: of(&[
            Class::GlobalLoad,
            Class::GlobalStore,
            Class::GlobalAtomic,
            Class::LocalLoad,
            Class::LocalStore,
            Class::Texture,
            Class::AsyncCopy,
        ]),
        shared: of(&[Class::SharedLoad, Class::SharedStore, Class::SharedAtomic, Class::Exchange]),
        constant: of(&[Class::Constant]),
        barrier: of(&[Class::Barrier]),
        branch: of(&[Class::Branch]),
        other: 0.0,
    };
    Instructions { other: counted.all as f64 - known.total(), ..known }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn four_accesses_that_became_a_wide_one_are_still_there() {
        let widths = |width, count| BTreeMap::from([(Class::SharedLoad, BTreeMap::from([(width, count)]))]);
        let work = |width, count| sass::Instructions { widths: widths(width, count), ..Default::default() };
        assert_eq!(kept(&work(16, 100), &SHARED, 1600), 1.0);
        assert_eq!(kept(&work(4, 100), &SHARED, 1600), 0.25);
        assert_eq!(kept(&work(4, 100), &SHARED, 200), 1.0, "never more than the profile has");
        assert_eq!(kept(&work(4, 100), &GLOBAL, 0), 1.0);
    }

    #[test]
    fn integer_products_have_the_units_of_single_precision_in_machine_code() {
        let classes = BTreeMap::from([(Class::IntegerMultiply, 5), (Class::Fp32, 2), (Class::Uniform, 4)]);
        let counted = sass::Instructions { all: 11, classes, ..Default::default() };
        let of = |executes| instructions(&counted, executes);
        let (sass, ptx) = (of(Executes::Sass), of(Executes::Ptx));
        assert_eq!((sass.fp32, sass.integer, sass.other), (7.0, 0.0, 4.0));
        assert_eq!((ptx.fp32, ptx.integer, ptx.other), (2.0, 5.0, 4.0));
    }
}
