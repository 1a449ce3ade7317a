//! Runs a tool so that a panic is reported as a bug in c2cuda, not as an error of the user or a backtrace of Rust.

use std::panic::{self, PanicHookInfo};
use std::process::{self, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use scop::allowance::{self, Clock};
use scop::{Diagnostic, Diagnostics};

use crate::exit::at_once;
use crate::render::Renderer;
use crate::session::Session;
use crate::{MessageFormat, Tool};

/// The stack of the thread that runs a tool, in bytes. Expressions and loop programs are trees, and every tool
/// traverses them recursively; a sum of thousands of terms is a tree thousands of levels deep. Untouched stack memory
/// costs nothing.
const STACK: usize = 256 << 20;

/// The message of a panic, stored by the panic hook.
type Report = Arc<Mutex<Option<String>>>;

/// The longest time between two checks of the clock.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs `work` on a large stack, and ends the process. A panic in it becomes a bug of the tool. The process also ends
/// when it has used up its processor time.
pub fn guarded(
    tool: Tool<'_>,
    work: impl FnOnce(&mut Session) -> Result<(), Diagnostics> + Send,
) -> ExitCode {
    guarded_until(tool, work, |code| at_once(code))
}

/// Like [`guarded`]; `end` is called with the exit code while the memory of the run is still there.
fn guarded_until(
    tool: Tool<'_>,
    work: impl FnOnce(&mut Session) -> Result<(), Diagnostics> + Send,
    end: fn(u8) -> u8,
) -> ExitCode {
    let report = write_panics_down();
    let (name, given_up) = (tool.name.to_owned(), tool.given_up());
    let format = tool.messages.message_format;
    allowance::begin();
    // If the thread cannot be started, isl's own limits still apply.
    let _watch = thread::Builder::new().spawn(move || end_when_overdue(&name, format, given_up));
    let code = thread::scope(|scope| {
        let run = || {
            let mut session = Session::new(tool);
            let result = work(&mut session);
            let code = session.finish(result);
            allowance::end();
            end(code)
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(code)) => Ok(code),
            Ok(Err(_)) => Err(Diagnostics::from(Diagnostic::bug(tool.name, taken(&report)))),
            Err(error) => Err(Diagnostic::error("E0001", format!("cannot start a thread: {error}")).into()),
        }
    });
    allowance::end();
    code.unwrap_or_else(|diagnostics| Session::new(tool).finish(Err(diagnostics))).into()
}

/// Ends the process when its time is over: nothing else can interrupt a long operation. Results are never cut off,
/// because the clock is stopped before they are written.
fn end_when_overdue(tool: &str, format: MessageFormat, given_up: u8) {
    loop {
        match allowance::clock() {
            // Only one thread works, so at most this much processor time passes during the sleep.
            Clock::Left(left) => thread::sleep(left.clamp(Duration::from_millis(10), GLANCE)),
            Clock::Over(refusal) => {
                let refusal = refusal.map_or_else(|| too_complicated(tool), |refusal| *refusal);
                Renderer::for_stderr(tool, format).show(&[refusal]);
                process::exit(given_up.into());
            }
        }
    }
}

fn too_complicated(tool: &str) -> Diagnostic {
    Diagnostic::given_up("E0016", format!("this input is too complicated for {tool}"))
}

/// Installs a panic hook that prints nothing and stores the message.
fn write_panics_down() -> Report {
    let report = Report::default();
    let writer = Arc::clone(&report);
    panic::set_hook(Box::new(move |info| {
        *writer.lock().unwrap_or_else(PoisonError::into_inner) = Some(describe(info));
    }));
    report
}

fn describe(info: &PanicHookInfo) -> String {
    let message = info.payload_as_str().unwrap_or("it crashed");
    match info.location() {
        Some(location) => format!("{message} ({location})"),
        None => message.to_owned(),
    }
}

fn taken(report: &Report) -> String {
    let message = report.lock().unwrap_or_else(PoisonError::into_inner).take();
    message.unwrap_or_else(|| "it crashed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(work: impl FnOnce(&mut Session) -> Result<(), Diagnostics> + Send) -> String {
        format!("{:?}", guarded_until("test".into(), work, |code| code))
    }

    #[test]
    fn the_exit_code_says_who_is_wrong() {
        let name = |code: u8| format!("{:?}", ExitCode::from(code));
        assert_eq!(code(|_| Ok(())), name(0));
        assert_eq!(code(|_| Err(Diagnostic::error("E0001", "yours").into())), name(1));
        assert_eq!(code(|_| Err(Diagnostic::bug("test", "ours").into())), name(3));
        assert_eq!(code(|_| panic!("ours")), name(3));
    }
}
