//! Random options of the tools.

use crate::random::Random;

/// One option of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub stage: &'static str,
    pub option: &'static str,
    pub value: String,
}

/// Some options; none means that everything has its default.
pub fn choose(random: &mut Random) -> Vec<Choice> {
    let mut choices = Vec::new();
    if random.percent(35) {
        choices.push(choice("scheduler", "--algorithm", random.one_of(&ALGORITHMS)));
    }
    if choices.is_empty() && random.percent(30) {
        choices.push(choice("scheduler", "--fusion", "cycles"));
    }
    if random.percent(70) {
        let tiles: Vec<i64> = (0..random.between(1, 3)).map(|_| random.one_of(&TILES)).collect();
        choices.push(choice("scheduler", "--tile-sizes", listed(&tiles)));
        if random.percent(40) {
            let blocks: Vec<i64> = tiles.iter().map(|tile| divisor(random, *tile)).collect();
            choices.push(choice("scheduler", "--block-sizes", listed(&blocks)));
        }
    }
    let has_sizes = choices.iter().any(|choice| choice.option == "--tile-sizes");
    if !has_sizes && random.percent(70) {
        choices.push(choice("scheduler", "--sum-threads", "32"));
    }
    if random.percent(30) {
        choices.push(choice("scheduler", "--load-threads", random.one_of(&["4", "8", "32"])));
        if random.percent(60) {
            choices.push(choice("scheduler", "--load-ahead", random.one_of(&["always", "never"])));
        }
    }
    if random.percent(25) {
        choices.push(choice("gpulocalizer", "--memories", "private"));
    } else if random.percent(60) {
        choices.push(choice("gpulocalizer", "--memory", "shared"));
    }
    if random.percent(20) {
        choices.push(choice(
            "gpulocalizer",
            "--shared-memory",
            random.one_of(&["64", "512", "4096", "16384"]),
        ));
    }
    if random.percent(50) {
        choices.push(choice("gpulocalizer", "--layout", random.one_of(&["box", "dense", "ring"])));
    }
    if random.percent(40) {
        choices.push(choice("gpulocalizer", "--transfer", random.one_of(&["linearized", "per-array"])));
    }
    if random.percent(40) {
        choices.push(choice("scheduler", "--grid", random.one_of(&["ranked", "ranked", "sheared", "box"])));
    }
    // The sizes are so small that most regions would run on the host.
    if random.percent(85) {
        choices.push(choice("scheduler", "--offload", "always"));
    }
    if random.percent(40) {
        choices.push(choice("scheduler", "--partial-sums", "always"));
    }
    choices
}

/// What remains if one option is left out: block sizes have to divide tile sizes.
pub fn without(choices: &[Choice], dropped: usize) -> Vec<Choice> {
    let depends =
        |choice: &Choice| choices[dropped].option == "--tile-sizes" && choice.option == "--block-sizes";
    let kept =
        choices.iter().enumerate().filter(|(position, choice)| *position != dropped && !depends(choice));
    kept.map(|(_, choice)| choice.clone()).collect()
}

/// The arguments of a tool.
pub fn arguments<'a>(choices: &'a [Choice], stage: &str) -> impl Iterator<Item = &'a str> {
    let of_stage = choices.iter().filter(move |choice| choice.stage == stage).collect::<Vec<_>>();
    of_stage.into_iter().flat_map(|choice| [choice.option, choice.value.as_str()])
}

/// The options as arguments of the driver, for a shell.
pub fn for_driver(choices: &[Choice]) -> String {
    let stages = ["scheduler", "gpulocalizer"];
    let given = stages.iter().filter_map(|stage| {
        let words: Vec<&str> = arguments(choices, stage).collect();
        (!words.is_empty()).then(|| format!("--{stage}-options '{}' ", words.join(" ")))
    });
    given.collect()
}

/// The algorithms that can be asked for. Not each of them orders each region.
const ALGORITHMS: [&str; 10] = [
    "source",
    "source",
    "source",
    "isl-outer",
    "isl-apart",
    "isl-deep",
    "perfect",
    "levels",
    "blocked",
    "blocked",
];

/// What remains without the algorithm.
pub fn without_algorithm(choices: &[Choice]) -> Vec<Choice> {
    choices.iter().filter(|choice| choice.option != "--algorithm").cloned().collect()
}

/// Three sizes make at most 10 * 10 * 10 threads where they are sizes of blocks as well.
const TILES: [i64; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 10];

fn divisor(random: &mut Random, size: i64) -> i64 {
    let divisors: Vec<i64> = (1..=size).filter(|by| size % by == 0).collect();
    random.one_of(&divisors)
}

fn listed(sizes: &[i64]) -> String {
    sizes.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// One option of one tool.
pub fn choice(stage: &'static str, option: &'static str, value: impl Into<String>) -> Choice {
    Choice { stage, option, value: value.into() }
}
