//! Which memory an expression may read or write, for any values of its variables.

use std::cell::RefCell;
use std::collections::BTreeMap;

use scop::{CType, SourceRange};

use crate::c::ctree::{
    Callee, Expr, ExprKind, Function, Lifetime, Tree, Type, TypeKind, Unnamed, VariableId,
};
use crate::c::facts::Facts;
use crate::c::library::is_mathematical;
use crate::import::streams;

/// A piece of memory, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The memory of a variable itself: an array, a number, a structure.
    Object(VariableId),
    /// The memory that a variable points to.
    PointedTo(VariableId),
    /// The memory that some pointer points to.
    Somewhere,
    /// Any memory, touched by unknown code that may never return.
    Anything,
}

/// The type as which memory is accessed. C does not allow an object to be accessed as one of another type, except as
/// characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// A number.
    Number(CType),
    /// A pointer.
    Pointer,
    /// Any type.
    Any,
}

/// A piece of memory that may be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// The memory.
    pub memory: Memory,
    /// The type as which it is accessed.
    pub stored: Stored,
    /// True if it may be written.
    pub writes: bool,
}

/// The memory that the expressions of a file touch, computed when it is needed.
pub struct Touches<'t> {
    /// The file.
    pub tree: &'t Tree,
    is_known: &'t dyn Fn(&Function) -> bool,
    functions: RefCell<BTreeMap<String, Vec<Touch>>>,
}

impl<'t> Touches<'t> {
    /// `is_known` checks whether the statements of a function show everything that it does.
    pub fn new(tree: &'t Tree, is_known: &'t dyn Fn(&Function) -> bool) -> Self {
        Self { tree, is_known, functions: RefCell::default() }
    }

    /// Returns what the evaluation of an expression may touch.
    pub fn of(&self, expr: &Expr) -> Vec<Touch> {
        let mut search = Search { touches: self, tree: self.tree, found: Vec::new() };
        search.value(expr);
        search.found
    }

    /// Returns what is read when the value of an lvalue is used.
    pub fn read(&self, place: &Expr) -> Touch {
        let search = Search { touches: self, tree: self.tree, found: Vec::new() };
        Touch { memory: search.memory_of(place), stored: stored(&place.ctype), writes: false }
    }

    /// Returns what is evaluated in a part of the text without being in the tree, such as the lengths in
    /// `((double (*)[w[1]])buffer)[2]` and those of a function's parameters. It may be written there: `[w[1]++]`.
    pub fn hidden_in(&self, range: SourceRange) -> Vec<Touch> {
        let is_in = |place: &Option<SourceRange>| place.is_none_or(|place| place.is_within(range));
        let hidden = &self.tree.hidden;
        let mentioned = hidden.variables.iter().filter(|(_, places)| places.iter().any(is_in));
        let touched = mentioned.map(|(&id, _)| {
            let variable = self.tree.variable(id);
            let is_array = matches!(variable.ctype.kind, TypeKind::Array { .. });
            let memory = match variable.lifetime {
                Lifetime::Parameter if is_array => Memory::PointedTo(id),
                _ => Memory::Object(self.tree.root(id)),
            };
            match innermost(&variable.ctype).arithmetic() {
                Some(number) => Touch { memory, stored: Stored::Number(number), writes: true },
                None => ANYTHING,
            }
        });
        let calls = hidden.calls.iter().filter(|place| is_in(place)).map(|_| ANYTHING);
        touched.chain(calls).collect()
    }

    /// True for a variable with an attribute that changes its meaning: where it is stored, or what happens when its
    /// lifetime ends.
    pub fn is_special(&self, id: VariableId) -> bool {
        self.tree.variable(id).attribute.is_some()
    }

    /// Returns what a call of a function touches, apart from the local variables of the call. Memory that arguments
    /// point to is expressed by the function's parameters.
    fn of_function(&self, function: &Function) -> Vec<Touch> {
        if let Some(found) = self.functions.borrow().get(&function.name) {
            return found.clone();
        }
        // A function that calls itself may never return.
        self.functions.borrow_mut().insert(function.name.clone(), vec![ANYTHING]);
        if !(self.is_known)(function) || function.hidden_part.is_some() {
            return vec![ANYTHING];
        }
        let facts = Facts::of(self.tree, [&function.body]);
        let mut found: Vec<Touch> = Vec::new();
        if facts.declared.iter().chain(&function.parameters).any(|&id| self.is_special(id)) {
            found.push(ANYTHING);
        }
        let hidden = function.range.map_or_else(Vec::new, |range| self.hidden_in(range));
        let lengths =
            function.parameters.iter().flat_map(|&id| self.tree.variable(id).lengths.iter().flatten());
        let mut touches: Vec<Touch> = lengths.flat_map(|length| self.of(length)).chain(hidden).collect();
        function.body.walk(&mut |stmt| {
            touches.extend(stmt.expressions(self.tree).into_iter().flat_map(|expr| self.of(expr)));
        });
        for touch in touches {
            let memory = match touch.memory {
                Memory::Object(id) if self.tree.variable(id).lifetime != Lifetime::Static => continue,
                Memory::PointedTo(id) if self.tree.variable(id).lifetime != Lifetime::Static => {
                    let is_argument = function.parameters.contains(&id) && !facts.may_change(id);
                    if is_argument { touch.memory } else { Memory::Somewhere }
                }
                memory => memory,
            };
            let touch = Touch { memory, ..touch };
            if !found.contains(&touch) {
                found.push(touch);
            }
        }
        self.functions.borrow_mut().insert(function.name.clone(), found.clone());
        found
    }
}

const ANYTHING: Touch = Touch { memory: Memory::Anything, stored: Stored::Any, writes: true };

/// Functions of the C library that read the memory that their arguments point to.
const PRINTING: [&str; 9] =
    ["printf", "fprintf", "puts", "fputs", "putchar", "putc", "fputc", "fflush", "perror"];
/// Functions of the C library that return the time or resource usage, or write it to where their arguments point.
const CLOCKS: [&str; 8] = [
    "clock",
    "time",
    "difftime",
    "omp_get_wtime",
    "gettimeofday",
    "clock_gettime",
    "timespec_get",
    "getrusage",
];
/// Functions of the C library that allocate memory.
pub const ALLOCATING: [&str; 3] = ["malloc", "calloc", "aligned_alloc"];
/// Functions of the C library that free the memory that they are passed.
const FREEING: [&str; 1] = ["free"];

/// The names of the type of a stream in different C libraries.
const STREAMS: [&str; 3] = ["FILE", "struct _IO_FILE", "struct __sFILE"];

struct Search<'a, 't> {
    touches: &'a Touches<'t>,
    tree: &'t Tree,
    found: Vec<Touch>,
}

impl Search<'_, '_> {
    fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Floating(_) | ExprKind::Imaginary(_) => {}
            ExprKind::Variable(_) | ExprKind::Subscript { .. } | ExprKind::Member { .. } => {
                if !matches!(expr.ctype.kind, TypeKind::Array { .. }) {
                    self.access(expr, false);
                }
                self.place(expr);
            }
            ExprKind::Assign { operator, target, value } => {
                self.access(target, true);
                if operator.is_some() {
                    self.access(target, false);
                }
                self.place(target);
                self.value(value);
            }
            ExprKind::Increment { target, .. } => {
                self.access(target, true);
                self.access(target, false);
                self.place(target);
            }
            ExprKind::AddressOf(operand) => self.place(operand),
            ExprKind::Call { callee, arguments } => self.call(callee.as_ref(), arguments),
            ExprKind::Other { what, parts } => {
                if !matches!(what, Unnamed::Text | Unnamed::InitialiserList) {
                    self.anything();
                }
                parts.iter().for_each(|part| self.value(part));
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Comma(..) => expr.parts().into_iter().for_each(|part| self.value(part)),
        }
    }

    /// Adds what is evaluated to find an lvalue, which itself is not accessed.
    fn place(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(id) => {
                if self.touches.is_special(*id) {
                    self.anything();
                }
            }
            ExprKind::Subscript { base, index } => {
                self.value(index);
                if matches!(base.ctype.kind, TypeKind::Array { .. }) {
                    self.place(base)
                } else {
                    self.value(base)
                }
            }
            ExprKind::Member { base, .. } if leads_to(base) => self.value(base),
            ExprKind::Member { base, .. } => self.place(base),
            _ => self.value(expr),
        }
    }

    fn access(&mut self, place: &Expr, writes: bool) {
        // Other threads may wait for this access.
        let atomic = matches!(&place.ctype.kind, TypeKind::Other(name) if name.contains("_Atomic"));
        if atomic || place.ctype.volatile {
            self.anything();
        }
        // A parameter that is declared as an array is a pointer.
        let is_parameter = |id| self.tree.variable(id).lifetime == Lifetime::Parameter;
        let is_pointer = place.ctype.is_pointer_like() && place.as_variable().is_some_and(is_parameter);
        let stored = if is_pointer { Stored::Pointer } else { stored(&place.ctype) };
        self.found.push(Touch { memory: self.memory_of(place), stored, writes });
    }

    fn anything(&mut self) {
        self.found.push(ANYTHING);
    }

    fn call(&mut self, callee: Option<&Callee>, arguments: &[Expr]) {
        arguments.iter().for_each(|argument| self.value(argument));
        if callee.is_some_and(|callee| callee.attribute.is_some()) {
            return self.anything();
        }
        let name = callee.map(|callee| callee.name.as_str());
        if let Some(function) = name.and_then(|name| self.tree.function(name)) {
            return self.call_of(function, arguments);
        }
        let of_library = callee.filter(|callee| !callee.of_user);
        let is_in = |list: &[&str]| of_library.is_some_and(|callee| list.contains(&callee.name.as_str()));
        let printing = is_in(&PRINTING);
        // The program may have given `stdout` a buffer, and printing writes to it.
        if printing && self.tree.has_streams_to_memory {
            return self.anything();
        }
        let counts = callee.is_some_and(|callee| callee.counts);
        let touches_arguments = printing
            || is_in(&CLOCKS)
            || is_in(&FREEING)
            || of_library.is_some_and(|callee| is_mathematical(&callee.name));
        if is_in(&ALLOCATING) {
            return;
        }
        if !touches_arguments {
            return self.anything();
        }
        for argument in arguments {
            let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) =
                &argument.ctype.kind
            else {
                continue;
            };
            let is_stream = matches!(&target.kind, TypeKind::Other(name) if STREAMS.contains(&name.as_str()));
            if is_stream && !streams::leads_to_a_file(self.tree, argument) {
                return self.anything();
            }
            // Neither streams nor string literals contain arrays of the program.
            let is_text = matches!(argument.without_casts().kind, ExprKind::Other { .. });
            if is_stream || is_text {
                continue;
            }
            let characters = [CType::Char, CType::SChar, CType::UChar];
            let reads =
                printing && !counts && target.arithmetic().is_some_and(|ctype| characters.contains(&ctype));
            let stored = if is_in(&FREEING) { Stored::Any } else { stored(target) };
            self.found.push(Touch { memory: self.pointed_to(argument), stored, writes: !reads });
        }
    }

    fn call_of(&mut self, function: &Function, arguments: &[Expr]) {
        for touch in self.touches.of_function(function) {
            let memory = match touch.memory {
                Memory::PointedTo(id) => {
                    match function.parameters.iter().position(|&parameter| parameter == id) {
                        Some(position) => arguments
                            .get(position)
                            .map_or(Memory::Anything, |argument| self.pointed_to(argument)),
                        None => touch.memory,
                    }
                }
                memory => memory,
            };
            self.found.push(Touch { memory, ..touch });
        }
    }

    /// Returns the memory of an lvalue.
    fn memory_of(&self, place: &Expr) -> Memory {
        match &place.kind {
            ExprKind::Variable(id) => Memory::Object(*id),
            ExprKind::Subscript { base, .. } => self.pointed_to(base),
            ExprKind::Member { base, .. } if leads_to(base) => self.pointed_to(base),
            ExprKind::Member { base, .. } => self.memory_of(base),
            _ => Memory::Somewhere,
        }
    }

    /// Returns the memory of the elements of an array, or the memory that a pointer points to.
    fn pointed_to(&self, base: &Expr) -> Memory {
        match &base.kind {
            ExprKind::Variable(id) => {
                let variable = self.tree.variable(*id);
                match variable.ctype.kind {
                    TypeKind::Array { .. } if variable.lifetime != Lifetime::Parameter => Memory::Object(*id),
                    TypeKind::Array { .. } | TypeKind::Pointer { .. } => Memory::PointedTo(*id),
                    TypeKind::Arithmetic(_) | TypeKind::Other(_) => Memory::Somewhere,
                }
            }
            ExprKind::Subscript { .. } | ExprKind::Member { .. }
                if matches!(base.ctype.kind, TypeKind::Array { .. }) =>
            {
                self.memory_of(base)
            }
            ExprKind::Binary(_, left, right) => {
                match (left.ctype.is_pointer_like(), right.ctype.is_pointer_like()) {
                    (true, false) => self.pointed_to(left),
                    (false, true) => self.pointed_to(right),
                    _ => Memory::Somewhere,
                }
            }
            ExprKind::Cast { operand, .. } if operand.ctype.is_pointer_like() => self.pointed_to(operand),
            ExprKind::Increment { target, .. } => self.pointed_to(target),
            ExprKind::AddressOf(operand) => self.memory_of(operand),
            ExprKind::Comma(_, last) => self.pointed_to(last),
            _ => Memory::Somewhere,
        }
    }
}

/// True if the base of a member is a pointer to the structure, not the structure itself (see `members`).
fn leads_to(base: &Expr) -> bool {
    matches!(base.ctype.kind, TypeKind::Pointer { .. })
}

/// Returns the type of the elements of an array of any number of dimensions, or any other type itself.
fn innermost(ctype: &Type) -> &Type {
    match &ctype.kind {
        TypeKind::Array { element, .. } => innermost(element),
        _ => ctype,
    }
}

fn stored(ctype: &Type) -> Stored {
    match &ctype.kind {
        TypeKind::Arithmetic(ctype) => Stored::Number(*ctype),
        TypeKind::Pointer { .. } => Stored::Pointer,
        TypeKind::Array { .. } | TypeKind::Other(_) => Stored::Any,
    }
}
