//! C files with random changes go through the tools: whatever they mean, each tool accepts or refuses them with a
//! message, in bounded time and memory. `C2CUDA_MUTANTS=1000` tries that many instead of a few.

use std::fs;
use std::path::{Path, PathBuf};

use chain_tests::{Call, Outcome, Scratch, names_in, root, tools_folder};

/// The number of changed files that the test suite tries.
const COUNT: u64 = 60;

/// The limits for one tool on such small programs, in seconds of processor time and kilobytes of memory.
const LIMITS: &str = "ulimit -t 60 -v 8000000";

/// Tokens that replace others.
const TOKENS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "4294967296",
    "i",
    "j",
    "n",
    "a",
    "b",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    "<=",
    "!=",
    "==",
    "=",
    "+=",
    "&&",
    "||",
    "!",
    "?",
    ":",
    ";",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "for",
    "if",
    "else",
    "while",
    "return",
    "int",
    "unsigned",
    "double",
    "const",
    "struct",
    "a[i]",
    "a[a[i]]",
    "n * n",
    "i % 3",
    "(char)",
    "&",
    "x++",
    "sqrt(",
    "#pragma scop\n",
];

#[test]
fn mutants_are_taken_or_refused() {
    let count = std::env::var("C2CUDA_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(COUNT);
    let sources = sources();
    let scratch = Scratch::new("mutants");
    for seed in 0..count {
        let mut random = Random::new(seed);
        let (path, text) = &sources[random.below(sources.len())];
        let mutant = scratch.at(&format!("mutant{seed}.c"));
        fs::write(&mutant, mutate(text, &mut random)).unwrap();
        translate(&mutant, path, &scratch, seed);
    }
}

/// Returns programs that are small enough to be translated quickly, with their folders.
fn sources() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for folder in ["tests/kernels", "tests/errors", "examples"] {
        let folder = root().join(folder);
        for name in names_in(&folder).into_iter().filter(|name| name.ends_with(".c")) {
            let bytes = fs::read(folder.join(name)).unwrap();
            sources.push((folder.clone(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    sources
}

/// Runs the whole chain on one changed file, until a tool refuses it.
fn translate(mutant: &Path, headers: &Path, scratch: &Scratch, seed: u64) {
    let mut input = mutant.to_owned();
    for stage in ["clan-rs", "candl-rs", "scheduler", "gpulocalizer", "cloog-rs", "cudagen"] {
        let output = scratch.at(&format!("{stage}{seed}"));
        if stage == "cudagen" {
            fs::create_dir_all(&output).unwrap();
        }
        let outcome = limited(stage, &input, headers, &output);
        match outcome.status {
            0 => input = output,
            1 => {
                let says_why = outcome.stderr.contains("error[E");
                assert!(
                    says_why,
                    "{} refuses seed {seed} without a reason:\n{}",
                    outcome.shown, outcome.stderr
                );
                return;
            }
            status => panic!(
                "{stage} ends seed {seed} with {status}:\n{}\n{}",
                outcome.stderr,
                fs::read_to_string(mutant).unwrap()
            ),
        }
    }
}

fn limited(stage: &str, input: &Path, headers: &Path, output: &Path) -> Outcome {
    let program = tools_folder().join(stage);
    let script = format!("{LIMITS}; exec \"$@\"");
    let call = Call::new("bash").args(["-c", script.as_str(), "limited"]).arg(program).arg(input);
    let call = call.arg("-o").arg(output);
    if stage == "clan-rs" { call.arg("-I").arg(headers).run() } else { call.run() }
}

/// Returns a text with a few tokens removed, doubled, exchanged or replaced, mostly in one of its regions.
fn mutate(text: &str, random: &mut Random) -> String {
    let starts: Vec<usize> = text.match_indices("#pragma scop").map(|(at, _)| at).collect();
    if starts.is_empty() || random.below(5) == 0 {
        return mutate_tokens(text, random);
    }
    let start = starts[random.below(starts.len())] + "#pragma scop".len();
    let end = text[start..].find("#pragma endscop").map_or(text.len(), |length| start + length);
    format!("{}{}{}", &text[..start], mutate_tokens(&text[start..end], random), &text[end..])
}

fn mutate_tokens(text: &str, random: &mut Random) -> String {
    let mut tokens = split(text);
    for _ in 0..=random.below(3) {
        if tokens.is_empty() {
            break;
        }
        let (here, there) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(5) {
            0 => {
                tokens.remove(here);
            }
            1 => tokens.insert(here, tokens[there].clone()),
            2 => tokens.swap(here, there),
            _ => tokens[here] = TOKENS[random.below(TOKENS.len())].to_owned(),
        }
    }
    tokens.concat()
}

/// Splits a text into words, numbers, blanks and single other characters.
pub fn split(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        let joins = |last: &String| {
            let end = last.chars().last().unwrap_or(' ');
            let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            word(end) && word(c) || end.is_whitespace() && c.is_whitespace()
        };
        match tokens.last_mut() {
            Some(last) if joins(last) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens
}

/// Marsaglia's xorshift generator: the same numbers on every machine.
pub struct Random(u64);

impl Random {
    /// Returns the generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    /// Returns a number below a bound, or 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}
