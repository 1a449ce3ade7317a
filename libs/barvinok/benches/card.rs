//! How long it takes to count the points of a set, and to look up a count that is known.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use std::hint::black_box;

use barvinok::Counter;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

/// What is counted: a name, and the set.
const SETS: [(&str, &str); 2] = [
    ("triangle", "[n] -> { [i, j] : 0 <= i < n and i <= j < n }"),
    (
        "tile",
        "[n, m, bx, by] -> { [i, j] : 16by - 1 <= i <= 16by + 16 and 0 <= i < n \
         and 32bx - 1 <= j <= 32bx + 32 and 0 <= j < m }",
    ),
];

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

criterion_group!(benches, card);
criterion_main!(benches);
