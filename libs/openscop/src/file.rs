//! What an OpenScop text says, before anybody understands it.

use crate::position::Position;

/// One `<OpenScop>` … `</OpenScop>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The language of the program, such as `C`.
    pub language: String,
    /// What is known of the parameters.
    pub context: Relation,
    /// The names of the parameters, if they are given.
    pub parameters: Option<Vec<String>>,
    /// The statements.
    pub statements: Vec<BlockStatement>,
    /// What stands after the statements.
    pub extensions: Vec<Tagged>,
    /// Where it starts.
    pub at: Position,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockStatement {
    /// Domain, scattering and accesses, in the order of the text.
    pub relations: Vec<Relation>,
    /// The body, and what else is said of the statement.
    pub extensions: Vec<Tagged>,
    /// Where it starts.
    pub at: Position,
}

impl BlockStatement {
    /// The relations of some kinds.
    pub fn of_kind(&self, kinds: &[RelationKind]) -> Vec<&Relation> {
        self.relations.iter().filter(|relation| kinds.contains(&relation.kind)).collect()
    }

    /// The accesses, in the order of the text.
    pub fn accesses(&self) -> Vec<&Relation> {
        self.of_kind(&[RelationKind::Read, RelationKind::Write, RelationKind::MayWrite])
    }
}

/// What stands between two tags: `<loop>` … `</loop>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// The name in the tags.
    pub tag: String,
    /// The lines between them, each with its newline.
    pub text: String,
    /// Where the opening tag stands.
    pub at: Position,
}

impl Tagged {
    /// An extension that was not read from a text.
    pub fn new(tag: &str, text: String) -> Self {
        Self { tag: tag.to_owned(), text, at: Position::default() }
    }

    /// The line of the file at which the text starts.
    pub fn first_line(&self) -> usize {
        self.at.line + 1
    }
}

/// A union of polyhedra.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// What it says.
    pub kind: RelationKind,
    /// One at least, all with the same dimensions but for the local ones.
    pub parts: Vec<Matrix>,
    /// Where it starts.
    pub at: Position,
}

/// What a relation says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationKind {
    /// Nothing in particular.
    Undefined,
    /// What is known of the parameters.
    Context,
    /// The instances of a statement.
    Domain,
    /// When instances are executed.
    Scattering,
    /// Which elements they read.
    Read,
    /// Which elements they write.
    Write,
    /// Which elements they may write.
    MayWrite,
}

impl RelationKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Undefined,
        Self::Context,
        Self::Domain,
        Self::Scattering,
        Self::Read,
        Self::Write,
        Self::MayWrite,
    ];

    /// The word in the text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undefined => "UNDEFINED",
            Self::Context => "CONTEXT",
            Self::Domain => "DOMAIN",
            Self::Scattering => "SCATTERING",
            Self::Read => "READ",
            Self::Write => "WRITE",
            Self::MayWrite => "MAY_WRITE",
        }
    }
}

/// A polyhedron. A row holds a number for each output, input and local dimension, each parameter, and the constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The dimensions of sets, and those to which relations lead.
    pub output: usize,
    /// The dimensions from which relations come.
    pub input: usize,
    /// The dimensions that only exist.
    pub local: usize,
    /// The parameters.
    pub parameters: usize,
    /// The constraints.
    pub rows: Vec<Row>,
}

/// A constraint: a sum that is zero, or at least zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// True for `= 0`.
    pub equality: bool,
    /// The coefficients, the constant last.
    pub coefficients: Vec<i64>,
}

impl Matrix {
    /// The length of [`Row::coefficients`].
    pub fn columns(&self) -> usize {
        self.output + self.input + self.local + self.parameters + 1
    }
}

/// The first extension of a name.
pub fn tagged<'t>(extensions: &'t [Tagged], tag: &str) -> Option<&'t Tagged> {
    extensions.iter().find(|tagged| tagged.tag == tag)
}
