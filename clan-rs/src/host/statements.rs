//! The statements of a function as a tree of host code.

mod blocks;
mod exceptions;
mod loops;
mod others;
mod regions;

use std::collections::BTreeSet;

use scop::{
    BinaryOp, BlockObject, HostBlock, HostBranch, HostCode, HostJump, HostNode, Jump, Position, Procedure,
    SourceRange,
};

use crate::c::ctree::{Expr, ExprKind, Function, Stmt, StmtKind, TypeKind, VariableId};
use crate::c::source::SourceText;
use crate::host::accesses::Ground;
use crate::host::doings::Doings;
use crate::host::held::HeldDuring;
use crate::host::opaque::Opaque;
use crate::host::part::Part;
use crate::host::positions::{self, Piece};
use crate::host::settle::Interest;
use crate::host::solver::Node;
use crate::host::ways_out::{HOLD, OUTSIDE};
use crate::regions::translated::Translated;

/// A function with its host code.
pub struct Followed {
    /// The host code.
    pub procedure: Procedure,
    /// What its host code does itself, in terms of what holds when it is called.
    pub doings: Doings,
    /// What its regions write.
    pub regions: Vec<Node>,
}

/// The functions of a file.
pub struct Functions<'a> {
    /// The text.
    pub source: &'a SourceText,
    /// What expressions do.
    pub ground: &'a Ground<'a>,
    /// What the tree does not show.
    pub opaque: &'a Opaque<'a>,
    /// The memory of interest.
    pub interest: &'a Interest<'a>,
    /// The regions of the file.
    pub regions: &'a [Translated<'a>],
    /// The variables of the arrays with memory in each region.
    pub resident: &'a [BTreeSet<VariableId>],
    /// The memory that the user holds on the device during statements.
    pub data: &'a [HeldDuring],
}

impl<'a> Functions<'a> {
    /// Returns the host code of a function with what it does itself, in terms of what holds when it is called, and
    /// what its regions write.
    pub fn procedure(&self, function: &'a Function) -> Option<Followed> {
        let id = *self.ground.procedures.get(function.name.as_str())?;
        let inside = Inside { all: self, function, in_region: false };
        let (body, doings, regions) = inside.body();
        let range = function.range.filter(|_| !function.shares_text);
        let procedure = Procedure {
            id,
            name: function.shown.clone(),
            range,
            lines: range.map(|range| self.source.lines_in(range)).unwrap_or_default(),
            called_from_elsewhere: self.opaque.is_called_from_elsewhere(function),
            internal: function.is_internal,
            body,
        };
        Some(Followed { procedure, doings, regions })
    }
}

/// The statements of one function.
struct Inside<'a> {
    all: &'a Functions<'a>,
    function: &'a Function,
    /// True for the statements of regions as they are in the source.
    in_region: bool,
}

impl<'a> Inside<'a> {
    fn body(&self) -> (Vec<HostNode>, Doings, Vec<Node>) {
        let Part { mut nodes, doings, regions, .. } = self.part();
        if let Some(range) = self.function.range {
            self.put_in_order(&mut nodes, range);
        }
        (nodes, doings, regions)
    }

    fn part(&self) -> Part {
        let body = &self.function.body;
        if let Some(reason) = self.all.opaque.reason(self.function) {
            return self.opaque(body, reason, Position::Fixed);
        }
        let mut all = self.entry();
        let mut part = self.stmt(body, Position::Fixed);
        let parameters: Vec<BlockObject> =
            self.function.parameters.iter().filter_map(|id| self.block_object(*id)).collect();
        if !parameters.is_empty() {
            match &mut part.nodes[..] {
                [HostNode::Block(block)] => block.objects.splice(0..0, parameters).for_each(drop),
                _ => {
                    let (range, position) = (body.range, Position::Fixed);
                    let block = HostBlock { range, position, objects: parameters, body: part.nodes };
                    part.nodes = vec![HostNode::Block(block)];
                }
            }
        }
        all.add(part);
        all
    }

    /// The lengths of parameters, which are evaluated first.
    fn entry(&self) -> Part {
        let range = self.function.range.unwrap_or(self.function.body.range);
        let range = SourceRange { end: self.function.body.range.start.max(range.start), ..range };
        let mut doings = self.all.ground.hidden_in(range);
        for &parameter in &self.function.parameters {
            for length in self.all.ground.tree.variable(parameter).lengths.iter().flatten() {
                doings.add(self.all.ground.of(length));
            }
        }
        self.code_of(doings, range, Position::Fixed)
    }

    /// Narrows the ranges of nodes from macros, whose texts overlap, so that all are one after the other.
    fn put_in_order(&self, nodes: &mut [HostNode], around: SourceRange) {
        let mut end = around.start;
        for node in nodes {
            let range = range_of(node);
            let start = range.start.clamp(end.min(around.end), around.end);
            let narrowed = (start, range.end.clamp(start, around.end));
            if narrowed != (range.start, range.end) {
                *range = self.all.source.range(narrowed.0, narrowed.1);
            }
            let inside = *range;
            end = inside.end;
            match node {
                HostNode::Branch(branch) => {
                    branch.arms.iter_mut().for_each(|arm| self.put_in_order(arm, inside));
                }
                HostNode::Loop(one) => self.put_in_order(&mut one.body, inside),
                HostNode::Block(block) => self.put_in_order(&mut block.body, inside),
                HostNode::Data(data) => self.put_in_order(&mut data.body, inside),
                HostNode::Try(one) => {
                    self.put_in_order(&mut one.body, inside);
                    one.handlers.iter_mut().for_each(|handler| self.put_in_order(&mut handler.body, inside));
                }
                _ => {}
            }
        }
    }

    /// Code of a function that cannot be changed has no positions.
    fn at(&self, position: Position) -> Position {
        let function = self.function;
        // The text of a template stands for many functions, and the compiler may execute what is `constexpr`.
        let is_own = function.range.is_some() && !function.shares_text && !function.is_constexpr;
        if is_own { position } else { Position::Fixed }
    }

    fn stmt(&self, stmt: &'a Stmt, position: Position) -> Part {
        let position = self.at(position);
        if let Some(region) = self.region_around(stmt) {
            return self.region(region, position);
        }
        let range = self.whole(stmt.range);
        match &stmt.kind {
            StmtKind::Empty => Part::default(),
            StmtKind::Compound(parts) => {
                let position = if position == Position::Statement { position } else { Position::Fixed };
                self.block((range, position), parts)
            }
            StmtKind::Expression(expr) => self.code_of(self.ground().of_discarded(expr), range, position),
            StmtKind::Declaration(ids) => {
                let range = self.without_semicolon(range);
                self.code_of(self.ground().of_declaration(ids, range), range, position)
            }
            StmtKind::Return(value) => self.jump(stmt, (Jump::Return, None), value.as_ref(), position),
            StmtKind::If { condition, then, otherwise: None } if let Some(both) = conjunction(condition) => {
                let then = self.stmt(then, self.alone(range, then));
                self.conjoined((range, position), both, then)
            }
            StmtKind::If { condition, then, otherwise } => {
                let arms = [Some(&**then), otherwise.as_deref()].into_iter().flatten();
                let arms = arms.map(|arm| self.stmt(arm, self.alone(range, arm))).collect();
                self.branch((range, position), condition, arms, false)
            }
            StmtKind::For { init, condition, step, body } => {
                self.for_loop(stmt, [condition, step], (init, body), position)
            }
            StmtKind::While { condition, body, .. } => {
                let condition = self.expression(condition, false);
                let body = self.stmt(body, self.alone(range, body));
                self.loop_of((range, position), None, Some(condition), None, body, Err(None))
            }
            StmtKind::Other { what, parts } => self.other(stmt, what, parts, position),
        }
    }

    /// `if (a && b) s` as `if (a) if (b) s`, so that calls for what `b` reads stand before `b`.
    fn conjoined(
        &self,
        (range, position): (SourceRange, Position),
        [first, second]: [&'a Expr; 2],
        then: Part,
    ) -> Part {
        let start = self.whole(second.range).start.clamp(range.start, range.end);
        let inner = (SourceRange { start, ..range }, Position::Fixed);
        let inner = match conjunction(second) {
            Some(both) => self.conjoined(inner, both, then),
            None => self.branch(inner, second, vec![then], false),
        };
        match conjunction(first) {
            Some(both) => self.conjoined((range, position), both, inner),
            None => self.branch((range, position), first, vec![inner], false),
        }
    }

    fn ground(&self) -> &'a Ground<'a> {
        self.all.ground
    }

    fn alone(&self, around: SourceRange, stmt: &Stmt) -> Position {
        let makes_only =
            |at| positions::makes_only(self.ground().tree, &self.function.body, Piece::Stmt(stmt), at);
        positions::alone(self.all.source, around, self.whole(stmt.range), &makes_only)
    }

    /// The text of code that begins or ends with an argument of a macro, with all of that macro.
    fn whole(&self, range: SourceRange) -> SourceRange {
        let (mut start, mut end) = (range.start, range.end);
        for &(first, last) in &self.all.source.macro_uses {
            if first < range.start && range.start < last {
                start = start.min(first);
            }
            if first < range.end && range.end < last {
                end = end.max(last);
            }
        }
        if (start, end) == (range.start, range.end) { range } else { self.all.source.range(start, end) }
    }

    fn without_semicolon(&self, range: SourceRange) -> SourceRange {
        let text = self.all.source.slice(range);
        let is_plain = text.is_ascii() && text.ends_with(';');
        let length = if is_plain { text.trim_end_matches([';', ' ', '\n', '\t']).len() } else { text.len() };
        if is_plain { SourceRange { end: range.start + length as u32, ..range } } else { range }
    }

    /// Code with what its text evaluates without being in the tree.
    fn code(&self, mut doings: Doings, range: SourceRange, position: Position) -> (HostCode, Doings) {
        doings.add(self.ground().hidden_in(range));
        self.all.interest.settle(&mut doings);
        let mut code = HostCode {
            range,
            position: self.at(position),
            touches: Vec::new(),
            calls: doings.calls.iter().copied().collect(),
            unknown: doings.unknown.as_ref().map(|unknown| unknown.does.clone()),
            way_out: self.way_out(&doings),
            ends: doings.unknown.is_some() && !doings.returns,
            elsewhere: self.all.interest.each(&doings.elsewhere),
        };
        code.touches = self.all.interest.touches(&doings.accesses, code.runs_others());
        (code, doings)
    }

    /// Returns what the user can do about unknown code that returns.
    fn way_out(&self, doings: &Doings) -> String {
        let Some(unknown) = doings.unknown.as_ref().filter(|_| doings.returns) else { return String::new() };
        let in_general = if self.ground().can_hold { HOLD } else { OUTSIDE };
        if unknown.way_out.is_empty() { in_general } else { unknown.way_out }.to_owned()
    }

    /// Code as a node, if it does anything of interest.
    fn code_of(&self, doings: Doings, range: SourceRange, position: Position) -> Part {
        let (code, doings) = self.code(doings, range, position);
        let nodes = if is_idle(&code) { Vec::new() } else { vec![HostNode::Code(code)] };
        Part { nodes, doings, ..Part::default() }
    }

    fn expression(&self, expr: &'a Expr, is_fixed: bool) -> (HostCode, Doings) {
        self.expression_that_does(self.ground().of(expr), expr, is_fixed)
    }

    fn expression_that_does(&self, doings: Doings, expr: &'a Expr, is_fixed: bool) -> (HostCode, Doings) {
        let makes_only =
            |at| positions::makes_only(self.ground().tree, &self.function.body, Piece::Expr(expr), at);
        let position = positions::of_expression(self.all.source, expr, self.whole(expr.range), &makes_only);
        let is_fixed = is_fixed || self.ground().tree.is_cxx && !self.is_plain_value(expr);
        let position = if is_fixed { Position::Fixed } else { position };
        self.code(doings, self.whole(expr.range), position)
    }

    /// True for a number or pointer of C++ whose text may be an operand: it is no list in braces, and its place does
    /// not decide the type of the function.
    fn is_plain_value(&self, expr: &Expr) -> bool {
        let is_scalar =
            expr.ctype.arithmetic().is_some() || matches!(expr.ctype.kind, TypeKind::Pointer { .. });
        is_scalar && !self.function.deduces_exactly && !self.all.source.slice(expr.range).starts_with('{')
    }

    fn jump(
        &self,
        stmt: &Stmt,
        (jump, label): (Jump, Option<String>),
        value: Option<&'a Expr>,
        position: Position,
    ) -> Part {
        let value_of = |value: &'a Expr| {
            let ground = self.ground();
            let is_bound = self.function.returns_reference;
            let doings = if is_bound { ground.of_bound(value) } else { ground.of(value) };
            self.expression_that_does(doings, value, false)
        };
        let (value, doings) = value.map(value_of).unzip();
        let range = self.whole(stmt.range);
        let node = HostNode::Jump(HostJump { range, position, jump, value, label });
        Part { is_rough: true, ..Part::of(node, doings.unwrap_or_default()) }
    }

    fn branch(
        &self,
        (range, position): (SourceRange, Position),
        condition: &'a Expr,
        arms: Vec<Part>,
        switch: bool,
    ) -> Part {
        let (condition, doings) = self.expression(condition, false);
        let mut all = Part { doings, ..Part::default() };
        let mut nodes = Vec::new();
        for arm in arms {
            let mut arm = arm.perhaps();
            nodes.push(std::mem::take(&mut arm.nodes));
            all.add(arm);
        }
        // A place in one arm may depend on what the condition changes.
        self.all.interest.settle(&mut all.doings);
        all.has_cases &= !switch;
        if !is_idle(&condition) || nodes.iter().any(|arm| !arm.is_empty()) {
            let branch = HostBranch { range, position, condition, arms: nodes, switch };
            all.nodes = vec![HostNode::Branch(Box::new(branch))];
        }
        all
    }
}

/// Returns the operands of `a && b`.
fn conjunction(condition: &Expr) -> Option<[&Expr; 2]> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, first, second) => Some([first, second]),
        _ => None,
    }
}

fn range_of(node: &mut HostNode) -> &mut SourceRange {
    match node {
        HostNode::Code(code) => &mut code.range,
        HostNode::Branch(branch) => &mut branch.range,
        HostNode::Loop(one) => &mut one.range,
        HostNode::Block(block) => &mut block.range,
        HostNode::Data(data) => &mut data.range,
        HostNode::Try(one) => &mut one.range,
        HostNode::Region(region) => &mut region.range,
        HostNode::Jump(jump) => &mut jump.range,
        HostNode::Label { range, .. } => range,
    }
}

/// True for code that does nothing of interest.
fn is_idle(code: &HostCode) -> bool {
    code.touches.is_empty() && code.calls.is_empty() && code.unknown.is_none() && code.elsewhere.is_empty()
}
