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

/// Opens the library at `path`. It uses this process's allocator, because the C library does, and either may free what
/// the other has allocated: that rules out `RTLD_DEEPBIND`, which would keep its isl apart from ours in any case.
pub fn open(path: &Path) -> Result<Functions, Error> {
    if exports_isl() {
        let why = "this executable exports functions of isl, and the library has an isl of its own";
        return Err(Error::Missing(why.to_owned()));
    }
    let flags = libc::RTLD_LAZY | libc::RTLD_LOCAL;
    // SAFETY: libbarvinok and the libraries that it loads run no initialisers that touch this process, and none of
    // their functions has the name of one that this process exports, but for the allocator.
    let library = unsafe { Library::open(Some(path), flags) }.map_err(missing)?;
    // SAFETY: the header that the bindings come from declares the functions as the library defines them.
    unsafe { Functions::from_library(library) }.map_err(missing)
}

/// True if libraries that are opened would use the isl of this process. Executables export a function only if they are
/// told to, or if a library that they are linked with uses it.
fn exports_isl() -> bool {
    // SAFETY: the name ends with a NUL byte, and the address is only compared.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"isl_ctx_alloc".as_ptr()) }.is_null()
}

fn missing(error: libloading::Error) -> Error {
    Error::Missing(error.to_string())
}
