//! Times in words.

/// Returns a time in the unit that suits it.
pub fn duration(microseconds: f64) -> String {
    match microseconds {
        value if value >= 1e6 => format!("{:.3} s", value / 1e6),
        value if value >= 1e3 => format!("{:.3} ms", value / 1e3),
        value => format!("{value:.1} µs"),
    }
}
