//! Where libbarvinok is, and how it is opened.

use std::path::{Path, PathBuf};

use libloading::os::unix::Library;

use crate::Error;
use crate::bindings::Functions;

/// The variable that names the library.
const VARIABLE: &str = "C2CUDA_BARVINOK";

/// The place of the library: what `C2CUDA_BARVINOK` says, else where `scripts/setup` puts it, which is found from the place of the
/// executable (`target/release/…` or `target/debug/deps/…`).
pub fn default_path() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return Some(path.into());
    }
    let executable = std::env::current_exe().ok()?;
    executable
        .ancestors()
        .map(|folder| folder.join("tools/barvinok/libbarvinok.so"))
        .find(|path| path.exists())
}

/// Opens the library at `path`.
pub fn open(path: &Path) -> Result<Functions, Error> {
    let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
    // SAFETY: libbarvinok and the libraries that it loads run no initialisers that touch this process, and the flags keep its
    // symbols apart from ours.
    let library = unsafe { Library::open(Some(path), flags) }.map_err(missing)?;
    // SAFETY: the header that the bindings come from declares the functions as the library defines them.
    unsafe { Functions::from_library(library) }.map_err(missing)
}

fn missing(error: libloading::Error) -> Error {
    Error::Missing(error.to_string())
}
