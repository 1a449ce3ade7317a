//! The user's functions that regions call, and those that run when the program ends.

use scop::c_text::calls;
use scop::{Function, Model};

use crate::files::tokens::{names, tokens};

/// Returns the functions defined in the C source that the statements of a region call, by their names in the source.
pub fn called_in_source<'a>(functions: &'a [Function], model: &Model, source: &[u8]) -> Vec<&'a str> {
    let is_called = |function: &&Function| {
        let called = |name: &str| name == function.name;
        model.statements.iter().any(|statement| calls(&statement.body, called))
    };
    let is_named_so = |function: &&Function| {
        let text = source.get(function.range.start as usize..function.range.end as usize);
        let tokens = text.and_then(tokens).unwrap_or_default();
        function.library.is_none() && tokens.contains(&function.name.as_bytes())
    };
    let found = functions.iter().filter(is_called).filter(is_named_so);
    found.map(|function| function.name.as_str()).collect()
}

/// Words of a source with functions that may run while the program ends, in this thread or in another one.
const AT_EXIT: [&str; 9] = [
    "async",
    "at_quick_exit",
    "atexit",
    "destructor",
    "jthread",
    "on_exit",
    "pthread_create",
    "thrd_create",
    "thread",
];

/// True if code of a source may run while the program ends: functions that are registered for this, and other threads.
/// Destructors of C++ are functions that code outside of the document calls.
pub fn runs_at_exit(source: &[u8]) -> bool {
    names(source).iter().any(|name| AT_EXIT.contains(&name.trim_matches('_')))
}
