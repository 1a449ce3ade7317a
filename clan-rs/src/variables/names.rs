//! Names of a region's own, which must differ from each other and from those of the source.

use std::collections::BTreeSet;

use scop::names;

/// The names of a region that are taken.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A free name like `wish`, which is taken from now on.
    pub fn unused(&mut self, wish: &str) -> String {
        names::unused(wish, &mut self.0)
    }
}
