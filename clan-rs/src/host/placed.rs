//! Variables whose blocks host code shows.

use std::collections::BTreeSet;

use crate::c::ctree::{Class, Function, Stmt, StmtKind, Tree, TypeKind, Unsupported, VariableId};
use crate::host::opaque::{Opaque, declares_types};

/// The variables that the host code shows.
pub struct Placed {
    /// Those with the blocks that they end with, and with their names.
    named: BTreeSet<VariableId>,
    /// All of them.
    shown: BTreeSet<VariableId>,
}

impl Placed {
    /// True if it is known where a variable ends, as far as that matters: all others of C++ end in unknown code, and so
    /// do the objects of its classes, because of their destructors.
    pub fn is_known(&self, tree: &Tree, variable: VariableId) -> bool {
        let ends_in_unknown_code =
            || tree.variable(variable).class == Some(Class::Other) || !self.shown.contains(&variable);
        self.named.contains(&variable) || tree.is_cxx && ends_in_unknown_code()
    }
}

impl Placed {
    /// True if a variable is shown with its block, and no other one has its name in a part of it.
    pub fn is_named(&self, variable: VariableId) -> bool {
        self.named.contains(&variable)
    }
}

/// Returns the variables that the host code shows.
pub fn placed(tree: &Tree, opaque: &Opaque) -> Placed {
    let (mut found, mut shown) = (BTreeSet::new(), BTreeSet::new());
    let mut shadowed = BTreeSet::new();
    for function in tree.all_functions().filter(|function| !opaque.is_opaque(function)) {
        found.extend(&function.parameters);
        found.extend(declared_in_blocks(function));
        shown.extend(&function.parameters);
        function.body.walk(&mut |stmt| shown.extend(declared_in(stmt)));
        note_shadowed(tree, &function.body, &mut function.parameters.clone(), &mut shadowed);
    }
    let is_nameable = |id: &VariableId| {
        let variable = tree.variable(*id);
        let is_object = matches!(variable.ctype.kind, TypeKind::Other(_)) && variable.class.is_none();
        let is_shown = variable.class != Some(Class::Other)
            && !variable.reference
            && !(is_object && tree.has_own_address_of);
        is_shown && !variable.register && !tree.macros.contains(&variable.name) && !shadowed.contains(id)
    };
    Placed { named: found.into_iter().filter(is_nameable).collect(), shown }
}

/// Adds the variables whose names stand for others in a part of their scope. `visible` are those that the statement can
/// name, from the outermost block to the innermost.
fn note_shadowed(
    tree: &Tree,
    stmt: &Stmt,
    visible: &mut Vec<VariableId>,
    shadowed: &mut BTreeSet<VariableId>,
) {
    let outside = visible.len();
    if let StmtKind::Declaration(ids) = &stmt.kind {
        for id in ids {
            let has_its_name = |other: &&VariableId| tree.variable(**other).name == tree.variable(*id).name;
            shadowed.extend(visible.iter().filter(has_its_name));
            visible.push(*id);
        }
    }
    stmt.parts().into_iter().for_each(|part| note_shadowed(tree, part, visible, shadowed));
    let is_scope = matches!(
        stmt.kind,
        StmtKind::Compound(_) | StmtKind::For { .. } | StmtKind::Other { what: Unsupported::Catch, .. }
    );
    if is_scope {
        visible.truncate(outside);
    }
}

fn declared_in_blocks(function: &Function) -> Vec<VariableId> {
    let mut found = Vec::new();
    function.body.walk(&mut |stmt| {
        if let StmtKind::Compound(parts) = &stmt.kind {
            found.extend(parts.iter().filter(|part| part.range.is_within(stmt.range)).flat_map(declared_in));
        }
    });
    found
}

/// Returns the variables that a statement of a block declares for the rest of the block.
pub fn declared_in(stmt: &Stmt) -> Vec<VariableId> {
    match &stmt.kind {
        StmtKind::Declaration(ids) => ids.clone(),
        StmtKind::Other { what: Unsupported::Label(_) | Unsupported::Case, parts } => {
            parts.iter().flat_map(declared_in).collect()
        }
        _ if declares_types(stmt) => stmt.parts().into_iter().flat_map(declared_in).collect(),
        _ => Vec::new(),
    }
}
