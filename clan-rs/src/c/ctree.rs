//! C as this tool sees it: the syntax tree after macro expansion and type checking, owned and without clang.
//!
//! The tree holds whole functions, not the marked regions alone, because what the rest of a function does with
//! a variable matters. What no pass looks into is an `Other` node, whose parts are kept nevertheless.

mod expr;
mod hidden;
mod types;
mod unnamed;

use std::collections::BTreeSet;

use scop::{CType, SourceRange};

pub use expr::{Callee, Expr, ExprKind, VariableId};
pub use hidden::HiddenMentions;
pub use types::{Attribute, Length, Type, TypeKind};
pub use unnamed::Unnamed;

/// A C file.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The functions that have a body in the main file, in the order of the text.
    pub functions: Vec<Function>,
    /// The functions with a body that the main file calls and headers of the user's define, or templates.
    pub header_functions: Vec<Function>,
    /// Every variable that they declare or use.
    pub variables: Vec<Variable>,
    /// Where the source mentions variables by more than their names, in the order of the text of each function.
    pub qualified: Vec<QualifiedName>,
    /// Mentions of variables that are nowhere else in the tree.
    pub hidden: HiddenMentions,
    /// Where the main file mentions `__COUNTER__` and the like.
    pub peculiar: Vec<Peculiar>,
    /// True if the user's files name functions by which streams lead to memory.
    pub has_streams_to_memory: bool,
    /// The names of all macros.
    pub macros: BTreeSet<String>,
    /// True if the file includes itself, so that it is read several times.
    pub includes_itself: bool,
    /// The header among those that are read whose name a generated file gets.
    pub hidden_header: Option<String>,
    /// Where headers of the user's have `#pragma scop`: the path, and the directive in it.
    pub marked_in_headers: Vec<(String, SourceRange)>,
    /// True for C++.
    pub is_cxx: bool,
    /// A hash of what the file means: of its text, of those of the user's headers, and of the macros of the command
    /// line.
    pub digest: String,
    /// True if the program shows that it may have several threads.
    pub has_threads: bool,
}

/// A mention of a variable with namespaces or classes before its name, as in `A::v`.
#[derive(Debug, Clone)]
pub struct QualifiedName {
    /// The variable.
    pub variable: VariableId,
    /// Where it is mentioned.
    pub range: SourceRange,
    /// What stands there; nothing if macros hide it, or if it has template arguments.
    pub text: Option<String>,
}

impl Tree {
    /// The function of this name, if its body is known.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().chain(&self.header_functions).find(|function| function.name == name)
    }

    /// The variable with this id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0]
    }

    /// The variable from which a member is reached; any other variable itself.
    pub fn root(&self, id: VariableId) -> VariableId {
        self.variable(id).member.as_ref().map_or(id, |member| member.of)
    }
}

/// A mention of something whose value the text does not tell.
#[derive(Debug, Clone, Copy)]
pub struct Peculiar {
    /// Where it stands, or the macro with it in its text.
    pub range: SourceRange,
    /// The name.
    pub name: &'static str,
}

/// A function with its body.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The name that the user gave it.
    pub shown: String,
    /// The type of its value.
    pub result: Type,
    /// Where it stands, if in the main file.
    pub range: Option<SourceRange>,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// Its body. What a constructor does before it stands at its beginning.
    pub body: Stmt,
    /// True for a template, or a member of one.
    pub is_template: bool,
    /// True if compilers may execute it.
    pub is_constexpr: bool,
    /// What it says for which clang has another value than the compiler.
    pub peculiar: Option<&'static str>,
    /// A statement in it of which libclang does not show everything.
    pub hidden_part: Option<SourceRange>,
    /// True if files may have several of its name: it is `static`, or in a namespace without a name.
    pub is_internal: bool,
    /// Its attributes, but for those that mean nothing to whoever calls it or looks into it.
    pub attributes: Vec<Attribute>,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as the program or a thread; or where a reference leads.
    Static,
    /// As long as its block.
    Automatic,
    /// As long as the call of its function.
    Parameter,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type; an array parameter keeps its array type.
    pub ctype: Type,
    /// Where it lives.
    pub lifetime: Lifetime,
    /// For each level of arrays in its type, outermost first, the length as the declaration writes it.
    pub lengths: Vec<Option<Expr>>,
    /// Its initialiser.
    pub initial: Option<Expr>,
    /// Its value, if it is a `const` integer with a constant initialiser.
    pub constant: Option<i128>,
    /// Where its name is declared, if in the main file.
    pub declared_at: Option<SourceRange>,
    /// What it is a member of, if it is no variable of C's.
    pub member: Option<Member>,
    /// True for a reference: its memory is elsewhere, and may have other names. Its type is that of what it refers to.
    pub reference: bool,
    /// True if it is declared `register`, and so has no address.
    pub register: bool,
    /// True if the making of it may leave a pointer to it, which the text does not show: see
    /// [`crate::import::constructors`].
    pub leaves_pointer: bool,
    /// True in C++ if its values are those of an enumeration: C++ takes neither them nor pointers to them for integers.
    pub enumeration: bool,
    /// The first of its attributes, or of its type's, that changes what it is.
    pub attribute: Option<Attribute>,
}

/// A member of a structure, or of all structures in an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The variable from which it is reached.
    pub of: VariableId,
    /// What stands after that variable's name; in an array of structures, for the first.
    pub suffix: String,
    /// How many of the leading dimensions are those of an array of structures.
    pub structures: u32,
    /// What stands after the variable's name to refer to that array.
    pub base: String,
    /// The size of a structure in such an array, in bytes.
    pub stride: u32,
    /// True if the structure is reached through a pointer.
    pub pointer: bool,
    /// True if that pointer is `restrict`.
    pub restrict: bool,
    /// That pointer, if it leads to one structure: `q` of `q->x`.
    pub through: Option<VariableId>,
}

impl Member {
    /// A member of a variable.
    pub fn of(variable: VariableId) -> Self {
        Self {
            of: variable,
            suffix: String::new(),
            structures: 0,
            base: String::new(),
            stride: 0,
            pointer: false,
            restrict: false,
            through: None,
        }
    }
}

impl Variable {
    /// True for a `const` number with its value in its declaration: no program may change it.
    pub fn is_constant_object(&self) -> bool {
        let is_own = self.member.is_none() && !self.reference;
        is_own && self.ctype.constant && !self.ctype.volatile && self.initial.is_some()
    }

    /// Its arithmetic type, if it has one.
    pub fn arithmetic(&self) -> Option<CType> {
        self.ctype.arithmetic()
    }

    /// What stands after the name of the variable from which it is reached.
    pub fn suffix(&self) -> &str {
        self.member.as_ref().map_or("", |member| &member.suffix)
    }

    /// A name like it, for generated code.
    pub fn plain_name(&self) -> String {
        self.name.replace("[]", "").replace("->", ".")
    }

    /// True if it is of an integer type.
    pub fn is_integer(&self) -> bool {
        self.arithmetic().is_some_and(CType::is_integer)
    }
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands; the semicolon does not count.
    pub range: SourceRange,
}

/// The kinds of statements.
#[derive(Debug, Clone)]
pub enum StmtKind {
    /// `{ … }`.
    Compound(Vec<Stmt>),
    /// A complete `for` loop.
    For {
        /// The first part: a declaration or an expression.
        init: Box<Stmt>,
        /// The second part.
        condition: Expr,
        /// The third part.
        step: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `while (condition) body` and `do body while (condition);`.
    While {
        /// The condition.
        condition: Expr,
        /// The body.
        body: Box<Stmt>,
        /// True for `do`: the condition is tested after the body.
        after: bool,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// The condition.
        condition: Expr,
        /// If it holds.
        then: Box<Stmt>,
        /// If it does not.
        otherwise: Option<Box<Stmt>>,
    },
    /// `return value;`
    Return(Option<Expr>),
    /// Declarations of variables.
    Declaration(Vec<VariableId>),
    /// An expression.
    Expression(Expr),
    /// `;`.
    Empty,
    /// Anything else.
    Other {
        /// What.
        what: Unsupported,
        /// The statements and expressions in it.
        parts: Vec<Stmt>,
    },
}

/// Statements that no pass translates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsupported {
    /// `for` loops that lack a part.
    Loop(&'static str),
    /// Labels, which make a loop of what follows them.
    Label,
    /// Inline assembly, which may change any of the variables in it.
    Assembly,
    /// `switch`.
    Switch,
    /// `case` and `default`, with the statement after them.
    Case,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto`.
    Goto,
    /// Anything else, in words.
    Other(String),
}

impl Unsupported {
    /// What it is called.
    pub fn words(&self) -> &str {
        match self {
            Self::Label => "a label",
            Self::Assembly => "inline assembly",
            Self::Switch => "`switch`",
            Self::Case => "`case`",
            Self::Break => "`break`",
            Self::Continue => "`continue`",
            Self::Goto => "`goto`",
            Self::Loop(words) => words,
            Self::Other(words) => words,
        }
    }
}

impl Stmt {
    /// The statements directly in this one.
    pub fn parts(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::Compound(parts) | StmtKind::Other { parts, .. } => parts.iter().collect(),
            StmtKind::For { init, body, .. } => vec![init, body],
            StmtKind::While { body, .. } => vec![body],
            StmtKind::If { then, otherwise, .. } => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            StmtKind::Declaration(_) | StmtKind::Expression(_) | StmtKind::Return(_) | StmtKind::Empty => {
                Vec::new()
            }
        }
    }

    /// The expressions directly in this statement; initialisers and array lengths of a declaration are among them.
    pub fn expressions<'a>(&'a self, tree: &'a Tree) -> Vec<&'a Expr> {
        match &self.kind {
            StmtKind::For { condition, step, .. } => vec![condition, step],
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => vec![condition],
            StmtKind::Expression(expr) => vec![expr],
            StmtKind::Return(value) => value.iter().collect(),
            StmtKind::Declaration(ids) => {
                let variables = ids.iter().map(|&id| tree.variable(id));
                variables.flat_map(|v| v.lengths.iter().flatten().chain(v.initial.as_ref())).collect()
            }
            StmtKind::Compound(_) | StmtKind::Empty | StmtKind::Other { .. } => Vec::new(),
        }
    }

    /// Calls `visit` on this statement and then on all below it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Calls `visit` on every expression in this statement and below it.
    pub fn walk_expressions<'a>(&'a self, tree: &'a Tree, visit: &mut dyn FnMut(&'a Expr)) {
        self.walk(&mut |stmt| {
            for expr in stmt.expressions(tree) {
                expr.walk(visit);
            }
        });
    }
}
