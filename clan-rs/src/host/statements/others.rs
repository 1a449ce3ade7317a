//! Statements that C writes in other ways, and those of which nothing is known but what they mention.

use scop::{HostNode, Jump, Position, SourceRange};

use super::Inside;
use crate::c::ctree::{ExprKind, Stmt, StmtKind, Understood, Unnamed, Unsupported};
use crate::host::doings::Doings;
use crate::host::opaque::{declares_types, is_opaque_statement};
use crate::host::part::Part;
use crate::host::ways_out::of_statement;

impl<'a> Inside<'a> {
    /// A statement of which nothing is known but what it mentions, all of which is exposed.
    pub(super) fn opaque(
        &self,
        stmt: &'a Stmt,
        (reason, way_out): (&str, &'static str),
        position: Position,
    ) -> Part {
        let mut doings = Doings::default();
        doings.add_unknown(|| (reason.to_owned(), way_out));
        stmt.walk(&mut |inner| {
            if let StmtKind::Declaration(ids) = &inner.kind {
                doings.declared.extend(ids);
            }
        });
        stmt.walk_expressions(self.ground().tree, &mut |expr| {
            let name = match &expr.kind {
                ExprKind::Call { callee: Some(callee), .. } => &callee.name,
                ExprKind::Other {
                    what: Unnamed::Understood(Understood::Member(name, _) | Understood::Operator(name), _),
                    ..
                } => name,
                _ => return,
            };
            doings.calls.extend(self.ground().procedures.get(name.as_str()));
        });
        let within = |k: &usize| self.all.regions[*k].region.range.is_within(stmt.range) && self.is_own(*k);
        let regions: Vec<usize> = (0..self.all.regions.len()).filter(within).collect();
        // Where nothing can be added, a loop without a body says that its calls may be repeated.
        let may_repeat = position == Position::Fixed && !doings.calls.is_empty();
        if regions.is_empty() && !may_repeat {
            return Part { is_rough: true, ..self.code_of(doings, self.whole(stmt.range), position) };
        }
        let code = self.code(doings, stmt.range, Position::Fixed);
        let mut body = Part { is_rough: true, ..Part::default() };
        regions.into_iter().for_each(|region| body.add(self.region(region, Position::Fixed)));
        self.loop_of((stmt.range, Position::Fixed), None, Some(code), None, body, Err(None))
    }

    pub(super) fn other(
        &self,
        stmt: &'a Stmt,
        what: &'a Unsupported,
        parts: &'a [Stmt],
        position: Position,
    ) -> Part {
        match (what, parts) {
            (Unsupported::Break, _) => self.jump(stmt, (Jump::Break, None), None, position),
            (Unsupported::Continue, _) => self.jump(stmt, (Jump::Continue, None), None, position),
            (Unsupported::Goto(label), _) => {
                let targets = parts.iter().filter(|part| matches!(part.kind, StmtKind::Expression(_)));
                let mut all = Part::default();
                targets.for_each(|target| all.add(self.stmt(target, Position::Fixed)));
                let label = label.clone().filter(|label| self.has_one_label(label));
                all.add(self.jump(stmt, (Jump::Goto, label), None, position));
                all
            }
            (Unsupported::Switch, [Stmt { kind: StmtKind::Expression(condition), .. }, body]) => {
                let arm = self.stmt(body, self.alone(stmt.range, body));
                self.branch((self.whole(stmt.range), position), condition, vec![arm], true)
            }
            (Unsupported::Assembly, _) if self.is_jump(stmt) => {
                let mut all = self.opaque(stmt, (&format!("contains {}", what.words()), ""), Position::Fixed);
                all.add(self.jump(stmt, (Jump::Goto, None), None, Position::Fixed));
                all
            }
            (Unsupported::Label(_) | Unsupported::Case, [.., inner]) => {
                let end = inner.range.start.clamp(stmt.range.start, stmt.range.end);
                let name = if let Unsupported::Label(name) = what { Some(name.clone()) } else { None };
                let label = HostNode::Label { range: SourceRange { end, ..stmt.range }, name };
                let mut all = Part { is_rough: true, ..Part::of(label, Doings::default()) };
                all.has_labels = *what != Unsupported::Case;
                all.has_cases = *what == Unsupported::Case;
                all.add(self.stmt(inner, self.alone(stmt.range, inner)));
                all
            }
            (Unsupported::Try, [body, handlers @ ..]) => self.try_of(stmt, (body, handlers), position),
            (Unsupported::Range, _) => self.range_loop(stmt, parts, position),
            (Unsupported::Loop(_), [header @ .., body]) if !is_opaque_statement(stmt) => {
                let mut all = Doings::default();
                for part in header {
                    all.add(self.stmt(part, Position::Fixed).doings);
                }
                let range = header.first().map_or(stmt.range, |first| first.range);
                let condition = self.code(all, range, Position::Fixed);
                let body = self.stmt(body, self.alone(stmt.range, body));
                self.loop_of((self.whole(stmt.range), position), None, Some(condition), None, body, Err(None))
            }
            (Unsupported::Other(_), _) if declares_types(stmt) => {
                let range = self.without_semicolon(self.whole(stmt.range));
                self.code_of(self.of_types(stmt), range, position)
            }
            _ => self.opaque(stmt, (&format!("contains {}", what.words()), of_statement(what)), position),
        }
    }

    /// True if the function has one label of this name; blocks of GNU C may have labels of their own.
    fn has_one_label(&self, name: &str) -> bool {
        let mut count = 0;
        self.function.body.walk(&mut |stmt| {
            let is_it =
                matches!(&stmt.kind, StmtKind::Other { what: Unsupported::Label(own), .. } if own == name);
            count += usize::from(is_it);
        });
        count == 1
    }

    /// What a declaration of types evaluates.
    pub(super) fn of_types(&self, stmt: &'a Stmt) -> Doings {
        match &stmt.kind {
            StmtKind::Expression(expr) => self.ground().of(expr),
            StmtKind::Declaration(ids) => self.ground().of_declaration(ids, stmt.range),
            _ => {
                let mut all = Doings::default();
                stmt.parts().into_iter().for_each(|part| all.add(self.of_types(part)));
                all
            }
        }
    }
}
