//! Memory that the user holds on the device: `#pragma c2cuda data`, and `c2cuda_data_begin`.

use std::collections::BTreeSet;

use scop::{
    ActionOp, Diagnostic, HostAction, HostData, HostNode, Jump, Placed, Procedure, Program, SourceRange,
};

use crate::residency::calls::id;
use crate::residency::classes::{Class, Classes};
use crate::residency::code::{has_goto, is_entered, jumps_out, takes_statements};
use crate::residency::plan::Decided;
use crate::residency::runs::RunTable;

/// The code of messages about memory that cannot be held.
const HELD: &str = "E0405";
/// The code of warnings about memory that callers must not hold.
const NOT_HELD: &str = "W0405";

/// Returns the classes of which a block of `data` holds memory.
fn held(data: &HostData, classes: &Classes, runs: &RunTable) -> BTreeSet<Class> {
    let run = || runs.of(&data.body).into_keys().flat_map(|runner| classes.of_runner(runner)).collect();
    let named = data.held.iter().flat_map(|held| &held.memory).filter_map(|memory| classes.of(*memory));
    if data.held.is_empty() { run() } else { named.collect() }
}

/// Returns all blocks of `data`, each with whether its procedure has `goto`.
fn blocks(procedures: &[Procedure]) -> Vec<(&HostData, bool)> {
    let mut found = Vec::new();
    for procedure in procedures {
        let has_goto = has_goto(&procedure.body);
        HostNode::walk(&procedure.body, &mut |node| {
            if let HostNode::Data(data) = node {
                found.push((data, has_goto));
            }
        });
    }
    found
}

/// Marks the classes of which a block of `data` holds memory. All code announces what it touches of foreign memory.
pub fn announce(procedures: &[Procedure], classes: &mut Classes, runs: &RunTable) {
    for (data, _) in blocks(procedures) {
        held(data, classes, runs).into_iter().for_each(|class| classes.held[class] = true);
    }
    classes.foreign.iter_mut().zip(&classes.held).for_each(|(foreign, held)| *foreign |= held);
    classes.announced = classes.foreign.clone();
}

/// Returns the calls at the beginning and at the ends of a block of `data`.
pub fn calls(data: &HostData, classes: &Classes, runs: &RunTable) -> Vec<HostAction> {
    let action = |range, position, after, op| HostAction { range, position, after, op, because: None };
    let begin = |op| action(data.range, data.position, false, op);
    let mut all = vec![begin(ActionOp::BeginData)];
    if data.held.is_empty() {
        all.extend(
            held(data, classes, runs)
                .into_iter()
                .map(|class| begin(ActionOp::HoldClass { class: id(class) })),
        );
    }
    for one in &data.held {
        all.push(begin(ActionOp::Hold { place: one.place.clone(), forgotten: one.forgotten }));
    }
    for jump in jumps_out(&data.body).into_iter().filter(|jump| takes_statements(jump.position)) {
        all.push(action(jump.range, jump.position, false, ActionOp::EndData));
    }
    all.push(action(data.range, data.position, true, ActionOp::EndData));
    all
}

/// Returns errors about memory that is to be held on the device and cannot, and warnings about memory that callers must
/// not hold there.
pub fn messages(program: &Program<Placed>, decided: &Decided) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let error = |message: String, range: SourceRange, label: &str| {
        Diagnostic::error(HELD, message).at(&program.source.path, range, label)
    };
    for (class, obstacle) in &decided.unannounced {
        let reason = &obstacle.reason;
        let help = "write this code so that calls can be added, or call `c2cuda_data_reads` or `c2cuda_data_writes` before it \
                    and `c2cuda_data_end` where the memory need not be held any more";
        if decided.classes.held[*class] {
            let message = format!("this code {reason}, and the memory is held on the device");
            said.push(error(message, obstacle.range, "it could read an old value").with_help(help));
        } else {
            let message =
                format!("callers must not hold some memory on the device, because this code {reason}");
            let warning = Diagnostic::warning(NOT_HELD, message);
            said.push(
                warning
                    .at(&program.source.path, obstacle.range, "it could read an old value")
                    .with_help(help),
            );
        }
    }
    for (data, has_goto) in blocks(&program.host) {
        let jumps = jumps_out(&data.body);
        let leaves_badly =
            |jump: &&scop::HostJump| jump.jump == Jump::Goto || !takes_statements(jump.position);
        if let Some(jump) = jumps.into_iter().find(leaves_badly) {
            let message = "a jump may leave the statement after `#pragma c2cuda data`".to_owned();
            let error = error(message, jump.range, "no call can be added here that ends what is held");
            said.push(
                error.with_help("leave the statement at its end, or with `return`, `break` or `continue`"),
            );
        }
        if data.body.iter().any(|node| is_entered(node, has_goto)) {
            let message = "control may jump into the statement after `#pragma c2cuda data`".to_owned();
            let error = error(message, data.directive, "the memory would not be held then");
            said.push(error.with_help("move the label out of the statement"));
        }
        said.extend(useless(data, program, decided).into_iter().map(|(message, range)| {
            error(message, range, "nothing would be held").with_help(
                "`gpulocalizer --report` says what each region does with its arrays and why; remove what is not used",
            )
        }));
    }
    said
}

/// Returns the warning about a file whose regions do not look memory up that callers hold.
pub fn without_table() -> Diagnostic {
    let message = "callers must not hold on the device what regions of this file use, because nothing of it stays there";
    Diagnostic::warning(NOT_HELD, message).with_help(
        "see \"What keeps memory from staying\" in docs/placement.md; callers have to end what they hold before they call \
         functions of this file",
    )
}

/// Returns the clauses of a block, or the block itself, for which no region keeps anything on the device.
fn useless(data: &HostData, program: &Program<Placed>, decided: &Decided) -> Vec<(String, SourceRange)> {
    let run: BTreeSet<Class> = decided
        .runs
        .of(&data.body)
        .into_keys()
        .flat_map(|runner| decided.classes.of_runner(runner))
        .collect();
    let is_unknown = decided.runs.any_is_unknown(&data.body);
    if data.held.is_empty() && run.is_empty() {
        return vec![(
            "no region that runs in this statement keeps an array on the device".to_owned(),
            data.directive,
        )];
    }
    let is_useless = |held: &&scop::HeldMemory| {
        let mut classes = held.memory.iter().filter_map(|memory| decided.classes.of(*memory));
        !is_unknown && !classes.any(|class| run.contains(&class))
    };
    let described = |held: &scop::HeldMemory| {
        let names = held.memory.iter().filter_map(|id| program.memory.get(id.index()));
        let names: Vec<&str> = names.map(|object| object.name.as_str()).collect();
        let of = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        let message = format!(
            "no region that runs in this statement keeps the memory at `{}`{of} on the device",
            held.place.address
        );
        (message, held.range)
    };
    data.held.iter().filter(is_useless).map(described).collect()
}
