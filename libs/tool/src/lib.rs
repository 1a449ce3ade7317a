//! The shell of every executable: read, verify, run, verify, write.
//!
//! The tools themselves are functions from one document to the next and do no input or output. What surrounds them is
//! the same for all and stands here: where documents come from and go to, how messages look, and what the
//! exit code says.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | there is a result, perhaps with warnings |
//! | 1 | the user's input is wrong or not supported, or a file cannot be read or written; nothing was written |
//! | 2 | the command line is wrong (clap says so) |
//! | 3 | we are wrong: a tool broke down, or what it made violates an invariant of the document; nothing was written |
//! | 4 | `candl-rs --check` alone: nothing wrong was found, but the proof was given up; nothing was written |
//!
//! With `--keep-going` a region for which a tool fails with 1 is left out of its result, with a warning, as long as
//! others are not ([`mod@apart`]).
//!
//! Documents go to the standard output or a file, messages to the standard error. An output file appears complete or
//! not at all, and replaces an older one only when it is complete; it may be the file that was read. A reader that
//! closes the pipe early has what it wants: that is a success, and nothing is said.
//!
//! The codes of the messages are `E0001` (cannot read), `E0002` (no text), `E0003` (no JSON), `E0004` (not ours),
//! `E0005` (version), `E0006` (a stage is missing), `E0007` (shape), `E0008` (invariant), `E0009` (cannot write); for
//! OpenScop `E0010` (syntax), `E0011` (no program), `E0012` (too large), `E0013` (it contradicts itself), `E0014`
//! (too little is known), `E0015` (no words for it), `E0019` (it is of another program), and `W0010` (unknown
//! extension); `W0164` (a region stays C).

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
mod messages;
mod options;
mod output;
mod owned;
mod render;
mod session;
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
pub use wishes::{MappingWishes, PlacementWishes, wishes_in};
