//! isl objects as they are stored in the document: text in isl's notation.
//!
//! The wrappers only fix the kind of object; the verifier checks that the text can be parsed.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::flow_tree::block_of;

macro_rules! isl_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    };
}

isl_text!(
    /// A set or union of sets: `[n] -> { S0[i] : 0 <= i < n }`.
    IslSet
);
isl_text!(
    /// A relation or union of relations: `[n] -> { S0[i] -> A0[i + 1] }`.
    IslMap
);
isl_text!(
    /// A quasi-affine piecewise expression: `[n] -> { [(n + 1)] }`.
    IslPwAff
);

isl_text!(
    /// A piecewise quasi-polynomial: `[n] -> { A0[i, j] -> (1/2 * i + 1/2 * i^2 + j) : 0 <= j <= i }`.
    IslPwQPolynomial
);

/// A schedule tree in isl's block notation (YAML).
///
/// In the document it is a list of lines, for readability. A single string is accepted as well, also one in
/// flow style as islpy prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(into = "Vec<String>", from = "Lines")]
#[schemars(with = "Lines")]
pub struct IslSchedule(pub String);

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Lines {
    /// The lines of the tree.
    Many(Vec<String>),
    /// The whole tree as one string.
    One(String),
}

impl From<Lines> for IslSchedule {
    fn from(lines: Lines) -> Self {
        let text = match lines {
            Lines::Many(lines) => lines.join("\n"),
            Lines::One(text) => text,
        };
        let in_flow_style = text.trim_start().starts_with('{');
        Self(Some(text.as_str()).filter(|_| in_flow_style).and_then(block_of).unwrap_or(text))
    }
}

impl From<IslSchedule> for Vec<String> {
    fn from(schedule: IslSchedule) -> Self {
        schedule.0.lines().map(str::to_owned).collect()
    }
}

impl fmt::Display for IslSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
