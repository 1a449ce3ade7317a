//! Statements that catch exceptions.

use scop::{HostHandler, HostNode, HostTry, Position, SourceRange};

use super::Inside;
use crate::c::ctree::{Stmt, StmtKind, TypeKind};
use crate::host::doings::Doings;
use crate::host::part::Part;

impl<'a> Inside<'a> {
    /// `try`: all of the block may be executed, or a part of it and then a handler.
    pub(super) fn try_of(
        &self,
        stmt: &'a Stmt,
        (body, handlers): (&'a Stmt, &'a [Stmt]),
        position: Position,
    ) -> Part {
        let mut all = self.stmt(body, Position::Fixed).perhaps();
        all.is_rough = true;
        let body = std::mem::take(&mut all.nodes);
        let mut nodes = Vec::new();
        for handler in handlers {
            let (start, mut part) = self.handler(handler);
            let (start, position) = self.start_of(start);
            nodes.push(HostHandler { start, position, body: std::mem::take(&mut part.nodes) });
            all.add(part.perhaps());
        }
        // A place in a handler may depend on what the block changes.
        self.all.interest.settle(&mut all.doings);
        if !body.is_empty() || nodes.iter().any(|handler| !handler.body.is_empty()) {
            let range = self.whole(stmt.range);
            all.nodes = vec![HostNode::Try(Box::new(HostTry { range, position, body, handlers: nodes }))];
        }
        all
    }

    /// `catch`, with the text of its block. Objects of classes are copied and destroyed by code; what is caught by a
    /// reference may be of a class that the type does not show.
    fn handler(&self, stmt: &'a Stmt) -> (SourceRange, Part) {
        let parts = stmt.parts();
        let [declaration @ .., block] = &parts[..] else { return (stmt.range, Part::default()) };
        let mut all = Part::default();
        let mut is_plain = false;
        for part in declaration {
            let StmtKind::Declaration(ids) = &part.kind else { continue };
            is_plain = ids.iter().all(|id| {
                let ctype = &self.ground().tree.variable(*id).ctype;
                ctype.arithmetic().is_some() || matches!(ctype.kind, TypeKind::Pointer { .. })
            });
            let doings = self.ground().of_declaration(ids, part.range);
            all.add(self.code_of(doings, part.range, Position::Fixed));
        }
        all.add(self.stmt(block, Position::Fixed));
        if !is_plain {
            let end = self.all.source.range(block.range.end, block.range.end);
            let unknown = Some("destroys an exception, which may be an object of a class".to_owned().into());
            let doings = Doings { unknown, returns: true, ..Doings::default() };
            all.add(self.code_of(doings, end, Position::Fixed));
        }
        (block.range, all)
    }

    /// Returns the brace with which a block begins, and whether calls can be added after it.
    fn start_of(&self, block: SourceRange) -> (SourceRange, Position) {
        let source = self.all.source;
        let brace = source.range(block.start, (block.start + 1).min(block.end));
        let is_made =
            source.macro_uses.iter().any(|(start, end)| *start <= brace.start && brace.start < *end);
        let is_written = source.slice(brace) == "{" && !is_made;
        (brace, self.at(if is_written { Position::Statement } else { Position::Fixed }))
    }
}
