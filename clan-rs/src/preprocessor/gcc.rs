//! The headers that come with GCC and not with clang, such as `omp.h`.
//!
//! The whole folder must not be searched: its `stddef.h` or `immintrin.h` are for GCC alone. A header of it that
//! clang lacks is shown to clang in clang's own folder.

use std::fs;
use std::path::{Path, PathBuf};

/// A header as clang is shown it.
pub struct Supplied {
    /// Where it is.
    pub real: PathBuf,
    /// Where clang finds it.
    pub shown: PathBuf,
    /// Its text.
    pub text: Vec<u8>,
}

/// GCC's header of this name, to be shown in clang's folder of headers.
pub fn header(name: &str, folder: &Path) -> Option<Supplied> {
    let is_plain = !name.is_empty() && !name.contains('/');
    let real = folders().into_iter().map(|gcc| gcc.join(name)).find(|path| is_plain && path.is_file())?;
    let text = fs::read(&real).ok()?;
    Some(Supplied { real, shown: folder.join(name), text })
}

/// The folders of GCC's own headers for this machine, that of the newest version first.
fn folders() -> Vec<PathBuf> {
    let machine = format!("{}-", std::env::consts::ARCH);
    let machines = entries(Path::new("/usr/lib/gcc")).into_iter();
    let machines = machines
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&machine)));
    let mut versions: Vec<_> = machines.flat_map(|path| entries(&path)).collect();
    versions.sort_by_key(|path| version(path));
    versions.into_iter().rev().map(|path| path.join("include")).collect()
}

fn version(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten();
    found.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}
