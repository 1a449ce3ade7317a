//! Where a program came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The source file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The path, as given to clan-rs.
    pub path: String,
    /// The language; `c` for now.
    pub language: String,
    /// The SHA-256 of the file's bytes, in hexadecimal; cudagen refuses to rewrite a file that changed.
    pub hash: String,
    /// The marked regions, in the order of the text; scop `k` came from region `k`.
    pub regions: Vec<Region>,
}

/// A marked region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Region {
    /// The function around it.
    pub function: String,
    /// From the `#` of `#pragma scop` to the end of the line of `#pragma endscop` (its newline excluded).
    pub range: SourceRange,
}

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

/// The hash of a source text as [`Source::hash`] holds it.
pub fn hash_text(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
