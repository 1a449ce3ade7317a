//! From clang's syntax tree to ours.
//!
//! clang has expanded macros, resolved names and typed everything; implicit conversions are nodes of its tree (libclang
//! calls them unexposed expressions). Only what the C standard leaves to compound assignment is missing there.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

mod descending;
mod objects;
mod statements;

use std::collections::{BTreeSet, HashMap, HashSet};

use clang_sys::*;
use scop::c_syntax::is_floating_literal;
use scop::{BinaryOp, CType, SourceRange, UnaryOp};

use crate::c::clang::{Constant, Cursor, Unit};
use crate::c::constant::is_literal;
use crate::c::conversions;
use crate::c::ctree::{
    Attribute, Callee, Expr, ExprKind, Function, Length, Lifetime, NEW_ARRAY, Peculiar, Stmt, StmtKind, Tree,
    Type, TypeKind, Variable, VariableId,
};
use crate::c::source::SourceText;
use crate::directives::directive;
use crate::import::attributes::Attributes;
use crate::import::by_value;
use crate::import::constructors::Classes;
use crate::import::cxx;
use crate::import::evaluation;
use crate::import::hidden;
use crate::import::literal::{floating_text, is_of_128_bits};
use crate::import::members;
use crate::import::streams;
use crate::import::types::import_type;
use crate::preprocessor::macros;

/// The functions of the main file. Requires that clang found no errors.
pub fn import(unit: &Unit, is_cxx: bool) -> Tree {
    let mut functions = Vec::new();
    collect_functions(unit.root(), &mut functions);
    let mut importer = Importer {
        tree: Tree { is_cxx, ..Tree::default() },
        this: None,
        attributes: Attributes::of(unit),
        known: HashMap::new(),
        names: HashMap::new(),
        written: functions.iter().map(|function| function.declaration().identity()).collect(),
        imported: HashSet::new(),
        by_value: HashMap::new(),
        classes: Classes::default(),
        lines: macros::lines_of_calls(unit, unit.text()),
    };
    for &function in &functions {
        let imported = importer.function(function);
        importer.tree.functions.extend(imported);
    }
    importer.tree.hidden = hidden::mentions(unit, &functions, &importer.tree, |variable| {
        importer.known.get(&variable.declaration().identity()).copied()
    });
    importer.tree.peculiar =
        macros::peculiar(unit).into_iter().chain(importer.lines.iter().copied()).collect();
    importer.tree.has_streams_to_memory = streams::may_lead_to_memory(unit);
    importer.tree.macros = macros::names(unit);
    importer.tree.includes_itself = unit.includes_itself();
    importer.tree.marked_in_headers = marked_in_headers(unit);
    members::resolve(&mut importer.tree);
    importer.tree
}

/// Where headers of the user's have `#pragma scop`.
fn marked_in_headers(unit: &Unit) -> Vec<(String, SourceRange)> {
    let headers: BTreeSet<usize> = unit.files_of_user().into_iter().collect();
    let mut found = Vec::new();
    for file in headers.into_iter().filter(|&file| !unit.is_main_file(file)) {
        let bytes = unit.contents(file).to_vec();
        if !bytes.windows(4).any(|word| word == b"scop") {
            continue;
        }
        let text = SourceText { bytes, macro_uses: Vec::new() };
        let directives = directive::directives(&unit.tokens_of(file), &unit.skipped_in(file), &text);
        let marks = directives.into_iter().filter(|directive| directive.starts_with(&["pragma", "scop"]));
        let path = unit.name_of(file).to_string_lossy().into_owned();
        found.extend(marks.map(|directive| (path.clone(), directive.range)));
    }
    found.sort_by(|(one, at), (other, there)| (one, at.start).cmp(&(other, there.start)));
    found
}

/// The uses of macros in the main file, as pairs of offsets.
pub fn macro_uses(unit: &Unit) -> Vec<(u32, u32)> {
    let cursors = unit.root().children().into_iter();
    let uses = cursors.filter(|c| c.kind() == CXCursor_MacroExpansion && c.is_in_main_file());
    uses.map(|cursor| cursor.range()).map(|range| (range.start, range.end)).collect()
}

/// The headers that files of the user include, as they are named there.
pub fn included_by_user(unit: &Unit) -> impl Iterator<Item = String> {
    let cursors = unit.root().children().into_iter();
    let directives = cursors.filter(|c| c.kind() == CXCursor_InclusionDirective && !c.is_in_system_header());
    directives.map(|cursor| cursor.spelling())
}

/// The names of files that headers include which are neither the user's nor those of C and C++.
pub fn included_by_libraries(unit: &Unit) -> impl Iterator<Item = String> {
    let cursors = unit.root().children().into_iter();
    let directives = cursors.filter(|c| c.kind() == CXCursor_InclusionDirective && c.is_in_system_header());
    directives.filter(|cursor| !cursor.is_of_language()).map(|cursor| cursor.spelling())
}

struct Importer {
    tree: Tree,
    attributes: Attributes,
    known: HashMap<usize, VariableId>,
    /// The names of functions, by their declarations.
    names: HashMap<usize, String>,
    /// The functions whose bodies are written in the main file.
    written: HashSet<usize>,
    /// The functions of headers, and those made of templates, that are imported.
    imported: HashSet<usize>,
    /// What is known of functions: see [`by_value::takes_values`].
    by_value: HashMap<usize, bool>,
    classes: Classes,
    /// Where macros with `__LINE__` are used over several lines.
    lines: Vec<Peculiar>,
    /// The pointer to the object of the member function that is imported, if it was needed.
    this: Option<VariableId>,
}

/// The functions with a body among declarations, and those in namespaces and classes of C++.
fn collect_functions<'u>(around: Cursor<'u>, found: &mut Vec<Cursor<'u>>) {
    for cursor in around.children().into_iter().filter(|child| child.is_in_main_file()) {
        match cursor.kind() {
            CXCursor_FunctionDecl
            | CXCursor_CXXMethod
            | CXCursor_Constructor
            | CXCursor_Destructor
            | CXCursor_ConversionFunction
            | CXCursor_FunctionTemplate => found.extend(block_of(cursor).map(|_| cursor)),
            CXCursor_Namespace
            | CXCursor_LinkageSpec
            | CXCursor_UnexposedDecl
            | CXCursor_ClassDecl
            | CXCursor_ClassTemplate
            | CXCursor_ClassTemplatePartialSpecialization
            | CXCursor_StructDecl
            | CXCursor_UnionDecl
            | CXCursor_FriendDecl => collect_functions(cursor, found),
            _ => {}
        }
    }
}

/// The body of a function, which may be a `try` with what catches.
fn block_of(function: Cursor<'_>) -> Option<Cursor<'_>> {
    let is_block = |child: &Cursor| [CXCursor_CompoundStmt, CXCursor_CXXTryStmt].contains(&child.kind());
    function.children().into_iter().find(is_block)
}

impl Importer {
    /// A function, if it has a body.
    fn function(&mut self, cursor: Cursor) -> Option<Function> {
        let block = block_of(cursor)?;
        let children = cursor.children();
        let by_value = self.takes_values(cursor);
        let parameters = children.iter().filter(|child| child.kind() == CXCursor_ParmDecl);
        let around = self.this.take();
        let parameters: Vec<VariableId> = parameters.map(|&parameter| self.variable(parameter)).collect();
        for &VariableId(number) in parameters.iter().filter(|_| by_value) {
            let parameter = &mut self.tree.variables[number];
            (parameter.reference, parameter.lifetime) = (false, Lifetime::Parameter);
        }
        let before = if cursor.kind() == CXCursor_Constructor { &children[..] } else { &[] };
        let body = self.body(block, before);
        self.this = around;
        let result = if by_value { by_value::number(cursor.result()) } else { cursor.result() };
        Some(Function {
            name: self.name(cursor),
            shown: cursor.spelling(),
            result: import_type(result),
            range: cursor.is_in_main_file().then(|| cursor.range()),
            parameters,
            body,
            is_template: cxx::is_template(cursor),
            is_constexpr: self.tree.is_cxx && cxx::is_constexpr(cursor),
            peculiar: macros::peculiar_word(cursor).or(self.depends_on_line(cursor).then_some(macros::LINE)),
            hidden_part: if self.tree.is_cxx { cxx::hidden_part(cursor) } else { None },
            is_internal: cursor.linker_name().is_none(),
            attributes: self.attributes.of_function(cursor),
        })
    }

    /// True if something in the main file depends on a line's number that compilers do not agree on.
    fn depends_on_line(&self, cursor: Cursor) -> bool {
        let range = cursor.range();
        cursor.is_in_main_file() && self.lines.iter().any(|mention| mention.range.is_within(range))
    }

    /// True if a function takes numbers, some of them by references that it only reads.
    fn takes_values(&mut self, function: Cursor) -> bool {
        if !self.tree.is_cxx {
            return false;
        }
        let Some(definition) = function.definition() else { return false };
        let identity = definition.declaration().identity();
        *self.by_value.entry(identity).or_insert_with(|| by_value::takes_values(definition))
    }

    /// The body of a function; the expressions of what a constructor does `before` it come first.
    fn body(&mut self, cursor: Cursor, before: &[Cursor]) -> Stmt {
        let mut body = self.stmt(cursor);
        if !matches!(body.kind, StmtKind::Compound(_)) {
            body = Stmt { range: body.range, kind: StmtKind::Compound(vec![body]) };
        }
        let before = before.iter().filter(|child| child.is_expression());
        let before = before
            .map(|&child| Stmt { kind: StmtKind::Expression(self.operand(child)), range: child.range() });
        let before: Vec<Stmt> = before.collect();
        if let StmtKind::Compound(parts) = &mut body.kind {
            parts.splice(0..0, before);
        }
        body
    }

    /// The function behind a call, if it stands in a header of the user's, or is made of a template.
    fn called(&mut self, function: Cursor) {
        let Some(definition) = function.definition() else { return };
        let is_known = !definition.is_of_language() || self.takes_values(definition);
        let elsewhere = !self.written.contains(&definition.declaration().identity());
        if is_known && elsewhere && self.imported.insert(definition.identity()) {
            let imported = self.function(definition);
            self.tree.header_functions.extend(imported);
        }
    }

    fn callee(&mut self, function: Cursor) -> Callee {
        let by_value = self.takes_values(function);
        let of_user = match self.tree.is_cxx {
            true => by_value || cxx::is_of_user(function),
            false => function.is_defined_by_user() || streams::is_another(function),
        };
        let attribute = self.attributes.of_callee(function);
        let passes = by_value && function.result().is_reference();
        let name = if of_user { self.name(function) } else { cxx::c_name(function) };
        Callee { name, shown: function.spelling(), of_user, attribute, passes, counts: false }
    }

    /// The name of a function. Of several with the same name, as C++ allows, the later ones get a number.
    fn name(&mut self, function: Cursor) -> String {
        let identity = function.declaration().identity();
        if let Some(name) = self.names.get(&identity) {
            return name.clone();
        }
        let wish = function.spelling();
        let numbered = (2..).map(|number| format!("{wish}_{number}"));
        let mut candidates = std::iter::once(wish.clone()).chain(numbered);
        let name = candidates.find(|name| self.names.values().all(|taken| taken != name)).unwrap_or_default();
        self.names.insert(identity, name.clone());
        name
    }

    fn variable(&mut self, cursor: Cursor) -> VariableId {
        let declaration = cursor.declaration();
        if let Some(&id) = self.known.get(&declaration.identity()) {
            return id;
        }
        let id = VariableId(self.tree.variables.len());
        self.known.insert(declaration.identity(), id);
        let reference = cursor.ctype().is_reference();
        let enumeration = cxx::enumeration(cursor.ctype()).filter(|_| self.tree.is_cxx);
        let ctype = match enumeration {
            Some(ctype) if import_type(ctype).arithmetic() == Some(CType::Bool) => Type {
                kind: TypeKind::Other(ctype.declaration().spelling()),
                constant: false,
                volatile: false,
            },
            _ if reference => import_type(cursor.ctype().canonical().target()),
            _ => self.ctype(cursor),
        };
        let depends_on_line = self.depends_on_line(cursor);
        let constant = if reference || depends_on_line { None } else { constant_value(cursor, &ctype) };
        let is_array = matches!(ctype.kind, TypeKind::Array { .. });
        let of_line = (is_array && depends_on_line).then_some(macros::LINE);
        let of_length = || evaluation::has_length_that_depends(cursor, &ctype).then_some(evaluation::LENGTH);
        let peculiar = of_line.or_else(of_length);
        let peculiar = peculiar.map(|name| Attribute { name: name.to_owned(), range: Some(cursor.range()) });
        self.tree.variables.push(Variable {
            name: cursor.spelling(),
            constant,
            ctype,
            lifetime: if reference { Lifetime::Static } else { lifetime(declaration) },
            reference,
            register: cursor.is_register(),
            leaves_pointer: self.tree.is_cxx && self.classes.leave_pointers_to(cursor),
            enumeration: enumeration.is_some(),
            lengths: Vec::new(),
            initial: None,
            declared_at: cursor.is_in_main_file().then(|| cursor.name_range()),
            member: None,
            attribute: self.attributes.of_variable(cursor).or(peculiar),
        });
        let lengths = self.lengths(cursor, &self.tree.variables[id.0].ctype.clone());
        let initial = cursor.initialiser().filter(|initial| !gives_no_value(cursor, *initial));
        let is_wide = |initial: Cursor| initial.spelled_text().is_some_and(is_of_128_bits);
        let initial = initial.map(|initial| match reference {
            // The constant has the lower half.
            false if constant.is_some() && is_wide(initial) => Expr {
                kind: ExprKind::Integer(constant.unwrap_or_default()),
                ctype: self.tree.variables[id.0].ctype.clone(),
                range: initial.range(),
            },
            true => address_of(self.expr(cxx::in_braces(initial))),
            false if self.tree.variables[id.0].arithmetic().is_some() => self.first_number(initial),
            false => self.expr(initial),
        });
        let variable = &mut self.tree.variables[id.0];
        variable.lengths = lengths;
        variable.initial = initial;
        id
    }

    /// The initialiser of a number, which may stand in braces: nothing in them is 0.
    fn first_number(&mut self, initial: Cursor) -> Expr {
        let value = cxx::in_braces(initial);
        match value.kind() == CXCursor_InitListExpr && value.children().is_empty() {
            true => zero_at(initial.range()),
            false => self.expr(value),
        }
    }

    /// The array lengths of a declarator are child expressions of the declaration, innermost first, behind its name.
    /// Those that a typedef hides, or that are left out, are not there.
    fn lengths(&mut self, cursor: Cursor, ctype: &Type) -> Vec<Option<Expr>> {
        let levels = array_levels(ctype);
        let name = cursor.name_range().start;
        let initial = cursor.initialiser();
        let written = cursor.children().into_iter().filter(|child| {
            child.is_expression() && !initial.is_some_and(|i| i.is(*child)) && child.range().start >= name
        });
        let mut written: Vec<Expr> = written.map(|child| self.expr(child)).collect();
        written.reverse();
        let skipped = usize::from(levels.first() == Some(&Length::Incomplete));
        let integers = written.iter().all(|expr| expr.ctype.arithmetic().is_some_and(CType::is_integer));
        if !integers || written.len() + skipped > levels.len() {
            return vec![None; levels.len()];
        }
        let mut lengths: Vec<Option<Expr>> = vec![None; skipped];
        lengths.extend(written.into_iter().map(Some));
        lengths.resize_with(levels.len(), || None);
        lengths
    }

    fn expr(&mut self, cursor: Cursor) -> Expr {
        match self.transparent(cursor) {
            Some(inner) => self.expr(inner),
            None => {
                let kind = self.expr_kind(cursor);
                Expr { kind, ctype: self.ctype(cursor), range: cursor.range() }
            }
        }
    }

    /// The type of a variable or expression. One with an attribute that changes it is none of those that are
    /// translated.
    fn ctype(&self, cursor: Cursor) -> Type {
        let ctype = import_type(cursor.ctype());
        match self.attributes.of_type(cursor.ctype()) {
            Some(_) => not_arithmetic(ctype, &cursor.ctype().spelling()),
            None => ctype,
        }
    }

    /// What a parenthesis, `__extension__` or a conversion that changes no arithmetic type stands around.
    fn transparent<'u>(&self, cursor: Cursor<'u>) -> Option<Cursor<'u>> {
        if let Some(value) = cxx::of_expectation(cursor) {
            return Some(value);
        }
        let [inner] = cursor.children()[..] else { return None };
        let through = match cursor.kind() {
            CXCursor_ParenExpr => true,
            CXCursor_UnaryOperator => cursor.unary_operator() == CXUnaryOperator_Extension,
            // The value of a parameter of a template, in a function that is made of it.
            CXCursor_DeclRefExpr => cursor.spelling().is_empty() && inner.is_expression(),
            CXCursor_UnexposedExpr => {
                let (from, to) = (import_type(inner.ctype()), import_type(cursor.ctype()));
                cursor.range() == inner.range() && from.arithmetic() == to.arithmetic()
            }
            _ => false,
        };
        through.then_some(inner)
    }

    fn expr_kind(&mut self, cursor: Cursor) -> ExprKind {
        let children = cursor.children();
        match (cursor.kind(), &children[..]) {
            (CXCursor_IntegerLiteral | CXCursor_CharacterLiteral, _) => self.integer(cursor),
            (CXCursor_UnaryExpr, _) if self.tree.is_cxx && cxx::measures_class(cursor) => {
                ExprKind::Other { what: "the size of a class".to_owned(), parts: Vec::new() }
            }
            (CXCursor_UnaryExpr, _) if evaluation::depends(cursor) => ExprKind::Other {
                what: "a size on which compilers may not agree".to_owned(),
                parts: Vec::new(),
            },
            (CXCursor_UnaryExpr, _) => self.integer(cursor),
            (CXCursor_CXXBoolLiteralExpr, _) => self.integer(cursor),
            (CXCursor_FloatingLiteral, _) => ExprKind::Floating(floating_text(cursor)),
            (CXCursor_ImaginaryLiteral, &[part]) if part.kind() == CXCursor_FloatingLiteral => {
                ExprKind::Imaginary(floating_text(part).filter(|text| is_floating_literal(text)))
            }
            (CXCursor_DeclRefExpr, _) => self.reference(cursor),
            (CXCursor_ArraySubscriptExpr, &[left, right]) => self.subscript(left, right),
            (CXCursor_MemberRefExpr, &[base]) if base.is_expression() => self.member(cursor, Some(base)),
            (CXCursor_MemberRefExpr, &[]) => self.member(cursor, None),
            (CXCursor_CXXThisExpr, _) => ExprKind::Variable(self.this(cursor)),
            (CXCursor_UnaryOperator, &[operand]) => self.unary(cursor, operand),
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, &[left, right]) => {
                self.binary(cursor, left, right)
            }
            (CXCursor_ConditionalOperator, &[condition, then, otherwise]) => ExprKind::Conditional {
                condition: self.boxed(condition),
                then: self.boxed(then),
                otherwise: self.boxed(otherwise),
            },
            (
                CXCursor_CStyleCastExpr | CXCursor_CXXStaticCastExpr | CXCursor_CXXFunctionalCastExpr,
                &[.., operand],
            ) => self.cast(cursor, operand),
            (CXCursor_UnexposedExpr, &[operand]) if cursor.range() == operand.range() => {
                ExprKind::Cast { implicit: true, operand: self.boxed(operand) }
            }
            (CXCursor_UnexposedExpr, &[_, condition, then, otherwise]) => {
                self.without_middle([condition, then, otherwise])
            }
            (CXCursor_CallExpr, _) if cxx::is_constant_call(cursor) => self.constant(cursor),
            (CXCursor_CallExpr, _) if cxx::asks_for_compiler(cursor) => ExprKind::Integer(0),
            (CXCursor_CallExpr, _) if self.tree.is_cxx && cxx::call(cursor).is_some() => {
                self.other(cxx::call(cursor).unwrap_or_default(), cursor)
            }
            (CXCursor_CallExpr, &[callee, ref arguments @ ..]) => self.call(cursor, callee, arguments),
            (CXCursor_MemberRefExpr, _) => self.other("a member with a qualified name".to_owned(), cursor),
            (CXCursor_LambdaExpr, _) => self.lambda(cursor),
            // The length comes before what the elements begin with; what names the type is no expression.
            (CXCursor_CXXNewExpr, _) if cxx::is_new_array(cursor) => {
                let mut parts = self.parts(cursor);
                let length = children.into_iter().find(|child| child.is_expression());
                parts.splice(0..0, length.map(|length| self.expr(length)));
                ExprKind::Other { what: NEW_ARRAY.to_owned(), parts }
            }
            _ => self.other(describe(cursor), cursor),
        }
    }

    /// C++ shows the conversion a second time, as an implicit one inside.
    fn cast(&mut self, cursor: Cursor, operand: Cursor) -> ExprKind {
        let operand = self.boxed(operand);
        let to = import_type(cursor.ctype()).arithmetic();
        let operand = match operand.kind {
            ExprKind::Cast { implicit: true, operand: inner } if operand.ctype.arithmetic() == to => inner,
            kind => Box::new(Expr { kind, ..*operand }),
        };
        ExprKind::Cast { implicit: false, operand }
    }

    fn boxed(&mut self, cursor: Cursor) -> Box<Expr> {
        Box::new(self.expr(cursor))
    }

    /// A call whose value compilers know.
    fn constant(&mut self, cursor: Cursor) -> ExprKind {
        match cursor.evaluate() {
            Some(Constant::Integer(value)) => ExprKind::Integer(value),
            Some(Constant::Floating(_)) => ExprKind::Floating(floating_text(cursor)),
            None => self.other("a call without a constant value".to_owned(), cursor),
        }
    }

    fn integer(&mut self, cursor: Cursor) -> ExprKind {
        let is_wide = match cursor.kind() {
            CXCursor_IntegerLiteral => cursor.spelled_text().is_some_and(is_of_128_bits),
            CXCursor_UnaryExpr => cursor.words().iter().any(|word| is_of_128_bits(word.as_bytes())),
            _ => false,
        };
        if is_wide {
            let what = "an integer of 128 bits for GCC but not for clang, which reads the file (write `u` behind it)";
            return ExprKind::Other { what: what.to_owned(), parts: Vec::new() };
        }
        match cursor.evaluate() {
            Some(Constant::Integer(value)) => ExprKind::Integer(value),
            _ => {
                let mut parts = self.parts(cursor);
                // Casts have types with sizes in them, too.
                parts.extend(cursor.mentions_below().into_iter().map(|mention| self.expr(mention)));
                ExprKind::Other { what: "a `sizeof` that is not constant".to_owned(), parts }
            }
        }
    }

    fn other(&mut self, what: String, cursor: Cursor) -> ExprKind {
        ExprKind::Other { what, parts: self.parts(cursor) }
    }

    fn parts(&mut self, cursor: Cursor) -> Vec<Expr> {
        let mut parts = Vec::new();
        for child in cursor.children() {
            if cxx::is_list_of_numbers(cursor) {
                parts.push(self.expr(child));
            } else {
                self.collect(child, &mut parts);
            }
        }
        parts
    }

    /// An operand of something that may keep a reference to it: if one may be bound, its address is taken.
    fn operand(&mut self, cursor: Cursor) -> Expr {
        let expr = self.expr(cursor);
        let may_be_bound = self.tree.is_cxx && !cxx::is_loaded(cursor) && !expr.places().is_empty();
        if may_be_bound { address_of(expr) } else { expr }
    }

    /// The expressions in something unknown, which may be a statement or a declaration.
    fn collect(&mut self, cursor: Cursor, parts: &mut Vec<Expr>) {
        if cursor.is_expression() {
            parts.push(self.operand(cursor));
        } else {
            for child in cursor.children() {
                self.collect(child, parts);
            }
        }
    }

    fn reference(&mut self, cursor: Cursor) -> ExprKind {
        let declaration = cursor.referenced();
        match declaration.kind() {
            CXCursor_VarDecl | CXCursor_ParmDecl => {
                let id = self.variable(declaration);
                match self.tree.variables[id.0].constant {
                    Some(value) if self.tree.is_cxx && cxx::is_hidden(cursor) => ExprKind::Integer(value),
                    _ => {
                        self.note_qualifier(id, cursor);
                        ExprKind::Variable(id)
                    }
                }
            }
            CXCursor_EnumConstantDecl if self.depends_on_line(declaration) => {
                let what =
                    "an enumerator that depends on `__LINE__` in a macro that is used over several lines";
                ExprKind::Other { what: what.to_owned(), parts: Vec::new() }
            }
            // C++ does not say clearly to which of `int` and `bool` it is converted, and compilers differ.
            CXCursor_EnumConstantDecl
                if self.tree.is_cxx
                    && !declaration.parent().is_scoped_enumeration()
                    && declaration.parent().ctype().of_enumeration().kind() == CXType_Bool =>
            {
                ExprKind::Other { what: "a value of an enumeration of `bool`".to_owned(), parts: Vec::new() }
            }
            CXCursor_EnumConstantDecl if evaluation::depends(cursor) => ExprKind::Other {
                what: "an enumerator on whose value compilers may not agree".to_owned(),
                parts: Vec::new(),
            },
            CXCursor_EnumConstantDecl => ExprKind::Integer(declaration.enumerator_value()),
            CXCursor_UnexposedDecl if declaration.is_made_of_template() => self.of_template(cursor),
            CXCursor_UnexposedDecl => {
                ExprKind::Other { what: "a structured binding".to_owned(), parts: Vec::new() }
            }
            CXCursor_NonTypeTemplateParameter => {
                ExprKind::Other { what: "a parameter of a template".to_owned(), parts: Vec::new() }
            }
            _ => ExprKind::Other { what: "the name of a function".to_owned(), parts: Vec::new() },
        }
    }

    /// A variable that is made of a template: its value, if that is a constant.
    fn of_template(&mut self, cursor: Cursor) -> ExprKind {
        let ctype = cursor.ctype().canonical();
        let is_fixed = ctype.is_const() && !ctype.is_volatile();
        let is_number = is_fixed && import_type(ctype).arithmetic().is_some() && !evaluation::depends(cursor);
        match cursor.evaluate().filter(|_| is_number) {
            Some(Constant::Integer(value)) => ExprKind::Integer(value),
            Some(Constant::Floating(_)) => ExprKind::Floating(floating_text(cursor)),
            None => ExprKind::Other { what: "a variable of a template".to_owned(), parts: Vec::new() },
        }
    }

    /// C allows `index[base]` as well.
    fn subscript(&mut self, left: Cursor, right: Cursor) -> ExprKind {
        let (left, right) = (self.boxed(left), self.boxed(right));
        if left.ctype.is_pointer_like() {
            ExprKind::Subscript { base: left, index: right }
        } else {
            ExprKind::Subscript { base: right, index: left }
        }
    }

    fn unary(&mut self, cursor: Cursor, operand: Cursor) -> ExprKind {
        let inner = self.boxed(operand);
        match cursor.unary_operator() {
            CXUnaryOperator_PostInc => ExprKind::Increment { down: false, postfix: true, target: inner },
            CXUnaryOperator_PreInc => ExprKind::Increment { down: false, postfix: false, target: inner },
            CXUnaryOperator_PostDec => ExprKind::Increment { down: true, postfix: true, target: inner },
            CXUnaryOperator_PreDec => ExprKind::Increment { down: true, postfix: false, target: inner },
            CXUnaryOperator_AddrOf => ExprKind::AddressOf(inner),
            CXUnaryOperator_Deref => {
                let index = Box::new(zero(&inner));
                ExprKind::Subscript { base: inner, index }
            }
            CXUnaryOperator_Plus => ExprKind::Unary(UnaryOp::Plus, inner),
            CXUnaryOperator_Minus => ExprKind::Unary(UnaryOp::Minus, inner),
            CXUnaryOperator_Not => ExprKind::Unary(UnaryOp::Complement, inner),
            CXUnaryOperator_LNot => ExprKind::Unary(UnaryOp::Not, inner),
            CXUnaryOperator_Real if is_complex(&inner) => ExprKind::Unary(UnaryOp::Real, inner),
            CXUnaryOperator_Imag if is_complex(&inner) => ExprKind::Unary(UnaryOp::Imaginary, inner),
            _ => ExprKind::Other { what: "a part of a real number".to_owned(), parts: vec![*inner] },
        }
    }

    fn binary(&mut self, cursor: Cursor, left: Cursor, right: Cursor) -> ExprKind {
        let kind = cursor.binary_operator();
        if binary_operator(kind).is_none()
            && kind != CXBinaryOperator_Comma
            && assignment_operator(kind).is_none()
        {
            return self.other(describe(cursor), cursor);
        }
        let (target, value) = (self.boxed(left), self.boxed(right));
        if let Some(operator) = binary_operator(kind) {
            let (target, value) = match is_comparison(operator) {
                true => (Box::new(promoted(*target)), Box::new(promoted(*value))),
                false => (target, value),
            };
            return ExprKind::Binary(operator, target, value);
        }
        if kind == CXBinaryOperator_Comma {
            return ExprKind::Comma(target, value);
        }
        match assignment_operator(kind) {
            Some(operator) => ExprKind::Assign { operator, target, value },
            None => ExprKind::Other { what: describe(cursor), parts: vec![*target, *value] },
        }
    }

    fn call(&mut self, call: Cursor, callee: Cursor, arguments: &[Cursor]) -> ExprKind {
        let Some(function) = called_function(callee) else {
            let mut all: Vec<Expr> = arguments.iter().map(|&argument| self.operand(argument)).collect();
            all.push(self.expr(callee));
            return ExprKind::Call { callee: None, arguments: all };
        };
        self.called(function);
        let by_value = self.takes_values(function);
        let counts = streams::may_count(&function.spelling(), arguments);
        let known = Callee { counts, ..self.callee(function) };
        let parameters = function.parameters();
        let mut all = Vec::new();
        for (position, &argument) in arguments.iter().enumerate() {
            all.push(match parameters.get(position) {
                Some(parameter) if argument.is_unwritten() => self.left_out(*parameter, call),
                _ if by_value => self.expr(argument),
                _ => self.operand(argument),
            });
        }
        if self.tree.is_cxx && !known.of_user && cxx::takes_doubles(&known.name, function) {
            all = all.into_iter().map(as_double).collect();
        }
        ExprKind::Call { callee: Some(known), arguments: all }
    }

    /// The argument that a call leaves out. It is evaluated where the call is, with the names of where the function is
    /// declared; so only a constant is understood.
    fn left_out(&mut self, parameter: Cursor, call: Cursor) -> Expr {
        let range = call.range();
        let value = parameter.default_value().map(|value| self.expr(value));
        match value.filter(is_literal) {
            Some(value) => placed(value, range),
            None => {
                let what = format!("the default value of `{}`, which is no constant,", parameter.spelling());
                let kind = ExprKind::Other { what, parts: Vec::new() };
                Expr { kind, ctype: import_type(parameter.ctype()), range }
            }
        }
    }

    /// `a ?: b` of GNU C, which evaluates `a` once: it is `a ? a : b` if that does no more.
    fn without_middle(&mut self, [condition, then, otherwise]: [Cursor; 3]) -> ExprKind {
        let (condition, then, otherwise) = (self.boxed(condition), self.boxed(then), self.boxed(otherwise));
        let mut repeatable = !then.ctype.volatile;
        then.walk(&mut |inner| {
            repeatable &= !inner.ctype.volatile
                && !matches!(
                    inner.kind,
                    ExprKind::Assign { .. }
                        | ExprKind::Increment { .. }
                        | ExprKind::Call { .. }
                        | ExprKind::Other { .. }
                );
        });
        match repeatable {
            true => ExprKind::Conditional { condition, then, otherwise },
            false => ExprKind::Other {
                what: "`?:` without a value between, after more than a plain value,".to_owned(),
                parts: vec![*condition, *otherwise],
            },
        }
    }
}

/// An implicit conversion to `double`.
fn as_double(expr: Expr) -> Expr {
    converted(expr, CType::Double)
}

/// The integer promotion, which the operands of comparisons have already unless they are of an enumeration with a
/// scope.
fn promoted(expr: Expr) -> Expr {
    match expr.ctype.arithmetic() {
        Some(ctype) => converted(expr, conversions::promoted(ctype)),
        None => expr,
    }
}

fn is_comparison(operator: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(operator, Lt | Le | Gt | Ge | Eq | Ne)
}

/// An implicit conversion.
fn converted(expr: Expr, to: CType) -> Expr {
    if expr.ctype.arithmetic() == Some(to) {
        return expr;
    }
    let ctype = Type { kind: TypeKind::Arithmetic(to), constant: false, volatile: false };
    let range = expr.range;
    Expr { kind: ExprKind::Cast { implicit: true, operand: Box::new(expr) }, ctype, range }
}

/// The same expression, where a call stands.
fn placed(mut expr: Expr, range: SourceRange) -> Expr {
    expr.range = range;
    for part in expr.parts_mut() {
        let inner = std::mem::replace(part, zero_at(range));
        *part = placed(inner, range);
    }
    expr
}

/// The same type with elements of a type that no pass knows.
fn not_arithmetic(ctype: Type, spelling: &str) -> Type {
    let inner = |inner: Box<Type>| Box::new(not_arithmetic(*inner, spelling));
    let kind = match ctype.kind {
        TypeKind::Arithmetic(_) => TypeKind::Other(spelling.to_owned()),
        TypeKind::Pointer { target, restrict } => TypeKind::Pointer { target: inner(target), restrict },
        TypeKind::Array { element, length, restrict } => {
            TypeKind::Array { element: inner(element), length, restrict }
        }
        kind @ TypeKind::Other(_) => kind,
    };
    Type { kind, ..ctype }
}

fn is_complex(expr: &Expr) -> bool {
    expr.ctype.arithmetic().is_some_and(CType::is_complex)
}

fn pointer_to(target: Type) -> Type {
    let kind = TypeKind::Pointer { target: Box::new(target), restrict: false };
    Type { kind, constant: false, volatile: false }
}

fn address_of(expr: Expr) -> Expr {
    let (ctype, range) = (pointer_to(expr.ctype.clone()), expr.range);
    Expr { kind: ExprKind::AddressOf(Box::new(expr)), ctype, range }
}

/// `*pointer`
fn pointed_to(pointer: Expr) -> Expr {
    let ctype = match &pointer.ctype.kind {
        TypeKind::Pointer { target, .. } => (**target).clone(),
        TypeKind::Array { element, .. } => (**element).clone(),
        _ => pointer.ctype.clone(),
    };
    let (range, index) = (pointer.range, Box::new(zero(&pointer)));
    Expr { kind: ExprKind::Subscript { base: Box::new(pointer), index }, ctype, range }
}

fn zero(pointer: &Expr) -> Expr {
    zero_at(pointer.range)
}

fn zero_at(range: SourceRange) -> Expr {
    let ctype = Type { kind: TypeKind::Arithmetic(CType::Int), constant: false, volatile: false };
    Expr { kind: ExprKind::Integer(0), ctype, range }
}

fn called_function<'u>(callee: Cursor<'u>) -> Option<Cursor<'u>> {
    match callee.children()[..] {
        _ if callee.kind() == CXCursor_DeclRefExpr => {
            let function = callee.referenced();
            let is_free = function.kind() == CXCursor_FunctionDecl;
            (is_free || function.is_static_member()).then_some(function)
        }
        [inner] if [CXCursor_UnexposedExpr, CXCursor_ParenExpr].contains(&callee.kind()) => {
            called_function(inner)
        }
        _ => None,
    }
}

fn lifetime(declaration: Cursor) -> Lifetime {
    if declaration.kind() == CXCursor_ParmDecl {
        Lifetime::Parameter
    } else if declaration.is_automatic() {
        Lifetime::Automatic
    } else {
        Lifetime::Static
    }
}

fn constant_value(cursor: Cursor, ctype: &Type) -> Option<i128> {
    if !ctype.constant || ctype.volatile || !ctype.arithmetic().is_some_and(CType::is_integer) {
        return None;
    }
    let initial = cursor.initialiser()?;
    // A wide literal alone loses its upper half, which the type of the constant has no place for.
    let words = initial.words();
    let mut words = words.iter().filter(|word| ![";", ","].contains(&word.as_str()));
    let is_alone = words.clone().count() == 1;
    let is_wide = !is_alone && words.any(|word| is_of_128_bits(word.as_bytes()));
    // Clang computes it as if the program did.
    if is_wide || evaluation::depends(initial) {
        return None;
    }
    match initial.evaluate()? {
        Constant::Integer(value) => Some(value),
        Constant::Floating(_) => None,
    }
}

/// True for the call of a constructor that C++ adds to `float3 m;`, where the structure could be C's: it does nothing.
fn gives_no_value(variable: Cursor, initial: Cursor) -> bool {
    let is_added =
        initial.kind() == CXCursor_CallExpr && initial.range().start == variable.name_range().start;
    is_added && initial.children().is_empty() && variable.ctype().is_plain_old_data()
}

fn array_levels(ctype: &Type) -> Vec<Length> {
    match &ctype.kind {
        TypeKind::Array { element, length, .. } => {
            std::iter::once(*length).chain(array_levels(element)).collect()
        }
        TypeKind::Pointer { target, .. } => array_levels(target),
        TypeKind::Arithmetic(_) | TypeKind::Other(_) => Vec::new(),
    }
}

fn binary_operator(kind: CXBinaryOperatorKind) -> Option<BinaryOp> {
    Some(match kind {
        CXBinaryOperator_Mul => BinaryOp::Mul,
        CXBinaryOperator_Div => BinaryOp::Div,
        CXBinaryOperator_Rem => BinaryOp::Rem,
        CXBinaryOperator_Add => BinaryOp::Add,
        CXBinaryOperator_Sub => BinaryOp::Sub,
        CXBinaryOperator_Shl => BinaryOp::Shl,
        CXBinaryOperator_Shr => BinaryOp::Shr,
        CXBinaryOperator_LT => BinaryOp::Lt,
        CXBinaryOperator_GT => BinaryOp::Gt,
        CXBinaryOperator_LE => BinaryOp::Le,
        CXBinaryOperator_GE => BinaryOp::Ge,
        CXBinaryOperator_EQ => BinaryOp::Eq,
        CXBinaryOperator_NE => BinaryOp::Ne,
        CXBinaryOperator_And => BinaryOp::BitAnd,
        CXBinaryOperator_Xor => BinaryOp::BitXor,
        CXBinaryOperator_Or => BinaryOp::BitOr,
        CXBinaryOperator_LAnd => BinaryOp::And,
        CXBinaryOperator_LOr => BinaryOp::Or,
        _ => return None,
    })
}

/// The operator in an assignment operator, `Some(None)` for plain assignment.
fn assignment_operator(kind: CXBinaryOperatorKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        CXBinaryOperator_Assign => None,
        CXBinaryOperator_MulAssign => Some(BinaryOp::Mul),
        CXBinaryOperator_DivAssign => Some(BinaryOp::Div),
        CXBinaryOperator_RemAssign => Some(BinaryOp::Rem),
        CXBinaryOperator_AddAssign => Some(BinaryOp::Add),
        CXBinaryOperator_SubAssign => Some(BinaryOp::Sub),
        CXBinaryOperator_ShlAssign => Some(BinaryOp::Shl),
        CXBinaryOperator_ShrAssign => Some(BinaryOp::Shr),
        CXBinaryOperator_AndAssign => Some(BinaryOp::BitAnd),
        CXBinaryOperator_XorAssign => Some(BinaryOp::BitXor),
        CXBinaryOperator_OrAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

fn describe(cursor: Cursor) -> String {
    let what = match cursor.kind() {
        CXCursor_LambdaExpr => "a lambda expression",
        CXCursor_CXXThrowExpr => "`throw`",
        CXCursor_CXXNewExpr | CXCursor_CXXDeleteExpr => "`new` and `delete`",
        CXCursor_CXXReinterpretCastExpr | CXCursor_CXXConstCastExpr | CXCursor_CXXDynamicCastExpr => {
            "a conversion of a pointer or reference"
        }
        CXCursor_StringLiteral => "a string",
        CXCursor_InitListExpr => "an initialiser list",
        CXCursor_CompoundLiteralExpr => "a compound literal",
        CXCursor_StmtExpr => "a statement expression",
        CXCursor_ImaginaryLiteral => "an imaginary constant without a point or an exponent",
        CXCursor_GenericSelectionExpr => "`_Generic`",
        CXCursor_AddrLabelExpr => "the address of a label",
        CXCursor_UnexposedExpr => return unnamed(cursor),
        _ => return format!("an expression of the kind {}", cursor.kind_name()),
    };
    what.to_owned()
}

/// An expression of a kind for which libclang has no name, by what stands there if that is short.
fn unnamed(cursor: Cursor) -> String {
    let range = cursor.range();
    let length = range.end.saturating_sub(range.start) as usize;
    let text = cursor.text_of_file().and_then(|text| text.get(..length));
    let text = text.and_then(|text| std::str::from_utf8(text).ok());
    match text.filter(|text| (1..=LONGEST_QUOTE).contains(&text.len()) && !text.contains(['\n', '`'])) {
        Some(text) => format!("`{text}`"),
        None => "an expression of this kind".to_owned(),
    }
}

/// What is longer is not quoted in messages.
const LONGEST_QUOTE: usize = 40;
