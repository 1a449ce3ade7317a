//! What C++ has beyond C, as far as the import of a file must know it.
//!
//! | construct | what it becomes |
//! |---|---|
//! | a variable that is a reference | a variable in memory that is reached through a pointer |
//! | what a reference is bound to | the operand of `&` |
//! | `A::v`, `::v` | the variable, and how the source writes its name there |
//! | a member of the object of a member function | a member of `*this` |
//! | objects, member functions, operators of classes, lambda expressions | expressions that no pass understands |

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::{CType, SourceRange, names};

use crate::c::clang::{Cursor, Type};
use crate::c::ctree::Unnamed;
use crate::import::types::arithmetic_type;

/// A call of something that C does not have.
pub fn call(cursor: Cursor) -> Option<Unnamed> {
    let function = cursor.referenced();
    let name = function.spelling();
    match function.kind() {
        CXCursor_Constructor => Some(Unnamed::other("the construction of an object")),
        CXCursor_CXXMethod | CXCursor_FunctionDecl | CXCursor_FunctionTemplate if is_operator(&name) => {
            Some(if name == "operator=" { Unnamed::ObjectAssignment } else { Unnamed::Operator(name) })
        }
        CXCursor_CXXMethod if function.is_static_member() && !is_through_object(cursor) => None,
        CXCursor_CXXMethod | CXCursor_ConversionFunction => Some(Unnamed::MemberCall(name)),
        _ => None,
    }
}

/// True for a call of a function that has one value: what `INFINITY`, `NAN` and `HUGE_VAL` stand for, and in C++ what
/// `std::numeric_limits` has.
pub fn is_constant_call(call: Cursor) -> bool {
    const BUILTINS: &[&str] = &["inf", "inff", "huge_val", "huge_valf", "nan", "nanf"];
    let function = call.referenced();
    let name = function.spelling();
    let builtin = name.strip_prefix("__builtin_").is_some_and(|name| BUILTINS.contains(&name));
    builtin || is_of_limits(function)
}

/// The value of `__builtin_expect(value, expected)`, which is that of its first argument.
pub fn of_expectation(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let children = cursor.children();
    let [_, value, expected] = children[..] else { return None };
    let is_call = cursor.kind() == CXCursor_CallExpr && cursor.referenced().spelling() == "__builtin_expect";
    (is_call && expected.evaluate().is_some()).then_some(value)
}

/// True for the question of functions of C++'s library whether a compiler executes them, which they ask before they
/// check their arguments.
pub fn asks_for_compiler(call: Cursor) -> bool {
    let function = call.referenced();
    function.spelling() == "__is_constant_evaluated" && function.declaration().is_of_language()
}

/// True for a function of `std::numeric_limits`, or of a class of its library like it.
fn is_of_limits(function: Cursor) -> bool {
    function.kind() == CXCursor_CXXMethod
        && function.is_static_member()
        && function.parameters().is_empty()
        && function.declaration().is_of_language()
        && namespaces(function.declaration()).iter().any(|name| name == "numeric_limits")
}

/// `operator+`, `operator new`, `operator double`, but not `operator_norm`.
pub fn is_operator(name: &str) -> bool {
    let rest = name.strip_prefix("operator");
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// True for a call `object.member(…)`.
fn is_through_object(call: Cursor) -> bool {
    let mut callee = call.children().first().copied();
    while let Some(inner) =
        callee.filter(|c| [CXCursor_UnexposedExpr, CXCursor_ParenExpr].contains(&c.kind()))
    {
        callee = inner.children().first().copied();
    }
    callee.is_none_or(|callee| callee.kind() != CXCursor_DeclRefExpr)
}

/// True for `new T[n]`, as it stands in the text, where T is a number.
pub fn is_new_array(cursor: Cursor) -> bool {
    let is_number = arithmetic_type(cursor.ctype().canonical().target().canonical().kind()).is_some();
    let range = cursor.range();
    let length = range.end.saturating_sub(range.start) as usize;
    let text = cursor.text_of_file().and_then(|text| text.get(..length));
    is_number && text.is_some_and(names_length)
}

/// True for a text like `new unsigned int[n]`: a name alone stands before the first bracket.
fn names_length(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"new") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_: \t\n".contains(byte));
    rest.get(name.count()) == Some(&b'[')
}

/// True for an overload of a function of C's library, such as `std::sqrt` of an integer, that is the one of `double`,
/// of its arguments converted to `double`: so C++ defines those whose value is a `double`.
pub fn takes_doubles(name: &str, function: Cursor) -> bool {
    let parameters = function.parameters();
    let number = |ctype: Type| arithmetic_type(ctype.canonical().kind());
    let are_numbers = parameters.iter().all(|parameter| {
        let ctype = number(parameter.ctype());
        ctype.is_some_and(|ctype| ctype.is_integer() || [CType::Float, CType::Double].contains(&ctype))
    });
    number(function.result()) == Some(CType::Double)
        && names::scaled_by_exponent(name).is_none()
        && are_numbers
        && names::math_function(name) == Some(parameters.len())
        && namespaces(function.declaration()).last().is_some_and(|outermost| outermost == "std")
}

/// C's name of a function of its library that C++ overloads: `sqrt` of `float` is `sqrtf`.
pub fn c_name(function: Cursor) -> String {
    let spelling = function.spelling();
    let name = match spelling.strip_prefix("__builtin_") {
        Some(name) if names::math_function(name).is_some() => return name.to_owned(),
        _ => spelling,
    };
    let in_c = match arithmetic_type(function.ctype().result().canonical().kind()) {
        Some(CType::Float) if name == "abs" => "fabsf".to_owned(),
        Some(CType::Double) if name == "abs" => "fabs".to_owned(),
        Some(CType::Long) if name == "abs" => "labs".to_owned(),
        Some(CType::LongLong) if name == "abs" => "llabs".to_owned(),
        Some(CType::Float) if !name.ends_with('f') || name == "erf" => format!("{name}f"),
        _ => return name,
    };
    if names::math_function(&in_c).is_some() { in_c } else { name }
}

/// True unless a function may be that of C's library which has its name: one that the user declares in a namespace is
/// another.
pub fn is_of_user(function: Cursor) -> bool {
    if function.is_defined_by_user() {
        return true;
    }
    let declaration = function.declaration();
    let parents = namespaces(declaration);
    let global = parents.is_empty() && declaration.has_c_linkage();
    let standard = parents.last().is_some_and(|outermost| outermost == "std");
    let of_system = declaration.is_of_language() && (parents.is_empty() || standard);
    !global && !of_system
}

/// The names of the namespaces and classes around a declaration, innermost first.
pub fn namespaces(declaration: Cursor) -> Vec<String> {
    let mut found = Vec::new();
    let mut around = declaration.parent();
    while ![CXCursor_TranslationUnit, CXCursor_InvalidFile].contains(&around.kind()) {
        if around.kind() != CXCursor_LinkageSpec {
            found.push(around.spelling());
        }
        around = around.parent();
    }
    found
}

/// The first statement in a function of which libclang does not show the first part: `switch (auto value = first; …)`
/// or `for (auto list = first; auto element : list)`.
pub fn hidden_part(function: Cursor) -> Option<SourceRange> {
    let statements = function.statements_with_first_parts();
    statements.into_iter().find(|statement| has_first_part(&statement.words())).map(Cursor::range)
}

/// True if there is a semicolon in the parentheses after the first word, or if they cannot be seen because a macro
/// makes the statement.
fn has_first_part(words: &[String]) -> bool {
    if words.first().is_none_or(|word| !["switch", "for"].contains(&word.as_str())) {
        return true;
    }
    let mut depth = 0;
    for word in words {
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 1 => return false,
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 1 => return true,
            _ => {}
        }
    }
    true
}

/// The name of a static member from the outermost namespace on; nothing in a class that is made of a template.
pub fn full_name(member: Cursor) -> Option<String> {
    let mut names = vec![member.spelling()];
    let mut around = member.declaration().parent();
    while around.kind() != CXCursor_TranslationUnit {
        let is_class = [CXCursor_ClassDecl, CXCursor_StructDecl, CXCursor_UnionDecl].contains(&around.kind());
        match around.kind() {
            // Names in a namespace without a name are found in the one around it.
            CXCursor_Namespace if around.spelling().is_empty() => {}
            CXCursor_Namespace => names.push(around.spelling()),
            _ if is_class && around.template().is_none() && !around.spelling().is_empty() => {
                names.push(around.spelling());
            }
            CXCursor_LinkageSpec => {}
            _ => return None,
        }
        around = around.parent();
    }
    names.reverse();
    Some(format!("::{}", names.join("::")))
}

/// True for a variable or `this`: to evaluate it does nothing.
pub fn is_plain_object(object: Cursor<'_>) -> bool {
    match (object.kind(), &object.children()[..]) {
        (CXCursor_DeclRefExpr | CXCursor_CXXThisExpr, _) => true,
        (CXCursor_UnexposedExpr | CXCursor_ParenExpr, [inner]) => is_plain_object(*inner),
        _ => false,
    }
}

/// True for a function that C++ may call where nothing names it, and for a template.
pub fn is_special(function: Cursor) -> bool {
    let is_made_of_template = function.template().is_some();
    let is_named = [CXCursor_FunctionDecl, CXCursor_CXXMethod].contains(&function.kind())
        && !is_operator(&function.spelling());
    !is_named || is_template(function) && !is_made_of_template && !is_in_made_class(function)
}

/// True for a member function of a class that is made of a template.
fn is_in_made_class(function: Cursor) -> bool {
    let class = function.parent();
    [CXCursor_ClassDecl, CXCursor_StructDecl].contains(&class.kind()) && class.template().is_some()
}

/// True for a function whose text stands for many: a template, or a member of one.
pub fn is_template(function: Cursor) -> bool {
    let mut around = function;
    loop {
        match around.kind() {
            CXCursor_FunctionTemplate
            | CXCursor_ClassTemplate
            | CXCursor_ClassTemplatePartialSpecialization => {
                return true;
            }
            CXCursor_TranslationUnit | CXCursor_InvalidFile => return false,
            _ => around = around.parent(),
        }
    }
}

/// True for a function whose text may stand for others as well: in a template, or in what is made of one.
pub fn shares_text<'u>(function: Cursor<'u>) -> bool {
    let is_shared = |next: fn(Cursor<'u>) -> Cursor<'u>| {
        let mut around = function;
        loop {
            match around.kind() {
                CXCursor_FunctionTemplate
                | CXCursor_ClassTemplate
                | CXCursor_ClassTemplatePartialSpecialization => return true,
                CXCursor_TranslationUnit | CXCursor_InvalidFile => return false,
                _ if around.template().is_some() => return true,
                _ => around = next(around),
            }
        }
    };
    is_shared(Cursor::parent) || is_shared(Cursor::text_parent)
}

/// True for a `sizeof` or the like of a class that is not plain old data, on whose layout compilers may not agree.
pub fn measures_class(measure: Cursor) -> bool {
    measure.children().into_iter().any(|part| {
        let ctype = if part.kind() == CXCursor_TypeRef { part.referenced().ctype() } else { part.ctype() };
        let class = ctype.canonical();
        class.kind() == CXType_Record && !class.is_plain_old_data()
    })
}

/// True for a function that compilers may execute.
pub fn is_constexpr(function: Cursor) -> bool {
    let head = function.head();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    head.split(|c| !is_word(c)).any(|word| word == "constexpr" || word == "consteval")
}

/// True if the value of an operand is used, and no reference is bound to it: clang shows the load of a scalar as an
/// implicit conversion to its unqualified type.
pub fn is_loaded(operand: Cursor) -> bool {
    let children = operand.children();
    match (operand.kind(), &children[..]) {
        (CXCursor_UnexposedExpr, [inner]) => is_scalar_value(operand.ctype()) || is_loaded(*inner),
        (CXCursor_ParenExpr, [inner]) => is_loaded(*inner),
        (
            CXCursor_CStyleCastExpr | CXCursor_CXXStaticCastExpr | CXCursor_CXXFunctionalCastExpr,
            [.., inner],
        ) => is_scalar_value(operand.ctype()) && is_loaded(*inner),
        // Two variables may be bound, but not one and a value: the other is loaded.
        (CXCursor_ConditionalOperator, [_, then, otherwise]) => is_loaded(*then) || is_loaded(*otherwise),
        _ => false,
    }
}

/// True for the type of the value of a scalar, which no reference has.
pub fn is_scalar_value(ctype: Type) -> bool {
    let canonical = ctype.canonical();
    let scalar = matches!(
        canonical.kind(),
        CXType_Pointer | CXType_Enum | CXType_NullPtr | CXType_MemberPointer | CXType_Complex
    ) || arithmetic_type(canonical.kind()).is_some();
    scalar && !canonical.is_const() && !canonical.is_volatile()
}

/// The enumeration that a type is, or whose values it has as elements.
pub fn enumeration(ctype: Type<'_>) -> Option<Type<'_>> {
    let canonical = ctype.canonical();
    match canonical.kind() {
        CXType_Enum => Some(canonical),
        CXType_Pointer | CXType_LValueReference | CXType_RValueReference => enumeration(canonical.target()),
        CXType_ConstantArray | CXType_VariableArray | CXType_IncompleteArray => {
            enumeration(canonical.element())
        }
        _ => None,
    }
}

/// True for a braced list of the numbers of an array, each of which is copied. Braces around a single number are not
/// one: clang does not say whether a reference is bound to it.
pub fn is_list_of_numbers(cursor: Cursor) -> bool {
    let whole = cursor.ctype().canonical();
    let mut element = whole;
    while is_array(element) {
        element = element.element().canonical();
    }
    let is_number = |child: &Cursor| !is_array(child.ctype().canonical());
    cursor.kind() == CXCursor_InitListExpr
        && is_array(whole)
        && arithmetic_type(element.kind()).is_some()
        && cursor.children().iter().all(is_number)
}

fn is_array(ctype: Type) -> bool {
    [CXType_ConstantArray, CXType_IncompleteArray].contains(&ctype.kind())
}

/// What stands in the braces around a single value.
pub fn in_braces(value: Cursor) -> Cursor {
    match value.children()[..] {
        [inner] if value.kind() == CXCursor_InitListExpr => in_braces(inner),
        _ => value,
    }
}

/// True if the parentheses of an `if` close before `part`, so that it is a branch. False if it stands inside them,
/// after `if (initialiser;`, and where a macro hides which of the two it is.
pub fn is_branch(part: Cursor, statement: Cursor) -> bool {
    let range = statement.range();
    let length = statement.text_of_file().and_then(closing_parenthesis);
    length.is_some_and(|length| part.range().start > range.start + length as u32)
}

/// Where the first parenthesis of an `if` closes.
fn closing_parenthesis(text: &[u8]) -> Option<usize> {
    let mut depth = 0_u32;
    let mut position = text.strip_prefix(b"if").map(|_| 2)?;
    loop {
        let rest = text.get(position..).filter(|rest| !rest.is_empty())?;
        position += match rest {
            [b'/', b'*', inside @ ..] => 4 + inside.windows(2).position(|two| two == b"*/")?,
            [b'/', b'/', inside @ ..] => 2 + inside.iter().position(|&byte| byte == b'\n')?,
            [quote @ (b'"' | b'\''), inside @ ..] => 1 + quoted(inside, *quote)?,
            [byte, ..] if byte.is_ascii_alphanumeric() || *byte == b'_' => word(rest),
            [b')', ..] if depth == 1 => return Some(position),
            [b'(', ..] => {
                depth += 1;
                1
            }
            [b')', ..] => {
                depth = depth.checked_sub(1)?;
                1
            }
            [b'{' | b';', ..] if depth == 0 => return None,
            _ => 1,
        };
    }
}

/// The length of the name or number that a text begins with. Between the digits of a number may be quotation marks.
fn word(text: &[u8]) -> usize {
    let is_number = text[0].is_ascii_digit();
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let end = (1..text.len()).find(|&at| {
        let separates = is_number && text[at] == b'\'' && text.get(at + 1).is_some_and(|&next| in_word(next));
        !in_word(text[at]) && !separates
    });
    end.unwrap_or(text.len())
}

/// The length of what a quotation mark ends, and of that mark.
fn quoted(text: &[u8], quote: u8) -> Option<usize> {
    let mut escaped = false;
    let end = text.iter().position(|&byte| {
        let ends = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map(|end| end + 1)
}

/// How a mention of a variable writes its name.
pub enum Written {
    /// By the name alone.
    Plain,
    /// With namespaces or classes before it, like this.
    Qualified(String),
    /// With template arguments, or what macros hide.
    Hidden,
}

/// How a mention of a variable writes its name.
pub fn written(mention: Cursor) -> Written {
    let texts = [mention.spelled_text(), mention.text_of_file()];
    let is_global = texts.iter().flatten().any(|text| text.starts_with(b"::"));
    if mention.children().is_empty() && !is_global {
        return Written::Plain;
    }
    let name = mention.spelling();
    let mut names = texts.into_iter().flatten().filter_map(|text| qualified(text, &name));
    names.next().map_or(Written::Hidden, Written::Qualified)
}

/// True for a mention of a variable that writes no name which the call of a region could use.
pub fn is_hidden(mention: Cursor) -> bool {
    matches!(written(mention), Written::Hidden)
}

/// The qualified name with which a text begins, if `name` is the last part of it, and it has no template arguments.
fn qualified(text: &[u8], name: &str) -> Option<String> {
    let mut rest = text;
    let mut result = String::new();
    loop {
        if let Some(after) = rest.strip_prefix(b"::") {
            result.push_str("::");
            rest = after.trim_ascii_start();
        }
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let (part, after) = rest.split_at(length);
        let part = std::str::from_utf8(part).ok().filter(|part| !part.is_empty())?;
        result.push_str(part);
        rest = after.trim_ascii_start();
        if !rest.starts_with(b"::") {
            return (part == name && result.contains("::")).then_some(result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_of_conditions() {
        let length = |text: &str| closing_parenthesis(text.as_bytes());
        assert_eq!(length("if (x) y();"), Some(5));
        assert_eq!(length("if constexpr (f(x) > (1)) y();"), Some(24));
        assert_eq!(length("if (1'000 + h(2'0) > L')') y();"), Some(25));
        assert_eq!(length("if /* ( */ (x == ')' || g(\")\\\"\")) y();"), Some(32));
        assert_eq!(length("if (x // )\n) y();"), Some(11));
        assert_eq!(length(r"if (x == '\\') y();"), Some(13));
        assert_eq!(length("IF(x) y();"), None);
        assert_eq!(length("if consteval { y(x); }"), None);
        assert_eq!(length("if (x"), None);
    }

    #[test]
    fn first_parts() {
        let has = |text: &str| has_first_part(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert!(has("switch ( auto k = f ( 1 ) ; k ) { }"));
        assert!(has("for ( auto v = { 1 , 2 } ; auto x : v ) { }"));
        assert!(has("EACH ( x , v ) { }"));
        assert!(!has("switch ( k ) { case 1 : ; }"));
        assert!(!has("switch ( [ & ] { return k ; } ( ) ) { }"));
        assert!(!has("for ( auto x : f ( 1 ) ) { ; }"));
    }

    #[test]
    fn arrays_from_new() {
        assert!(names_length(b"new double[n]"));
        assert!(names_length(b"new std::uint8_t [f(n)]{}"));
        assert!(!names_length(b"new double(x[n])"));
        assert!(!names_length(b"new (std::nothrow) double[n]"));
        assert!(!names_length(b"NEW(double[n])"));
    }

    #[test]
    fn qualified_names() {
        let name = |text: &str| qualified(text.as_bytes(), "v");
        assert_eq!(name("A::v[i]").as_deref(), Some("A::v"));
        assert_eq!(name(":: A ::\n v + 1").as_deref(), Some("::A::v"));
        assert_eq!(name("::v").as_deref(), Some("::v"));
        assert_eq!(name("S::v < w").as_deref(), Some("S::v"));
        assert_eq!(name("S<int, 3>::v < w"), None);
        assert_eq!(name("v"), None);
        assert_eq!(name("NS\n#define v"), None);
        assert_eq!(name("A::w"), None);
        assert_eq!(name("A::/* */v"), None);
    }
}
