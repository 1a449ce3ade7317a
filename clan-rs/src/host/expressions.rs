//! Questions about expressions and types: which denote memory, which are harmless, and what calls of C++ consist of.

use scop::CType;

use crate::c::ctree::{
    Callee, Class, Expr, ExprKind, Function, Lifetime, Stmt, StmtKind, Tree, Type, TypeKind, Understood,
    Unnamed, Variable, VariableId,
};

/// True for an expression that denotes memory.
pub fn is_lvalue(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Subscript { .. } | ExprKind::Member { .. } => true,
        ExprKind::Other { what, .. } => matches!(
            what,
            Unnamed::CompoundLiteral
                | Unnamed::UnionMember
                | Unnamed::BitField
                | Unnamed::Member(_)
                | Unnamed::Text
                | Unnamed::Understood(Understood::Element(_) | Understood::Pointed, _)
        ),
        _ => false,
    }
}

/// True if an lvalue of this form is the member of what its only part denotes or points to.
pub fn is_other_member(what: &Unnamed, parts: &[Expr]) -> bool {
    matches!(what, Unnamed::UnionMember | Unnamed::BitField | Unnamed::Member(_)) && parts.len() == 1
}

/// What an access says of the type of what is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// It consists of pointers.
    Pointers,
    /// It is an integer that is a variable, a member, or an element of one of these.
    Integer,
    /// Anything else. Programs do read the bytes of other numbers through pointers to integers, or as members of unions.
    Unknown,
}

/// Returns what an lvalue says of the type of what is in memory.
pub fn typed(lvalue: &Expr) -> Typed {
    fn is_declared(lvalue: &Expr) -> bool {
        match &lvalue.kind {
            ExprKind::Variable(_) => true,
            ExprKind::Subscript { base, .. } => {
                matches!(base.ctype.kind, TypeKind::Array { .. }) && is_declared(base)
            }
            ExprKind::Member { base, .. } => match &base.kind {
                _ if base.ctype.is_pointer_like() => true,
                ExprKind::Subscript { base: pointer, .. } => {
                    !matches!(pointer.ctype.kind, TypeKind::Array { .. }) || is_declared(base)
                }
                _ => is_declared(base),
            },
            _ => false,
        }
    }
    let is_place =
        matches!(lvalue.kind, ExprKind::Variable(_) | ExprKind::Subscript { .. } | ExprKind::Member { .. });
    match (lvalue.ctype.arithmetic(), &lvalue.ctype.kind) {
        (Some(ctype), _) if ctype.is_integer() && ctype.size() > 1 && is_declared(lvalue) => Typed::Integer,
        (None, TypeKind::Pointer { .. }) if is_place => Typed::Pointers,
        _ => Typed::Unknown,
    }
}

/// True for what is no array, although its type is one: parameters declared as arrays are pointers.
pub fn is_array_object(tree: &Tree, lvalue: &Expr) -> bool {
    let is_parameter = |id| tree.variable(id).lifetime == Lifetime::Parameter;
    matches!(lvalue.ctype.kind, TypeKind::Array { .. }) && !lvalue.as_variable().is_some_and(is_parameter)
}

/// Returns the function of the tree that a call calls. In C++, one of the library may have the name of one of the
/// user's.
pub fn function_of<'t>(tree: &'t Tree, callee: &Callee) -> Option<&'t Function> {
    if tree.is_cxx && !callee.of_user { None } else { tree.function(&callee.name) }
}

/// True for a vector of numbers that is a variable or a member.
pub fn is_vector(tree: &Tree, lvalue: &Expr) -> bool {
    match (&lvalue.kind, &lvalue.ctype.kind) {
        (ExprKind::Variable(id), _) => tree.variable(*id).class == Some(Class::Vector),
        (ExprKind::Member { .. }, TypeKind::Other(name)) => tree.vectors.get(name) == Some(&true),
        _ => false,
    }
}

/// True if the file has an `operator new` or `operator delete` of its own.
pub fn has_own_new(tree: &Tree) -> bool {
    let is_own = |function: &Function| {
        ["operator new", "operator delete"].iter().any(|name| function.shown.starts_with(name))
    };
    tree.all_functions().any(is_own)
}

/// Returns what a call of `std::swap` exchanges: numbers, pointers or vectors.
pub fn swapped<'t>(tree: &Tree, callee: &Callee, arguments: &'t [Expr]) -> Option<[&'t Expr; 2]> {
    let [one, other] = arguments else { return None };
    let exchanges = |argument: &Expr| {
        let operand = match &argument.kind {
            ExprKind::AddressOf(operand) => operand,
            _ => argument,
        };
        operand.ctype.arithmetic().is_some()
            || matches!(operand.ctype.kind, TypeKind::Pointer { .. })
            || is_vector(tree, operand)
    };
    let is_swap = tree.is_cxx && callee.name == "swap" && !callee.of_user && callee.attribute.is_none();
    (is_swap && exchanges(one) && exchanges(other)).then_some([one, other])
}

/// Returns what is known of an expression of C++, with its parts.
pub fn understood(expr: &Expr) -> Option<(&Understood, &[Expr])> {
    match &expr.kind {
        ExprKind::Other { what: Unnamed::Understood(known, _), parts } => Some((known, parts)),
        _ => None,
    }
}

/// Returns the object before a member function or operator: its address, or itself.
pub fn object_of(call: &Expr) -> Option<&Expr> {
    let (known, parts) = understood(call)?;
    if matches!(known, Understood::Operator(_)) {
        return None;
    }
    match &parts.first()?.kind {
        ExprKind::Other { parts: object, .. } if is_bound_member(&parts[0]) => object.first(),
        _ => parts.first(),
    }
}

/// Returns the arguments of a call of a member function or operator.
pub fn arguments_of(call: &Expr) -> &[Expr] {
    let Some((known, parts)) = understood(call) else { return &[] };
    let is_operator = parts.first().is_some_and(|first| !is_bound_member(first));
    match known {
        Understood::Making | Understood::Copy | Understood::Delete => parts,
        Understood::Operator(_) => parts.get(1..).unwrap_or_default(),
        _ if is_operator => parts.get(2..).unwrap_or_default(),
        _ => parts.get(1..).unwrap_or_default(),
    }
}

/// Returns the member with the elements, if a call finds one of them by an `operator[]` of the user's: see
/// [`member_with_elements`].
pub fn elements_of_own<'t>(tree: &'t Tree, call: &Expr) -> Option<&'t Expr> {
    let (Understood::Member(name, None), _) = understood(call)? else { return None };
    let object = without_address(object_of(call)?);
    let is_number = call.ctype.arithmetic().is_some() && !object.ctype.is_pointer_like();
    tree.function(name).filter(|_| is_number).and_then(member_with_elements)
}

/// Returns the member of `this` of which an `operator[]` gives the element with the subscript that it gets, and does
/// nothing else: a pointer, an array or a vector.
fn member_with_elements(function: &Function) -> Option<&Expr> {
    let [index] = function.parameters[..] else { return None };
    let StmtKind::Compound(parts) = &function.body.kind else { return None };
    let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = &parts[..] else { return None };
    if function.shown != "operator[]" || !function.returns_reference {
        return None;
    }
    let (elements, subscript) = match &value.kind {
        ExprKind::Subscript { base, index } => (&**base, &**index),
        ExprKind::Other { what: Unnamed::Understood(Understood::Element(_), plain), .. }
            if matches!(&**plain, Unnamed::Operator(_)) =>
        {
            (without_address(object_of(value)?), arguments_of(value).first()?)
        }
        _ => return None,
    };
    let elements = elements.without_casts();
    let ExprKind::Member { base, .. } = &elements.kind else { return None };
    let object = if let ExprKind::Subscript { base, .. } = &base.kind { base } else { base };
    let is_of_this = object.as_variable().is_some_and(|id| function.this == Some(id));
    let keeps = |from: CType, to: CType| to.size() >= from.size();
    let is_itself = subscript.without_casts_that(&keeps).as_variable() == Some(index);
    (is_of_this && is_itself).then_some(elements)
}

/// Returns the operand of an `&` that the source does not write, as before a member function.
pub fn without_address(object: &Expr) -> &Expr {
    match &object.kind {
        ExprKind::AddressOf(operand) => operand,
        _ => object,
    }
}

/// Returns the operands of an operator of iterators, without the `&` of references.
pub fn operands_of(call: &Expr) -> impl Iterator<Item = &Expr> {
    let parts = understood(call).map_or(&[][..], |(_, parts)| parts);
    let is_name = |part: &Expr| matches!(&part.kind, ExprKind::Other { what: Unnamed::Other(words), .. } if *words == "the name of a function");
    parts.iter().filter(move |part| !is_name(part)).map(|part| match &part.kind {
        ExprKind::AddressOf(operand) => operand,
        _ => part,
    })
}

/// True for a pointer to numbers, or an iterator of a vector of numbers.
pub fn leads_to_numbers(tree: &Tree, expr: &Expr) -> bool {
    match &expr.ctype.kind {
        TypeKind::Other(name) => tree.iterators.contains(name),
        _ => points_to_small_numbers(&expr.ctype),
    }
}

/// True for `object.function` before the parentheses of a call.
pub fn is_bound_member(part: &Expr) -> bool {
    let words = "something other than a variable of a structure";
    matches!(&part.kind, ExprKind::Other { what: Unnamed::Other(other), .. } if *other == words)
}

/// True for an object that code makes or destroys of which nothing is known. A static vector ends at an unknown time.
pub fn is_made_by_code(variable: &Variable) -> bool {
    let is_static = variable.lifetime == Lifetime::Static;
    match variable.class {
        Some(Class::Other) => !variable.reference,
        Some(Class::Vector) => is_static && !variable.reference,
        None => false,
    }
}

pub fn is_member(what: &Unnamed) -> bool {
    matches!(what, Unnamed::UnionMember | Unnamed::BitField | Unnamed::Member(_))
}

/// Returns how many pointers and arrays a type consists of.
pub fn levels(ctype: &Type) -> usize {
    match &ctype.kind {
        TypeKind::Pointer { target: inner, .. } | TypeKind::Array { element: inner, .. } => 1 + levels(inner),
        TypeKind::Arithmetic(_) | TypeKind::Other(_) => 0,
    }
}

pub fn levels_of(expr: &Expr) -> usize {
    levels(&expr.ctype)
}

pub fn is_floating(expr: &Expr) -> bool {
    expr.ctype.arithmetic().is_some_and(|ctype| !ctype.is_integer())
}

/// True for a number that cannot be an address.
pub fn is_small_number(ctype: &Type) -> bool {
    let is_void = matches!(&ctype.kind, TypeKind::Other(name) if name == "void");
    is_void || ctype.arithmetic().is_some_and(|ctype| !ctype.is_integer() || ctype.size() < 8)
}

/// True for a pointer to numbers that cannot be addresses, and to arrays of them.
pub fn points_to_small_numbers(ctype: &Type) -> bool {
    match &ctype.kind {
        TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. } => {
            is_small_number(target) && target.arithmetic().is_some()
                || matches!(target.kind, TypeKind::Array { .. }) && points_to_small_numbers(target)
        }
        _ => false,
    }
}

/// True for `__real__ x` where `x` is a real number.
pub fn is_part_of_real(what: &Unnamed) -> bool {
    matches!(what, Unnamed::Other(words) if *words == "a part of a real number")
}

/// True for the type of an array.
pub fn is_array_type(ctype: &Type) -> bool {
    matches!(ctype.kind, TypeKind::Array { .. })
}

/// True for a variable that is declared as an array.
pub fn is_array(tree: &Tree, id: VariableId) -> bool {
    matches!(tree.variable(id).ctype.kind, TypeKind::Array { .. })
}

/// True for an atomic type, perhaps that of a pointer.
pub fn is_atomic(ctype: &Type) -> bool {
    matches!(&ctype.kind, TypeKind::Other(name) if name.contains("_Atomic"))
}

/// True for a value of a type that the tree does not know: a structure, a vector of GNU C, which can have subscripts,
/// but also an integer of 128 bits and an atomic pointer.
pub fn is_other(expr: &Expr) -> bool {
    matches!(expr.ctype.kind, TypeKind::Other(_))
}

/// True for a number that is used as a pointer.
pub fn is_number(expr: &Expr) -> bool {
    matches!(expr.without_casts().kind, ExprKind::Integer(_))
}

/// Whether the value of an unnamed expression without effects of its own may point where its parts do; `None` if more
/// is unknown than that.
pub fn harmless(tree: &Tree, expr: &Expr, what: &Unnamed, parts: &[Expr]) -> Option<bool> {
    if tree.is_cxx && may_run_code(tree, expr, what, parts) {
        return None;
    }
    let is_designator = |text: &str| text.starts_with(['.', '[']) && text.contains('=');
    match what {
        Unnamed::InitialiserList | Unnamed::CompoundLiteral | Unnamed::Text => Some(true),
        Unnamed::UnionMember | Unnamed::BitField | Unnamed::Member(_) if parts.len() == 1 => Some(true),
        Unnamed::Quoted(text) if is_designator(text) => Some(true),
        Unnamed::Other(words) if *words == "the name of a function" => Some(false),
        _ if is_part_of_real(what) => Some(true),
        Unnamed::Value(words) if words.contains("`sizeof`") || parts.is_empty() => Some(false),
        _ => None,
    }
}

/// True for an expression that is harmless in C, but may run code in C++.
pub fn may_run_code(tree: &Tree, expr: &Expr, what: &Unnamed, parts: &[Expr]) -> bool {
    let is_object = matches!(&expr.ctype.kind, TypeKind::Other(name) if name != "void");
    let is_plain = || {
        let TypeKind::Other(name) = &expr.ctype.kind else { return false };
        tree.plain_classes.get(name).is_some_and(|is_plain| *is_plain)
    };
    match what {
        Unnamed::InitialiserList | Unnamed::CompoundLiteral => is_object && !is_plain(),
        // A member of the object of a member function.
        _ if is_member(what) => parts.len() != 1,
        Unnamed::Other(words) if *words == "the name of a function" => !is_object,
        Unnamed::Value(words) => words.starts_with("the default value") || words.contains("`new`"),
        _ => false,
    }
}

/// True for a pointer to characters, of which printing prints these.
pub fn is_pointer_to_text(argument: &Expr) -> bool {
    let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) = &argument.ctype.kind
    else {
        return false;
    };
    target.arithmetic().is_some_and(|ctype| ctype.size() == 1)
}

/// Returns the type of the elements of an array of any number of dimensions, or any other type itself.
pub fn innermost(ctype: &Type) -> &Type {
    match &ctype.kind {
        TypeKind::Array { element, .. } => innermost(element),
        _ => ctype,
    }
}
