//! How long it takes to make loops of a schedule tree.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use scop::{Placed, Program, from_json};

/// What gpulocalizer made of a golden program.
fn document(name: &str) -> Program<Placed> {
    let path = format!("{}/../tests/golden/{name}/4-gpulocalizer.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn loops(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let program = document(name);
        bench.bench_with_input(BenchmarkId::new("cloog_rs::run", name), &program, |b, program| {
            b.iter_batched(|| program.clone(), |p| cloog_rs::run(p).unwrap(), BatchSize::LargeInput);
        });
    }
}

criterion_group!(benches, loops);
criterion_main!(benches);
