//! The shell of every executable: read, verify, run, verify, write.
//!
//! The tools themselves are functions from one document to the next and do no I/O. This crate has what they share:
//! where documents come from and go to, what messages look like, and what the exit codes mean.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | there is a result, perhaps with warnings |
//! | 1 | the user's input is wrong or not supported, or a file cannot be read or written; no result was written |
//! | 2 | the command line is wrong (clap reports it) |
//! | 3 | a bug in c2cuda: a tool panicked, or its result violates an invariant of the document; no result was written |
//! | 4 | only `candl-rs --check`: no fault was found, but the proof was given up; no result was written |
//!
//! With `--keep-going`, a region for which a tool fails with 1 is left out of the result, with a warning, unless the
//! tool fails for all regions ([`mod@apart`]).
//!
//! Documents go to the standard output or to a file, messages to the standard error. An output file appears complete
//! or not at all, and replaces an older one only when it is complete; it may be the file that was read. If a reader
//! closes the pipe early, the run succeeds without a message.
//!
//! The codes of the messages are `E0001` (cannot read), `E0002` (not text), `E0003` (not JSON), `E0004` (another kind
//! of document), `E0005` (version), `E0006` (a stage is missing), `E0007` (shape), `E0008` (invariant), `E0009`
//! (cannot write); for OpenScop `E0010` (syntax), `E0011` (not a program), `E0012` (too large), `E0013` (it
//! contradicts itself), `E0014` (not enough for code), `E0015` (cannot be written as OpenScop), `E0019` (an order for
//! another program), and `W0010` (unknown extension); `E0016` (too complicated); `E0020` (a stage changed a section
//! of another one); `W0164` (a region stays C).

mod answers;
mod apart;
mod check;
mod command_line;
mod document;
mod exit;
mod explain;
mod guard;
mod input;
mod kind;
mod life;
mod memory;
mod messages;
mod options;
mod output;
mod owned;
mod render;
mod session;
mod sizes;
mod wishes;

pub use answers::scop_answers;
pub use apart::stays_c;
pub use check::check;
pub use command_line::{command_line, command_line_from, misused};
pub use explain::{HELP as EXPLAIN_HELP, explanation};
pub use kind::Tool;
pub use life::{consume, print, produce, reorder, transform, transform_as};
pub use messages::{MessageFormat, Messages};
pub use options::{Io, OutputFormat, Verification};
pub use output::OutputFile;
pub use owned::scop_check;
pub use sizes::{Interval, Sizes, target};
pub use wishes::{MappingWishes, Permissions, PlacementWishes, wishes_in};
