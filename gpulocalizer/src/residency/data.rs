//! Memory that the user holds on the device: `#pragma c2cuda data`, and `c2cuda_data_begin`.

use std::collections::BTreeSet;

use scop::{ActionOp, HostAction, HostData, HostNode, Procedure};

use crate::residency::classes::{Class, Classes, id};
use crate::residency::code::{Gotos, jumps_out, leaves_well};
use crate::residency::runs::RunTable;

/// Returns the classes of which a block of `data` holds memory.
fn held<'p>(data: &'p HostData, classes: &Classes, runs: &RunTable<'p>) -> BTreeSet<Class> {
    let run = || runs.of(&data.body).into_keys().flat_map(|runner| classes.of_runner(runner)).collect();
    let named = data.held.iter().flat_map(|held| &held.memory).filter_map(|memory| classes.of(*memory));
    if data.held.is_empty() { run() } else { named.collect() }
}

/// Returns all blocks of `data`, each with whether control may jump into it.
pub fn blocks(procedures: &[Procedure]) -> Vec<(&HostData, bool)> {
    let mut found = Vec::new();
    for procedure in procedures {
        let gotos = Gotos::of(&procedure.body);
        HostNode::walk(&procedure.body, &mut |node| {
            if let HostNode::Data(data) = node {
                found.push((data, data.body.iter().any(|node| gotos.may_enter(node))));
            }
        });
    }
    found
}

/// Marks the classes of which a block of `data` holds memory. All code announces what it touches of foreign memory.
pub fn announce<'p>(procedures: &'p [Procedure], classes: &mut Classes, runs: &RunTable<'p>) {
    for (data, _) in blocks(procedures) {
        held(data, classes, runs).into_iter().for_each(|class| classes.held[class] = true);
    }
    classes.foreign.iter_mut().zip(&classes.held).for_each(|(foreign, held)| *foreign |= held);
    classes.announced = classes.foreign.clone();
}

/// Returns the calls at the beginning and at the ends of a block of `data`.
pub fn calls<'p>(data: &'p HostData, classes: &Classes, runs: &RunTable<'p>) -> Vec<HostAction> {
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
    for jump in jumps_out(&data.body).into_iter().filter(|jump| leaves_well(jump)) {
        all.push(action(jump.range, jump.position, false, ActionOp::EndData));
    }
    all.push(action(data.range, data.position, true, ActionOp::EndData));
    all
}
