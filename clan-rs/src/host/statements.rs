//! The statements of a function as a tree of host code.

use std::collections::BTreeSet;

use scop::{
    BlockObject, HostBlock, HostBranch, HostCode, HostData, HostJump, HostLoop, HostNode, HostRegion, Jump,
    Position, Procedure, SourceRange,
};

use crate::c::ctree::{
    Class, Expr, ExprKind, Function, Lifetime, Stmt, StmtKind, TypeKind, Understood, Unnamed, Unsupported,
    Variable, VariableId,
};
use crate::c::source::SourceText;
use crate::host::accesses::{Access, Doings, Ground};
use crate::host::held::HeldDuring;
use crate::host::hoist::{Counter, anywhere};
use crate::host::opaque::{Opaque, declares_types, is_opaque_statement};
use crate::host::placed::declared_in;
use crate::host::positions;
use crate::host::settle::Interest;
use crate::host::solver::Node;
use crate::regions::translated::Translated;

/// A part of a function.
#[derive(Default)]
struct Part {
    nodes: Vec<HostNode>,
    /// What its host code does; places are in terms of what holds before the part, as far as they are known.
    doings: Doings,
    /// What its regions write.
    regions: Vec<Node>,
    /// True if it contains jumps, labels, or regions.
    is_rough: bool,
    /// True if it contains labels to which `goto` may jump.
    has_labels: bool,
    /// True if it contains a `case` of a `switch` around it.
    has_cases: bool,
}

impl Part {
    fn add(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.doings.add(other.doings);
        self.regions.extend(other.regions);
        self.is_rough |= other.is_rough;
        self.has_labels |= other.has_labels;
        self.has_cases |= other.has_cases;
    }

    fn of(node: HostNode, doings: Doings) -> Self {
        Self { nodes: vec![node], doings, ..Self::default() }
    }

    /// What it does may not happen.
    fn perhaps(mut self) -> Self {
        self.doings.accesses.iter_mut().for_each(|access| access.certain = false);
        self
    }
}

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
        let inside = Inside { all: self, function };
        let (body, doings, regions) = inside.body();
        let range = function.range.filter(|_| !function.shares_text);
        let procedure = Procedure {
            id,
            name: function.shown.clone(),
            range,
            lines: range.map(|range| self.source.lines_in(range)).unwrap_or_default(),
            called_from_elsewhere: self.opaque.is_called_from_elsewhere(function),
            body,
        };
        Some(Followed { procedure, doings, regions })
    }
}

/// The statements of one function.
struct Inside<'a> {
    all: &'a Functions<'a>,
    function: &'a Function,
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
        if let Some((reason, _)) = self.all.opaque.reason(self.function) {
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
        match &stmt.kind {
            StmtKind::Empty => Part::default(),
            StmtKind::Compound(parts) => {
                let position = if position == Position::Statement { position } else { Position::Fixed };
                self.block((stmt.range, position), parts)
            }
            StmtKind::Expression(expr) => self.code_of(self.ground().of(expr), stmt.range, position),
            StmtKind::Declaration(ids) => {
                let range = self.without_semicolon(stmt.range);
                self.code_of(self.ground().of_declaration(ids, range), range, position)
            }
            StmtKind::Return(value) => self.jump(stmt, Jump::Return, value.as_ref(), position),
            StmtKind::If { condition, then, otherwise } => {
                let arms = [Some(&**then), otherwise.as_deref()].into_iter().flatten();
                let arms = arms.map(|arm| self.stmt(arm, self.alone(stmt.range, arm))).collect();
                self.branch((stmt.range, position), condition, arms, false)
            }
            StmtKind::For { init, condition, step, body } => {
                self.for_loop(stmt, [condition, step], (init, body), position)
            }
            StmtKind::While { condition, body, .. } => {
                let condition = self.expression(condition, false);
                let body = self.stmt(body, self.alone(stmt.range, body));
                self.loop_of((stmt.range, position), None, Some(condition), None, body, None)
            }
            StmtKind::Other { what, parts } => self.other(stmt, what, parts, position),
        }
    }

    fn ground(&self) -> &'a Ground<'a> {
        self.all.ground
    }

    fn alone(&self, around: SourceRange, stmt: &Stmt) -> Position {
        positions::alone(self.all.source, around, stmt.range)
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
            unknown: doings.unknown.clone(),
            elsewhere: self.all.interest.each(&doings.elsewhere),
        };
        code.touches = self.all.interest.touches(&doings.accesses, code.runs_others());
        (code, doings)
    }

    /// Code as a node, if it does anything of interest.
    fn code_of(&self, doings: Doings, range: SourceRange, position: Position) -> Part {
        let (code, doings) = self.code(doings, range, position);
        let nodes = if is_idle(&code) { Vec::new() } else { vec![HostNode::Code(code)] };
        Part { nodes, doings, ..Part::default() }
    }

    fn expression(&self, expr: &'a Expr, is_fixed: bool) -> (HostCode, Doings) {
        let position = positions::of_expression(self.all.source, expr);
        let is_fixed = is_fixed || self.ground().tree.is_cxx && !self.is_plain_value(expr);
        let position = if is_fixed { Position::Fixed } else { position };
        self.code(self.ground().of(expr), expr.range, position)
    }

    /// True for a number or pointer of C++ whose text may be an operand: it is no list in braces, and its place does not
    /// decide the type of the function.
    fn is_plain_value(&self, expr: &Expr) -> bool {
        let is_scalar =
            expr.ctype.arithmetic().is_some() || matches!(expr.ctype.kind, TypeKind::Pointer { .. });
        is_scalar && !self.function.deduces_exactly && !self.all.source.slice(expr.range).starts_with('{')
    }

    fn jump(&self, stmt: &Stmt, jump: Jump, value: Option<&'a Expr>, position: Position) -> Part {
        let (value, doings) = value.map(|value| self.expression(value, false)).unzip();
        let range = stmt.range;
        let node = HostNode::Jump(HostJump { range, position, jump, value });
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

    fn for_loop(
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
        let counter =
            if is_reordered { None } else { Counter::of(self.ground().tree, init, condition, step) };
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
        self.loop_of((stmt.range, position), start, Some(condition), Some(step), body, counter)
    }

    fn loop_of(
        &self,
        (range, position): (SourceRange, Position),
        start: Option<(HostCode, Doings)>,
        condition: Option<(HostCode, Doings)>,
        step: Option<(HostCode, Doings)>,
        mut body: Part,
        counter: Option<Counter>,
    ) -> Part {
        let (start, before) = start.unzip();
        let (condition, tested) = condition.unzip();
        let text = condition.as_ref().map(|condition| condition.range);
        let (step, stepped) = step.unzip();
        let nodes = std::mem::take(&mut body.nodes);
        let (is_rough, regions) = (body.is_rough, std::mem::take(&mut body.regions));
        // What stands before the loop does not hold in it if control enters it elsewhere.
        let is_entered = body.has_cases || body.has_labels && self.has_goto_outside(range);
        let position = if is_entered { Position::Fixed } else { position };
        let counter = counter.filter(|_| !is_entered);
        let mut parts = tested.unwrap_or_default();
        parts.add(body.doings);
        let stepped = stepped.unwrap_or_default();
        let plain = !is_rough && regions.is_empty();
        let accesses = self.all.interest.hoist(&parts, &stepped, &regions, counter.as_ref(), (plain, text));
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
    fn has_goto_outside(&self, range: SourceRange) -> bool {
        let mut found = false;
        self.function.body.walk(&mut |stmt| {
            let may_jump = match &stmt.kind {
                StmtKind::Other { what: Unsupported::Goto, .. } => true,
                StmtKind::Other { what: Unsupported::Assembly, .. } => self.is_jump(stmt),
                _ => false,
            };
            found |= may_jump && !stmt.range.is_within(range);
        });
        found
    }

    /// True for `asm goto`, or if a macro hides whether it is one.
    fn is_jump(&self, assembly: &Stmt) -> bool {
        let text = self.all.source.slice(assembly.range);
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_written = text.starts_with("asm") || text.starts_with("__asm");
        !is_written || words.any(|word| ["goto", "__goto", "__goto__"].contains(&word))
    }

    fn other(&self, stmt: &'a Stmt, what: &'a Unsupported, parts: &'a [Stmt], position: Position) -> Part {
        match (what, parts) {
            (Unsupported::Break, _) => self.jump(stmt, Jump::Break, None, position),
            (Unsupported::Continue, _) => self.jump(stmt, Jump::Continue, None, position),
            (Unsupported::Goto, _) => {
                let targets = parts.iter().filter(|part| matches!(part.kind, StmtKind::Expression(_)));
                let mut all = Part::default();
                targets.for_each(|target| all.add(self.stmt(target, Position::Fixed)));
                all.add(self.jump(stmt, Jump::Goto, None, position));
                all
            }
            (Unsupported::Switch, [Stmt { kind: StmtKind::Expression(condition), .. }, body]) => {
                let arm = self.stmt(body, self.alone(stmt.range, body));
                self.branch((stmt.range, position), condition, vec![arm], true)
            }
            (Unsupported::Assembly, _) if self.is_jump(stmt) => {
                let mut all = self.opaque(stmt, &format!("contains {}", what.words()), Position::Fixed);
                all.add(self.jump(stmt, Jump::Goto, None, Position::Fixed));
                all
            }
            (Unsupported::Label | Unsupported::Case, [.., inner]) => {
                let end = inner.range.start.clamp(stmt.range.start, stmt.range.end);
                let label = HostNode::Label { range: SourceRange { end, ..stmt.range } };
                let mut all = Part { is_rough: true, ..Part::of(label, Doings::default()) };
                all.has_labels = *what == Unsupported::Label;
                all.has_cases = *what == Unsupported::Case;
                all.add(self.stmt(inner, self.alone(stmt.range, inner)));
                all
            }
            (Unsupported::Loop(_), [header @ .., body]) if !is_opaque_statement(stmt) => {
                let mut all = Doings::default();
                for part in header {
                    all.add(self.stmt(part, Position::Fixed).doings);
                }
                let range = header.first().map_or(stmt.range, |first| first.range);
                let condition = self.code(all, range, Position::Fixed);
                let body = self.stmt(body, self.alone(stmt.range, body));
                self.loop_of((stmt.range, position), None, Some(condition), None, body, None)
            }
            (Unsupported::Other(_), _) if declares_types(stmt) => {
                let range = self.without_semicolon(stmt.range);
                self.code_of(self.of_types(stmt), range, position)
            }
            _ => self.opaque(stmt, &format!("contains {}", what.words()), position),
        }
    }

    /// What a declaration of types evaluates.
    fn of_types(&self, stmt: &'a Stmt) -> Doings {
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

    /// A statement of which nothing is known but what it mentions, all of which is exposed.
    fn opaque(&self, stmt: &'a Stmt, reason: &str, position: Position) -> Part {
        let mut doings = Doings { unknown: Some(reason.to_owned()), ..Doings::default() };
        stmt.walk(&mut |inner| {
            if let StmtKind::Declaration(ids) = &inner.kind {
                doings.declared.extend(ids);
            }
        });
        stmt.walk_expressions(self.ground().tree, &mut |expr| {
            let name = match &expr.kind {
                ExprKind::Call { callee: Some(callee), .. } => &callee.name,
                ExprKind::Other { what: Unnamed::Understood(Understood::Member(name, _), _), .. } => name,
                _ => return,
            };
            doings.calls.extend(self.ground().procedures.get(name.as_str()));
        });
        let within = |k: &usize| self.all.regions[*k].region.range.is_within(stmt.range) && self.is_own(*k);
        let regions: Vec<usize> = (0..self.all.regions.len()).filter(within).collect();
        // Where nothing can be added, a loop without a body says that its calls may be repeated.
        let may_repeat = position == Position::Fixed && !doings.calls.is_empty();
        if regions.is_empty() && !may_repeat {
            return Part { is_rough: true, ..self.code_of(doings, stmt.range, position) };
        }
        let code = self.code(doings, stmt.range, Position::Fixed);
        let mut body = Part { is_rough: true, ..Part::default() };
        regions.into_iter().for_each(|region| body.add(self.region(region, Position::Fixed)));
        self.loop_of((stmt.range, Position::Fixed), None, Some(code), None, body, None)
    }

    fn is_own(&self, region: usize) -> bool {
        let function = &self.ground().tree.functions[self.all.regions[region].region.function];
        std::ptr::eq(function, self.function)
    }

    fn region_around(&self, stmt: &Stmt) -> Option<usize> {
        let around = |k: &usize| stmt.range.is_within(self.all.regions[*k].region.range) && self.is_own(*k);
        (0..self.all.regions.len()).find(around)
    }

    fn block(&self, (range, position): (SourceRange, Position), parts: &'a [Stmt]) -> Part {
        let mut all = Part::default();
        let mut objects = Vec::new();
        let mut open = None;
        for (number, part) in parts.iter().enumerate() {
            let region = self.region_around(part);
            if region.is_some() && region == open {
                continue;
            }
            open = region;
            let before = number.checked_sub(1).and_then(|before| parts.get(before)).map(|stmt| stmt.range);
            let next = match region {
                Some(region) => {
                    let text = self.all.regions[region].region.range;
                    let position = positions::in_block(self.all.source, range, text, (before, None));
                    self.region(region, position)
                }
                None => {
                    let neighbours = (before, parts.get(number + 1).map(|stmt| stmt.range));
                    let position = positions::in_block(self.all.source, range, part.range, neighbours);
                    self.with_data(part.range, self.at(position), self.stmt(part, position))
                }
            };
            objects.extend(declared_in(part).into_iter().filter_map(|id| self.block_object(id)));
            let rough = all.is_rough;
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

    /// Adds what a directive before a statement holds.
    fn with_data(&self, range: SourceRange, position: Position, part: Part) -> Part {
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

    /// The code that destroys the objects of a block at its end.
    fn end_of_objects(&self, block: SourceRange, parts: &[Stmt]) -> Part {
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
            let is_other = matches!(stmt.kind, StmtKind::Other { what: Unsupported::Other(_), .. });
            is_other && !declares_types(stmt)
        };
        let unknown = match object {
            Some(object) => Some(format!("destroys `{}`, an object of a class", tree.variable(object).name)),
            None if parts.iter().any(hides_objects) => Some("may destroy objects of classes".to_owned()),
            None => return Part::default(),
        };
        let start = block.end.saturating_sub(1).max(block.start);
        let brace = self.all.source.range(start, block.end);
        self.code_of(Doings { unknown, ..Doings::default() }, brace, Position::Fixed)
    }

    fn block_object(&self, id: VariableId) -> Option<BlockObject> {
        let is_own = self.ground().tree.variable(id).lifetime != Lifetime::Static;
        is_own.then(|| self.all.interest.block_object(id)).flatten()
    }

    /// A region: its host function reads the numbers and pointers that it uses, and accesses arrays that have no memory
    /// in the document.
    fn region(&self, number: usize, position: Position) -> Part {
        let tree = self.ground().tree;
        let resident = &self.all.resident[number];
        let is_resident = |expr: &Expr| {
            let is_element = matches!(expr.kind, ExprKind::Subscript { .. });
            is_element && array_of(expr).is_some_and(|id| resident.contains(&id))
        };
        let (mut shown, mut regions): (Vec<Access>, Vec<Node>) = (Vec::new(), Vec::new());
        let mut note = |all: Doings, shows: Doings| {
            regions.extend(all.accesses.iter().filter(|access| access.writes()).map(|access| access.memory));
            shown.extend(shows.accesses.iter().map(|access| anywhere(access, None)));
        };
        for stmt in &self.all.regions[number].region.statements {
            stmt.walk(&mut |inner| {
                if let StmtKind::Declaration(ids) = &inner.kind {
                    let doings = self.ground().of_declaration(ids, inner.range);
                    note(doings, Doings::default());
                }
                for expr in inner.expressions(tree) {
                    note(self.ground().of(expr), self.ground().of_without(expr, &is_resident));
                }
            });
        }
        let touches = self.all.interest.touches(&shown, false);
        let range = self.all.regions[number].region.range;
        let node = HostNode::Region(HostRegion { scop: number as u32, range, position, touches });
        Part { regions, is_rough: true, ..Part::of(node, Doings::default()) }
    }
}

fn range_of(node: &mut HostNode) -> &mut SourceRange {
    match node {
        HostNode::Code(code) => &mut code.range,
        HostNode::Branch(branch) => &mut branch.range,
        HostNode::Loop(one) => &mut one.range,
        HostNode::Block(block) => &mut block.range,
        HostNode::Data(data) => &mut data.range,
        HostNode::Region(region) => &mut region.range,
        HostNode::Jump(jump) => &mut jump.range,
        HostNode::Label { range } => range,
    }
}

/// True for code that does nothing of interest.
fn is_idle(code: &HostCode) -> bool {
    code.touches.is_empty() && code.calls.is_empty() && code.unknown.is_none() && code.elsewhere.is_empty()
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

/// Returns the array or pointer that the subscripts of an element apply to.
fn array_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base, .. } => array_of(base),
        ExprKind::Binary(_, left, right) if expr.ctype.is_pointer_like() => {
            array_of(if matches!(left.ctype.kind, TypeKind::Pointer { .. } | TypeKind::Array { .. }) {
                left
            } else {
                right
            })
        }
        _ => expr.as_variable(),
    }
}
