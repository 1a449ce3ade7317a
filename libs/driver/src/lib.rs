//! The driver of c2cuda: runs the chain of tools on source files, and builds and runs the generated programs.
//!
//! The command is `scripts/c2cuda`; it builds what is missing and starts this program. A run consists of these steps:
//!
//! 1. [`mod@command_line`]: reads the words of the command line as options;
//! 2. [`mod@plan`]: turns the options into a checked plan, which is plain data;
//! 3. [`mod@translate`]: runs the stages, each a process that reads one document and writes the next;
//! 4. [`mod@deliver`]: moves the results to their destinations, all of them or none;
//! 5. [`mod@program`]: with `--run`, builds the generated program, which then replaces the driver's process.
//!
//! All files are in a temporary folder until everything has succeeded. A failure or a signal ends a run early: it is
//! returned as a [`stop::Stop`], and on the way up child processes are ended and temporary files are removed.
//!
//! The driver uses the tools only as processes; it depends on no other library of this repository.

pub mod command_line;
pub mod deliver;
pub mod files;
pub mod job;
pub mod part;
pub mod plan;
pub mod process;
pub mod program;
pub mod stages;
pub mod stop;
pub mod talk;
pub mod tools;
pub mod translate;
pub mod words;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use command_line::Request;
use job::{Job, Translated};
use part::Part;
use plan::{Goal, Plan, Run};
use process::{Kind, Processes, ROOT, Signals, Whose, print};
use stages::Stage;
use stop::{Or, Stop};
use tools::{SCOP_ANSWERS, SCOP_CHECK, Tools};
use translate::translate;
use work::Work;

/// Executes a command line, without the name of the program, and returns the exit status.
pub fn run(arguments: Vec<OsString>) -> u8 {
    let talk = command_line::talk(&arguments);
    let outcome = Signals::block().and_then(|signals| {
        let mut processes = Processes::new(signals, talk);
        answer(arguments, &mut processes)
    });
    match outcome {
        Ok(()) => 0,
        Err(stop) => {
            talk.say_why(&stop);
            stop.status
        }
    }
}

fn answer(arguments: Vec<OsString>, processes: &mut Processes) -> Or<()> {
    let root = std::env::var_os(ROOT).filter(|root| !root.is_empty()).map(PathBuf::from);
    let tools = Tools::find(root.map_or_else(tools::own_root, Ok)?)?;
    if let Some(tool) = named_tool(&arguments) {
        return Err(become_tool(processes, &tools, tool, &arguments[1..]));
    }
    match command_line::read(arguments)? {
        Request::Text(text) => print(&processes.signals, &text.text()),
        Request::Explanation(code) => explain(processes, &tools, code),
        Request::Work(line) => {
            let plan = plan::plan(*line)?;
            processes.talk = plan.talk;
            carry_out(&plan, &tools, processes)
        }
    }
}

/// Returns the tool of `c2cuda scheduler ...`: the first word is the name of a tool, and no file has this name.
fn named_tool(arguments: &[OsString]) -> Option<&str> {
    let name = arguments.first()?.to_str()?;
    let is_tool = Stage::named(name).is_some() || [SCOP_CHECK, SCOP_ANSWERS].contains(&name);
    Some(name).filter(|name| is_tool && !std::path::Path::new(name).is_file())
}

fn become_tool(processes: &mut Processes, tools: &Tools, tool: &str, arguments: &[OsString]) -> Stop {
    tools.introduce(processes);
    match tools.require(&[tool]) {
        Err(stop) => stop,
        Ok(()) => {
            let words = [tools.path(tool).into_os_string()].into_iter().chain(arguments.iter().cloned());
            processes.become_command(processes.command(words))
        }
    }
}

/// Explains a message with clan-rs: every tool has the explanations of all codes.
fn explain(processes: &mut Processes, tools: &Tools, code: OsString) -> Or<()> {
    let tool = Stage::Clan.name();
    tools.require(&[tool])?;
    tools.introduce(processes);
    let command = processes.command([tools.path(tool).into_os_string(), "--explain".into(), code]);
    match processes.run(command, Kind { whose: Whose::Tool, what: None })?.0 {
        0 => Ok(()),
        status => Err(Stop::silent(u8::try_from(status).unwrap_or(1))),
    }
}

fn carry_out(plan: &Plan, tools: &Tools, processes: &mut Processes) -> Or<()> {
    let work = Work::new()?;
    tools.require_for(plan)?;
    tools.introduce(processes);
    let Goal::Run(run) = &plan.goal else {
        let job = Job { plan, tools, processes, work: work.path() };
        return deliver::deliver(job, &translate(job)?);
    };
    run_program(plan, run, tools, processes, &work)
}

/// Builds the program and replaces this process by it.
fn run_program(plan: &Plan, run: &Run, tools: &Tools, processes: &mut Processes, work: &Work) -> Or<()> {
    let place = program::choose(Job { plan, tools, processes, work: work.path() }, run)?;
    program::introduce(processes, tools, plan, run, &place);
    let job = Job { plan, tools, processes, work: work.path() };
    let all = translate(job)?;
    deliver::deliver(job, &all)?;
    let programs = all.iter().map(Translated::generated).collect::<Or<Vec<_>>>()?;
    let parts: Vec<Part<'_>> = all
        .iter()
        .zip(&programs)
        .map(|(translated, files)| Part::new(job, translated, files))
        .collect::<Or<_>>()?;
    let program = program::build(job, run, &place, &parts)?;
    Err(program::run(job, run, &program, &parts))
}
