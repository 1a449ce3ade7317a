//! What code outside of the tree can name in C++, and what it calls without naming it.
//!
//! The *pieces* of a file are the declarations in its namespaces and classes: functions, variables, members. Of a
//! template, no code is in the tree but that of functions which are made of it.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::{BTreeSet, HashMap};

use clang_sys::*;

use super::linkage::names_by_text;
use super::{Importer, block_of};
use crate::c::clang::{Cursor, Type, Unit};
use crate::c::ctree::{Expr, ExprKind, Lifetime, Understood, Unnamed, VariableId};
use crate::import::cxx;
use crate::import::streams;
use crate::import::understood;

impl Importer {
    /// What the analysis of host code knows of an expression that is a call of C++.
    pub(super) fn understood(&mut self, call: Cursor, what: Unnamed) -> Unnamed {
        let known = match &what {
            Unnamed::MemberCall(_) => understood::of_container(call)
                .or_else(|| understood::of_file(call))
                .or_else(|| self.own_member(call)),
            Unnamed::Operator(name) if let Some(known) = understood::of_iterator(call, name) => Some(known),
            Unnamed::Operator(name) if name == "operator[]" => understood::of_container(call),
            Unnamed::Operator(name) if name == "operator<<" => understood::printing(call),
            Unnamed::ObjectAssignment => {
                understood::of_iterator(call, "operator=").or_else(|| understood::assignment(call))
            }
            Unnamed::Other(_) => understood::construction(call),
            _ => None,
        };
        let is_operator = matches!(what, Unnamed::Operator(_) | Unnamed::ObjectAssignment);
        match known.or_else(|| if is_operator { self.own_operator(call) } else { None }) {
            Some(known) => Unnamed::Understood(known, Box::new(what)),
            None => what,
        }
    }

    /// A call of an operator of the user's: `f(x)`, `u += v`, `-u`.
    fn own_operator(&mut self, call: Cursor) -> Option<Understood> {
        let function = call.referenced();
        let definition = function.definition().filter(|one| self.has_body(*one))?;
        if cxx::is_template(definition) || function.is_virtual() || function.is_static_member() {
            return None;
        }
        name_of_operator(call)?;
        self.called(function);
        let name = self.name(definition);
        match function.kind() {
            CXCursor_CXXMethod => Some(Understood::Member(name, None)),
            CXCursor_FunctionDecl => Some(Understood::Operator(name)),
            _ => None,
        }
    }

    /// True for a function of the user's with a body.
    fn has_body(&self, definition: Cursor) -> bool {
        block_of(definition).is_some() && !definition.is_of_language()
    }

    /// The parts of a call of C++ in the order that [`Understood`] demands: of operators, the object comes first, and
    /// the name of one that has none.
    pub(super) fn parts_of_call(&mut self, call: Cursor, what: &Unnamed) -> Vec<Expr> {
        let mut parts = self.parts(call);
        let Some(at) = name_of_operator(call).filter(|at| *at < parts.len()) else { return parts };
        match what {
            Unnamed::Understood(Understood::Member(..), _) if at == 0 && parts.len() > 1 => parts.swap(0, 1),
            Unnamed::Understood(Understood::Operator(_), _) => parts[..=at].rotate_right(1),
            _ => {}
        }
        parts
    }

    /// A call of a member function whose body is in a file of the user's or in none, and which no class derived from
    /// this one replaces.
    fn own_member(&mut self, call: Cursor) -> Option<Understood> {
        let function = call.referenced();
        let definition = function.definition().unwrap_or(function);
        let is_plain = function.kind() == CXCursor_CXXMethod
            && !function.is_virtual()
            && !function.is_static_member()
            && !cxx::is_special(definition);
        let is_here = function.definition().is_some() && self.has_body(definition);
        let is_elsewhere = function.definition().is_none() && cxx::is_of_user(function);
        if !is_plain || !is_here && !is_elsewhere {
            return None;
        }
        self.called(function);
        let callee = *call.children().first()?;
        let object = match (callee.kind(), &callee.children()[..]) {
            (CXCursor_MemberRefExpr, []) => Some(self.this(callee)),
            (CXCursor_MemberRefExpr, [base, ..]) if base.is_expression() => None,
            _ => return None,
        };
        Some(Understood::Member(self.name(definition), object))
    }

    /// Notes what code outside of the tree can name. Requires that all functions of the tree are imported.
    pub(super) fn note_linkage_of_cxx(&mut self, unit: &Unit, functions: &[Cursor]) {
        self.tree.has_own_address_of = understood::has_own_address_of(unit);
        self.tree.has_coroutines = understood::has_coroutines(unit);
        self.tree.printing_calls = understood::printing_calls(unit) || streams::may_lead_to_memory(unit);
        let declarations = unit.top_level().filter(|child| child.is_declaration() && !child.is_of_language());
        let mut pieces = Vec::new();
        declarations.for_each(|declaration| add_pieces(declaration, &mut pieces));
        let known: Vec<bool> = pieces.iter().map(|piece| self.has_code_of(*piece)).collect();
        // The value of a variable is computed when the program starts, or before its first use.
        for piece in pieces.iter().filter(|piece| piece.kind() == CXCursor_VarDecl) {
            if !cxx::is_template(*piece) {
                self.variable(*piece);
            }
        }
        let mut mentions: HashMap<usize, usize> = HashMap::new();
        let mut words = BTreeSet::new();
        for (piece, is_known) in pieces.iter().zip(&known) {
            for mention in piece.mentions_below().into_iter().chain(piece.members_below()) {
                let of = mention.referenced();
                match of.kind() {
                    CXCursor_FunctionDecl | CXCursor_CXXMethod => {
                        *mentions.entry(of.declaration().identity()).or_insert(0) += 1;
                    }
                    CXCursor_VarDecl if !is_known => {
                        if let Some(&id) = self.known.get(&of.declaration().identity()) {
                            self.tree.linkage.mentioned.insert(id);
                        }
                    }
                    _ => {}
                }
            }
            // `object.Class::count` names a variable that the tree may not have there.
            for member in piece.members_below() {
                let of = member.referenced();
                if of.kind() == CXCursor_VarDecl
                    && let Some(&id) = self.known.get(&of.declaration().identity())
                {
                    self.tree.linkage.mentioned.insert(id);
                }
            }
            if is_pattern(*piece) {
                let written = piece.words();
                // Macros hide what they name.
                self.tree.linkage.by_text |=
                    written.is_empty() || written.iter().any(|word| self.tree.macros.contains(word));
                words.extend(written);
            }
        }
        let pieces: Vec<Cursor> =
            pieces.into_iter().zip(known).filter(|(_, known)| *known).map(|(piece, _)| piece).collect();
        self.note_hidden_parts(&pieces);
        let calls = self.calls_by_name();
        for (identity, count) in mentions {
            let Some(name) = self.names.get(&identity) else { continue };
            if count > calls.get(name).copied().unwrap_or(0) {
                self.tree.linkage.named.insert(name.clone());
            }
        }
        for function in functions {
            let takes_objects =
                function.parameters().iter().any(|parameter| leads_to_class_of_user(parameter.ctype()));
            let is_member = function.kind() == CXCursor_CXXMethod;
            // Code of templates finds functions by the classes of what it passes to them.
            if words.contains(&function.spelling()) || takes_objects && !is_member || function.is_virtual() {
                let name = self.name(*function);
                self.tree.linkage.named.insert(name);
            }
        }
        for (id, variable) in self.tree.variables.iter().enumerate() {
            if variable.lifetime == Lifetime::Static && words.contains(&variable.name) {
                self.tree.linkage.mentioned.insert(VariableId(id));
            }
        }
        self.tree.linkage.by_text |= names_by_text(unit, self);
    }

    /// How often the tree calls each function, apart from the code of templates.
    fn calls_by_name(&self) -> HashMap<String, usize> {
        let mut calls = HashMap::new();
        let plain = self.tree.all_functions().filter(|function| !function.is_template);
        for function in plain {
            function.body.walk_expressions(&self.tree, &mut |expr| {
                let name = match &expr.kind {
                    ExprKind::Call { callee: Some(callee), .. } if callee.of_user => &callee.name,
                    ExprKind::Other {
                        what: Unnamed::Understood(Understood::Member(name, _) | Understood::Operator(name), _),
                        ..
                    } => name,
                    _ => return,
                };
                *calls.entry(name.clone()).or_insert(0) += 1;
            });
        }
        calls
    }

    /// True for a function whose code is in the tree.
    fn has_code_of(&self, piece: Cursor) -> bool {
        const FUNCTIONS: [CXCursorKind; 5] = [
            CXCursor_FunctionDecl,
            CXCursor_CXXMethod,
            CXCursor_Constructor,
            CXCursor_Destructor,
            CXCursor_ConversionFunction,
        ];
        let is_function = FUNCTIONS.contains(&piece.kind()) && block_of(piece).is_some();
        let is_here = piece.is_in_main_file() || self.imported.contains(&piece.identity());
        is_function && is_here && !cxx::is_template(piece)
    }
}

/// Returns which part of a call of an operator is the name of the operator: `+=` in `u += v`.
fn name_of_operator(call: Cursor) -> Option<usize> {
    let operator = call.referenced();
    let is_name = |part: &Cursor| understood::mentioned(*part).is_some_and(|name| name.is(operator));
    call.children().iter().position(is_name)
}

/// Adds the pieces that a declaration consists of.
fn add_pieces<'u>(declaration: Cursor<'u>, pieces: &mut Vec<Cursor<'u>>) {
    match declaration.kind() {
        CXCursor_Namespace
        | CXCursor_LinkageSpec
        | CXCursor_UnexposedDecl
        | CXCursor_ClassDecl
        | CXCursor_StructDecl
        | CXCursor_UnionDecl
        | CXCursor_FriendDecl => {
            declaration.children().into_iter().for_each(|child| add_pieces(child, pieces));
        }
        _ => pieces.push(declaration),
    }
}

/// True for code that is not in the tree as it stands, because it depends on the arguments of a template.
fn is_pattern(piece: Cursor) -> bool {
    const TEMPLATES: [CXCursorKind; 4] = [
        CXCursor_FunctionTemplate,
        CXCursor_ClassTemplate,
        CXCursor_ClassTemplatePartialSpecialization,
        CXCursor_ConceptDecl,
    ];
    TEMPLATES.contains(&piece.kind()) || cxx::is_template(piece)
}

/// True for a type of objects of a class, or of an enumeration, of the user's, or for a pointer or reference to it.
fn leads_to_class_of_user(ctype: Type) -> bool {
    let canonical = ctype.canonical();
    match canonical.kind() {
        CXType_Pointer | CXType_LValueReference | CXType_RValueReference => {
            leads_to_class_of_user(canonical.target())
        }
        CXType_ConstantArray | CXType_IncompleteArray => leads_to_class_of_user(canonical.element()),
        CXType_Record => {
            let arguments = canonical.template_arguments();
            !canonical.declaration().is_of_language() || arguments.into_iter().any(leads_to_class_of_user)
        }
        CXType_Enum => !canonical.declaration().is_of_language(),
        kind => crate::import::types::arithmetic_type(kind).is_none() && kind != CXType_Void,
    }
}
