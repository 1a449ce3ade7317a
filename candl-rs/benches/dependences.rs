//! How long the analysis of a program takes.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use scop::{Extracted, Program, from_json};

/// What clan-rs made of a golden program.
fn document(name: &str) -> Program<Extracted> {
    let path = format!("{}/../tests/golden/{name}/1-clan-rs.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn dependences(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let program = document(name);
        bench.bench_with_input(BenchmarkId::new("candl_rs::run", name), &program, |b, program| {
            b.iter_batched(|| program.clone(), |p| candl_rs::run(p).unwrap(), BatchSize::LargeInput);
        });
    }
}

criterion_group!(benches, dependences);
criterion_main!(benches);
