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
mod explain;
mod guard;
mod input;
mod messages;
mod output;
mod owned;
mod render;
mod session;
mod wishes;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use scop::{Diagnostics, Outcome, Program, Stage, allowance};

pub use answers::scop_answers;
pub use apart::stays_c;
pub use check::check;
pub use command_line::{command_line, command_line_from, misused};
pub use explain::{HELP as EXPLAIN_HELP, explanation};
pub use messages::{MessageFormat, Messages};
pub use output::OutputFile;
pub use owned::scop_check;
pub use wishes::{MappingWishes, PlacementWishes, wishes_in};

use guard::guarded;

/// What the shell knows of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Tool<'a> {
    /// Its name, for messages.
    pub name: &'a str,
    /// Whether it verifies documents at all.
    pub verifies: bool,
    /// Whether all that it does is to check a document: what it gives up then has an exit code of its own.
    pub checks: bool,
    /// The form of its messages.
    pub messages: Messages,
}

impl Tool<'_> {
    /// The same tool, if it is told whether to verify documents.
    #[must_use]
    pub fn told(self, verification: Verification) -> Self {
        Self { verifies: self.verifies && !verification.no_verify, ..self }
    }

    /// The same tool with messages of another form.
    #[must_use]
    pub fn talking(self, messages: Messages) -> Self {
        Self { messages, ..self }
    }

    /// The same tool, as the command line wants it.
    #[must_use]
    fn by(self, io: &Io) -> Self {
        self.told(io.verification).talking(io.messages)
    }

    /// The same tool, if all that it does is to check a document.
    #[must_use]
    pub(crate) fn that_checks(self) -> Self {
        Self { checks: true, ..self }
    }
}

impl<'a> From<&'a str> for Tool<'a> {
    /// A tool that verifies documents.
    fn from(name: &'a str) -> Self {
        Self { name, verifies: true, checks: false, messages: Messages::default() }
    }
}

/// The document that a tool reads and the one that it writes.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct Io {
    /// The document to read; by default, or with `-`, standard input
    pub input: Option<PathBuf>,
    /// The file to write; by default, or with `-`, standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave out regions that cannot be translated, with a warning; they stay C
    #[arg(long)]
    pub keep_going: bool,
    /// Whether documents are verified.
    #[command(flatten)]
    pub verification: Verification,
    /// The form of messages.
    #[command(flatten)]
    pub messages: Messages,
}

/// Whether documents are verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct Verification {
    /// Trust documents: verify neither the one that is read nor the one that is written
    #[arg(long)]
    pub no_verify: bool,
}

/// How a document is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::Args)]
pub struct OutputFormat {
    /// Write OpenScop instead of JSON; every tool reads both
    #[arg(long)]
    pub openscop: bool,
}

/// The life of a tool that takes a document to the next stage.
pub fn transform<'a, A: Stage, B: Stage>(
    tool: impl Into<Tool<'a>>,
    io: &Io,
    run: impl FnMut(Program<A>) -> Result<Outcome<Program<B>>, Diagnostics> + Send,
) -> ExitCode {
    transform_as(tool, io, OutputFormat::default(), run)
}

/// The same for a tool that writes either format.
pub fn transform_as<'a, A: Stage, B: Stage>(
    tool: impl Into<Tool<'a>>,
    io: &Io,
    format: OutputFormat,
    mut run: impl FnMut(Program<A>) -> Result<Outcome<Program<B>>, Diagnostics> + Send,
) -> ExitCode {
    guarded(tool.into().by(io), |session| {
        let program = session.read::<A>(io.input.as_deref())?;
        let apart = io.keep_going && program.scops.len() > 1;
        let result = session.accept(if apart { apart::advance(program, run) } else { run(program) })?;
        session.write_program(io.output.as_deref(), format, &result)
    })
}

/// The life of a tool that takes a document whose order a text in OpenScop gives anew.
pub fn reorder<'a, S: Stage>(
    tool: impl Into<Tool<'a>>,
    io: &Io,
    format: OutputFormat,
    order: &Path,
    run: impl FnOnce(Program<S>) -> Result<Outcome<Program<S>>, Diagnostics> + Send,
) -> ExitCode {
    guarded(tool.into().by(io), |session| {
        let program = session.read::<S>(io.input.as_deref())?;
        let program = session.reorder(program, order)?;
        let result = session.accept(run(program))?;
        session.write_program(io.output.as_deref(), format, &result)
    })
}

/// The life of a tool that makes a document from something else, and perhaps a file beside it.
pub fn produce<'a, B: Stage>(
    tool: impl Into<Tool<'a>>,
    output: Option<&Path>,
    format: OutputFormat,
    run: impl FnOnce() -> Result<Outcome<(Program<B>, Option<OutputFile>)>, Diagnostics> + Send,
) -> ExitCode {
    guarded(tool.into(), |session| {
        let (result, beside) = session.accept(run())?;
        output::write_all(beside.as_slice())?;
        session.write_program(output, format, &result)
    })
}

/// The life of a tool that makes files from a document. It writes all of them or none, and makes their folders.
pub fn consume<'a, A: Stage>(
    tool: impl Into<Tool<'a>>,
    input: Option<&Path>,
    keep_going: bool,
    mut run: impl FnMut(Program<A>) -> Result<Outcome<Vec<OutputFile>>, Diagnostics> + Send,
) -> ExitCode {
    guarded(tool.into(), |session| {
        let mut program = session.read::<A>(input)?;
        if keep_going && program.scops.len() > 1 {
            program = session.accept(apart::fit(program, &mut run))?;
        }
        let files = session.accept(run(program))?;
        allowance::end();
        output::make_folders(&files)?;
        output::write_all(&files)
    })
}

/// The life of a tool that prints a text about a document: C code, a graph, a report, or nothing at all.
pub fn print<'a, A: Stage>(
    tool: impl Into<Tool<'a>>,
    io: &Io,
    run: impl FnOnce(Program<A>) -> Result<Outcome<String>, Diagnostics> + Send,
) -> ExitCode {
    guarded(tool.into().by(io), |session| {
        let program = session.read::<A>(io.input.as_deref())?;
        let text = session.accept(run(program))?;
        allowance::end();
        output::write(io.output.as_deref(), &text)
    })
}
