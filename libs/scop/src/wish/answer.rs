//! What came of wishes.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Wish;
use super::wanted::spelled;
use crate::{ArrayId, KernelId};

/// What came of a wish in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The wish.
    pub wish: Wish,
    /// The kernel that this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelId>,
    /// The array that this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<ArrayId>,
    /// What came of it.
    pub verdict: Verdict,
    /// How, or why not, for people.
    pub reason: String,
}

/// What came of a wish, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is as it was asked for, to the letter.
    Met,
    /// It cannot be had.
    NotMet,
    /// Another wish counts here.
    Overruled,
    /// There is nothing that it is for.
    Pointless,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self).replace('_', " "))
    }
}
