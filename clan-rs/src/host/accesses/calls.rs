//! Calls.

use scop::{Effect, SourceRange};

use super::{Ground, Search};
use crate::c::ctree::{Callee, Expr, ExprKind, Function, Tree, TypeKind};
use crate::host::announcements::announcement;
use crate::host::expressions::{function_of, is_other, swapped};
use crate::host::library::{self, End, Known, Moves, Use, uses_unknown_streams};
use crate::host::place::Place;
use crate::host::ways_out::of_function;

/// Returns the name of the variable or member that a pointer is, or points out of a table of such.
fn named<'t>(tree: &'t Tree, pointer: &'t Expr) -> Option<&'t str> {
    match &pointer.kind {
        ExprKind::Variable(id) => Some(&tree.variable(*id).name),
        ExprKind::Member { field, .. } => Some(field),
        ExprKind::Subscript { base, .. } => named(tree, base),
        ExprKind::Cast { operand, .. } => named(tree, operand),
        _ => None,
    }
}

/// Says that the body of a function is not known.
pub(super) fn elsewhere(name: &str) -> String {
    format!("calls `{name}`, whose body is not in this file")
}

/// True for a value that is an object of a class with code of its own.
fn is_object_of_class(tree: &Tree, value: &Expr) -> bool {
    let TypeKind::Other(name) = &value.ctype.kind else { return false };
    name != "void" && tree.plain_classes.get(name) != Some(&true)
}

impl<'t> Search<'_, 't> {
    pub(super) fn call(&mut self, call: &'t Expr, callee: Option<&'t Callee>, arguments: &'t [Expr]) {
        if let Some(operands) = callee.and_then(|callee| swapped(self.ground.tree, callee, arguments)) {
            return self.exchange(operands);
        }
        let start = self.found.accesses.len();
        arguments.iter().for_each(|argument| self.value(argument));
        match callee {
            Some(callee) => self.run(call, callee, arguments, start),
            None => self.runs_unknown(start, || {
                let does = match arguments.last().and_then(|called| named(self.ground.tree, called)) {
                    Some(name) => format!("calls a function through the pointer `{name}`"),
                    None => "calls a function through a pointer".to_owned(),
                };
                (does, "call the function by its name")
            }),
        }
        self.result(call, callee.is_some_and(|callee| callee.gives_reference));
    }

    /// Adds what a function does that is called now. The accesses from `start` on are those of its arguments.
    pub(super) fn run(&mut self, call: &'t Expr, callee: &'t Callee, arguments: &'t [Expr], start: usize) {
        let Ground { tree, procedures, .. } = self.ground;
        let range = call.range;
        if announcement(tree, callee).is_some() {
            return;
        }
        if let Some(function) = function_of(tree, callee) {
            self.found.calls.extend(procedures.get(callee.name.as_str()));
            self.set_parameters(function, range);
            self.runs_others(start);
            if callee.attribute.is_none() {
                return;
            }
        }
        if callee.attribute.is_some() {
            let reason = || format!("calls `{}`, which has a special attribute", callee.shown);
            return self.runs_unknown(start, reason);
        }
        if let Some(called) = self.ground.effects.of_call(tree, call) {
            return self.call_elsewhere(&called, (range, start));
        }
        let known =
            library::known(tree, callee, arguments).filter(|known| !uses_unknown_streams(tree, known));
        match known {
            Some(known) if known.ends() => self.end(callee, known, arguments, (range, start)),
            Some(known) => self.call_of_library(callee, known, arguments, range),
            None => {
                // No clause says where a pointer leads that is returned, and the headers of libraries are not the user's.
                let can_be_said = !call.ctype.is_pointer_like()
                    && !callee.gives_reference
                    && (callee.of_user || !tree.is_cxx);
                let way_out = if can_be_said { of_function(!self.ground.effects.0.is_empty()) } else { "" };
                self.runs_unknown(start, || (elsewhere(&callee.shown), way_out));
            }
        }
    }

    /// Adds the use of the result of a call: a reference is read through, and an object is destroyed.
    pub(super) fn result(&mut self, call: &'t Expr, is_reference: bool) {
        if is_reference {
            if !self.discarded.is_some_and(|discarded| std::ptr::eq(discarded, call)) {
                self.access(call, Effect::Reads);
            }
        } else if self.ground.tree.is_cxx && is_object_of_class(self.ground.tree, call) {
            let name = match &call.kind {
                ExprKind::Call { callee: Some(callee), .. } => format!("`{}`", callee.shown),
                _ => "a function".to_owned(),
            };
            self.unknown(|| format!("calls {name}, whose value is an object of a class"));
        }
    }

    /// Adds what a function of the library does that ends the program.
    fn end(
        &mut self,
        callee: &Callee,
        known: Known,
        arguments: &'t [Expr],
        (range, start): (SourceRange, usize),
    ) {
        let endings = self.ground.endings;
        let is_quiet = match known.end {
            Some(End::Exit) => endings.exit,
            Some(End::Abort) => endings.abort,
            Some(End::AtOnce) => true,
            None => false,
        };
        self.call_of_library(callee, known, arguments, range);
        self.ends(start);
        if !is_quiet {
            self.runs_others(start);
            let reason = || format!("calls `{}`, which does not return", callee.shown).into();
            self.found.unknown.get_or_insert_with(reason);
        }
        self.found.exits |= known.end == Some(End::Exit);
    }

    pub(super) fn set_parameters(&mut self, function: &Function, range: SourceRange) {
        for parameter in function.parameters.iter().chain(&function.this) {
            self.add(Effect::Writes, self.ground.pointers.variable(*parameter), None, range);
        }
    }

    pub(super) fn call_of_library(
        &mut self,
        callee: &Callee,
        known: Known,
        arguments: &'t [Expr],
        range: SourceRange,
    ) {
        let Ground { pointers, .. } = self.ground;
        let is_range = known.is_algorithm;
        let same_range = |from: &Expr| match arguments {
            [first, last, ..] if is_range => Place::range(pointers, [first, last], from),
            _ => None,
        };
        let bytes = known.bytes().and_then(|position| arguments.get(position));
        let is_pointer = |argument: &Expr| argument.ctype.is_pointer_like() || is_other(argument);
        for (position, argument) in arguments.iter().enumerate().filter(|(_, argument)| is_pointer(argument))
        {
            let memory = pointers.value_of(argument);
            let of_bytes = || bytes.and_then(|bytes| Place::from(pointers, argument, Some(bytes)));
            let (effect, place) = match known.use_of(position) {
                Use::Value | Use::Bytes | Use::Stream => continue,
                // `%n` writes.
                Use::Reads if callee.counts => (Effect::Writes, None),
                // What the format of `sprintf` says is not known.
                Use::Reads if known.moves == Moves::Text && position > 0 => (Effect::Writes, None),
                // The end of the range that begins with the first argument.
                _ if is_range && position == 1 => continue,
                Use::Reads => (Effect::Reads, same_range(argument)),
                Use::Writes => (Effect::Writes, same_range(argument)),
                Use::Overwrites => (Effect::Overwrites, same_range(argument)),
                Use::ReadsBytes => (Effect::Reads, of_bytes()),
                Use::WritesBytes => (Effect::Writes, of_bytes()),
                Use::OverwritesBytes => (Effect::Overwrites, of_bytes()),
                Use::Frees => (Effect::Frees, Place::from(pointers, argument, None)),
            };
            self.add(effect, memory, place, range);
        }
    }
}
