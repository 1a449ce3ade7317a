//! How long it takes to transform, tile and map a program.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use scheduler::Options;
use scop::{Analysed, Program, from_json};

/// What candl-rs made of a golden program.
fn document(name: &str) -> Program<Analysed> {
    let path = format!("{}/../tests/golden/{name}/2-candl-rs.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn schedule(bench: &mut Criterion) {
    let options = Options::default();
    for name in ["stencil", "tmv"] {
        let program = document(name);
        bench.bench_with_input(BenchmarkId::new("scheduler::run", name), &program, |b, program| {
            b.iter_batched(
                || program.clone(),
                |p| scheduler::run(p, &options).unwrap(),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, schedule);
criterion_main!(benches);
