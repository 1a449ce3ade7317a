//! OpenScop: the text format in which polyhedral tools exchange programs (Clan, Candl, Pluto, Clay, CLooG).
//!
//! An OpenScop text contains for every statement its domain, its scattering (when instances run) and its
//! accesses, each as matrices of integer constraints, and the body as a line of C. The document contains more:
//! types, extents, typed bodies, schedule trees. It is therefore written as OpenScop that any tool understands,
//! together with an extension of our own, `<c_to_cuda>`, which contains the document of the scop as JSON.
//!
//! | document | OpenScop |
//! |---|---|
//! | context, parameters | CONTEXT, `<strings>` |
//! | domain | DOMAIN |
//! | order, or schedule if there is one | SCATTERING ([`scattering`]; back: [`tree`]) |
//! | accesses | READ, WRITE, MAY_WRITE; array `A0` is number 1 |
//! | text and iterators of a statement | `<body>` |
//! | names of arrays | `<arrays>` |
//! | place in the source | `<coordinates>` |
//! | dependences | `<dependence>` |
//! | everything, exactly | `<c_to_cuda>` |
//!
//! **Reading back.** The matrices take precedence over the extension ([`own`]): each relation is compared with
//! the one that would be written for the extension. If another tool changed the relation, the document gets the
//! new one, and everything derived from the old ones (dependences, schedule, mapping) is dropped. A new
//! scattering becomes the new order. Only for a tool that compares orders (`candl-rs --check`), it becomes the
//! schedule, beside the old order and its dependences.
//!
//! **Without the extension.** OpenScop's library drops extensions that it does not know. [`with_order`]
//! ([`reorder`]) takes the scatterings of such a text into the document from which the text was made.
//!
//! **Texts of other tools** ([`foreign`]) have no typed bodies and no extents. Dependences can be found and
//! loops generated; tools that need more refuse ([`scop::Source::require_complete`]).
//!
//! **Other extensions** are kept in the document ([`scop::Extension`]) and written again. Comments are not
//! kept.

mod describe;
mod error;
mod extension;
mod file;
mod foreign;
pub mod instances;
mod lines;
mod loops;
mod matrix;
mod order;
mod own;
mod parse;
mod position;
mod print;
mod relation;
mod reorder;
mod scattering;
mod statement;
#[cfg(test)]
mod tests;
mod tree;

use polyhedra::{Error, Limit, limit_work};
use scop::verify::Seal;
use scop::{Program, Stage, check_header, check_length, check_limits, from_value, parse_json};
use serde::Deserialize;
use serde_json::Value;

pub use error::{OpenScopError, OpenScopFault};
pub use parse::is_openscop;
pub use reorder::with_order;

use file::{Block, Relation, RelationKind, Tagged};
use own::Said;
use position::Position;

/// The limit on isl's work for one text: some seconds.
const LIMIT: Limit = Limit { operations: 10_000_000, seconds: 10 };

/// A remark on a text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The remark.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

/// The reason why a text, in either format, is not a document of the expected stage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is OpenScop, but has a fault.
    #[error(transparent)]
    OpenScop(#[from] OpenScopError),
    /// The text is not the JSON of a document, or its content is not a document.
    #[error(transparent)]
    Document(#[from] scop::ReadError),
}

/// A document and the remarks on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<S> {
    /// The document.
    pub program: Program<S>,
    /// The remarks on the text.
    pub notices: Vec<Notice>,
    /// The digests of the parts that were found sound; OpenScop contains none.
    pub seal: Seal,
}

/// Reads a document in either format. Sections of later stages are ignored; they are stale once an earlier
/// stage runs again.
///
/// # Errors
/// Fails if the text is not a document, or not of this stage.
pub fn read<S: Stage>(text: &str) -> Result<Reading<S>, ReadError> {
    check_length(text)?;
    if is_openscop(text) {
        return from_openscop(text);
    }
    let scop::Reading { program, seal } = scop::read(text)?;
    Ok(Reading { program, notices: Vec::new(), seal })
}

/// Returns the JSON of a document in either format. For OpenScop, it is the model and as much of the
/// dependences and the schedule as OpenScop can express.
///
/// # Errors
/// Fails if the text is not a document.
pub fn document(text: &str) -> Result<Value, ReadError> {
    check_limits(text)?;
    if is_openscop(text) {
        return said(text);
    }
    let value = parse_json(text)?;
    check_header(&value)?;
    Ok(value)
}

fn from_openscop<S: Stage>(text: &str) -> Result<Reading<S>, ReadError> {
    let blocks = parse::parse(text)?;
    let documents = limit_work(LIMIT, || documents::<S>(&blocks))?;
    let program = from_value(merged(&blocks, documents)?)?;
    Ok(Reading { program, notices: blocks.iter().flat_map(notices).collect(), seal: Seal::default() })
}

fn said(text: &str) -> Result<Value, ReadError> {
    let program = from_openscop::<Said>(text)?.program;
    Ok(serde_json::to_value(program).map_err(|error| scop::ReadError::Foreign(error.to_string()))?)
}

fn documents<S: Stage>(blocks: &[Block]) -> error::Result<Vec<Value>> {
    let document = |(position, block): (usize, &Block)| {
        extensions(block).try_for_each(extension::check)?;
        match own::extension(block)? {
            Some(extension) => own::document::<S>(block, extension),
            None => foreign::document(block, position),
        }
    };
    blocks.iter().enumerate().map(document).collect()
}

/// Merges the documents of several scops, which must be of one source, into one document.
fn merged(blocks: &[Block], documents: Vec<Value>) -> error::Result<Value> {
    let mut merged: Option<Value> = None;
    for (block, document) in blocks.iter().zip(documents) {
        merged = Some(match merged {
            None => document,
            Some(before) => joined(before, document).ok_or_else(|| {
                OpenScopError::stale(block.at, "this scop has another source than those before it")
            })?,
        });
    }
    Ok(merged.unwrap_or_default())
}

fn joined(mut before: Value, document: Value) -> Option<Value> {
    for key in ["/format", "/version", "/source/path", "/source/language", "/source/hash", "/functions"] {
        if before.pointer(key) != document.pointer(key) {
            return None;
        }
    }
    for list in ["/source/regions", "/scops"] {
        let more = document.pointer(list)?.as_array()?.clone();
        before.pointer_mut(list)?.as_array_mut()?.extend(more);
    }
    Some(before)
}

/// Returns all extensions, those of the statements first.
fn extensions(block: &Block) -> impl Iterator<Item = &Tagged> {
    block.statements.iter().flat_map(|statement| &statement.extensions).chain(&block.extensions)
}

/// Returns a remark for each extension that is not known here.
fn notices(block: &Block) -> Vec<Notice> {
    let known = |tag: &str| own::is_own(tag) || extension::KNOWN.contains(&tag);
    let unknown = extensions(block).filter(|tagged| !known(&tagged.tag));
    unknown
        .map(|tagged| Notice {
            message: format!("the extension `{}` is not known; it is kept as it is", tagged.tag),
            line: tagged.at.line,
            column: tagged.at.column,
        })
        .collect()
}

/// Writes a document.
///
/// # Errors
/// Fails if the stage cannot be expressed in OpenScop, or if the document is not sound.
pub fn to_openscop<S: Stage>(program: &Program<S>) -> polyhedra::Result<String> {
    if program.scops.iter().any(|scop| scop.stage.placement().is_some()) {
        return Err(Error::new("OpenScop cannot describe where data is placed"));
    }
    let document = serde_json::to_value(program).map_err(|error| Error::new(error.to_string()))?;
    blocks(&document).map(|blocks| print::print(&blocks))
}

fn blocks(document: &Value) -> polyhedra::Result<Vec<Block>> {
    let program: Program<Said> =
        Program::deserialize(document).map_err(|error| Error::new(error.to_string()))?;
    if program.scops.is_empty() {
        return Ok(vec![without_scop(document)?]);
    }
    (0..program.scops.len())
        .map(|position| {
            let scope = own::scope(&program, position).ok_or_else(|| Error::new("a scop has no region"))?;
            let mut block = scope.block()?;
            block.extensions.push(own::tagged(document, Some(position))?);
            Ok(block)
        })
        .collect()
}

/// Returns the block of a program without scops.
fn without_scop(document: &Value) -> polyhedra::Result<Block> {
    let nothing = file::Matrix { output: 0, input: 0, local: 0, parameters: 0, rows: Vec::new() };
    Ok(Block {
        language: "C".to_owned(),
        context: Relation { kind: RelationKind::Context, parts: vec![nothing], at: Position::default() },
        parameters: None,
        statements: Vec::new(),
        extensions: vec![own::tagged(document, None)?],
        at: Position::default(),
    })
}
