//! Arrays that other threads of the host may use while a region runs.

use crate::around::escape::is_private;
use crate::memory::arrays::Arrays;
use crate::variables::environment::Environment;

/// Marks the arrays that other threads may use while the region runs.
pub fn mark_concurrent(environment: &Environment, arrays: &mut Arrays) {
    if environment.tree.threads.is_none() {
        return;
    }
    for array in arrays.arrays.iter_mut().filter(|array| array.visible) {
        array.concurrent = true;
    }
    // The threads of OpenMP share the variables of a function.
    if is_parallel(environment) {
        return;
    }
    for (&id, &array) in &arrays.known {
        arrays.arrays[array.index()].concurrent &= !is_private(environment, id);
    }
}

/// True if the function may contain a pragma of OpenMP.
fn is_parallel(environment: &Environment) -> bool {
    let body = environment.function.body.range;
    let mut words = environment.tree.hidden.of_pragmas("omp");
    words.any(|place| place.is_none_or(|word| word.is_within(body)))
}
