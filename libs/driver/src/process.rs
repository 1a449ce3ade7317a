//! Processes, signals, and the streams of the driver.
//!
//! The signals that end the driver are blocked from the start: they never interrupt it, and none is lost. Wherever
//! the driver waits (for a child, for a pipe) it also waits for these signals, and whatever it does in between
//! (renames, the removal of temporary files) is done as a whole. A signal ends the run as any failure does: by a
//! [`crate::stop::Stop`] that is returned to the caller. On the way up, children are ended and temporary files are
//! removed.

mod group;
mod processes;
mod progress;
mod signals;
mod status;
mod streams;
mod system;

pub use group::Group;
pub use processes::{Kind, Processes, ROOT, Whose};
pub use signals::Signals;
pub use status::{GAVE_UP, Status};
pub use streams::{UNWRITABLE, copy_stdin, print, print_or, write_special};
pub use system::{inheritable, is_executable, is_writable, lock};
