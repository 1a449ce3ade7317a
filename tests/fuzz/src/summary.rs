//! Counts of what became of the programs.

use std::collections::BTreeMap;
use std::fmt;

use crate::verdict::{Kind, Verdict, Work};

/// Counts of what became of the programs.
#[derive(Debug, Default)]
pub struct Summary {
    programs: usize,
    refused: BTreeMap<String, usize>,
    failed: BTreeMap<Kind, usize>,
    partly_on_host: usize,
    on_host: usize,
}

impl Summary {
    /// Counts one program.
    pub fn add(&mut self, verdict: &Verdict) {
        self.programs += 1;
        match verdict {
            Verdict::Equal(Work::Kernels) => {}
            Verdict::Equal(Work::KernelsAtTimes) => self.partly_on_host += 1,
            Verdict::Equal(Work::Host) => self.on_host += 1,
            Verdict::Refused(code, _) => *self.refused.entry(code.clone()).or_default() += 1,
            Verdict::Failed(failure) => *self.failed.entry(failure.kind.clone()).or_default() += 1,
        }
    }

    /// How many programs there were.
    pub fn programs(&self) -> usize {
        self.programs
    }

    /// How many were refused.
    pub fn refused(&self) -> usize {
        self.refused.values().sum()
    }

    /// How many failed.
    pub fn failed(&self) -> usize {
        self.failed.values().sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (refused, failed) = (self.refused(), self.failed());
        let share = 100.0 * refused as f64 / self.programs.max(1) as f64;
        let passed = self.programs - refused - failed;
        writeln!(f, "{passed} programs compute the same")?;
        writeln!(f, "  {} of them without kernels", self.on_host)?;
        writeln!(
            f,
            "  {} of them at some sizes on the host, because an assumption did not hold",
            self.partly_on_host
        )?;
        writeln!(f, "{refused} programs were refused ({share:.1} %)")?;
        for (code, count) in &self.refused {
            writeln!(f, "  {count} by {code}")?;
        }
        writeln!(f, "{failed} programs failed")?;
        for (kind, count) in &self.failed {
            writeln!(f, "  {count}: {kind}")?;
        }
        write!(f, "{} passed, {failed} failed", self.programs - failed)
    }
}
