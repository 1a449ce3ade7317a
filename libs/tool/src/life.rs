//! The life of each kind of tool, from the document that it reads to what it writes.

use std::path::Path;
use std::process::ExitCode;

use scop::{Diagnostics, Outcome, Program, Stage, allowance};

use crate::guard::guarded;
use crate::output::OutputFile;
use crate::{Io, OutputFormat, Tool, apart, output};

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
