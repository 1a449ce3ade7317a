//! Where documents come from.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use scop::{Diagnostic, Diagnostics};

/// What was read, and its name for messages.
pub struct Input {
    /// The path, or `<stdin>`.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Reads a file, or the standard input for `-` or nothing.
pub fn read(path: Option<&Path>) -> Result<Input, Diagnostics> {
    match path {
        Some(path) if path != Path::new("-") => read_file(path),
        _ => read_stdin(),
    }
}

fn read_file(path: &Path) -> Result<Input, Diagnostics> {
    let name = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(error) => Err(cannot_read(&name, &error)),
    }
}

fn read_stdin() -> Result<Input, Diagnostics> {
    let name = "<stdin>".to_owned();
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input { name, bytes }),
        Err(error) => Err(cannot_read(&name, &error)),
    }
}

fn cannot_read(name: &str, error: &io::Error) -> Diagnostics {
    Diagnostic::error("E0001", format!("cannot read {name}: {}", reason(error))).into()
}

/// The system's words, without the error number that Rust appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
