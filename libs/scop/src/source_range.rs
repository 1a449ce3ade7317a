//! Parts of a source text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceRange {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
    /// The line of the first byte, from 1.
    pub line: u32,
    /// The column of the first byte, in bytes, from 1.
    pub column: u32,
}

impl SourceRange {
    /// True if `outer` contains all of this part.
    pub fn is_within(self, outer: Self) -> bool {
        outer.start <= self.start && self.end <= outer.end
    }
}
