//! Which variables are dead after the region, so that their values need not leave it.
//!
//! A variable is dead after the region if it belongs to the function, no pointer to it exists, and no code that may
//! run later reads it before it is set; that includes later iterations of loops around the region.

use crate::around::escape::is_private;
use crate::around::outside::may_be_read_after;
use crate::c::ctree::VariableId;
use crate::memory::arrays::Arrays;
use crate::variables::environment::Environment;

/// Marks the arrays whose last values are not read.
pub fn mark_dead(environment: &Environment, arrays: &mut Arrays) {
    for (&id, &array) in &arrays.known {
        let array = &mut arrays.arrays[array.index()];
        array.dead_after = array.visible && is_dead(environment, id);
    }
}

fn is_dead(environment: &Environment, id: VariableId) -> bool {
    is_private(environment, id) && !may_be_read_after(environment, id)
}
