//! The location of libbarvinok, and how it is opened.

use std::path::{Path, PathBuf};

use libloading::os::unix::Library;

use crate::Error;
use crate::bindings::Functions;

/// The environment variable that names the library.
const VARIABLE: &str = "C2CUDA_BARVINOK";

/// The path at which `scripts/setup` of the checkout that this was built from installs the library.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/barvinok/libbarvinok.so");

/// Returns the path of the library: the value of `C2CUDA_BARVINOK`, or else where `scripts/setup` installs it. No
/// other place is searched: code that lies near an executable by chance must not run.
pub fn default_path() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        Some(path) => Some(path.into()),
        None => Some(PathBuf::from(INSTALLED)).filter(|path| path.exists()),
    }
}

/// Opens the library at `path`.
pub fn open(path: &Path) -> Result<Functions, Error> {
    let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
    // SAFETY: libbarvinok and the libraries that it loads run no initialisers that touch this process, and the flags
    // keep its symbols apart from ours.
    let library = unsafe { Library::open(Some(path), flags) }.map_err(missing)?;
    // SAFETY: the header that the bindings come from declares the functions as the library defines them.
    unsafe { Functions::from_library(library) }.map_err(missing)
}

fn missing(error: libloading::Error) -> Error {
    Error::Missing(error.to_string())
}
