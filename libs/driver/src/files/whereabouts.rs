//! Resolves paths, even if nothing exists there yet.

use std::path::{Component, Path, PathBuf};

/// The number of symbolic links that are followed.
const LINKS: u32 = 40;

/// Returns the path without symbolic links, `.` and `..`. Components that do not exist are kept as written.
pub fn resolved(path: &Path) -> PathBuf {
    let mut links = LINKS;
    follow(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()), &mut links)
}

fn follow(path: &Path, links: &mut u32) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                result.pop();
            }
            component => {
                let next = result.join(component);
                match next.read_link() {
                    Ok(target) if *links > 0 => {
                        *links -= 1;
                        result = follow(&result.join(target), links);
                    }
                    _ => result = next,
                }
            }
        }
    }
    result
}

/// True if two paths lead to the same place.
pub fn is_same_place(one: &Path, other: &Path) -> bool {
    resolved(one) == resolved(other)
}

/// True if both paths name the same existing file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::files::staging::new_folder;

    #[test]
    fn links_are_followed_and_what_is_missing_is_taken() {
        let folder = new_folder(&std::env::temp_dir(), "c2cuda-where.").unwrap().canonicalize().unwrap();
        fs::create_dir(folder.join("real")).unwrap();
        symlink("real", folder.join("link")).unwrap();
        symlink("../gone/file", folder.join("real/dangling")).unwrap();
        symlink("loop", folder.join("loop")).unwrap();
        for (path, place) in [
            ("link/x", "real/x"),
            ("link/../x/./y", "x/y"),
            ("link/dangling", "gone/file"),
            ("none/../x", "x"),
        ] {
            assert_eq!(resolved(&folder.join(path)), folder.join(place), "{path}");
        }
        resolved(&folder.join("loop"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
