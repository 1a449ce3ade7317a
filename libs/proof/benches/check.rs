//! How long the proof of a translation takes.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use proof::Checkable;
use scop::{Program, from_json};

/// What cloog-rs made of a golden program.
fn document(name: &str) -> Program<Checkable> {
    let path = format!("{}/../../tests/golden/{name}/5-cloog-rs.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn check(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let program = document(name);
        bench.bench_with_input(BenchmarkId::new("proof::check", name), &program, |b, program| {
            b.iter(|| proof::check("bench", program));
        });
    }
}

criterion_group!(benches, check);
criterion_main!(benches);
