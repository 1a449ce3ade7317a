//! The folder of temporary files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::new_folder;
use crate::stop::{Or, Stop};

/// A folder that is removed with its contents when it is dropped.
pub struct Work {
    path: PathBuf,
}

impl Work {
    /// Creates a folder in `TMPDIR`, or in `/tmp` if it is not set.
    pub fn new() -> Or<Self> {
        let parent = std::env::var_os("TMPDIR").filter(|parent| !parent.is_empty());
        let parent = parent.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let failed = |_| Stop::failed(format!("no temporary folder could be made in {}", parent.display()));
        let parent_there = std::path::absolute(&parent).map_err(failed)?;
        Ok(Self { path: new_folder(&parent_there, "c2cuda.").map_err(failed)? })
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
