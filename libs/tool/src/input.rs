//! Reads the input of a tool.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use scop::{Diagnostic, Diagnostics, MAX_TEXT};

/// An input that was read, and its name for messages.
pub struct Input {
    /// The path, or `<stdin>`.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads a file, or the standard input if the path is `-` or `None`.
pub fn read(path: Option<&Path>) -> Result<Input, Diagnostics> {
    match path {
        Some(path) if path != Path::new("-") => read_file(path),
        _ => read_stdin(),
    }
}

fn read_file(path: &Path) -> Result<Input, Diagnostics> {
    let name = path.display().to_string();
    match File::open(path).and_then(bounded) {
        Ok(bytes) => taken(name, bytes),
        Err(error) => Err(cannot_read(&name, &error)),
    }
}

/// Reads all bytes, but at most one more than the limit.
fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn taken(name: String, bytes: Vec<u8>) -> Result<Input, Diagnostics> {
    if bytes.len() > MAX_TEXT { Err(too_long(&name).into()) } else { Ok(Input { name, bytes }) }
}

fn read_stdin() -> Result<Input, Diagnostics> {
    let name = "<stdin>".to_owned();
    match bounded(io::stdin().lock()) {
        Ok(bytes) => taken(name, bytes),
        Err(error) => Err(cannot_read(&name, &error)),
    }
}

fn cannot_read(name: &str, error: &io::Error) -> Diagnostics {
    Diagnostic::error("E0001", format!("cannot read {name}: {}", reason(error))).into()
}

/// Returns the system's description of an error, without the error number that Rust appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// Returns the message for an input that is longer than the limit.
pub fn too_long(name: &str) -> Diagnostic {
    Diagnostic::error(
        "E0012",
        format!("{name} exceeds the limits of this tool: it has more than {MAX_TEXT} bytes"),
    )
}
