//! The content of an OpenScop text, before it is interpreted.

use crate::position::Position;

/// One scop: `<OpenScop>` … `</OpenScop>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The language of the program, such as `C`.
    pub language: String,
    /// The conditions on the parameters.
    pub context: Relation,
    /// The names of the parameters, if they are given.
    pub parameters: Option<Vec<String>>,
    /// The statements.
    pub statements: Vec<BlockStatement>,
    /// The extensions after the statements.
    pub extensions: Vec<Tagged>,
    /// The start of the block.
    pub at: Position,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockStatement {
    /// Domain, scattering and accesses, in the order of the text.
    pub relations: Vec<Relation>,
    /// The body and the other extensions of the statement.
    pub extensions: Vec<Tagged>,
    /// The start of the statement.
    pub at: Position,
}

impl BlockStatement {
    /// Returns the relations of some kinds.
    pub fn of_kind(&self, kinds: &[RelationKind]) -> Vec<&Relation> {
        self.relations.iter().filter(|relation| kinds.contains(&relation.kind)).collect()
    }

    /// Returns the accesses, in the order of the text.
    pub fn accesses(&self) -> Vec<&Relation> {
        self.of_kind(&[RelationKind::Read, RelationKind::Write, RelationKind::MayWrite])
    }
}

/// An extension: the text between two tags, `<loop>` … `</loop>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// The name in the tags.
    pub tag: String,
    /// The lines between them, each with its newline.
    pub text: String,
    /// The place of the opening tag.
    pub at: Position,
}

impl Tagged {
    /// Creates an extension that was not read from a text.
    pub fn new(tag: &str, text: String) -> Self {
        Self { tag: tag.to_owned(), text, at: Position::default() }
    }

    /// Returns the line of the file at which the text starts.
    pub fn first_line(&self) -> usize {
        self.at.line + 1
    }
}

/// A union of polyhedra.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The parts, at least one. They have the same dimensions, except for the local ones.
    pub parts: Vec<Matrix>,
    /// The start of the relation.
    pub at: Position,
}

/// The kinds of relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelationKind {
    /// No particular kind.
    Undefined,
    /// Conditions on the parameters.
    Context,
    /// The instances of a statement.
    Domain,
    /// The times at which instances are executed.
    Scattering,
    /// The elements that instances read.
    Read,
    /// The elements that instances write.
    Write,
    /// The elements that instances may write.
    MayWrite,
}

impl RelationKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Undefined,
        Self::Context,
        Self::Domain,
        Self::Scattering,
        Self::Read,
        Self::Write,
        Self::MayWrite,
    ];

    /// Returns the keyword in the text.
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

/// A polyhedron. A row has a number for each output, input and local dimension, each parameter, and the
/// constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The number of dimensions of a set, or of a relation's range.
    pub output: usize,
    /// The number of dimensions of a relation's domain.
    pub input: usize,
    /// The number of existentially quantified dimensions.
    pub local: usize,
    /// The number of parameters.
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
    /// Returns the length of [`Row::coefficients`].
    pub fn columns(&self) -> usize {
        self.output + self.input + self.local + self.parameters + 1
    }
}

/// Returns the first extension with a tag.
pub fn tagged<'t>(extensions: &'t [Tagged], tag: &str) -> Option<&'t Tagged> {
    extensions.iter().find(|tagged| tagged.tag == tag)
}
