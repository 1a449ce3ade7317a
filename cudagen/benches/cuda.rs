//! How long it takes to write the CUDA text of a program.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use scop::{Program, Scanned, from_json};

/// What cloog-rs made of a golden program.
fn document(name: &str) -> Program<Scanned> {
    let path = format!("{}/../tests/golden/{name}/5-cloog-rs.json", env!("CARGO_MANIFEST_DIR"));
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn cuda(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let program = document(name);
        let source =
            std::fs::read(format!("{}/../{}", env!("CARGO_MANIFEST_DIR"), program.source.path)).unwrap();
        bench.bench_with_input(BenchmarkId::new("cudagen::run", name), &program, |b, program| {
            b.iter_batched(
                || program.clone(),
                |p| cudagen::run(p, &source, false).unwrap(),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, cuda);
criterion_main!(benches);
