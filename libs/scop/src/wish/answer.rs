//! Answers to wishes.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Wish;
use super::wanted::spelled;
use crate::{ArrayId, KernelId};

/// The answer to a wish in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The wish.
    pub wish: Wish,
    /// The kernel that the answer is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelId>,
    /// The array that the answer is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<ArrayId>,
    /// Whether the wish was met.
    pub verdict: Verdict,
    /// How it was met, or why not, for people.
    pub reason: String,
}

/// The result of a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The wish is met exactly.
    Met,
    /// The wish cannot be met.
    NotMet,
    /// Another wish takes precedence here.
    Overruled,
    /// The target of the wish does not exist.
    Pointless,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self).replace('_', " "))
    }
}
