//! Shapes that a kernel might have.

/// A shape that was not taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Other {
    /// Its blocks.
    pub blocks: String,
    /// Its time in microseconds.
    pub microseconds: f64,
    /// The reason why it was not taken.
    pub why_not: &'static str,
}
