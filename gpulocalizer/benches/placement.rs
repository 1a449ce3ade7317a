//! How long it takes to place the data of a program.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use gpulocalizer::Options;
use scop::{Program, Scheduled, from_json};

/// What scheduler made of a golden program.
fn document(name: &str) -> Program<Scheduled> {
    let path = format!("{}/../tests/golden/{name}/3-scheduler.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn placement(bench: &mut Criterion) {
    let options = Options::default();
    for name in ["stencil", "tmv"] {
        let program = document(name);
        bench.bench_with_input(BenchmarkId::new("gpulocalizer::run", name), &program, |b, program| {
            b.iter_batched(
                || program.clone(),
                |p| gpulocalizer::run(p, &options).unwrap(),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, placement);
criterion_main!(benches);
