//! Computes a digest of the verifier. Sections that one tool found sound are accepted as sound by tools that
//! were built from the same sources, whatever their version is.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sha2::{Digest, Sha256};

/// The document types and the verifier, and the library that computes the verifier's answers.
const SOURCES: [&str; 2] = ["src", "../polyhedra/src"];

fn main() -> io::Result<()> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hasher = Sha256::new();
    for folder in SOURCES {
        println!("cargo:rerun-if-changed={folder}");
        for file in sources(&package.join(folder))? {
            let text = fs::read(&file)?;
            let name = file.strip_prefix(&package).unwrap_or(&file).to_string_lossy().into_owned();
            hasher.update(format!("{name} {}\n", text.len()));
            hasher.update(text);
        }
    }
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rustc-env=VERIFIER_SOURCES={digest}");
    Ok(())
}

/// Returns the files below a folder, in the same order on every machine.
fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        if entry.is_dir() {
            files.extend(sources(&entry)?);
        } else {
            files.push(entry);
        }
    }
    Ok(files)
}
