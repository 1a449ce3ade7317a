//! The hidden folder that holds files which are about to be moved to their destinations.
//!
//! Its driver locks it as long as the driver lives. A folder without a lock was left by a driver that was killed; the
//! next driver that writes into the same parent folder removes it.

use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::process::lock;

/// The beginning of the folder's name.
const PREFIX: &str = ".c2cuda.";

/// The number of names that are tried.
const ATTEMPTS: u32 = 100;

/// A folder that is removed when it is dropped.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    /// The open folder; it holds the lock.
    _lock: File,
}

impl Staging {
    /// Creates a folder within `folder`.
    pub fn new(folder: &Path) -> io::Result<Self> {
        sweep(folder);
        for _ in 0..ATTEMPTS {
            let path = new_folder(folder, PREFIX)?;
            let file = File::open(&path)?;
            // Another driver may have removed the folder before it was locked.
            let locked = lock(&file).unwrap_or(true);
            let there = path.metadata().is_ok_and(|there| is_file(&there, &file));
            if locked && there {
                return Ok(Self { path, _lock: file });
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Returns a path in the folder.
    pub fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Creates a folder with an unused name that only this user can access.
pub fn new_folder(parent: &Path, prefix: &str) -> io::Result<PathBuf> {
    for _ in 0..ATTEMPTS {
        let path = parent.join(format!("{prefix}{:06x}", RandomState::new().hash_one(()) & 0xff_ffff));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn is_file(metadata: &fs::Metadata, file: &File) -> bool {
    file.metadata().is_ok_and(|open| (open.dev(), open.ino()) == (metadata.dev(), metadata.ino()))
}

/// Removes the folders of drivers that were killed. On a file system without locks, nothing is removed.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Some(file) = is_folder.then(|| File::open(&path).ok()).flatten()
            && lock(&file).unwrap_or(false)
        {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_locked_is_swept() {
        let folder = new_folder(&std::env::temp_dir(), "c2cuda-staging.").unwrap();
        let alive = Staging::new(&folder).unwrap();
        fs::write(alive.at("file"), "text").unwrap();
        let dead = new_folder(&folder, PREFIX).unwrap();
        fs::write(dead.join("file"), "text").unwrap();
        fs::create_dir(folder.join(".c2other")).unwrap();
        let new = Staging::new(&folder).unwrap();
        assert!(alive.at("file").exists() && !dead.exists() && folder.join(".c2other").exists());
        drop((alive, new));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
