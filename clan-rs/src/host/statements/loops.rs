//! Loops.

use scop::{HostCode, HostLoop, HostNode, Position, SourceRange};

use super::{Inside, is_idle};
use crate::c::ctree::{Expr, Stmt, StmtKind, Unsupported};
use crate::host::doings::Doings;
use crate::host::hoist::Counter;
use crate::host::part::Part;
use crate::host::unplaced::Uncounted;

impl<'a> Inside<'a> {
    pub(super) fn for_loop(
        &self,
        stmt: &'a Stmt,
        [condition, step]: [&'a Expr; 2],
        (init, body): (&'a Stmt, &'a Stmt),
        position: Position,
    ) -> Part {
        // Loops that count in their condition, or have no first part, stand in the text in another way.
        let is_reordered = step.range.start < condition.range.end;
        let has_start = init.range.end <= condition.range.start && !is_reordered;
        let start = match &init.kind {
            StmtKind::Expression(expr) if has_start => Some(self.expression(expr, false)),
            StmtKind::Declaration(ids) => {
                let range = self.without_semicolon(init.range);
                Some(self.code(self.ground().of_declaration(ids, range), range, Position::Fixed))
            }
            _ => None,
        };
        let counter = match is_reordered {
            true => Err(Some(Uncounted::Condition(condition.range))),
            false => Counter::of(self.ground().pointers, init, condition, step).map_err(Some),
        };
        let condition = self.expression(condition, is_reordered);
        let step = self.expression(step, is_reordered);
        let body = match &body.kind {
            StmtKind::Compound(parts) if is_reordered && parts.len() == 2 => {
                let mut all = self.stmt(&parts[0], Position::Fixed);
                all.add(self.stmt(&parts[1], self.alone(stmt.range, &parts[1])));
                all
            }
            _ => self.stmt(body, self.alone(stmt.range, body)),
        };
        self.loop_of((self.whole(stmt.range), position), start, Some(condition), Some(step), body, counter)
    }

    /// A loop over all elements of an array or a vector. Its text has none of the parts of its header.
    pub(super) fn range_loop(&self, stmt: &'a Stmt, parts: &'a [Stmt], position: Position) -> Part {
        let [init, condition, step, element, body] = parts else {
            return self.opaque(stmt, ("contains a loop of an unknown form", "let the loop count"), position);
        };
        let (StmtKind::Expression(condition), StmtKind::Expression(step)) = (&condition.kind, &step.kind)
        else {
            return self.opaque(stmt, ("contains a loop of an unknown form", "let the loop count"), position);
        };
        let counter = Counter::of(self.ground().pointers, init, condition, step).map_err(Some);
        let declared = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Declaration(ids) => self.ground().of_declaration(ids, stmt.range),
            _ => Doings::default(),
        };
        let start = self.code(declared(init), init.range, Position::Fixed);
        let condition = self.expression(condition, true);
        let step = self.expression(step, true);
        let mut all = self.code_of(declared(element), element.range, Position::Fixed);
        all.add(self.stmt(body, self.alone(stmt.range, body)));
        self.loop_of(
            (self.whole(stmt.range), position),
            Some(start),
            Some(condition),
            Some(step),
            all,
            counter,
        )
    }

    pub(super) fn loop_of(
        &self,
        (range, position): (SourceRange, Position),
        start: Option<(HostCode, Doings)>,
        condition: Option<(HostCode, Doings)>,
        step: Option<(HostCode, Doings)>,
        mut body: Part,
        counter: Result<Counter, Option<Uncounted>>,
    ) -> Part {
        let (start, before) = start.unzip();
        let (condition, tested) = condition.unzip();
        let text = condition.as_ref().map(|condition| condition.range);
        let (step, stepped) = step.unzip();
        let nodes = std::mem::take(&mut body.nodes);
        let (is_rough, regions) = (body.is_rough(), std::mem::take(&mut body.regions));
        // What stands before the loop does not hold in it if control enters it elsewhere.
        let is_entered = body.has_cases || body.has_labels && self.has_goto_outside(range);
        let position = if is_entered { Position::Fixed } else { position };
        let counter = if is_entered { Err(None) } else { counter };
        let mut parts = tested.unwrap_or_default();
        parts.add(body.doings);
        let stepped = stepped.unwrap_or_default();
        let plain = !is_rough && regions.is_empty() && !parts.ends && !stepped.ends;
        let counter = counter.as_ref().map_err(|why| *why);
        let accesses = self.all.interest.hoist(&parts, &stepped, &regions, counter, (plain, text));
        let mut all = before.unwrap_or_default();
        // A place in the loop may depend on what the first part of its header sets.
        let accesses = self.all.interest.unchanged_by(&all, accesses);
        let touches = self.all.interest.touches(&accesses, false);
        parts.add(stepped);
        parts.accesses = accesses;
        all.add(parts);
        self.all.interest.settle(&mut all);
        let idle = |code: &Option<HostCode>| code.as_ref().is_none_or(is_idle);
        let is_empty = nodes.is_empty() && idle(&start) && idle(&condition) && idle(&step);
        let shown = |code: Option<HostCode>| code.filter(|code| !is_idle(code));
        let node = HostLoop {
            range,
            position,
            start: shown(start),
            condition: shown(condition),
            step: shown(step),
            body: nodes,
            touches,
        };
        let nodes = if is_empty { Vec::new() } else { vec![HostNode::Loop(Box::new(node))] };
        let Part { has_labels, has_cases, .. } = body;
        Part { nodes, doings: all, regions, is_rough, has_labels, has_cases }
    }

    /// True if a `goto` outside of a range may jump to a label in it.
    pub(super) fn has_goto_outside(&self, range: SourceRange) -> bool {
        let mut found = false;
        self.function.body.walk(&mut |stmt| {
            let may_jump = match &stmt.kind {
                StmtKind::Other { what: Unsupported::Goto(_), .. } => true,
                StmtKind::Other { what: Unsupported::Assembly, .. } => self.is_jump(stmt),
                _ => false,
            };
            found |= may_jump && !stmt.range.is_within(range);
        });
        found
    }

    /// True for `asm goto`, or if a macro hides whether it is one.
    pub(super) fn is_jump(&self, assembly: &Stmt) -> bool {
        let text = self.all.source.slice(assembly.range);
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_written = text.starts_with("asm") || text.starts_with("__asm");
        !is_written || words.any(|word| ["goto", "__goto", "__goto__"].contains(&word))
    }
}
