//! Where the results and the arguments of calls may point.

use scop::MemoryLifetime;

use crate::c::ctree::{Callee, Container, Expr, ExprKind, Function, Understood, VariableId};
use crate::host::announcements::{Announcement, announcement};
use crate::host::expressions::{
    arguments_of, function_of, is_pointer_to_text, leads_to_numbers, levels, levels_of, object_of,
    operands_of, swapped, understood,
};
use crate::host::library::{self, Gives, Known, Moves, Use, uses_unknown_streams};
use crate::host::objects::Object;
use crate::host::pointers::Pointers;
use crate::host::solver::{EXPOSED, NOTHING, Node};

impl<'t> Pointers<'t> {
    /// `new T[n]{…}`, where T is a number.
    pub(super) fn new_array(&mut self, expr: &'t Expr, parts: &'t [Expr]) -> Node {
        let made = Object::unnamed("the memory of `new`", MemoryLifetime::Allocated, Some(expr.range));
        let (result, object) = self.set_with(made);
        self.new_arrays.push((object, expr));
        let contents = self.solver.contents(object);
        for part in parts {
            let value = self.value(part);
            self.solver.copy(value, contents);
        }
        result
    }

    pub(super) fn call(&mut self, call: &'t Expr, callee: Option<&'t Callee>, arguments: &'t [Expr]) -> Node {
        let values: Vec<Node> = arguments.iter().map(|argument| self.value(argument)).collect();
        if let Some(told) = callee.and_then(|callee| announcement(self.tree, callee)) {
            let first = values.first().copied().filter(|_| told == Announcement::Begin);
            first.into_iter().for_each(|value| self.solver.copy(value, self.held));
            return NOTHING;
        }
        let function = callee.and_then(|callee| function_of(self.tree, callee));
        if let (Some(callee), Some(function)) = (callee, function) {
            self.pass(function, arguments);
            let result = self.returned(call, function);
            if callee.attribute.is_none() {
                return result;
            }
        }
        if let Some(called) = self.effects.of_call(self.tree, call) {
            return self.call_elsewhere(call, &called);
        }
        if let Some([one, other]) = callee.and_then(|callee| swapped(self.tree, callee, arguments)) {
            let (one, other) = (self.bound(one), self.bound(other));
            self.exchange(one, other);
            return NOTHING;
        }
        match callee.and_then(|callee| library::known(self.tree, callee, arguments)) {
            Some(known) if !uses_unknown_streams(self.tree, &known) => {
                self.call_of_library(call, known, arguments, &values)
            }
            _ => {
                values.iter().for_each(|value| self.expose(*value));
                if self.tree.is_cxx {
                    // Something else may bind references to them.
                    for element in arguments.iter().filter(|argument| understood(argument).is_some()) {
                        let address = self.place(element);
                        self.expose(address);
                    }
                }
                EXPOSED
            }
        }
    }

    /// Passes arguments to a function of the tree.
    pub(super) fn pass(&mut self, function: &'t Function, arguments: &'t [Expr]) {
        for (position, argument) in arguments.iter().enumerate() {
            match function.parameters.get(position) {
                Some(parameter) => {
                    let is_bound = self.tree.variable(*parameter).reference;
                    let value =
                        if is_bound { self.bound_to(*parameter, argument) } else { self.value(argument) };
                    let contents = self.contents_of(*parameter);
                    self.solver.copy(value, contents);
                }
                None => {
                    let value = self.value(argument);
                    self.expose(value);
                }
            }
        }
    }

    /// Returns what the result of a call of a function may point to. The value of a reference is what it refers to, or
    /// contains.
    pub(super) fn returned(&mut self, call: &'t Expr, function: &'t Function) -> Node {
        let result = self.result_of(function);
        if !function.returns_reference {
            return result;
        }
        self.addresses.insert(std::ptr::from_ref(call), result);
        let loaded = self.load(result);
        self.union(result, loaded)
    }

    /// Returns the objects that a reference may be bound to: the operand of an `&` that the source does not write.
    pub(super) fn bound(&mut self, argument: &'t Expr) -> Node {
        match &argument.kind {
            ExprKind::AddressOf(_) => self.value(argument),
            _ => self.place(argument),
        }
    }

    /// Returns the same for a parameter. If the source writes the `&`, it is bound to the pointer.
    pub(super) fn bound_to(&mut self, parameter: VariableId, argument: &'t Expr) -> Node {
        let levels = levels(&self.tree.variable(parameter).ctype);
        match &argument.kind {
            ExprKind::AddressOf(operand) if levels != levels_of(operand) => {
                let (value, pointer) = (self.value(argument), self.place(argument));
                self.union(value, pointer)
            }
            _ => self.bound(argument),
        }
    }

    /// Exchanges the values of objects.
    pub(super) fn exchange(&mut self, one: Node, other: Node) {
        let (in_one, in_other) = (self.load(one), self.load(other));
        self.solver.store(in_one, other);
        self.solver.store(in_other, one);
    }

    /// Visits the object and the arguments of a call of a member function or operator.
    pub(super) fn operands(&mut self, call: &'t Expr) {
        for part in object_of(call).into_iter().chain(arguments_of(call)) {
            self.value(part);
        }
    }

    /// Returns the objects that the elements may be of the container before a member function or operator.
    pub(super) fn elements(&mut self, call: &'t Expr, container: Container) -> Node {
        let object = self.vector(call);
        match container {
            Container::Vector => self.load(object),
            Container::Array(_) => object,
        }
    }

    /// Returns the objects to which the operands of an operator of iterators may point.
    pub(super) fn iterators(&mut self, call: &'t Expr) -> Node {
        let mut all = NOTHING;
        for operand in operands_of(call) {
            let value = self.value(operand);
            all = self.union(all, value);
        }
        all
    }

    /// Returns the objects that the vector before a member function or operator may be.
    pub(super) fn vector(&mut self, call: &'t Expr) -> Node {
        match object_of(call) {
            Some(object) if object.ctype.is_pointer_like() => self.value(object),
            Some(object) => self.place(object),
            None => EXPOSED,
        }
    }

    pub(super) fn understood(&mut self, expr: &'t Expr, known: &'t Understood, parts: &'t [Expr]) -> Node {
        let arguments = arguments_of(expr);
        let values: Vec<Node> = arguments.iter().map(|argument| self.value(argument)).collect();
        match known {
            Understood::Member(name, _) | Understood::Operator(name) => {
                let object = match (known, object_of(expr)) {
                    (Understood::Member(_, Some(this)), _) => self.contents_of(*this),
                    (_, Some(object)) if object.ctype.is_pointer_like() => self.value(object),
                    (_, Some(object)) => self.place(object),
                    (Understood::Operator(_), None) => NOTHING,
                    (_, None) => EXPOSED,
                };
                if let Some(called) = self.effects.of_call(self.tree, expr) {
                    return self.call_elsewhere(expr, &called);
                }
                let Some(function) = self.tree.function(name) else {
                    self.expose(object);
                    parts.iter().for_each(|part| self.expose_all(part));
                    return EXPOSED;
                };
                if let Some(this) = function.this {
                    let contents = self.contents_of(this);
                    self.solver.copy(object, contents);
                }
                self.pass(function, arguments);
                self.returned(expr, function)
            }
            Understood::Data(container) => self.elements(expr, *container),
            Understood::Iterator { changes } => {
                let value = self.iterators(expr);
                if *changes && let Some(target) = operands_of(expr).next() {
                    let target = self.place(target);
                    self.solver.store(value, target);
                }
                value
            }
            Understood::Pointed => {
                let place = self.iterators(expr);
                self.load(place)
            }
            Understood::Change => {
                let vector = self.vector(expr);
                let elements = self.load(vector);
                values.into_iter().for_each(|value| self.solver.store(value, elements));
                elements
            }
            Understood::Swap => {
                let vector = self.vector(expr);
                if let [other] = arguments {
                    let other = self.bound(other);
                    self.exchange(vector, other);
                }
                NOTHING
            }
            Understood::Print => {
                parts.iter().for_each(|part| {
                    self.value(part);
                });
                let shown: Vec<Node> = parts.iter().map(|part| self.value(part)).collect();
                shown.into_iter().for_each(|value| self.solver.copy(value, self.files));
                EXPOSED
            }
            Understood::Property(_) => {
                self.operands(expr);
                NOTHING
            }
            Understood::Delete => {
                parts.iter().for_each(|part| {
                    self.value(part);
                });
                NOTHING
            }
            Understood::Copy => match arguments {
                [other] => {
                    let other = self.bound(other);
                    self.load(other)
                }
                _ => EXPOSED,
            },
            Understood::Assign => match (object_of(expr), arguments) {
                (Some(object), [other]) => {
                    let (object, other) = (self.bound(object), self.bound(other));
                    let value = self.load(other);
                    self.solver.store(value, object);
                    object
                }
                _ => EXPOSED,
            },
            // A vector that is no variable. It keeps no pointer to the numbers of which it is made.
            Understood::Making | Understood::Element(_) => {
                for (argument, value) in arguments.iter().zip(values) {
                    if *known != Understood::Making || !leads_to_numbers(self.tree, argument) {
                        self.expose(value);
                    }
                }
                EXPOSED
            }
        }
    }

    pub(super) fn call_of_library(
        &mut self,
        call: &'t Expr,
        known: Known,
        arguments: &'t [Expr],
        values: &[Node],
    ) -> Node {
        let name = match &call.kind {
            ExprKind::Call { callee: Some(callee), .. } => callee.name.as_str(),
            _ => "",
        };
        let (mut passed, mut read) = (NOTHING, NOTHING);
        for (position, value) in values.iter().enumerate() {
            let is_text = is_pointer_to_text(&arguments[position]);
            let is_shown = known.moves == Moves::Text || known.moves == Moves::Ends || !is_text;
            if is_shown && known.use_of(position) != Use::Stream {
                passed = self.union(passed, *value);
            }
            if matches!(known.use_of(position), Use::Reads | Use::ReadsBytes) {
                let loaded = self.load(*value);
                read = self.union(read, loaded);
            }
        }
        let moved = match known.moves {
            Moves::Nothing => NOTHING,
            Moves::Copies => read,
            Moves::Ends => passed,
            Moves::Text => self.union(passed, read),
            Moves::FromFile => self.files,
            Moves::ToFile | Moves::Shows => {
                let shown = if known.moves == Moves::Shows { passed } else { NOTHING };
                let written = self.union(shown, read);
                self.solver.copy(written, self.files);
                NOTHING
            }
        };
        let first = values.first().copied().unwrap_or(NOTHING);
        let made = |name: &str| Object::unnamed(name, MemoryLifetime::Allocated, Some(call.range));
        if known.gives == Gives::New {
            let (result, object) = self.set_with(made(&format!("the memory of `{name}`")));
            let contents = self.solver.contents(object);
            self.solver.copy(moved, contents);
            if name.ends_with("realloc") {
                let old = self.load(first);
                self.solver.copy(old, contents);
                return self.union(result, first);
            }
            return result;
        }
        if name == "posix_memalign" {
            let (new, _) = self.set_with(made("the memory of `posix_memalign`"));
            self.solver.store(new, first);
            return NOTHING;
        }
        for (position, value) in values.iter().enumerate() {
            if matches!(known.use_of(position), Use::Writes | Use::WritesBytes | Use::OverwritesBytes) {
                self.solver.store(moved, *value);
            }
        }
        match known.gives {
            Gives::Number | Gives::New => NOTHING,
            Gives::Argument if known.is_algorithm => passed,
            Gives::Argument => first,
            Gives::Elsewhere => EXPOSED,
        }
    }
}
