//! The standard streams, and other files that the driver may have to wait for. Signals are obeyed meanwhile.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use super::signals::Signals;
use super::system::For;
use crate::stop::{Or, Stop};

/// The number of bytes that are written at once. A pipe that is ready for writing has room for them.
const AT_ONCE: usize = 4096;

/// The time between two attempts to open a pipe that nobody reads yet.
const PATIENCE: Duration = Duration::from_millis(50);

/// Writes to the standard output. It is not a failure if the reader has closed the pipe.
pub fn print(signals: &Signals, bytes: &[u8]) -> Or<()> {
    print_or(signals, bytes, UNWRITABLE)
}

/// The message if the standard output cannot be written.
pub const UNWRITABLE: &str = "the standard output could not be written";

/// Writes to the standard output as [`print()`] does, but fails with the given message.
pub fn print_or(signals: &Signals, bytes: &[u8], failure: &str) -> Or<()> {
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let stdout = stdout.map_err(|_| Stop::failed(failure))?;
    write(signals, &stdout, bytes)?.map_err(|_| Stop::failed(failure))
}

/// Writes to something that is not a regular file: a pipe or a device.
pub fn write_special(signals: &Signals, path: &Path, bytes: &[u8]) -> Or<io::Result<()>> {
    loop {
        let is_pipe = path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo());
        let flags = if is_pipe { libc::O_NONBLOCK } else { 0 };
        match OpenOptions::new().write(true).custom_flags(flags).open(path) {
            Ok(file) => return write(signals, &file, bytes),
            Err(error) if is_pipe && error.raw_os_error() == Some(libc::ENXIO) => signals.pause(PATIENCE)?,
            Err(error) => return Ok(Err(error)),
        }
    }
}

fn write(signals: &Signals, file: &File, bytes: &[u8]) -> Or<io::Result<()>> {
    let mut rest = bytes;
    while !rest.is_empty() {
        signals.await_file(file.as_raw_fd(), For::Writing)?;
        match (&*file).write(&rest[..rest.len().min(AT_ONCE)]) {
            Ok(0) => return Ok(Err(ErrorKind::WriteZero.into())),
            Ok(written) => rest = &rest[written..],
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(()))
}

/// Copies the standard input to a file.
pub fn copy_stdin(signals: &Signals, path: &Path) -> Or<()> {
    let failed = |error: io::Error| Stop::failed(format!("the standard input could not be read: {error}"));
    let mut stdin = io::stdin().as_fd().try_clone_to_owned().map(File::from).map_err(failed)?;
    let mut copy = File::create(path).map_err(failed)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        signals.await_file(stdin.as_raw_fd(), For::Reading)?;
        match stdin.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => copy.write_all(&buffer[..read]).map_err(failed)?,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return Err(failed(error)),
        }
    }
}
