//! Types that GPUs lack. No value in a kernel may have one: compilers would replace it by `double`.

use scop::{Diagnostic, Diagnostics, Step, walk_expressions};

/// True if some of the steps compute with such a type.
pub fn is_computed_with(steps: &[Step]) -> bool {
    let mut lacking = false;
    walk_expressions(steps, &mut |expr| lacking |= !expr.ctype.exists_on_device());
    lacking
}

/// Returns `E0602`.
pub fn refused(message: String, what_to_leave_out: &str) -> Diagnostics {
    let help = format!("use `double`, or leave the {what_to_leave_out} out of the region");
    Diagnostic::error("E0602", message).with_help(help).into()
}
