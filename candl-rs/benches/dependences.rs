//! How long the analysis of a program takes, and the proof of its translation.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use candl_rs::Checkable;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use scop::{Extracted, Program, Stage, from_json};

/// What a tool made of a golden program.
fn document<S: Stage>(name: &str, tool: &str) -> Program<S> {
    let path = format!("{}/../tests/golden/{name}/{tool}.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn dependences(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let program: Program<Extracted> = document(name, "1-clan-rs");
        bench.bench_with_input(BenchmarkId::new("candl_rs::run", name), &program, |b, program| {
            b.iter_batched(|| program.clone(), |p| candl_rs::run(p).unwrap(), BatchSize::LargeInput);
        });
        let program: Program<Checkable> = document(name, "5-cloog-rs");
        bench.bench_with_input(BenchmarkId::new("candl_rs::check", name), &program, |b, program| {
            b.iter(|| candl_rs::check(program));
        });
    }
}

criterion_group!(benches, dependences);
criterion_main!(benches);
