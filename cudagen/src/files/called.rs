//! The user's functions that regions call.

use scop::c_text::calls;
use scop::{Function, Model};

use crate::files::tokens::tokens;

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
