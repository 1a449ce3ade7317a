//! Expressions of C++ that are understood.

use scop::{CType, Effect};

use super::calls::elsewhere;
use super::{Ground, Search};
use crate::c::ctree::{Container, Expr, ExprKind, Tree, TypeKind, Understood, Unnamed};
use crate::host::expressions::{
    Typed, arguments_of, elements_of_own, has_own_new, is_array_type, is_lvalue, leads_to_numbers, object_of,
    operands_of, understood, without_address,
};
use crate::host::place::{Place, Term};
use crate::host::ways_out::of_function;

impl<'t> Search<'_, 't> {
    /// Adds what is evaluated before the function or operator of a vector runs, and the use of the vector itself.
    pub(super) fn vector_before(&mut self, call: &'t Expr, effect: Effect) {
        arguments_of(call).iter().for_each(|argument| self.value(argument));
        match object_of(call) {
            Some(object) if is_lvalue(object) && !object.ctype.is_pointer_like() => self.place(object),
            Some(object) => self.value(object),
            None => {}
        }
        let is_array = matches!(
            understood(call),
            Some((
                Understood::Element(Container::Array(_))
                    | Understood::Data(Container::Array(_))
                    | Understood::Property(Container::Array(_)),
                _
            ))
        );
        // Where an array is, and how long, is in no memory.
        if !is_array {
            let pointers = self.ground.pointers;
            let place = object_of(call).and_then(|vector| Place::of_header(pointers, vector));
            self.add(effect, pointers.vectors(call), place, call.range);
            self.is_of(Typed::Pointers);
        }
    }

    /// Adds what is evaluated to find an element by an `operator[]` of the user's: it reads the member with the elements,
    /// and does nothing else.
    fn own_element(&mut self, call: &'t Expr, elements: &'t Expr) {
        arguments_of(call).iter().for_each(|argument| self.value(argument));
        if let Some(object) = object_of(call) {
            self.structure(without_address(object));
        }
        if !is_array_type(&elements.ctype) {
            self.add(Effect::Reads, self.ground.pointers.address(elements), None, call.range);
            self.is_of(Typed::Pointers);
        }
    }

    /// Adds what the exchange of two objects does.
    pub(super) fn exchange(&mut self, operands: [&'t Expr; 2]) {
        for operand in operands {
            let operand = match &operand.kind {
                ExprKind::AddressOf(inner) => inner,
                _ => operand,
            };
            if is_lvalue(operand) {
                self.access(operand, Effect::Reads);
                self.access(operand, Effect::Writes);
                self.place(operand);
            } else {
                self.value(operand);
                self.add(Effect::Writes, self.ground.pointers.address(operand), None, operand.range);
            }
        }
    }

    pub(super) fn understood(&mut self, expr: &'t Expr, known: &'t Understood) {
        let Ground { tree, pointers, procedures, .. } = self.ground;
        let plain =
            if let ExprKind::Other { what, .. } = &expr.kind { what.plain() } else { &Unnamed::NewArray };
        match known {
            Understood::Member(..) if let Some(elements) = elements_of_own(tree, expr) => {
                self.own_element(expr, elements);
                self.result(expr, true);
            }
            Understood::Member(name, _) | Understood::Operator(name) => {
                let start = self.found.accesses.len();
                arguments_of(expr).iter().for_each(|argument| self.value(argument));
                if let Some(object) = object_of(expr) {
                    self.structure(object);
                }
                self.found.calls.extend(procedures.get(name.as_str()));
                match tree.function(name) {
                    Some(function) => {
                        self.set_parameters(function, expr.range);
                        self.runs_others(start);
                        self.result(expr, function.returns_reference);
                    }
                    None => match self.ground.effects.of_call(tree, expr) {
                        Some(called) => self.call_elsewhere(&called, (expr.range, start)),
                        None => {
                            let name = if let Unnamed::MemberCall(shown) = plain { shown } else { name };
                            let way_out = of_function(!self.ground.effects.0.is_empty());
                            self.runs_unknown(start, || (elsewhere(name), way_out));
                        }
                    },
                }
            }
            Understood::Element(_) | Understood::Data(_) | Understood::Property(_) => {
                self.vector_before(expr, Effect::Reads);
            }
            Understood::Iterator { changes } => {
                operands_of(expr).for_each(|operand| self.value(operand));
                if *changes && let Some(target) = operands_of(expr).next() {
                    self.add(Effect::Writes, pointers.address(target), None, expr.range);
                }
            }
            Understood::Pointed => operands_of(expr).for_each(|operand| self.value(operand)),
            Understood::Change => {
                self.vector_before(expr, Effect::Writes);
                self.add(Effect::Writes, pointers.value_of(expr), None, expr.range);
                self.may_fail(|| "allocates memory, which may fail".to_owned());
            }
            Understood::Swap => {
                self.vector_before(expr, Effect::Writes);
                for other in arguments_of(expr) {
                    let place = Place::of_header(pointers, other);
                    self.add(Effect::Writes, pointers.bound_by(other), place, expr.range);
                }
            }
            Understood::Making => {
                self.making(arguments_of(expr));
                self.may_fail(|| "allocates memory, which may fail".to_owned());
            }
            Understood::Copy | Understood::Assign => {
                let objects = object_of(expr).filter(|_| *known == Understood::Assign);
                objects.into_iter().chain(arguments_of(expr)).for_each(|object| self.value(object));
                for other in arguments_of(expr) {
                    self.add(Effect::Reads, pointers.bound_by(other), None, expr.range);
                }
                if let Some(object) = objects {
                    self.add(Effect::Writes, pointers.bound_by(object), None, expr.range);
                }
            }
            Understood::Print => self.print(expr),
            Understood::Delete => {
                for pointer in arguments_of(expr) {
                    self.value(pointer);
                    let bytes = self.ground.deleted.get(&std::ptr::from_ref(expr)).cloned();
                    let start = Term::Integer(0, CType::Long);
                    let place = bytes
                        .and_then(|bytes| Place::section(pointers, pointer.without_casts(), start, bytes));
                    self.add(Effect::Frees, pointers.value_of(pointer), place, expr.range);
                }
                if has_own_new(tree) {
                    self.unknown(|| "calls an `operator delete` of the program".to_owned());
                }
            }
        }
    }

    /// The arguments of which a vector is made, or the stream to a file: numbers, a range of them, or a name.
    fn making(&mut self, arguments: &'t [Expr]) {
        let Ground { tree, pointers, .. } = self.ground;
        // An argument that is left out has no text.
        let written = || arguments.iter().filter(|part| part.range.start < part.range.end);
        let leads = |part: &Expr| part.ctype.is_pointer_like() || leads_to_numbers(tree, part);
        for part in written().filter(|part| part.ctype.arithmetic().is_some() || leads(part)) {
            self.value(part);
        }
        let range: Vec<&Expr> = written().filter(|part| leads(part)).collect();
        let place = match range[..] {
            [first, last] => Place::range(pointers, [first, last], first),
            _ => None,
        };
        if let Some(first) = range.first() {
            self.add(Effect::Reads, pointers.value_of(first), place, first.range);
        }
    }

    /// Printing to a stream of the library, all of which work alike.
    pub(super) fn print(&mut self, expr: &'t Expr) {
        let tree = self.ground.tree;
        if tree.printing_calls || !prints_to_console(tree, expr) && !prints_to_file(tree, expr) {
            self.unknown(|| "prints to a stream that may call other functions".to_owned());
        }
        if let Some(stream) = object_of(expr) {
            self.value(stream);
        }
        for value in arguments_of(expr) {
            self.value(value);
            if value.ctype.is_pointer_like() {
                self.add(Effect::Reads, self.ground.pointers.value_of(value), None, value.range);
            }
        }
    }
}

/// True for what a variable does that is a stream to a file, or to memory of its own.
fn prints_to_file(tree: &Tree, print: &Expr) -> bool {
    let Some(stream) = object_of(print) else { return false };
    let mut stream = stream;
    while let ExprKind::AddressOf(operand) | ExprKind::Cast { operand, .. } = &stream.kind {
        stream = operand;
    }
    match &stream.kind {
        ExprKind::Variable(id) => {
            let variable = tree.variable(*id);
            let is_stream =
                matches!(&variable.ctype.kind, TypeKind::Other(name) if tree.file_streams.contains(name));
            is_stream && !variable.reference
        }
        ExprKind::Other { what: Unnamed::Understood(Understood::Print, _), .. } => {
            prints_to_file(tree, stream)
        }
        _ => false,
    }
}

/// True for printing to the streams that every program of C++ has.
fn prints_to_console(tree: &Tree, print: &Expr) -> bool {
    let Some(stream) = object_of(print) else { return false };
    match &stream.kind {
        ExprKind::AddressOf(operand) => operand.as_variable().is_some_and(|id| {
            let variable = tree.variable(id);
            let is_console = ["cerr", "clog", "cout"].contains(&variable.name.as_str());
            is_console && variable.external && variable.declared_at.is_none()
        }),
        ExprKind::Other { what: Unnamed::Understood(Understood::Print, _), .. } => {
            prints_to_console(tree, stream)
        }
        _ => false,
    }
}
