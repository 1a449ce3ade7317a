//! Writes results: complete, or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use scop::{Diagnostic, Diagnostics};

use crate::MessageFormat;
use crate::exit::USER_IS_WRONG;
use crate::input::reason;
use crate::render::Renderer;

/// A file that a tool is to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// The path.
    pub path: PathBuf,
    /// The whole contents.
    pub contents: Vec<u8>,
}

/// Writes a text to a file, or to the standard output if the path is `-` or `None`.
pub fn write(path: Option<&Path>, text: &str) -> Result<(), Diagnostics> {
    match path {
        Some(path) if path != Path::new("-") => {
            write_all(&[OutputFile { path: path.to_owned(), contents: text.as_bytes().to_vec() }])
        }
        _ => write_stdout(text).map_err(|error| cannot_write(Path::new("<stdout>"), &error)),
    }
}

/// Writes to the standard output. It is not an error if the reader has closed the pipe.
fn write_stdout(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes all of the files or none: each text is first written in full to a file next to its destination.
pub fn write_all(files: &[OutputFile]) -> Result<(), Diagnostics> {
    let mut staged = Vec::new();
    for file in files {
        staged.push(Staged::new(file).map_err(|error| cannot_write(&file.path, &error))?);
    }
    for done in 0..staged.len() {
        if let Err(error) = staged[done].commit() {
            staged[..done].iter().for_each(Staged::undo);
            return Err(cannot_write(&files[done].path, &error));
        }
    }
    Ok(())
}

/// Creates the folders of files.
pub fn make_folders(files: &[OutputFile]) -> Result<(), Diagnostics> {
    for folder in
        files.iter().filter_map(|file| file.path.parent()).filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    Ok(())
}

/// Writes a text to the standard output outside a run of a tool, and reports a failure.
pub fn print(text: &str) -> ExitCode {
    match write(None, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Diagnostics(why)) => {
            Renderer::for_stderr("", MessageFormat::Human).show(&why);
            ExitCode::from(USER_IS_WRONG)
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Diagnostics {
    Diagnostic::error("E0009", format!("cannot write {}: {}", path.display(), reason(error))).into()
}

/// A file that is ready to be moved to its destination. If it is dropped before that, it leaves no trace.
struct Staged<'a> {
    target: PathBuf,
    contents: &'a [u8],
    /// The temporary file next to the target; `None` for a device or a pipe, which is written in place.
    temporary: Option<PathBuf>,
    /// The previous contents of the target, if it existed.
    previous: Option<Vec<u8>>,
}

impl<'a> Staged<'a> {
    fn new(file: &'a OutputFile) -> io::Result<Self> {
        let contents = file.contents.as_slice();
        if is_special(&file.path) {
            return Ok(Self { target: file.path.clone(), contents, temporary: None, previous: None });
        }
        let target = destination(&file.path)?;
        let previous = contents_of(&target)?;
        let permissions = fs::metadata(&target).ok().map(|metadata| metadata.permissions());
        let temporary = Some(temporary_beside(&target)?);
        let staged = Self { target, contents, temporary, previous };
        staged.fill(permissions)?;
        Ok(staged)
    }

    fn fill(&self, permissions: Option<Permissions>) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        fs::write(temporary, self.contents)?;
        permissions.map_or(Ok(()), |permissions| fs::set_permissions(temporary, permissions))
    }

    fn commit(&mut self) -> io::Result<()> {
        match &self.temporary {
            Some(temporary) => {
                fs::rename(temporary, &self.target)?;
                self.temporary = None;
                Ok(())
            }
            None => write_in_place(&self.target, self.contents),
        }
    }

    /// Restores the state before [`Self::commit`]. A failure to do so is ignored.
    fn undo(&self) {
        let _ = match &self.previous {
            Some(previous) => fs::write(&self.target, previous),
            None if is_special(&self.target) => Ok(()),
            None => fs::remove_file(&self.target),
        };
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// True for a path that must not be replaced by a regular file: a device, a pipe, an open file descriptor.
fn is_special(path: &Path) -> bool {
    path.starts_with("/dev")
        || path.starts_with("/proc")
        || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn write_in_place(path: &Path, contents: &[u8]) -> io::Result<()> {
    let written = OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(contents));
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Follows symbolic links, so that the file is replaced and not the link.
fn destination(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) if path.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the contents of a file, or `None` if it does not exist. Fails if the file is write-protected: it must not
/// be replaced.
fn contents_of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match OpenOptions::new().write(true).open(path) {
        Ok(_) => fs::read(path).map(Some).or(Ok(Some(Vec::new()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates an empty, hidden file in the directory of `target`.
fn temporary_beside(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or(ErrorKind::InvalidFilename)?;
    for attempt in 0u32.. {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.{attempt}.tmp", process::id()));
        let path = target.with_file_name(hidden);
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A separate directory for a test, removed at the end.
    struct Directory(PathBuf);

    impl Directory {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("c2cuda-tool-{}-{name}", process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str, contents: &str) -> OutputFile {
            OutputFile { path: self.0.join(name), contents: contents.as_bytes().to_vec() }
        }

        fn names(&self) -> Vec<String> {
            let mut names: Vec<_> = fs::read_dir(&self.0)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn files_are_written_and_replaced() {
        let directory = Directory::new("replaced");
        for text in ["first", "second"] {
            write_all(&[directory.file("a", text), directory.file("b", text)]).unwrap();
            assert_eq!(directory.names(), ["a", "b"]);
            assert_eq!(fs::read_to_string(directory.0.join("b")).unwrap(), text);
        }
    }

    #[test]
    fn one_file_that_cannot_be_written_keeps_the_others_as_they_were() {
        let directory = Directory::new("kept");
        write_all(&[directory.file("a", "old")]).unwrap();
        fs::create_dir(directory.0.join("d")).unwrap();
        for bad in ["d", "missing/c"] {
            let files = [directory.file("a", "new"), directory.file("b", "new"), directory.file(bad, "new")];
            assert_eq!(write_all(&files).unwrap_err().0[0].code, "E0009");
            assert_eq!(directory.names(), ["a", "d"]);
            assert_eq!(fs::read_to_string(directory.0.join("a")).unwrap(), "old");
        }
    }

    #[test]
    fn a_failure_on_the_last_step_puts_back_what_was_there() {
        let directory = Directory::new("undone");
        write_all(&[directory.file("a", "old")]).unwrap();
        let files = [directory.file("a", "new"), directory.file("b", "new")];
        let mut staged: Vec<_> = files.iter().map(|file| Staged::new(file).unwrap()).collect();
        staged.iter_mut().for_each(|staged| staged.commit().unwrap());
        staged.iter().for_each(Staged::undo);
        assert_eq!(directory.names(), ["a"]);
        assert_eq!(fs::read_to_string(directory.0.join("a")).unwrap(), "old");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_devices() {
        let directory = Directory::new("links");
        std::os::unix::fs::symlink("target", directory.0.join("link")).unwrap();
        for text in ["first", "second"] {
            write_all(&[directory.file("link", text)]).unwrap();
            assert_eq!(fs::read_to_string(directory.0.join("target")).unwrap(), text);
        }
        assert!(directory.0.join("link").is_symlink());
        write(Some(Path::new("/dev/null")), "text").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
