//! Nodes of host code, and what they call.

use std::collections::{BTreeMap, BTreeSet};

use scop::{HostJump, HostNode, Jump, Position, Procedure, ProcedureId};

use crate::residency::work;

/// True if statements can be added before and after a text.
pub fn takes_statements(position: Position) -> bool {
    matches!(position, Position::Statement | Position::Alone)
}

/// True for a jump before which a call can be added that is right wherever the jump leads.
pub fn leaves_well(jump: &HostJump) -> bool {
    let is_known = jump.jump != Jump::Goto || jump.label.is_some();
    is_known && takes_statements(jump.position)
}

/// What jumps leave within a node, and what `case` belongs to.
#[derive(Clone, Copy, Default)]
struct Around {
    in_loop: bool,
    in_switch: bool,
}

/// Returns the jumps out of some nodes. A `goto` whose label is not known always counts as one.
pub fn jumps_out(nodes: &[HostNode]) -> Vec<&HostJump> {
    let mut found = Vec::new();
    let labels = labels(nodes);
    nodes.iter().for_each(|node| find_jumps(node, Around::default(), &labels, &mut found));
    found
}

fn find_jumps<'a>(
    node: &'a HostNode,
    around: Around,
    labels: &BTreeSet<&str>,
    found: &mut Vec<&'a HostJump>,
) {
    work::add(1);
    let inside = match node {
        HostNode::Jump(jump) => {
            let stays = match jump.jump {
                Jump::Return => false,
                Jump::Goto => jump.label.as_deref().is_some_and(|label| labels.contains(label)),
                Jump::Break => around.in_loop || around.in_switch,
                Jump::Continue => around.in_loop,
            };
            found.extend((!stays).then_some(jump));
            return;
        }
        HostNode::Loop(_) => Around { in_loop: true, ..around },
        HostNode::Branch(branch) if branch.switch => Around { in_switch: true, ..around },
        _ => around,
    };
    node.parts().into_iter().flatten().for_each(|part| find_jumps(part, inside, labels, found));
}

/// Returns the labels in some nodes.
fn labels(nodes: &[HostNode]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    HostNode::walk(nodes, &mut |node| {
        work::add(1);
        if let HostNode::Label { name: Some(name), .. } = node {
            found.insert(name.as_str());
        }
    });
    found
}

/// How many times each label is the target of a `goto`.
#[derive(Default)]
pub struct Gotos<'a> {
    of_labels: BTreeMap<&'a str, usize>,
    /// The number of those whose label is not known.
    unknown: usize,
}

impl<'a> Gotos<'a> {
    /// Counts them in some nodes.
    pub fn of(nodes: &'a [HostNode]) -> Self {
        let mut gotos = Self::default();
        HostNode::walk(nodes, &mut |node| match node {
            HostNode::Jump(HostJump { jump: Jump::Goto, label: Some(label), .. }) => {
                *gotos.of_labels.entry(label).or_default() += 1;
            }
            HostNode::Jump(HostJump { jump: Jump::Goto, label: None, .. }) => gotos.unknown += 1,
            _ => {}
        });
        gotos
    }

    /// True if control may enter a node of the same procedure at a label in it. A `case` in a `switch` of the node does
    /// not count.
    pub fn may_enter(&self, node: &HostNode) -> bool {
        let inside = Gotos::of(std::slice::from_ref(node));
        let labels = labels(std::slice::from_ref(node));
        let is_target = |label: &&str| self.of_labels.get(label) > inside.of_labels.get(label);
        !labels.is_empty() && self.unknown > 0 || labels.iter().any(is_target) || has_case(node)
    }
}

/// True if a node has a `case` of a `switch` around it.
fn has_case(node: &HostNode) -> bool {
    match node {
        HostNode::Label { name, .. } => name.is_none(),
        HostNode::Branch(branch) if branch.switch => false,
        _ => node.parts().into_iter().flatten().any(has_case),
    }
}

/// Returns the procedures that some nodes call directly.
pub fn called(nodes: &[HostNode]) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    HostNode::walk(nodes, &mut |node| {
        work::add(1);
        found.extend(node.codes().into_iter().flat_map(|code| code.calls.iter().copied()))
    });
    found
}

/// Adds procedures, and all that they call.
pub fn add_called(
    procedures: &[Procedure],
    called_here: BTreeSet<ProcedureId>,
    all: &mut BTreeSet<ProcedureId>,
) {
    for id in called_here {
        if all.insert(id)
            && let Some(procedure) = procedures.get(id.index())
        {
            add_called(procedures, called(&procedure.body), all);
        }
    }
}
