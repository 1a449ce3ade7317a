//! What the user can do about unknown code that would interrupt residency, as ends of sentences.

use crate::c::ctree::{RANGE, Unnamed, Unsupported};

/// A function of which only the declaration is known.
const DESCRIBE: &str = "say what it does with `#pragma c2cuda effects` before its declaration, or translate its file \
                        together with this one";

/// The same if other files are translated together with this one, and what they say does not include the function.
const SAY: &str = "say what it does with `#pragma c2cuda effects` before its declaration";

/// Code that can run once for all iterations.
pub const BEFORE: &str = "do that before the loop that runs regions";

/// Code that uses none of the arrays, if the user may hold memory on the device.
pub const HOLD: &str = "if that does not touch the arrays, hold them on the device with `#pragma c2cuda data` before \
                        the loop around it";

/// A call of an object.
const NAMED: &str = "call a function that has a name instead";

/// Any other code.
pub const OUTSIDE: &str = "move it out of the loop that runs regions";

/// Returns what can be done about a call of a function whose body is not in the file, if effects of functions of other
/// files `are_known`.
pub fn of_function(are_known: bool) -> &'static str {
    if are_known { SAY } else { DESCRIBE }
}

/// Returns what can be done about an expression; nothing if there is no special advice.
pub fn of_expression(what: &Unnamed) -> &'static str {
    match what.plain() {
        Unnamed::Lambda => NAMED,
        Unnamed::Operator(name) if name == "operator()" => NAMED,
        Unnamed::Throw => "nothing is copied unless it is thrown; to avoid that, return a status",
        Unnamed::MemberCall(_) => "call it before the loop that runs regions, and use its value there",
        _ => "",
    }
}

/// The same for a statement.
pub fn of_statement(what: &Unsupported) -> &'static str {
    match what {
        Unsupported::Loop(words) if *words == RANGE => "let the loop count",
        what if what.is_try() => {
            "write it around the loop that runs regions, and that loop in a function of its own"
        }
        _ => "",
    }
}
