//! Paths without symbolic links.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a file in one spelling, without symbolic links; nothing if there is no such file.
///
/// A C file includes some dozen headers from a few folders. The links of a folder are followed once.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return path.canonicalize().ok();
    };
    if fs::symlink_metadata(path).ok()?.is_symlink() {
        return path.canonicalize().ok();
    }
    Some(real_folder(folder)?.join(name))
}

fn real_folder(folder: &Path) -> Option<PathBuf> {
    thread_local! {
        static KNOWN: RefCell<HashMap<PathBuf, Option<PathBuf>>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        let here = || if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        known.entry(folder.to_owned()).or_insert_with(|| here().canonicalize().ok()).clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed() {
        let folder = std::env::temp_dir().join(format!("real_path.{}", std::process::id()));
        fs::create_dir_all(folder.join("real")).unwrap();
        fs::write(folder.join("real/file.h"), "").unwrap();
        std::os::unix::fs::symlink("real", folder.join("folder")).unwrap();
        std::os::unix::fs::symlink("folder/file.h", folder.join("link.h")).unwrap();
        for path in ["real/file.h", "folder/file.h", "link.h", "folder/../real/file.h", "none.h", "real"] {
            let path = folder.join(path);
            assert_eq!(real_path(&path), path.canonicalize().ok(), "{}", path.display());
        }
        fs::remove_dir_all(&folder).unwrap();
        for path in ["Cargo.toml", "src/../Cargo.toml", "/", ".", "..", ""] {
            assert_eq!(real_path(Path::new(path)), Path::new(path).canonicalize().ok(), "{path}");
        }
    }
}
