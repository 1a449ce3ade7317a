//! How long reading, verifying, writing and proving take, the stages after clan-rs, and counting.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use std::hint::black_box;

use barvinok::Counter;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use openscop::{read, to_openscop};
use scop::{Program, Scanned, Scheduled, Stage, from_json, to_json, verify};

/// The golden programs.
const PROGRAMS: [&str; 2] = ["stencil", "tmv"];

/// What is counted: a name, and the set.
const SETS: [(&str, &str); 2] = [
    ("triangle", "[n] -> { [i, j] : 0 <= i < n and i <= j < n }"),
    (
        "tile",
        "[n, m, bx, by] -> { [i, j] : 16by - 1 <= i <= 16by + 16 and 0 <= i < n \
         and 32bx - 1 <= j <= 32bx + 32 and 0 <= j < m }",
    ),
];

/// A file of this repository.
fn file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// What a tool made of a golden program.
fn document<S: Stage>(name: &str, tool: &str) -> Program<S> {
    from_json(&file(&format!("tests/golden/{name}/{tool}.json"))).unwrap()
}

/// Measures a stage on what the one before it made of the golden programs.
fn stage<S: Stage, T>(bench: &mut Criterion, function: &str, before: &str, run: impl Fn(Program<S>) -> T) {
    for name in PROGRAMS {
        let program = document::<S>(name, before);
        bench.bench_with_input(BenchmarkId::new(function, name), &program, |b, program| {
            b.iter_batched(|| program.clone(), &run, BatchSize::LargeInput);
        });
    }
}

fn stages(bench: &mut Criterion) {
    stage(bench, "candl_rs::run", "1-clan-rs", |program| candl_rs::run(program).unwrap());
    let options = scheduler::Options::default();
    stage(bench, "scheduler::run", "2-candl-rs", |program| scheduler::run(program, &options).unwrap());
    let options = gpulocalizer::Options::default();
    stage(bench, "gpulocalizer::run", "3-scheduler", |program| gpulocalizer::run(program, &options).unwrap());
    stage(bench, "cloog_rs::run", "4-gpulocalizer", |program| cloog_rs::run(program).unwrap());
    for name in PROGRAMS {
        let program = document::<Scanned>(name, "5-cloog-rs");
        let source = file(&program.source.path);
        bench.bench_with_input(BenchmarkId::new("cudagen::run", name), &program, |b, program| {
            let run =
                |program| cudagen::run(program, source.as_bytes(), cudagen::Target::Cuda, false).unwrap();
            b.iter_batched(|| program.clone(), run, BatchSize::LargeInput);
        });
    }
}

fn check(bench: &mut Criterion) {
    for name in PROGRAMS {
        let program = document::<proof::Checkable>(name, "5-cloog-rs");
        bench.bench_with_input(BenchmarkId::new("proof::check", name), &program, |b, program| {
            b.iter(|| proof::check("bench", program));
        });
    }
}

/// Documents: stages do little else for small programs.
fn documents(bench: &mut Criterion) {
    for name in PROGRAMS {
        let program = document::<Scanned>(name, "5-cloog-rs");
        let text = to_json(&program).unwrap();
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
    for name in PROGRAMS {
        let program = document::<Scheduled>(name, "3-scheduler");
        let text = to_openscop(&program).unwrap();
        assert!(read::<Scheduled>(&text).unwrap().program == program);
        let function = |function: &str| BenchmarkId::new(format!("openscop::{function}"), name);
        bench.bench_with_input(function("from_openscop"), &text, |b, text| {
            b.iter(|| read::<Scheduled>(black_box(text)))
        });
        bench.bench_with_input(function("to_openscop"), &program, |b, program| {
            b.iter(|| to_openscop(black_box(program)))
        });
    }
}

/// Counting the points of a set, and looking up a count that is known.
fn card(bench: &mut Criterion) {
    let mut known = match Counter::open() {
        Ok(counter) => counter,
        Err(error) => {
            eprintln!("nothing is counted: {error}");
            return;
        }
    };
    for (name, set) in SETS {
        known.card(set).unwrap();
        bench.bench_with_input(BenchmarkId::new("barvinok::card", name), &set, |b, set| {
            b.iter_batched_ref(
                || Counter::open().unwrap(),
                |counter| counter.card(black_box(set)),
                BatchSize::PerIteration,
            );
        });
        bench.bench_with_input(BenchmarkId::new("barvinok::card, known", name), &set, |b, set| {
            b.iter(|| known.card(black_box(set)));
        });
    }
}

criterion_group!(benches, stages, check, documents, openscop, card);
criterion_main!(benches);
