//! Members of structures, objects of C++, and names with namespaces or classes before them.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use clang_sys::*;
use scop::c_syntax::is_name;

use super::Importer;
use super::by_hand::{address_of, pointed_to, pointer_to};
use super::words::describe;
use crate::c::clang::Cursor;
use crate::c::ctree::{
    Expr, ExprKind, Lifetime, QualifiedName, Type, TypeKind, Unnamed, Variable, VariableId,
};
use crate::import::cxx::{self, Written};
use crate::import::evaluation;

impl Importer {
    /// What a lambda expression mentions it may read and change whenever it is called, and anybody may call it. It also
    /// declares variables, those of `[&z = t]`, which refer to others.
    pub(super) fn lambda(&mut self, cursor: Cursor) -> ExprKind {
        let mut parts = self.parts(cursor);
        for capture in cursor.children().into_iter().filter(|child| child.kind() == CXCursor_VariableRef) {
            let id = self.variable(capture.referenced());
            parts.extend(self.tree.variable(id).initial.clone());
        }
        let mut mentions = Vec::new();
        for part in &parts {
            part.walk(&mut |inner| mentions.extend(inner.as_variable().map(|_| inner.clone())));
        }
        parts.extend(mentions.into_iter().map(address_of));
        ExprKind::Other { what: describe(cursor), parts }
    }

    pub(super) fn note_qualifier(&mut self, variable: VariableId, mention: Cursor) {
        if !self.tree.is_cxx {
            return;
        }
        let text = match cxx::written(mention) {
            Written::Plain => return,
            Written::Qualified(text) => Some(text),
            Written::Hidden => None,
        };
        self.tree.qualified.push(QualifiedName { variable, range: mention.range(), text });
    }

    /// The pointer to the object of the member function around a member or `this`.
    pub(super) fn this(&mut self, mention: Cursor) -> VariableId {
        if let Some(id) = self.this {
            return id;
        }
        let id = VariableId(self.tree.variables.len());
        let target = Type { kind: TypeKind::Other(mention.spelling()), constant: false, volatile: false };
        self.tree.variables.push(Variable {
            name: "this".to_owned(),
            ctype: pointer_to(target),
            lifetime: Lifetime::Parameter,
            lengths: Vec::new(),
            initial: None,
            constant: None,
            declared_at: None,
            member: None,
            reference: false,
            register: false,
            external: false,
            leaves_pointer: false,
            class: None,
            enumeration: false,
            attribute: None,
        });
        self.this = Some(id);
        id
    }

    /// `p->x` is `p[0].x`, and `x` in a member function is `this->x`.
    pub(super) fn member(&mut self, cursor: Cursor, base: Option<Cursor>) -> ExprKind {
        let field = cursor.referenced();
        if field.kind() == CXCursor_VarDecl && base.is_none_or(cxx::is_plain_object) {
            return self.static_member(cursor, field);
        }
        let what = match field.kind() {
            CXCursor_FieldDecl if field.is_bit_field() => Some(Unnamed::BitField),
            CXCursor_FieldDecl if field.parent().kind() == CXCursor_UnionDecl => Some(Unnamed::UnionMember),
            // libclang describes what has no name.
            CXCursor_FieldDecl if !is_name(&field.spelling()) => {
                Some(Unnamed::Member("a member of an anonymous structure or union"))
            }
            CXCursor_FieldDecl if field.ctype().is_reference() => {
                Some(Unnamed::Member("a member that is a reference"))
            }
            CXCursor_FieldDecl if self.tree.is_cxx && cxx::enumeration(field.ctype()).is_some() => {
                Some(Unnamed::Member("a member of an enumeration type"))
            }
            CXCursor_FieldDecl => None,
            _ => Some(Unnamed::other("something other than a variable of a structure")),
        };
        if let Some(what) = what {
            if base.is_none() && field.kind() == CXCursor_FieldDecl {
                self.this(cursor);
            }
            return self.other(what, cursor);
        }
        let (base, size) = match base {
            Some(base) => self.structure(base),
            None => (self.object(cursor), None),
        };
        ExprKind::Member {
            base: Box::new(base),
            field: field.spelling(),
            size: size.unwrap_or(0),
            variable: None,
        }
    }

    /// `object.count`, where all objects of the class have one `count`.
    fn static_member(&mut self, mention: Cursor, member: Cursor) -> ExprKind {
        let (id, text) = (self.variable(member), cxx::full_name(member));
        match self.tree.variables[id.0].constant {
            Some(value) if text.is_none() && !evaluation::depends(mention) => ExprKind::Integer(value),
            _ => {
                self.tree.qualified.push(QualifiedName { variable: id, range: mention.range(), text });
                ExprKind::Variable(id)
            }
        }
    }

    /// The structure before a `.` or `->`, and its size: that of the whole object where a member of a base class is
    /// meant.
    fn structure(&mut self, cursor: Cursor) -> (Expr, Option<u32>) {
        if let Some(inner) = self.transparent(cursor) {
            return self.structure(inner);
        }
        let owner = self.expr(cursor);
        match &owner.ctype.kind {
            TypeKind::Pointer { .. } => (pointed_to(owner), cursor.ctype().canonical().target().size()),
            // `p->x` where `p` is an array
            TypeKind::Array { .. } => (pointed_to(owner), cursor.ctype().canonical().element().size()),
            _ => (owner, cursor.ctype().size()),
        }
    }

    /// `*this`
    fn object(&mut self, member: Cursor) -> Expr {
        let id = self.this(member);
        let ctype = self.tree.variable(id).ctype.clone();
        pointed_to(Expr { kind: ExprKind::Variable(id), ctype, range: member.range() })
    }
}
