//! How long documents take to read, to verify and to write. Stages do little else for small programs.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use scop::openscop::to_openscop;
use scop::{Program, Scanned, Scheduled, from_json, read, to_json, verify};

/// What a tool made of a golden program.
fn text(name: &str, tool: &str) -> String {
    let path = format!("{}/../../tests/golden/{name}/{tool}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn documents(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let text = text(name, "5-cloog-rs");
        let program: Program<Scanned> = from_json(&text).unwrap();
        assert_eq!(verify::verify(&program), []);
        let function = |function: &str| BenchmarkId::new(format!("scop::{function}"), name);
        bench.bench_with_input(function("from_json"), &text, |b, text| {
            b.iter(|| from_json::<Scanned>(black_box(text)))
        });
        bench.bench_with_input(function("to_json"), &program, |b, program| {
            b.iter(|| to_json(black_box(program)))
        });
        bench.bench_with_input(function("verify"), &program, |b, program| {
            b.iter(|| verify::verify(black_box(program)))
        });
    }
}

/// OpenScop holds what scheduler makes, and nothing later.
fn openscop(bench: &mut Criterion) {
    for name in ["stencil", "tmv"] {
        let program: Program<Scheduled> = from_json(&text(name, "3-scheduler")).unwrap();
        let text = to_openscop(&program).unwrap();
        assert!(read::<Scheduled>(&text).unwrap().program == program);
        let function = |function: &str| BenchmarkId::new(format!("scop::{function}"), name);
        bench.bench_with_input(function("from_openscop"), &text, |b, text| {
            b.iter(|| read::<Scheduled>(black_box(text)))
        });
        bench.bench_with_input(function("to_openscop"), &program, |b, program| {
            b.iter(|| to_openscop(black_box(program)))
        });
    }
}

criterion_group!(benches, documents, openscop);
criterion_main!(benches);
