//! What the work needs to know of a program of any kind.

use std::io;

use crate::options::Choice;
use crate::setting::Language;
use crate::verdict::Verdict;
use crate::workshop::Workshop;
use crate::{program, residency, shrink, source};

/// A random program.
pub trait Sample: Clone {
    /// Its number under the seed.
    fn number(&self) -> u64;

    /// The language that it is written in.
    fn language(&self) -> Language;

    /// The options of the tools.
    fn choices(&self) -> &[Choice];

    /// The values of `n` and `m` at which it is run.
    fn runs(&self) -> &[(i64, i64)];

    /// A complete file, which takes `n` and `m` as arguments and prints what it computes.
    fn text(&self) -> String;

    /// Options of the fuzzer with which this kind of program is drawn.
    fn kind() -> &'static str;

    /// Judges programs of different numbers and one language.
    fn judge(workshop: &Workshop<'_>, programs: &[Self]) -> io::Result<Vec<Verdict>>;

    /// Runs the originals with sanitizers.
    fn check_originals(workshop: &Workshop<'_>, programs: &[Self]) -> io::Result<Vec<Verdict>>;

    /// The smallest program found for which `fails` holds, after so many attempts.
    fn shrink(self, attempts: usize, fails: impl FnMut(&Self) -> bool) -> Self;
}

impl Sample for program::Program {
    fn number(&self) -> u64 {
        self.number
    }

    fn language(&self) -> Language {
        self.setting.language
    }

    fn choices(&self) -> &[Choice] {
        &self.choices
    }

    fn runs(&self) -> &[(i64, i64)] {
        &self.runs
    }

    fn text(&self) -> String {
        source::alone(self).unwrap_or_default()
    }

    fn kind() -> &'static str {
        " --regions"
    }

    fn judge(workshop: &Workshop<'_>, programs: &[Self]) -> io::Result<Vec<Verdict>> {
        workshop.judge(programs)
    }

    fn check_originals(workshop: &Workshop<'_>, programs: &[Self]) -> io::Result<Vec<Verdict>> {
        workshop.check_original(programs)
    }

    fn shrink(self, attempts: usize, fails: impl FnMut(&Self) -> bool) -> Self {
        shrink::shrink(self, attempts, fails)
    }
}

impl Sample for residency::Program {
    fn number(&self) -> u64 {
        self.number
    }

    fn language(&self) -> Language {
        self.language
    }

    fn choices(&self) -> &[Choice] {
        &self.choices
    }

    fn runs(&self) -> &[(i64, i64)] {
        &self.runs
    }

    fn text(&self) -> String {
        residency::text(self)
    }

    fn kind() -> &'static str {
        " --residency"
    }

    fn judge(workshop: &Workshop<'_>, programs: &[Self]) -> io::Result<Vec<Verdict>> {
        programs.iter().map(|program| workshop.judge_alone(program)).collect()
    }

    fn check_originals(workshop: &Workshop<'_>, programs: &[Self]) -> io::Result<Vec<Verdict>> {
        programs.iter().map(|program| workshop.check_original_alone(program)).collect()
    }

    fn shrink(self, attempts: usize, fails: impl FnMut(&Self) -> bool) -> Self {
        residency::shrink(self, attempts, fails)
    }
}
