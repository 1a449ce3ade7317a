//! Moves files to their destinations.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::earlier::check_earlier;
use super::file::File;
use super::staging::Staging;
use super::whereabouts;
use crate::process::{Signals, lock, write_special};
use crate::stop::{Or, Stop};

/// The time between two attempts to lock a folder.
const PATIENCE: Duration = Duration::from_millis(10);

/// The number of attempts.
const ATTEMPTS: u32 = 1000;

/// Copies files into a folder, either all or none. Signals that arrive meanwhile take effect only when that is done.
pub fn install(signals: &Signals, folder: &Path, files: &[File]) -> Or<()> {
    let shown = folder.display();
    if !folder.is_dir() {
        fs::create_dir_all(folder).map_err(|error| {
            Stop::failed(format!("the folder '{shown}' cannot be created")).because(&error)
        })?;
    }
    let unwritable = |error| Stop::failed(format!("nothing can be written into '{shown}'")).because(&error);
    let staging = Staging::new(folder).map_err(unwritable)?;
    let unwritten =
        |error| Stop::failed(format!("the files could not be written into '{shown}'")).because(&error);
    prepare(&staging, files).map_err(unwritten)?;
    let lock = lock_folder(signals, folder)?;
    files.iter().try_for_each(|file| check_earlier(folder, file))?;
    keep_old(&staging, folder, files)?;
    signals.obey()?;
    let moved = move_all(&staging, folder, files);
    drop((staging, lock));
    signals.obey()?;
    moved.map_err(unwritten)
}

/// Locks the folder against other drivers: files that two drivers write at the same time are not mixed, and the later
/// driver finds the files of the earlier one. Continues without a lock if the file system has no locks, or if another
/// process holds the lock for long.
fn lock_folder(signals: &Signals, folder: &Path) -> Or<Option<fs::File>> {
    let Ok(file) = fs::File::open(folder) else { return Ok(None) };
    for _ in 0..ATTEMPTS {
        match lock(&file) {
            Ok(true) => return Ok(Some(file)),
            Ok(false) => signals.pause(PATIENCE)?,
            Err(_) => break,
        }
    }
    Ok(None)
}

fn new(staging: &Staging, file: &File) -> PathBuf {
    staging.at("new").join(&file.name)
}

fn old(staging: &Staging, file: &File) -> PathBuf {
    staging.at("old").join(&file.name)
}

fn prepare(staging: &Staging, files: &[File]) -> io::Result<()> {
    fs::create_dir(staging.at("new"))?;
    fs::create_dir(staging.at("old"))?;
    files.iter().try_for_each(|file| fs::copy(&file.path, new(staging, file)).map(|_| ()))
}

/// Keeps the files that will be replaced.
fn keep_old(staging: &Staging, folder: &Path, files: &[File]) -> Or<()> {
    for file in files {
        let target = folder.join(&file.name);
        let shown = target.display();
        if target.is_dir() {
            return Err(Stop::failed(format!("'{shown}' is in the way")));
        }
        if target.symlink_metadata().is_ok() {
            let copy = old(staging, file);
            let kept = fs::hard_link(&target, &copy).or_else(|_| fs::copy(&target, &copy).map(|_| ()));
            kept.map_err(|error| Stop::failed(format!("'{shown}' cannot be kept")).because(&error))?;
        }
    }
    Ok(())
}

/// Moves all files to the folder. If one cannot be moved, the others are restored.
fn move_all(staging: &Staging, folder: &Path, files: &[File]) -> io::Result<()> {
    for (done, file) in files.iter().enumerate() {
        if let Err(error) = fs::rename(new(staging, file), folder.join(&file.name)) {
            files[..done].iter().for_each(|file| put_back(staging, folder, file));
            return Err(error);
        }
    }
    Ok(())
}

/// Restores what a file replaced. A failure to do so is ignored.
fn put_back(staging: &Staging, folder: &Path, file: &File) {
    let (target, copy) = (folder.join(&file.name), old(staging, file));
    let _ = match copy.symlink_metadata() {
        Ok(_) => fs::rename(copy, target),
        Err(_) => fs::remove_file(target),
    };
}

/// Installs one file under another name. A target that is not a regular file is written to instead.
pub fn place(signals: &Signals, file: &Path, target: &Path, failure: &str) -> Or<()> {
    let failed = |error| Stop::failed(failure).because(&error);
    if target.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        let text = fs::read(file).map_err(failed)?;
        return write_special(signals, target, &text)?.map_err(failed);
    }
    let target = whereabouts::resolved(target);
    let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(Stop::failed(failure));
    };
    install(signals, folder, &[File::new(file.to_owned(), name)])
}
