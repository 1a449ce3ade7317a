//! Nodes of host code.

use scop::{HostJump, HostNode, Jump, Position};

/// True if statements can be added before and after a text.
pub fn takes_statements(position: Position) -> bool {
    matches!(position, Position::Statement | Position::Alone)
}

/// What `break` and `continue` leave, and what `case` belongs to, within a node.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    in_loop: bool,
    in_switch: bool,
}

/// Returns the jumps out of some nodes. `goto` always counts as one.
pub fn jumps_out(nodes: &[HostNode]) -> Vec<&HostJump> {
    let mut found = Vec::new();
    nodes.iter().for_each(|node| find_jumps(node, Around::default(), &mut found));
    found
}

fn find_jumps<'a>(node: &'a HostNode, around: Around, found: &mut Vec<&'a HostJump>) {
    let inside = match node {
        HostNode::Jump(jump) => {
            let stays = match jump.jump {
                Jump::Return | Jump::Goto => false,
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
    node.parts().into_iter().flatten().for_each(|part| find_jumps(part, inside, found));
}

/// True if control may enter a node at a label in it. A `case` in a `switch` of the node does not count, unless the
/// procedure has `goto`, for which labels cannot be told from cases.
pub fn is_entered(node: &HostNode, has_goto: bool) -> bool {
    match node {
        HostNode::Label { .. } => true,
        HostNode::Branch(branch) if branch.switch && !has_goto => false,
        _ => node.parts().into_iter().flatten().any(|part| is_entered(part, has_goto)),
    }
}

/// True if there is a `goto` in some nodes.
pub fn has_goto(nodes: &[HostNode]) -> bool {
    let mut found = false;
    HostNode::walk(nodes, &mut |node| {
        found |= matches!(node, HostNode::Jump(jump) if jump.jump == Jump::Goto)
    });
    found
}
