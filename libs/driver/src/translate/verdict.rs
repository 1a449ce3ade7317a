//! The result of `candl-rs --check`: its exit status, and the verdict that it wrote.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::process::{GAVE_UP, Status};
use crate::stop::Stop;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// Everything is correct.
    Proved,
    /// The regions that remain in another document are correct.
    PartlyProved,
    /// It is not known whether everything is correct.
    GivenUp,
    /// Something is wrong.
    Refuted,
    /// The tool crashed or was killed.
    Broken,
    /// The exit status means success, but the verdict does not.
    Contradictory,
}

/// Judges a check. Loops count as proved only if both the status and the verdict say so: nothing else that may go
/// wrong in the tool, or around it, can look like a proof.
fn judge(status: Status, verdict: Option<&Value>, leaves_unproved: bool) -> Judgement {
    match (status.0, verdict.and_then(|verdict| verdict["verdict"].as_str())) {
        (0, Some("proved")) => Judgement::Proved,
        (0, Some("undecided")) if leaves_unproved => Judgement::PartlyProved,
        (0, _) => Judgement::Contradictory,
        (GAVE_UP, _) => Judgement::GivenUp,
        (1, _) => Judgement::Refuted,
        _ => Judgement::Broken,
    }
}

/// Judges a check by its status and the file with its verdict. With `leaves_unproved`, there may be another document
/// with the proved regions.
pub fn judged(status: Status, verdict: &Path, leaves_unproved: bool) -> Judgement {
    let verdict = fs::read(verdict).ok().and_then(|text| serde_json::from_slice(&text).ok());
    judge(status, verdict.as_ref(), leaves_unproved)
}

/// Returns the end of a run in which the status and the verdict of a check contradict each other.
pub fn contradiction(check: &str) -> Stop {
    Stop::bug(format!("{check} succeeded but did not say so: this is a bug in candl-rs"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_proof_is_one_if_status_and_verdict_say_so() {
        for (status, verdict, leaves, judgement) in [
            (0, "proved", false, Judgement::Proved),
            (0, "proved", true, Judgement::Proved),
            (0, "undecided", true, Judgement::PartlyProved),
            (0, "undecided", false, Judgement::Contradictory),
            (0, "refuted", true, Judgement::Contradictory),
            (4, "undecided", false, Judgement::GivenUp),
            (1, "refuted", true, Judgement::Refuted),
            (1, "proved", true, Judgement::Refuted),
            (137, "proved", false, Judgement::Broken),
        ] {
            let found = judge(Status(status), Some(&json!({ "verdict": verdict })), leaves);
            assert_eq!(found, judgement, "{status}, {verdict}");
        }
        assert_eq!(judge(Status(0), None, false), Judgement::Contradictory);
        assert_eq!(judge(Status(1), None, false), Judgement::Refuted);
    }
}
