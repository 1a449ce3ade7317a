//! How long scheduler takes to find orders, against isl's scheduler alone. `scripts/bench schedule` prints the table.
//!
//! Takes documents of candl-rs, and prints for each what isl and the search take, in microseconds: medians. A document
//! whose regions isl cannot order has `-`.

#![allow(clippy::unwrap_used, reason = "a measurement that fails panics")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use scheduler::{Options, Question, questions};
use scop::{Analysed, Program, from_json};

/// How often each is measured.
const RUNS: usize = 5;

fn main() {
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let program: Program<Analysed> = from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let isl = median(|| isl_alone(&program));
        let order = median(|| Some(order(&program))).unwrap();
        let isl = isl.map_or("-".to_owned(), |isl| isl.as_micros().to_string());
        println!("{path} {isl} {}", order.as_micros());
    }
}

fn median(run: impl Fn() -> Option<Duration>) -> Option<Duration> {
    let mut times = (0..RUNS).map(|_| run()).collect::<Option<Vec<_>>>()?;
    times.sort_unstable();
    times.get(RUNS / 2).copied()
}

/// Reading the constraints does not count.
fn isl_alone(program: &Program<Analysed>) -> Option<Duration> {
    let questions = questions(program).unwrap();
    let start = Instant::now();
    let is_answered = |question: Question| black_box(question.answer().unwrap());
    questions.into_iter().all(is_answered).then(|| start.elapsed())
}

fn order(program: &Program<Analysed>) -> Duration {
    let program = program.clone();
    let start = Instant::now();
    black_box(scheduler::order(program, &Options::default()).unwrap());
    start.elapsed()
}
