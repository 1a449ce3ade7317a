//! The syntax tree of this tool: C after macro expansion and type checking, as owned data that is independent of
//! clang.
//!
//! The tree holds whole functions, not only the marked regions, because the other uses of a variable in its
//! function matter. Code that no pass analyses becomes an `Other` node, which keeps its parts.

mod expr;
mod hidden;
mod types;
mod unnamed;
mod variable_id;

use std::collections::{BTreeMap, BTreeSet};

use scop::{CType, SourceRange};

pub use expr::{Callee, Expr, ExprKind};
pub use hidden::HiddenMentions;
pub use types::{Attribute, Length, Type, TypeKind};
pub use unnamed::{Container, Understood, Unnamed};
pub use variable_id::VariableId;

/// A C file.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The functions that have a body in the main file, in source order.
    pub functions: Vec<Function>,
    /// The functions with a body that the main file calls and that are templates or defined in the user's headers.
    pub header_functions: Vec<Function>,
    /// All variables that these functions declare or use.
    pub variables: Vec<Variable>,
    /// The qualified mentions of variables, in source order within each function.
    pub qualified: Vec<QualifiedName>,
    /// Mentions of variables that appear nowhere else in the tree.
    pub hidden: HiddenMentions,
    /// The mentions of `__COUNTER__` and similar names in the main file.
    pub peculiar: Vec<Peculiar>,
    /// True if the user's files mention functions that open streams to memory.
    pub has_streams_to_memory: bool,
    /// The names of all macros, except those that stand for the variables of the same name.
    pub macros: BTreeSet<String>,
    /// True if the file includes itself and is therefore read several times.
    pub includes_itself: bool,
    /// The path of an included header that has the name of the header to be generated.
    pub hidden_header: Option<String>,
    /// The places of `#pragma scop` in the user's headers: the path of the header, and the range in it.
    pub marked_in_headers: Vec<(String, SourceRange)>,
    /// True for C++.
    pub is_cxx: bool,
    /// A hash of the text of the file, the texts of the user's headers, and the macros of the command line.
    pub digest: String,
    /// True if the user's files mention coroutines of C++, whose functions may be left and entered again.
    pub has_coroutines: bool,
    /// True if the user's files have an `operator&` with one operand, or something like it.
    pub has_own_address_of: bool,
    /// The classes of C++ by their names; true for those whose objects are made and destroyed without code, as those of
    /// C's structures are.
    pub plain_classes: BTreeMap<String, bool>,
    /// The types of the numbers in variables that are structures without bases, as far as all of their members are known.
    pub numbers_in: BTreeMap<VariableId, Vec<CType>>,
    /// The types of the elements of variables that are vectors of numbers, or that refer to one.
    pub elements_of_vectors: BTreeMap<VariableId, CType>,
    /// The types of iterators of vectors of numbers, by their names.
    pub iterators: BTreeSet<String>,
    /// The classes of C++ by their names; true for vectors of numbers.
    pub vectors: BTreeMap<String, bool>,
    /// The types of streams of the library that write to files or to memory of their own, by their names.
    pub file_streams: BTreeSet<String>,
    /// True if the user's files name functions that set handlers of signals.
    pub handles_signals: bool,
    /// True if the user's files name what may run when a C++ exception is thrown.
    pub catches: bool,
    /// True if printing of C++ may call functions of the program or throw exceptions.
    pub printing_calls: bool,
    /// The first sign that the program may have several threads, if there is one.
    pub threads: Option<ThreadSign>,
    /// What code outside of the tree can name.
    pub linkage: Linkage,
    /// The names by which the linker knows functions of C++, by their names in the tree.
    pub symbols: BTreeMap<String, String>,
}

/// A sign that a program may have several threads.
#[derive(Debug, Clone)]
pub struct ThreadSign {
    /// What it is: `` `pthread.h` is included``.
    pub words: String,
    /// Where it is, if that is in the main file.
    pub range: Option<SourceRange>,
}

/// What code outside of the tree can name, and what initialises variables at file scope.
#[derive(Debug, Clone, Default)]
pub struct Linkage {
    /// The initialisers at file scope, also of variables that no function in the tree uses.
    pub initials: Vec<(VariableId, Expr)>,
    /// The functions of the tree that something other than a direct call in the tree names.
    pub named: BTreeSet<String>,
    /// The variables that functions outside of the tree mention.
    pub mentioned: BTreeSet<VariableId>,
    /// True if attributes, pragmas or assembly may name any function or variable by its text.
    pub by_text: bool,
}

/// A mention of a variable with namespaces or classes before its name, as in `A::v`.
#[derive(Debug, Clone)]
pub struct QualifiedName {
    /// The variable.
    pub variable: VariableId,
    /// The place of the mention.
    pub range: SourceRange,
    /// The name as written; `None` if a macro produces it or if it has template arguments.
    pub text: Option<String>,
}

impl Tree {
    /// Returns the name by which the linker knows a function.
    pub fn symbol<'t>(&'t self, function: &'t str) -> &'t str {
        self.symbols.get(function).map_or(function, String::as_str)
    }

    /// Returns all functions whose bodies are known.
    pub fn all_functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().chain(&self.header_functions)
    }

    /// Returns the function of this name, if its body is known.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.all_functions().find(|function| function.name == name)
    }

    /// Returns the variable with this id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0]
    }

    /// Returns the variable through which a member is reached, or the variable itself if it is not a member.
    pub fn root(&self, id: VariableId) -> VariableId {
        self.variable(id).member.as_ref().map_or(id, |member| member.of)
    }
}

/// A mention of a name whose value cannot be determined from the source.
#[derive(Debug, Clone, Copy)]
pub struct Peculiar {
    /// The place of the mention, or of the macro whose expansion contains it.
    pub range: SourceRange,
    /// The name.
    pub name: &'static str,
}

/// A function with its body.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name, which is unique in the tree.
    pub name: String,
    /// The name in the source.
    pub shown: String,
    /// Its return type.
    pub result: Type,
    /// Its place in the main file; `None` if it is in another file.
    pub range: Option<SourceRange>,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// The pointer to the object of a member function, if something uses it.
    pub this: Option<VariableId>,
    /// True if the tree has values in the place of references that it takes, because it only reads the numbers there.
    pub takes_values: bool,
    /// True for a function that belongs to an object.
    pub is_member: bool,
    /// True for a function that C++ may call where nothing names it: a constructor, destructor, conversion or operator;
    /// and for a template that is not instantiated.
    pub is_special: bool,
    /// True if it returns a reference.
    pub returns_reference: bool,
    /// True if its return type is what its `return` statements say, to the letter.
    pub deduces_exactly: bool,
    /// Its body. The initialisations of a constructor come first.
    pub body: Stmt,
    /// The number of statements at the beginning of its body that are such initialisations. They stand for what the
    /// constructor initialises with them, which the tree does not show.
    pub initialisations: usize,
    /// True for a template or a member of a template.
    pub is_template: bool,
    /// True if its text may stand for other functions as well: for a template, and for what is made of one.
    pub shares_text: bool,
    /// True if it is `constexpr` or `consteval`, so that compilers may evaluate it.
    pub is_constexpr: bool,
    /// A name that it uses and on whose value clang and the compiler may not agree, such as `__PRETTY_FUNCTION__`.
    pub peculiar: Option<&'static str>,
    /// A statement in it that libclang shows only in part.
    pub hidden_part: Option<SourceRange>,
    /// True if other files may define a function of the same name, because this one is `static` or in an unnamed
    /// namespace.
    pub is_internal: bool,
    /// Its attributes, except those that matter neither to its callers nor to the analysis of its body.
    pub attributes: Vec<Attribute>,
}

/// The storage duration of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// Static or thread storage duration; also used for references, whose objects are elsewhere.
    Static,
    /// Automatic storage duration: until the end of its block.
    Automatic,
    /// The storage duration of a parameter: until its function returns.
    Parameter,
}

/// A class of C++ whose objects are made or destroyed by code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `std::vector` of numbers with the allocator of the library.
    Vector,
    /// Another one.
    Other,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type; an array parameter keeps its array type.
    pub ctype: Type,
    /// Its storage duration.
    pub lifetime: Lifetime,
    /// The length of each array level of its type as the declaration writes it, outermost first.
    pub lengths: Vec<Option<Expr>>,
    /// Its initialiser.
    pub initial: Option<Expr>,
    /// Its value, if it is a `const` integer with a constant initialiser.
    pub constant: Option<i128>,
    /// The place of its name in its declaration, if that is in the main file.
    pub declared_at: Option<SourceRange>,
    /// What it is a member of; `None` for an ordinary variable.
    pub member: Option<Member>,
    /// True for a reference: its object is elsewhere and may have other names. Its type is the type of that object.
    pub reference: bool,
    /// True if it is declared `register`, so that it has no address.
    pub register: bool,
    /// True if other files can refer to it by its name.
    pub external: bool,
    /// True if its construction may leave a pointer to it that the source does not show: see
    /// [`crate::import::constructors`].
    pub leaves_pointer: bool,
    /// The class of C++ that it is an object of, or a reference to one, if its objects are made or destroyed by code.
    pub class: Option<Class>,
    /// True in C++ if its type is an enumeration: C++ does not treat such values as integers, nor pointers to them
    /// as pointers to integers.
    pub enumeration: bool,
    /// The first of its attributes, or of its type's attributes, that changes its meaning.
    pub attribute: Option<Attribute>,
}

/// A member of a structure, or of all structures in an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The variable through which it is reached.
    pub of: VariableId,
    /// The text to append to that variable's name; in an array of structures, the text for the first structure.
    pub suffix: String,
    /// The number of leading dimensions that belong to an array of structures.
    pub structures: u32,
    /// The text to append to the variable's name to refer to that array of structures.
    pub base: String,
    /// The size of one structure in that array, in bytes.
    pub stride: u32,
    /// True if the structure is reached through a pointer.
    pub pointer: bool,
    /// True if that pointer is `restrict`.
    pub restrict: bool,
    /// The pointer, if it points to a single structure: `q` in `q->x`.
    pub through: Option<VariableId>,
}

impl Member {
    /// Returns an empty member of a variable, to be filled in.
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
    /// True for a `const` object with an initialiser, whose value no program may change.
    pub fn is_constant_object(&self) -> bool {
        let is_own = self.member.is_none() && !self.reference;
        is_own && self.ctype.constant && !self.ctype.volatile && self.initial.is_some()
    }

    /// Returns its arithmetic type, if it has one.
    pub fn arithmetic(&self) -> Option<CType> {
        self.ctype.arithmetic()
    }

    /// Returns the text to append to the name of the variable through which it is reached.
    pub fn suffix(&self) -> &str {
        self.member.as_ref().map_or("", |member| &member.suffix)
    }

    /// Returns a name for generated code that resembles its own.
    pub fn plain_name(&self) -> String {
        self.name.replace("[]", "").replace("->", ".")
    }

    /// True if its type is an integer type.
    pub fn is_integer(&self) -> bool {
        self.arithmetic().is_some_and(CType::is_integer)
    }
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// Its place in the source, without the semicolon.
    pub range: SourceRange,
}

/// The kinds of statements.
#[derive(Debug, Clone)]
pub enum StmtKind {
    /// `{ … }`.
    Compound(Vec<Stmt>),
    /// A `for` loop with all three parts of its header.
    For {
        /// The first part of the header: a declaration or an expression.
        init: Box<Stmt>,
        /// The second part of the header.
        condition: Expr,
        /// The third part of the header.
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
        /// True for `do`, whose condition is tested after the body.
        after: bool,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// The condition.
        condition: Expr,
        /// The statement to execute if the condition holds.
        then: Box<Stmt>,
        /// The statement to execute otherwise.
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
        /// The kind of statement.
        what: Unsupported,
        /// The statements and expressions in it.
        parts: Vec<Stmt>,
    },
}

/// A loop over a range, in words.
pub const RANGE: &str = "range-based `for` loop";

/// Statements that no pass translates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsupported {
    /// `for` loops that lack a part of their header.
    Loop(&'static str),
    /// A `for` loop over all elements of an array or a vector of numbers. Its parts are those of a loop that counts:
    /// the declaration of a variable without a name, the condition, the step, the declaration of the element, and the
    /// body.
    Range,
    /// A label with this name, and the statement after it; a jump to a label may form a loop.
    Label(String),
    /// Inline assembly, which may change any variable that it mentions.
    Assembly,
    /// `switch`.
    Switch,
    /// `case` and `default`, with the statement after them.
    Case,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto`, with the name of the label unless that is computed.
    Goto(Option<String>),
    /// `try`: the block, and what catches.
    Try,
    /// `catch`: the declaration of what is caught, unless it catches everything, and the block.
    Catch,
    /// Any other statement, described in words.
    Other(String),
}

/// The words for a statement that catches exceptions.
pub const TRY: &str = "`try` and `catch`";

impl Unsupported {
    /// True for `try` and `catch`.
    pub fn is_try(&self) -> bool {
        matches!(self, Self::Try | Self::Catch) || *self == Self::Other(TRY.to_owned())
    }

    /// Returns its description for messages.
    pub fn words(&self) -> &str {
        match self {
            Self::Label(_) => "a label",
            Self::Assembly => "inline assembly",
            Self::Switch => "`switch`",
            Self::Case => "`case`",
            Self::Break => "`break`",
            Self::Continue => "`continue`",
            Self::Goto(_) => "`goto`",
            Self::Try | Self::Catch => TRY,
            Self::Loop(words) => words,
            Self::Range => RANGE,
            Self::Other(words) => words,
        }
    }
}

impl Stmt {
    /// Returns the statements directly inside this one.
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

    /// Returns the expressions directly in this statement, including initialisers and array lengths of a
    /// declaration.
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

    /// Calls `visit` on this statement and then on all statements inside it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Calls `visit` on all expressions in this statement and in the statements inside it.
    pub fn walk_expressions<'a>(&'a self, tree: &'a Tree, visit: &mut dyn FnMut(&'a Expr)) {
        self.walk(&mut |stmt| {
            for expr in stmt.expressions(tree) {
                expr.walk(visit);
            }
        });
    }
}
