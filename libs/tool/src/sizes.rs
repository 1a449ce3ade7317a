//! Options for tools that price what they do.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use clap::Args;
use scop::{Diagnostic, Diagnostics};

/// The sizes for which something is priced.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Sizes {
    /// The values of parameters.
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',', value_parser = assumption)]
    assume: Vec<(String, i64)>,
}

impl Sizes {
    /// Returns the values by name. Of several for one name, the last counts.
    pub fn values(&self) -> BTreeMap<String, i64> {
        self.assume.iter().cloned().collect()
    }
}

fn assumption(text: &str) -> Result<(String, i64), String> {
    let wrong = || "it must be the name of a parameter and a number, as in n=4096".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name.trim().to_owned(), value.trim().parse().map_err(|_| wrong())?))
}

/// Reads a target file. `parse` reads its text.
///
/// # Errors
/// Fails with `E0401` if the file cannot be read, or if `parse` fails.
pub fn target<T, E: Display>(path: &Path, parse: impl Fn(&str) -> Result<T, E>) -> Result<T, Diagnostics> {
    let wrong = |why: String| {
        Diagnostic::error("E0401", format!("the target file `{}` {why}", path.display()))
            .with_help("see the files in the folder `targets`")
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    Ok(parse(&text).map_err(|error| wrong(format!("is wrong: {error}")))?)
}
