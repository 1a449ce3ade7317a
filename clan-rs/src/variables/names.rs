//! Names that are generated for a region. They differ from each other and from the names in the source.

use std::collections::BTreeSet;

use scop::names;

/// The names that are taken in a region.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Returns an unused name that resembles `wish`, and marks it as taken.
    pub fn unused(&mut self, wish: &str) -> String {
        names::unused(wish, &mut self.0)
    }
}
