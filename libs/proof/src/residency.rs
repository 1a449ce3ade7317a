//! What stays on the device between regions: is each side's value the last one where it reads?
//!
//! *Requires* a document with a plan ([`scop::ResidencyPlan`]) whose form the verifier accepts (V20, V21). *Ensures*,
//! if there is no message: on each path through the host code, through calls and returns, host code and regions read
//! the last value of each element, and memory that ends has no copy on the device that counts.
//!
//! The table of a generated program knows for each byte of what the device holds which side has the newer value. From
//! its point of view, memory that host code touches is in one of three states:
//!
//! | state | the host may read | the host may write, free or give up |
//! |---|---|---|
//! | the host has the newer value, or the device has none | yes | yes |
//! | both agree | yes | no: the device would keep an old value |
//! | the device has the newer value | no | no |
//!
//! A region that writes a resident array leads to the third state, one that reads it to the second. The plan's calls
//! lead back: those for a class for all of its memory, those for a place for these bytes only. We compute for each
//! memory object whether some byte of it may be in the second state or a later one (`held`), and whether in the third
//! (`newer`).
//!
//! 1. `calls`: which call stands at which node. Calls that the text cannot have there, and calls that throw values away
//!    which are not overwritten, are refused;
//! 2. `build`: the control flow of each procedure, with loops that run any number of times;
//! 3. `flow`: intervals are balanced on each path. An exception leads from unknown code to all handlers around it, in
//!    this procedure and in its callers; what is open there is what was open before the `try`. Each procedure is called
//!    in up to four contexts: inside or outside of intervals, inside or outside of unknown code that runs in one. What a
//!    call leaves on the device, and what is there before it, are two fixed points. The program starts with unknown
//!    code, which calls what it can reach;
//! 4. `judge`: where host code touches an object that is in a wrong state, a call directly before must name the same
//!    place; or calls before a loop around it must name all that the loop touches of this object, and no region in the
//!    loop may bring the object to the device;
//! 5. `story`: the path that leads to a wrong access.
//!
//! Memory that other files or statements with `data` may hold on the device stays there whatever an interval does. It
//! is taken to be there at all times after such code may have run. That code which the document does not contain leaves
//! it alone meanwhile is a promise of the user, and not checked.
//!
//! Nothing of this is taken from gpulocalizer, which works the other way round: it looks for the calls that text needs,
//! without regard to what is on the device there.

mod build;
mod calls;
mod facts;
mod flow;
mod graph;
mod judge;
mod objects;
mod story;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use scop::{Diagnostic, Effect, HostAction, Program, ResidencyPlan, SourceRange, Stage};

use crate::residency::calls::{Calls, Fault};
use crate::residency::facts::Facts;
use crate::residency::flow::Flow;
use crate::residency::judge::{Breach, Use};
use crate::residency::objects::Part;

/// The number of messages after which no more are made.
const MOST: usize = 20;

/// Checks the plan of a program, if there is one.
pub fn check<S: Stage>(program: &Program<S>) -> Vec<Diagnostic> {
    let Some(plan) = &program.residency else { return Vec::new() };
    let path = &program.source.path;
    let facts = Facts::new(program, plan);
    let mut calls = Calls::new(&plan.actions);
    let on_host: Vec<bool> = program.scops.iter().map(|scop| scop.stage.stays_on_host()).collect();
    let throws = facts::throwing(&program.host);
    let (mut graphs, mut faults) = (Vec::new(), Vec::new());
    for procedure in &program.host {
        let (graph, found) =
            build::graph(procedure, &program.memory, &mut calls, &on_host, program.host.len(), &throws);
        graphs.push(graph);
        faults.extend(found);
    }
    faults.extend(calls.rest().map(Fault::Nowhere));
    let called = program.host.iter().filter(|one| one.called_from_elsewhere);
    graphs.push(build::unknown(called.map(|one| one.id.index()).collect()));
    let main = program.host.iter().position(|one| one.name == "main");
    graphs.push(build::program(main, program.host.len()));
    let depths: Vec<_> = graphs.iter().map(|graph| flow::depths(graph, &mut faults)).collect();
    faults.extend(flow::lost(&graphs, &depths));
    if !faults.is_empty() {
        faults.dedup();
        return faults.iter().take(MOST).map(|fault| describe_fault(path, *fault)).collect();
    }
    let flow = Flow::new(&facts, &graphs, &depths);
    let mut seen = BTreeSet::new();
    let breaches = (0..flow.contexts.len()).flat_map(|context| judge::judge(&flow, context));
    let mut new: Vec<Breach<'_>> = breaches.filter(|breach| seen.insert(place(breach))).collect();
    new.sort_by_key(place);
    new.iter().take(MOST).map(|breach| describe(path, &flow, plan, breach)).collect()
}

/// Returns what tells the messages of two breaches apart.
fn place(breach: &Breach<'_>) -> (u32, u32, u8, usize) {
    match breach.using {
        Use::Touch(touch) => (touch.range.start, touch.range.end, u8::from(touch.effect != Effect::Reads), 0),
        Use::Unknown(code) => (code.range.start, code.range.end, 2, 0),
        Use::Returned => (0, 0, 3, breach.object),
        Use::Ends => (0, 0, 4, breach.object),
        Use::Thrown => (0, 0, 5, breach.object),
    }
}

fn describe_fault(path: &str, fault: Fault<'_>) -> Diagnostic {
    let at = |action: &HostAction, message: &str| {
        let message = format!("the call `{}` {message}", action.op);
        Diagnostic::error("E0226", message).at(path, action.range, "planned here")
    };
    match fault {
        Fault::Nowhere(action) => at(action, "stands where the host code has no place for it"),
        Fault::Careless(action) => at(action, "throws away values on the device that may still be needed"),
        Fault::Unopened(action) => at(action, "ends what has not begun in this function"),
        Fault::Lost(range) => {
            let message =
                "an exception may leave an interval, and what catches it does not restore how many are open";
            Diagnostic::error("E0226", message).perhaps_at(path, range, "from here")
        }
        Fault::Unbalanced(range) => {
            let message = "paths on which different numbers of intervals are open come together";
            Diagnostic::error("E0226", message).perhaps_at(path, range, "after this")
        }
    }
}

fn describe(path: &str, flow: &Flow<'_, '_>, plan: &ResidencyPlan, breach: &Breach<'_>) -> Diagnostic {
    let facts = flow.facts;
    let object = facts.objects[breach.object];
    let class = plan.classes.iter().find(|class| class.memory.contains(&object.id));
    let class = class.map_or(String::new(), |class| format!(" ({})", class.id));
    // Allocated memory has a description with names in it.
    let name = if object.name.contains('`') { object.name.clone() } else { format!("`{}`", object.name) };
    let memory = match object.made_at {
        Some(place) => format!("{name} of line {}{class}", place.line),
        None => format!("{name}{class}"),
    };
    let has = match breach.part {
        Part::Newer => "the device may have the newer values",
        Part::Held | Part::Own => "the device may have a copy",
    };
    let context = &flow.contexts[breach.context];
    let procedure = facts.procedures.get(context.procedure);
    let point = &flow.graphs[context.procedure].points[breach.point];
    let name = procedure.map_or("", |procedure| procedure.name.as_str());
    let (message, range) = match breach.using {
        Use::Touch(touch) => {
            let verb = match touch.effect {
                Effect::Reads => "reads",
                Effect::Writes | Effect::Overwrites => "writes",
                Effect::Frees => "frees",
            };
            (format!("`{name}` {verb} {memory}, of which {has}"), Some(touch.range))
        }
        Use::Unknown(_) => {
            (format!("code that is not in this file may use {memory}, of which {has}"), point.range)
        }
        Use::Returned => {
            let message = format!("code that is not in this file may use {memory}, of which {has}");
            (message, None::<SourceRange>)
        }
        Use::Thrown => {
            (format!("an exception may be thrown while {has} of {memory}, which may end then"), point.range)
        }
        Use::Ends => (format!("{memory} ends with its block while {has} of it"), point.range),
    };
    let range = range.filter(|_| point.range.is_some());
    let (needed, label) = match breach.using {
        Use::Touch(touch) if touch.effect == Effect::Reads => ("copies them back", "this access"),
        Use::Touch(_) => ("announces that", "this access"),
        Use::Unknown(_) | Use::Returned => ("takes it off the device", "here"),
        Use::Ends | Use::Thrown => ("takes it off the device", "here"),
    };
    let diagnostic = Diagnostic::error("E0225", message).perhaps_at(path, range, label);
    match story::story(flow, breach) {
        Some(story) => diagnostic.with_help(format!("{story}; no call between {needed}")),
        None => diagnostic,
    }
}
