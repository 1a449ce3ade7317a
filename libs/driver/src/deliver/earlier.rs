//! Only what was generated from the same source is written over.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::File;
use crate::plan::Source;
use crate::stop::{Or, Stop};

/// So much of a first line counts.
const LINE: u64 = 1 << 16;

/// Refuses to write over a file that was not generated from the same source; its first line says so.
pub fn check_earlier(folder: &Path, files: &[File], source: &Source) -> Or<()> {
    for file in files {
        let earlier = folder.join(&file.name);
        let (shown, name) = (earlier.display(), source.input.file_name().unwrap_or(source.input.as_os_str()));
        let is_ours = earlier.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
        if is_ours && first_line(&earlier) != first_line(&file.path) {
            return Err(Stop::failed(format!(
                "'{shown}' exists, and was not generated from {}: rename or remove it, \
                 or write to another folder with -o",
                name.display()
            )));
        }
    }
    Ok(())
}

fn first_line(file: &Path) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    BufReader::new(fs::File::open(file).ok()?).take(LINE).read_until(b'\n', &mut line).ok()?;
    Some(line.trim_ascii_end().to_vec())
}
