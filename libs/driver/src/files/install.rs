//! Files take their places.

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

/// How often that is tried.
const ATTEMPTS: u32 = 1000;

/// Puts copies of files into a folder, either all or none, whatever signals arrive: they wait until it is done.
pub fn install(signals: &Signals, folder: &Path, files: &[File]) -> Or<()> {
    let shown = folder.display();
    if !folder.is_dir() {
        fs::create_dir_all(folder)
            .map_err(|error| Stop::failed(format!("the folder '{shown}' cannot be made")).because(&error))?;
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

/// Nobody else writes into the folder meanwhile: what two drivers write at the same time is not mixed, and the later
/// one sees what the earlier one wrote. Where there are no locks, or somebody else holds one for long, it has to do
/// without.
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

/// Keeps what the files will replace.
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

/// If one file cannot take its place, the others are as they were.
fn move_all(staging: &Staging, folder: &Path, files: &[File]) -> io::Result<()> {
    for (done, file) in files.iter().enumerate() {
        if let Err(error) = fs::rename(new(staging, file), folder.join(&file.name)) {
            files[..done].iter().for_each(|file| put_back(staging, folder, file));
            return Err(error);
        }
    }
    Ok(())
}

/// There is no help if this fails as well.
fn put_back(staging: &Staging, folder: &Path, file: &File) {
    let (target, copy) = (folder.join(&file.name), old(staging, file));
    let _ = match copy.symlink_metadata() {
        Ok(_) => fs::rename(copy, target),
        Err(_) => fs::remove_file(target),
    };
}

/// The same for one file, which gets another name; what is no regular file is written into.
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
