//! Messages about memory that is to be held on the device.

use std::collections::BTreeSet;

use scop::{Diagnostic, HostData, Placed, Program, SourceRange};

use crate::residency::classes::Class;
use crate::residency::code::{jumps_out, leaves_well};
use crate::residency::data::blocks;
use crate::residency::decided::Decided;

/// The code of messages about memory that cannot be held.
const HELD: &str = "E0405";
/// The code of warnings about memory that callers must not hold.
const NOT_HELD: &str = "W0405";

/// Returns errors about memory that is to be held on the device and cannot, and warnings about memory that callers must
/// not hold there.
pub fn messages<'p>(program: &'p Program<Placed>, decided: &Decided<'p>) -> Vec<Diagnostic> {
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
    for (data, is_entered) in blocks(&program.host) {
        let jumps = jumps_out(&data.body);
        if let Some(jump) = jumps.into_iter().find(|jump| !leaves_well(jump)) {
            let message = "a jump may leave the statement after `#pragma c2cuda data`".to_owned();
            let error = error(message, jump.range, "no call can be added here that ends what is held");
            said.push(
                error.with_help("leave the statement at its end, or with `return`, `break` or `continue`"),
            );
        }
        if is_entered {
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
fn useless<'p>(
    data: &'p HostData,
    program: &Program<Placed>,
    decided: &Decided<'p>,
) -> Vec<(String, SourceRange)> {
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
