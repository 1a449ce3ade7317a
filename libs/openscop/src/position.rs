//! Places in a text.

/// A place in a text, both numbers from 1, the column in bytes. All positions compare as equal, so that values
/// read from different places may be equal.
#[derive(Debug, Clone, Copy, Default, Eq)]
pub struct Position {
    /// The line; 0 for a value that was not read.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl PartialEq for Position {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
