//! Expressions of C++ that the analysis of host code understands ([`Understood`]), by the functions that they call.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::CType;

use crate::c::clang::{Cursor, Type, Unit};
use crate::c::ctree::{Class, Container, Understood};
use crate::import::cxx::namespaces;
use crate::import::simple;
use crate::import::types::arithmetic_type;

/// The class whose objects a type has, or refers to, if they are made or destroyed by code.
pub fn class(ctype: Type<'_>) -> Option<Class> {
    let mut inner =
        if ctype.is_reference() { ctype.canonical().target().canonical() } else { ctype.canonical() };
    if is_vector(inner) {
        return Some(Class::Vector);
    }
    while [CXType_ConstantArray, CXType_VariableArray, CXType_IncompleteArray].contains(&inner.kind()) {
        inner = inner.element().canonical();
    }
    let is_plain = match inner.kind() {
        CXType_Record => {
            inner.is_plain_old_data() || simple::is_simple(inner) || is_iterator(inner) || is_file(inner)
        }
        CXType_Unexposed | CXType_Auto | CXType_Dependent | CXType_Invalid => false,
        _ => true,
    };
    (!is_plain).then_some(Class::Other)
}

/// True for `std::vector` of numbers with the allocator of the library. That of `bool` has no elements in memory.
fn is_vector(class: Type<'_>) -> bool {
    if class.kind() != CXType_Record
        || class.is_volatile()
        || !is_of_library(class.declaration(), &["vector"])
    {
        return false;
    }
    let arguments = class.template_arguments();
    let [element, allocator] = arguments[..] else { return false };
    let number = arithmetic_type(element.canonical().kind());
    number.is_some_and(|number| number != CType::Bool)
        && allocator.canonical().kind() == CXType_Record
        && is_of_library(allocator.canonical().declaration(), &["allocator"])
}

/// The type of the elements of a vector of numbers, or of one that a reference refers to.
pub fn element(vector: Type<'_>) -> Option<CType> {
    let class = if vector.is_reference() { vector.canonical().target() } else { vector };
    let element = class.canonical().template_arguments().into_iter().next()?;
    arithmetic_type(element.canonical().kind())
}

/// True for the class of the library whose objects are iterators of vectors of numbers: pointers in all but name.
pub fn is_iterator(class: Type<'_>) -> bool {
    let class = class.canonical();
    let declaration = class.declaration();
    let is_it = class.kind() == CXType_Record
        && declaration.is_of_language()
        && ["__normal_iterator", "__wrap_iter"].contains(&declaration.spelling().as_str());
    let pointer = class.template_arguments().into_iter().next().filter(|_| is_it);
    pointer.is_some_and(|pointer| {
        let pointer = pointer.canonical();
        pointer.kind() == CXType_Pointer && arithmetic_type(pointer.target().canonical().kind()).is_some()
    })
}

/// True for the classes of the library whose objects write to files, or to memory of their own.
pub fn is_file(class: Type<'_>) -> bool {
    let class = class.canonical();
    let names = ["basic_ofstream", "basic_ostringstream"];
    class.kind() == CXType_Record && is_of_library(class.declaration(), &names)
}

/// True for an iterator, or a reference to one.
fn is_iterator_value(value: Cursor) -> bool {
    let ctype = value.ctype().canonical();
    is_iterator(if ctype.is_reference() { ctype.target() } else { ctype })
}

/// What a call of an operator does whose first operand is an iterator.
pub fn of_iterator(call: Cursor, operator: &str) -> Option<Understood> {
    let is_operand = |part: &Cursor| {
        let function = called(*part).map(|mention| mention.referenced().kind());
        !matches!(function, Some(CXCursor_CXXMethod | CXCursor_FunctionDecl | CXCursor_FunctionTemplate))
    };
    let operands: Vec<Cursor> = call.children().into_iter().filter(is_operand).collect();
    let is_plain = |operand: &Cursor| is_iterator_value(*operand) || is_number(*operand);
    if !operands.first().is_some_and(|first| is_iterator_value(*first)) || !operands.iter().all(is_plain) {
        return None;
    }
    match operator {
        "operator*" | "operator[]" => Some(Understood::Pointed),
        "operator++" | "operator--" | "operator+=" | "operator-=" | "operator=" => {
            Some(Understood::Iterator { changes: true })
        }
        "operator+" | "operator-" | "operator==" | "operator!=" | "operator<" | "operator<="
        | "operator>" | "operator>=" => Some(Understood::Iterator { changes: false }),
        _ => None,
    }
}

/// What a call of a member function of a stream does that writes to a file.
pub fn of_file(call: Cursor) -> Option<Understood> {
    let function = call.referenced();
    let is_it = call.children().first().and_then(|callee| callee.children().first().copied());
    let is_it = is_it.is_some_and(|object| is_file(object.ctype()));
    let names = ["close", "fail", "flush", "good", "is_open", "precision", "width"];
    (is_it && names.contains(&function.spelling().as_str())).then_some(Understood::Print)
}

/// True for a declaration of the standard library with one of these names.
fn is_of_library(declaration: Cursor, names: &[&str]) -> bool {
    declaration.is_of_language()
        && names.contains(&declaration.spelling().as_str())
        && namespaces(declaration).last().is_some_and(|outermost| outermost == "std")
}

/// What the construction of an object does: a vector may be made of numbers, of nothing, and of a range of numbers.
pub fn construction(call: Cursor) -> Option<Understood> {
    let written = call.children().into_iter().filter(|part| part.is_expression());
    // An allocator that is left out.
    let is_left_out = |part: &Cursor| part.children().is_empty() && part.range().start == part.range().end;
    let arguments: Vec<Cursor> = written.filter(|part| !is_left_out(part)).collect();
    let leads_to_numbers = |part: &Cursor| is_iterator_value(*part) || points_to_numbers(*part);
    let is_range = arguments.len() == 2 && arguments.iter().all(leads_to_numbers);
    let of_numbers = is_range || arguments.iter().all(|part| is_number(*part));
    if of_numbers && is_vector(call.ctype().canonical()) {
        return Some(Understood::Making);
    }
    let class = call.ctype().canonical();
    let is_plain = class.is_plain_old_data() || simple::is_simple(class);
    if is_iterator(class) && call.children().into_iter().all(is_iterator_value) {
        return Some(Understood::Iterator { changes: false });
    }
    if is_file(class) {
        let written = call.children().into_iter().filter(|part| part.is_expression() && !is_left_out(part));
        let is_plain = |part: Cursor| is_number(part) || is_text(part);
        return written.into_iter().all(is_plain).then_some(Understood::Making);
    }
    let copies = is_plain && call.referenced().copies_or_moves();
    copies.then_some(Understood::Copy)
}

/// What the assignment of an object does.
pub fn assignment(call: Cursor) -> Option<Understood> {
    let function = call.referenced();
    let class = function.parent().ctype().canonical();
    let is_plain = class.is_plain_old_data() || simple::is_simple(class);
    (function.kind() == CXCursor_CXXMethod && is_plain).then_some(Understood::Assign)
}

/// What kind of container of numbers a class is.
pub fn container(class: Type<'_>) -> Option<Container> {
    if is_vector(class) {
        return Some(Container::Vector);
    }
    let is_array = class.kind() == CXType_Record
        && !class.is_volatile()
        && is_of_library(class.declaration(), &["array"])
        && class.is_plain_old_data();
    let element = class.template_arguments().into_iter().next().filter(|_| is_array)?;
    let size = arithmetic_type(element.canonical().kind())?.size();
    Some(Container::Array(u64::from(class.size()? / size)))
}

/// What the call of a member function or operator of a container of numbers does.
pub fn of_container(call: Cursor) -> Option<Understood> {
    let function = call.referenced();
    if function.kind() != CXCursor_CXXMethod {
        return None;
    }
    let container = container(function.parent().ctype().canonical())?;
    let is_vector = container == Container::Vector;
    let name = function.spelling();
    let children = call.children();
    let arguments = children.get(1..).unwrap_or_default();
    let of_numbers = || arguments.iter().all(|argument| is_number(*argument));
    match name.as_str() {
        "at" | "back" | "front" | "operator[]" => Some(Understood::Element(container)),
        "begin" | "cbegin" | "cend" | "data" | "end" => Some(Understood::Data(container)),
        "capacity" | "empty" | "max_size" | "size" => Some(Understood::Property(container)),
        "assign" | "clear" | "pop_back" | "push_back" | "reserve" | "resize" | "shrink_to_fit"
            if is_vector && of_numbers() =>
        {
            Some(Understood::Change)
        }
        "swap" if is_vector => Some(Understood::Swap),
        _ => None,
    }
}

/// What printing does: a number, a string, or a manipulator without arguments, to a stream of characters.
pub fn printing(call: Cursor) -> Option<Understood> {
    let function = call.referenced();
    let is_output = function.spelling() == "operator<<"
        && function.declaration().is_of_language()
        && namespaces(function.declaration()).last().is_some_and(|outermost| outermost == "std");
    let children = call.children();
    let [stream, _, value] = children[..] else { return None };
    let is_stream = |ctype: Type<'_>| {
        is_of_library(ctype.canonical().declaration(), &["basic_ostream"]) || is_file(ctype)
    };
    let is_manipulator = || {
        let name = called(value).map(|manipulator| manipulator.referenced());
        let names = ["defaultfloat", "dec", "endl", "ends", "fixed", "flush", "hex", "scientific"];
        name.is_some_and(|manipulator| is_of_library(manipulator.declaration(), &names))
    };
    let is_known = is_output
        && is_stream(stream.ctype())
        && is_stream(call.ctype())
        && (is_number(value) || is_text(value) || is_manipulator());
    is_known.then_some(Understood::Print)
}

/// True for a string, as C has it.
fn is_text(value: Cursor) -> bool {
    let ctype = value.ctype().canonical();
    let target = match ctype.kind() {
        CXType_Pointer => ctype.target(),
        CXType_ConstantArray => ctype.element(),
        _ => return false,
    };
    arithmetic_type(target.canonical().kind()).is_some_and(|number| number.size() == 1)
}

/// The function that an operand is the name of.
pub fn mentioned(operand: Cursor<'_>) -> Option<Cursor<'_>> {
    called(operand).map(|mention| mention.referenced())
}

/// The mention of a function, which is an operand.
fn called(operand: Cursor<'_>) -> Option<Cursor<'_>> {
    match operand.children()[..] {
        _ if operand.kind() == CXCursor_DeclRefExpr => Some(operand),
        [inner] if [CXCursor_UnexposedExpr, CXCursor_ParenExpr].contains(&operand.kind()) => called(inner),
        _ => None,
    }
}

fn is_number(value: Cursor) -> bool {
    arithmetic_type(value.ctype().canonical().kind()).is_some()
}

/// True for a pointer to numbers, of which `delete` does nothing but free them.
pub fn points_to_numbers(pointer: Cursor) -> bool {
    let ctype = pointer.ctype().canonical();
    ctype.kind() == CXType_Pointer && arithmetic_type(ctype.target().canonical().kind()).is_some()
}

/// Words of files with code that printing of C++ may call, or that lets it throw exceptions.
const CALLED_BY_PRINTING: [&str; 10] = [
    "basic_streambuf",
    "exceptions",
    "facet",
    "imbue",
    "locale",
    "pubsetbuf",
    "rdbuf",
    "streambuf",
    "sync_with_stdio",
    "tie",
];

const OF_COROUTINES: [&str; 3] = ["co_await", "co_return", "co_yield"];

/// True if the user's files have a word of code that printing may call.
pub fn printing_calls(unit: &Unit) -> bool {
    unit.has_word_of_user(&CALLED_BY_PRINTING)
}

/// True if the user's files have coroutines.
pub fn has_coroutines(unit: &Unit) -> bool {
    unit.has_word_of_user(&OF_COROUTINES)
}

/// True if the user's files have `operator &`, alone.
pub fn has_own_address_of(unit: &Unit) -> bool {
    let is_own = |text: &[u8]| match text.trim_ascii_start() {
        [b'&', next, ..] => ![b'&', b'='].contains(next),
        _ => false,
    };
    const WORD: &[u8] = b"operator";
    unit.files_of_user().into_iter().any(|file| {
        let text = unit.contents(file);
        let mut words = text.windows(WORD.len()).enumerate().filter(|(_, word)| *word == WORD);
        words.any(|(at, _)| is_own(&text[at + WORD.len()..]))
    })
}
