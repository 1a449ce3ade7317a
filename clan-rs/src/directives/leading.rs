//! Pragmas before `#pragma scop` that apply to the loop after it.
//!
//! A compiler applies `#pragma GCC unroll 4` to the loop that follows, and ignores a `#pragma scop` in between. The
//! call that replaces the region is not a loop; therefore, such pragmas are replaced together with the region.

use crate::directives::data::is_data;
use crate::directives::directive::Directive;
use crate::errors::{DIRECTIVE, Fault, Faults};

/// The first words of pragmas that only influence how a compiler translates the next loop.
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

/// The words that occur in OpenMP's loop directives.
const OF_OPENMP: [&str; 7] = ["distribute", "for", "loop", "simd", "taskloop", "tile", "unroll"];

/// The words of directives that share a loop among the existing threads or teams.
const SHARING: [&str; 4] = ["distribute", "for", "loop", "taskloop"];

/// Returns the number of the first directive of the region that `directives[opening]` marks. Pragmas directly
/// before the mark that apply to the region's first loop belong to the region, together with all conditionals
/// around them.
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

/// True unless a conditional ends among these directives that began before them.
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
    if is_data(directive) {
        return false;
    }
    let Some((_, words)) = directive.words.split_first().filter(|(first, _)| *first == "pragma") else {
        return false;
    };
    OF_LOOPS.iter().any(|begin| words.len() >= begin.len() && words.iter().zip(*begin).all(|(a, b)| a == b))
        || openmp(directive).any(|word| OF_OPENMP.contains(&word))
}

/// True for a pragma that gives each thread a part of the loop without creating the threads.
fn shares_a_loop(directive: &Directive) -> bool {
    openmp(directive).any(|word| SHARING.contains(&word))
        && !openmp(directive).any(|word| ["parallel", "teams"].contains(&word))
}

/// Returns the words of an OpenMP directive that applies to a statement, without its clauses.
fn openmp(directive: &Directive) -> impl Iterator<Item = &str> {
    let words = if directive.starts_with(&["pragma", "omp"]) { &directive.words[2..] } else { &[] };
    let others = ["declare", "ordered"].iter().any(|other| words.first().is_some_and(|word| word == other));
    let words = words.iter().map(String::as_str).take_while(|word| *word != "(");
    words.filter(move |_| !others)
}

fn shared(directive: &Directive) -> Fault {
    let message = format!("`#{}` applies to the loop of a region", directive.words.join(" "));
    let label = "it shares the loop among threads, each of which would call the translation";
    Fault::new(DIRECTIVE, message, directive.range, label).with_help(
        "remove it, or put the loop into a region without it; `#pragma omp parallel for`, which creates its own \
         threads, may precede a region",
    )
}
