//! Protects files that were not generated from the same source from being overwritten.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::file::File;
use super::whereabouts::is_same_file;
use crate::stop::{Or, Stop};

/// The number of bytes of a file that are read.
const BEGINNING: u64 = 1 << 16;

/// Refuses to overwrite a file that was not generated from the same source. The first line of a generated file names
/// the source; a `#line` directive after it gives the source's path.
pub fn check_earlier(folder: &Path, file: &File) -> Or<()> {
    let Some(source) = &file.source else { return Ok(()) };
    let earlier = folder.join(&file.name);
    let shown = earlier.display();
    let is_there = earlier.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    if !is_there {
        return Ok(());
    }
    let (old, new) = (beginning(&earlier), beginning(&file.path));
    if old.first() != new.first() {
        return Err(Stop::failed(format!(
            "'{shown}' exists, and was not generated from {}: rename or remove it, \
             or write to another folder with -o",
            source.display()
        )));
    }
    match (place(&old), place(&new)) {
        (Some(old), Some(new)) if old != new && old.exists() && new.exists() && !is_same_file(&old, &new) => {
            let (old, new) = (old.display(), new.display());
            Err(Stop::failed(format!(
                "'{shown}' exists, and was generated from '{old}', not from '{new}', which has the same name: \
                 rename or remove it, or write to another folder with -o"
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the first two lines.
fn beginning(file: &Path) -> Vec<Vec<u8>> {
    let Ok(file) = fs::File::open(file) else { return Vec::new() };
    let lines = BufReader::new(file.take(BEGINNING)).split(b'\n').take(2);
    lines.map_while(Result::ok).map(|line| line.trim_ascii_end().to_vec()).collect()
}

/// Returns the path in `#line 1 "PATH"`.
fn place(lines: &[Vec<u8>]) -> Option<PathBuf> {
    let quoted = lines.iter().find_map(|line| line.strip_prefix(b"#line 1 \"")?.strip_suffix(b"\""))?;
    let mut path = Vec::new();
    let mut bytes = quoted.iter();
    while let Some(&byte) = bytes.next() {
        path.push(if byte == b'\\' { *bytes.next()? } else { byte });
    }
    Some(PathBuf::from(OsStr::from_bytes(&path)))
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn the_place_of_a_source_is_read() {
        let lines = |line: &str| vec![b"#include \"a_gpu.h\"".to_vec(), line.as_bytes().to_vec()];
        assert_eq!(place(&lines("#line 1 \"b/a.c\"")).unwrap().to_str(), Some("b/a.c"));
        assert_eq!(place(&lines("#line 1 \"a \\\"b\\\\.c\"")).unwrap().to_str(), Some("a \"b\\.c"));
        assert_eq!(place(&lines("int x;")), None);
    }
}
