//! Which memory an access of a kernel uses.
//!
//! The relations of a kernel are read from its schedule tree ([`kernel`]). Arrays that kernels only read may be in
//! constant memory; the other accesses of a kernel use registers, shared memory or global memory ([`memory`]), and
//! buffers in shared memory have an index function ([`index`]). Nothing here changes a tree: `gpulocalizer` applies
//! the decisions.
//!
//! The modules, each of which uses only earlier ones:
//!
//! 1. [`wishes`]: the user's wishes for the placement;
//! 2. [`kernel`]: the relations of one kernel, and how its blocks and warps work;
//! 3. [`counting`]: libbarvinok, and limits for its counts;
//! 4. [`index`]: where the elements of a buffer are in shared memory;
//! 5. [`memory`]: which memory serves which array in each kernel.

pub mod counting;
pub mod index;
pub mod kernel;
pub mod memory;
pub mod wishes;

/// Returns a number of random cases, the same in every run; `PROPTEST_RNG_SEED` selects others.
#[cfg(test)]
fn random_cases(cases: u32) -> proptest::test_runner::Config {
    use proptest::test_runner::{Config, RngSeed};
    let asked = Config::default();
    let rng_seed = match asked.rng_seed {
        RngSeed::Random => RngSeed::Fixed(2026),
        seed => seed,
    };
    Config { cases, rng_seed, failure_persistence: None, max_global_rejects: cases / 4, ..asked }
}
