//! What the region leaves alive: variables of the function that nothing reads afterwards are not.
//!
//! A variable is dead after the region if it is the function's own, no pointer to it exists, and no code that may run
//! later, around loops included, reads it before it is set.

use crate::around::escape::is_private;
use crate::around::outside::may_be_read_after;
use crate::c::ctree::VariableId;
use crate::memory::arrays::Arrays;
use crate::variables::environment::Environment;

/// Marks the arrays whose last values nobody reads.
pub fn mark_dead(environment: &Environment, arrays: &mut Arrays) {
    for (&id, &array) in &arrays.known {
        let array = &mut arrays.arrays[array.index()];
        array.dead_after = array.visible && is_dead(environment, id);
    }
}

fn is_dead(environment: &Environment, id: VariableId) -> bool {
    is_private(environment, id) && !may_be_read_after(environment, id)
}
