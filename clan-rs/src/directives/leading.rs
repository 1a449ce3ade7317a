//! Pragmas before `#pragma scop` that are for the loop after it.
//!
//! A compiler takes `#pragma GCC unroll 4` with the loop that follows, and knows no `#pragma scop` between. The call
//! that takes the region's place is no loop; so such pragmas go with the region.

use crate::directives::directive::Directive;
use crate::errors::{DIRECTIVE, Fault, Faults};

/// What begins pragmas that say nothing but how a compiler may translate the loop after them.
const OF_LOOPS: [&[&str]; 13] = [
    &["GCC", "ivdep"],
    &["GCC", "novector"],
    &["GCC", "unroll"],
    &["c2cuda"],
    &["clang", "loop"],
    &["ivdep"],
    &["loop_count"],
    &["nounroll"],
    &["nounroll_and_jam"],
    &["novector"],
    &["unroll"],
    &["unroll_and_jam"],
    &["vector"],
];

/// The words of OpenMP's directives for loops.
const OF_OPENMP: [&str; 7] = ["distribute", "for", "loop", "simd", "taskloop", "tile", "unroll"];

/// Those that share a loop among the threads or teams that are there.
const SHARING: [&str; 4] = ["distribute", "for", "loop", "taskloop"];

/// The directive with which a region begins that `directives[opening]` marks: that, or the first of the pragmas
/// directly before it for its first loop, with the whole of the conditionals around these.
pub fn beginning(
    directives: &[Directive],
    opening: usize,
    is_between: impl Fn(&Directive, &Directive) -> bool,
) -> usize {
    let steps = (0..opening).rev().take_while(|&at| {
        let directive = &directives[at];
        (directive.is_conditional() || is_of_loop(directive)) && !is_between(directive, &directives[at + 1])
    });
    let lowest = steps.last().unwrap_or(opening);
    let Some(first) = (lowest..opening).find(|&at| is_of_loop(&directives[at])) else {
        return opening;
    };
    let start = (lowest..=first).rev().find(|&start| are_whole(&directives[start..opening]));
    start.unwrap_or(first)
}

/// Refuses directives before a region that share its loop among threads.
pub fn check(before: &[Directive], faults: &mut Faults) {
    before.iter().filter(|directive| shares_a_loop(directive)).for_each(|one| faults.push(shared(one)));
}

/// True unless a conditional ends among some directives that began before them.
fn are_whole(directives: &[Directive]) -> bool {
    let mut open = 0_u32;
    directives.iter().all(|directive| {
        let (begins, ends) = (directive.begins_conditional(), directive.starts_with(&["endif"]));
        let is_whole = !directive.is_conditional() || begins || open > 0;
        open = (open + u32::from(begins)).saturating_sub(u32::from(ends));
        is_whole
    })
}

fn is_of_loop(directive: &Directive) -> bool {
    let Some((_, words)) = directive.words.split_first().filter(|(first, _)| *first == "pragma") else {
        return false;
    };
    OF_LOOPS.iter().any(|begin| words.len() >= begin.len() && words.iter().zip(*begin).all(|(a, b)| a == b))
        || openmp(directive).any(|word| OF_OPENMP.contains(&word))
}

/// True for a pragma that gives each thread a part of the loop, and does not make the threads itself.
fn shares_a_loop(directive: &Directive) -> bool {
    openmp(directive).any(|word| SHARING.contains(&word))
        && !openmp(directive).any(|word| ["parallel", "teams"].contains(&word))
}

/// The words of a directive of OpenMP that is for a statement, without its clauses.
fn openmp(directive: &Directive) -> impl Iterator<Item = &str> {
    let words = if directive.starts_with(&["pragma", "omp"]) { &directive.words[2..] } else { &[] };
    let others = ["declare", "ordered"].iter().any(|other| words.first().is_some_and(|word| word == other));
    let words = words.iter().map(String::as_str).take_while(|word| *word != "(");
    words.filter(move |_| !others)
}

fn shared(directive: &Directive) -> Fault {
    let message = format!("`#{}` is for the loop of a region", directive.words.join(" "));
    let label = "it shares the loop among threads, each of which would call the translation";
    Fault::new(DIRECTIVE, message, directive.range, label).with_help(
        "remove it, or put the loop into a region without it; `#pragma omp parallel for`, which makes its threads, may stand before a region",
    )
}
