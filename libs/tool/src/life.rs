//! Runs each kind of tool, from reading its document to writing its result.

use std::path::Path;
use std::process::ExitCode;

use scop::{Diagnostics, Outcome, Program, Stage, allowance};

use crate::guard::guarded;
use crate::output::OutputFile;
use crate::{Io, OutputFormat, Tool, apart, output};

/// Runs a tool that takes a document to the next stage.
pub fn transform<'a, A: Stage, B: Stage>(
    tool: impl Into<Tool<'a>>,
    io: &Io,
    run: impl FnMut(Program<A>) -> Result<Outcome<Program<B>>, Diagnostics> + Send,
) -> ExitCode {
    transform_as(tool, io, OutputFormat::default(), run)
}

/// Runs a tool that takes a document to the next stage and writes it in the given format.
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

/// Runs a tool on a document whose order is replaced by the order of an OpenScop text.
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

/// Runs a tool that makes a document from something else, and perhaps more files.
pub fn produce<'a, B: Stage>(
    tool: impl Into<Tool<'a>>,
    output: Option<&Path>,
    format: OutputFormat,
    run: impl FnOnce() -> Result<Outcome<(Program<B>, Vec<OutputFile>)>, Diagnostics> + Send,
) -> ExitCode {
    guarded(tool.into(), |session| {
        let (result, beside) = session.accept(run())?;
        output::write_all(&beside)?;
        session.write_program(output, format, &result)
    })
}

/// Runs a tool that makes files from a document. It writes all of them or none, and creates their folders.
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

/// Runs a tool that prints a text about a document: C code, a graph, a report, or nothing at all.
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
