//! Walks over statements and what they name.

use super::program::{
    By, Condition, Element, Exit, Function, Handle, Host, LoopId, Nest, Origin, Place, Program, Selector,
    Slot, Statement,
};

/// The blocks in a statement.
pub fn blocks(statement: &Statement) -> Vec<&[Statement]> {
    match statement {
        Statement::Loop(nest) => vec![&nest.body],
        Statement::If { then, otherwise, .. } => vec![then, otherwise],
        Statement::Switch { arms, .. } => arms.iter().map(Vec::as_slice).collect(),
        Statement::Temporary(_, body) | Statement::Alias { body, .. } | Statement::Guard { body, .. } => {
            vec![body]
        }
        _ => Vec::new(),
    }
}

/// The blocks in a statement.
pub fn blocks_mut(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match statement {
        Statement::Loop(nest) => vec![&mut nest.body],
        Statement::If { then, otherwise, .. } => vec![then, otherwise],
        Statement::Switch { arms, .. } => arms.iter_mut().collect(),
        Statement::Temporary(_, body) | Statement::Alias { body, .. } | Statement::Guard { body, .. } => {
            vec![body]
        }
        _ => Vec::new(),
    }
}

/// All bodies of a program.
pub fn bodies(program: &Program) -> impl Iterator<Item = &Vec<Statement>> {
    program.functions.iter().map(|function: &Function| &function.body).chain([&program.main])
}

/// All bodies of a program.
pub fn bodies_mut(program: &mut Program) -> impl Iterator<Item = &mut Vec<Statement>> {
    program.functions.iter_mut().map(|function| &mut function.body).chain([&mut program.main])
}

/// Each statement, before those in it.
pub fn each<'s>(block: &'s [Statement], see: &mut impl FnMut(&'s Statement)) {
    for statement in block {
        see(statement);
        for inner in blocks(statement) {
            each(inner, see);
        }
    }
}

/// Each statement, before those in it.
pub fn each_mut(block: &mut [Statement], change: &mut impl FnMut(&mut Statement)) {
    for statement in block {
        change(statement);
        for inner in blocks_mut(statement) {
            each_mut(inner, change);
        }
    }
}

/// Each block, before those in it.
pub fn each_block<'s>(block: &'s [Statement], see: &mut impl FnMut(&'s [Statement])) {
    see(block);
    block.iter().flat_map(blocks).for_each(|inner| each_block(inner, see));
}

/// Each block, before those in it.
pub fn each_block_mut(block: &mut Vec<Statement>, change: &mut impl FnMut(&mut Vec<Statement>)) {
    change(block);
    block.iter_mut().flat_map(blocks_mut).for_each(|inner| each_block_mut(inner, change));
}

/// What a statement names itself; the statements in it name more.
#[derive(Default)]
pub struct Named {
    pub handles: Vec<Handle>,
    /// Loops whose iterators or ends it uses.
    pub loops: Vec<LoopId>,
}

impl Named {
    /// What a statement names itself.
    pub fn by(statement: &Statement) -> Self {
        let mut named = Self::default();
        named.statement(statement);
        named
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Region(region) => region.nests.iter().for_each(|nest| self.nest(nest)),
            Statement::Host(host) => self.host(host),
            Statement::Loop(nest) => {
                if let Some(condition) = &nest.condition {
                    self.condition(condition);
                }
            }
            Statement::If { condition, .. } => self.condition(condition),
            Statement::Switch { by: Selector::Turn(turn), .. } => self.loops.push(*turn),
            Statement::Switch { by: Selector::Element(element), .. } => self.element(element),
            Statement::Call(call) => {
                call.arguments.iter().for_each(|handle| self.handle(handle));
                if let By::Either(_, turn) = call.by {
                    self.loops.push(turn);
                }
            }
            Statement::Recur(handles) => handles.iter().for_each(|handle| self.handle(handle)),
            Statement::Swap { first, second, .. } => {
                [first, second].into_iter().for_each(|handle| self.handle(handle))
            }
            Statement::Reallocate(handle, _) => self.handle(handle),
            Statement::Alias { of: Origin::Array(handle) | Origin::Upper(handle), .. } => self.handle(handle),
            Statement::Alias { of: Origin::Either(one, two, _) | Origin::Picked(one, two, _), .. } => {
                self.handle(one);
                self.handle(two);
            }
            Statement::Guard { element, .. } => self.element(element),
            Statement::Temporary(..) => {}
            Statement::Exit(exit, condition) => {
                self.condition(condition);
                if let Exit::Goto(end) = exit {
                    self.loops.push(*end);
                }
            }
        }
    }

    fn nest(&mut self, nest: &Nest) {
        self.handle(&nest.target);
        nest.sources.iter().for_each(|source| self.handle(&source.of));
    }

    fn host(&mut self, host: &Host) {
        match host {
            Host::Read(element, _) | Host::Write(element, ..) => self.element(element),
            Host::ReadAll(handle, _)
            | Host::WriteAll(handle, _)
            | Host::Modify(handle, _)
            | Host::Clear(handle)
            | Host::Sort(handle, _) => self.handle(handle),
            Host::Copy { from, to, .. } | Host::Compare(from, to) => {
                self.handle(from);
                self.handle(to);
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Turn(turn, ..) => self.loops.push(*turn),
            Condition::Size(_) => {}
            Condition::Greater(element, _) => self.element(element),
            Condition::PartGreater(handle, _) => self.handle(handle),
            Condition::Comma(element, rest) => {
                self.element(element);
                self.condition(rest);
            }
            Condition::And(first, second) | Condition::Or(first, second) => {
                self.condition(first);
                self.condition(second);
            }
        }
    }

    /// An element.
    pub fn element(&mut self, element: &Element) {
        self.handle(&element.of);
        if let Place::Turning(turn, _) = element.place {
            self.loops.push(turn);
        }
    }

    fn handle(&mut self, handle: &Handle) {
        self.handles.push(*handle);
        if let Slot::Turning(turn, _) = handle.slot {
            self.loops.push(turn);
        }
    }
}
