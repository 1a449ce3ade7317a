//! Blocks, with the objects that end with them.

use scop::{BlockObject, HostBlock, HostData, HostNode, Position, SourceRange};

use super::Inside;
use crate::c::ctree::{
    Class, ExprKind, Lifetime, Stmt, StmtKind, TypeKind, Unsupported, Variable, VariableId,
};
use crate::host::doings::Doings;
use crate::host::opaque::declares_types;
use crate::host::part::Part;
use crate::host::placed::declared_in;
use crate::host::positions;

impl<'a> Inside<'a> {
    /// The code that destroys the objects of a block at its end.
    pub(super) fn end_of_objects(&self, block: SourceRange, parts: &[Stmt]) -> Part {
        let tree = self.ground().tree;
        if !tree.is_cxx {
            return Part::default();
        }
        let is_destroyed = |id: &VariableId| {
            let variable = tree.variable(*id);
            // The tree has references as static variables.
            match variable.reference {
                true => extends_life(variable),
                false => variable.class == Some(Class::Other) && variable.lifetime == Lifetime::Automatic,
            }
        };
        let object = parts.iter().flat_map(declared_in).find(is_destroyed);
        // Such a declaration may be one of objects that the tree does not show.
        let hides_objects = |stmt: &Stmt| {
            let StmtKind::Other { what: what @ Unsupported::Other(_), .. } = &stmt.kind else { return false };
            // What a `try` declares ends with its own blocks.
            !what.is_try() && !declares_types(stmt)
        };
        let does = match object {
            Some(object) => format!("destroys `{}`, an object of a class", tree.variable(object).name),
            None if parts.iter().any(hides_objects) => "may destroy objects of classes".to_owned(),
            None => return Part::default(),
        };
        let unknown = Some((does, "declare the object before the loop that runs regions").into());
        let start = block.end.saturating_sub(1).max(block.start);
        let brace = self.all.source.range(start, block.end);
        self.code_of(Doings { unknown, returns: true, ..Doings::default() }, brace, Position::Fixed)
    }

    pub(super) fn block_object(&self, id: VariableId) -> Option<BlockObject> {
        let is_own = self.ground().tree.variable(id).lifetime != Lifetime::Static;
        is_own.then(|| self.all.interest.block_object(id)).flatten()
    }

    /// Adds what a directive before a statement holds.
    pub(super) fn with_data(&self, range: SourceRange, position: Position, part: Part) -> Part {
        let Some(data) = self.all.data.iter().find(|data| data.statement == range.start) else { return part };
        if position != Position::Statement {
            return part;
        }
        data.is_placed.set(true);
        let held = data.items.iter().map(|item| item.held(self.all.interest)).collect();
        let (directive, body) = (data.directive, part.nodes);
        let node = HostNode::Data(HostData { range, position, directive, held, body });
        Part { nodes: vec![node], ..part }
    }

    pub(super) fn block(&self, (range, position): (SourceRange, Position), parts: &'a [Stmt]) -> Part {
        let mut all = Part::default();
        let mut objects = Vec::new();
        let mut open = None;
        for (number, part) in parts.iter().enumerate() {
            let region = self.region_around(part);
            if region.is_some() && region == open {
                continue;
            }
            open = region;
            let before =
                number.checked_sub(1).and_then(|before| parts.get(before)).map(|stmt| self.whole(stmt.range));
            let next = match region {
                Some(region) => {
                    let text = self.all.regions[region].region.range;
                    let position = positions::in_block(self.all.source, range, text, (before, None));
                    self.region(region, position)
                }
                None => {
                    let after = parts.get(number + 1).map(|stmt| self.whole(stmt.range));
                    let position =
                        positions::in_block(self.all.source, range, self.whole(part.range), (before, after));
                    self.with_data(part.range, self.at(position), self.stmt(part, position))
                }
            };
            objects.extend(declared_in(part).into_iter().filter_map(|id| self.block_object(id)));
            let rough = all.is_rough();
            all.add(if rough { next.perhaps() } else { next });
        }
        all.add(self.end_of_objects(range, parts));
        // A place in one statement may depend on what others change.
        self.all.interest.settle(&mut all.doings);
        let nodes = std::mem::take(&mut all.nodes);
        if !nodes.is_empty() || !objects.is_empty() {
            all.nodes = vec![HostNode::Block(HostBlock { range, position, objects, body: nodes })];
        }
        all
    }
}

/// True for a reference to an object that has no name of its own and lives as long as the reference, if code may
/// destroy it.
fn extends_life(reference: &Variable) -> bool {
    let Some(initial) = &reference.initial else { return false };
    let mut bound = initial;
    loop {
        bound = match &bound.kind {
            ExprKind::Cast { operand, .. } | ExprKind::AddressOf(operand) => operand,
            ExprKind::Member { base, .. } | ExprKind::Subscript { base, .. } => {
                if matches!(base.ctype.kind, TypeKind::Pointer { .. }) {
                    return false;
                }
                base
            }
            ExprKind::Comma(_, last) => last,
            ExprKind::Variable(_) | ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Binary(..) => {
                return false;
            }
            ExprKind::Other { .. } => return true,
            _ => return reference.class == Some(Class::Other),
        };
    }
}
