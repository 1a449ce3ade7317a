//! Reading and writing documents as JSON.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ast::LoopProgram;
use crate::json_layout::laid_out;
use crate::verify::Seal;
use crate::{
    Dependences, FORMAT, IslSchedule, Mapping, Model, Placement, Program, Scanned, Section, Stage, VERSION,
};

/// The length of the longest text that is read, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// The greatest nesting of brackets that is read.
pub const MAX_DEPTH: usize = 1500;

/// The reason why a text is not a document of the expected stage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text is too long.
    #[error("the text has more than {MAX_TEXT} bytes")]
    TooLong,
    /// The text is not JSON.
    #[error("this is not JSON: {message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// The line of the fault, from 1.
        line: usize,
        /// The column of the fault, from 1; 0 at the end of a line.
        column: usize,
    },
    /// The text is JSON, but not a document of c2cuda.
    #[error("this is JSON, but not a c2cuda document: {0}")]
    Foreign(String),
    /// The document has another version.
    #[error("this document has version {found}, and this tool reads version {VERSION}")]
    Version {
        /// The version of the document.
        found: String,
    },
    /// A section is missing, because a tool has not run.
    #[error("scop {scop} of this document has no section `{key}`, which {writer} writes")]
    MissingSection {
        /// The position of the scop.
        scop: usize,
        /// The key of the section.
        key: &'static str,
        /// The tool that writes the section.
        writer: &'static str,
    },
    /// A part of the document has the wrong shape.
    #[error("`{path}` of this document is wrong: {message}")]
    Shape {
        /// The path of the part: `scops[0].statements[1].domain`.
        path: String,
        /// What is wrong with it.
        message: String,
    },
}

/// A document and its seal.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<S> {
    /// The document.
    pub program: Program<S>,
    /// The digests of the parts that were found sound.
    pub seal: Seal,
}

/// Reads a document and its seal. Sections of later stages are ignored; they are stale once an earlier stage
/// runs again.
///
/// # Errors
/// Fails if the text is not a document, or not of this stage.
pub fn read<S: Stage>(text: &str) -> Result<Reading<S>, ReadError> {
    check_length(text)?;
    let value = parse_json(text)?;
    let seal = value.get(VERIFIED).and_then(|seal| Seal::deserialize(seal).ok()).unwrap_or_default();
    Ok(Reading { program: from_value(value)?, seal })
}

/// Reads a document without its seal.
///
/// # Errors
/// Fails if the text is not a document, or not of this stage.
pub fn from_json<S: Stage>(text: &str) -> Result<Program<S>, ReadError> {
    check_length(text)?;
    from_value(parse_json(text)?)
}

/// Reads a document from JSON.
///
/// # Errors
/// Fails if the value is not a document, or not of this stage.
pub fn from_value<S: Stage>(value: Value) -> Result<Program<S>, ReadError> {
    check_header(&value)?;
    check_sections::<S>(&value)?;
    serde_path_to_error::deserialize(&value).map_err(|error| {
        let found = wrong_part::<S>(&value);
        let (path, message) = found.unwrap_or((error.path().to_string(), error.into_inner().to_string()));
        ReadError::Shape { path, message }
    })
}

/// Parses a text as JSON.
///
/// # Errors
/// Fails if the text is not JSON, or is nested too deeply.
pub fn parse_json(text: &str) -> Result<Value, ReadError> {
    check_depth(text)?;
    parse(text).map_err(|error| ReadError::Syntax {
        message: strip_position(&error.to_string()),
        line: error.line(),
        column: error.column(),
    })
}

/// Refuses a text that is too long.
///
/// # Errors
/// Fails if the text has more than [`MAX_TEXT`] bytes.
pub fn check_length(text: &str) -> Result<(), ReadError> {
    if text.len() > MAX_TEXT { Err(ReadError::TooLong) } else { Ok(()) }
}

/// Returns the path of the part of a scop that has the wrong shape, and what is wrong with it. The error for a
/// whole scop does not contain the path, because a scop's fields come from several types.
fn wrong_part<S: Stage>(value: &Value) -> Option<(String, String)> {
    let scops = value.get("scops")?.as_array()?;
    scops.iter().enumerate().find_map(|(position, scop)| {
        let in_section = |section: &Section| wrong_section(section.key, scop.get(section.key)?);
        let found = fault::<Model>(scop).or_else(|| S::SECTIONS.iter().find_map(in_section));
        found.map(|(path, message)| (format!("scops[{position}]{path}"), message))
    })
}

fn wrong_section(key: &str, value: &Value) -> Option<(String, String)> {
    let fault = match key {
        "dependences" => fault::<Dependences>(value),
        "schedule" => fault::<IslSchedule>(value),
        "mapping" => fault::<Mapping>(value),
        "placement" => fault::<Placement>(value),
        "ast" => fault::<LoopProgram>(value),
        _ => None,
    };
    fault.map(|(path, message)| (format!(".{key}{path}"), message))
}

/// Returns the path of what keeps a value from being a `T` (`.kernels[0].id`, or nothing for the value itself),
/// and why.
fn fault<T: DeserializeOwned>(value: &Value) -> Option<(String, String)> {
    let error = serde_path_to_error::deserialize::<_, T>(value).err()?;
    let path = format!(".{}", error.path());
    Some((path.trim_end_matches(['.', '?']).to_owned(), error.into_inner().to_string()))
}

/// Parses JSON without serde_json's own depth limit of 128: the tree of a sum of a thousand terms is a thousand
/// levels deep.
fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = Value::deserialize(&mut deserializer)?;
    deserializer.end().map(|()| value)
}

/// Refuses texts whose nesting would exhaust the stack of the recursive functions on documents.
fn check_depth(text: &str) -> Result<(), ReadError> {
    match depths(text).find(|(_, depth)| *depth > MAX_DEPTH) {
        Some((offset, _)) => Err(too_deep(&text.as_bytes()[..offset])),
        None => Ok(()),
    }
}

/// Returns the depth of nested brackets in the JSON of a part of a document.
///
/// # Errors
/// Fails if the part cannot be written as JSON.
pub fn nesting(part: &impl Serialize) -> Result<usize, serde_json::Error> {
    let text = serde_json::to_string(part)?;
    Ok(depths(&text).map(|(_, depth)| depth).max().unwrap_or(0))
}

/// Returns the offset of each byte and the number of brackets open after it.
fn depths(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    text.bytes().enumerate().map(move |(offset, byte)| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        (offset, depth)
    })
}

/// Checks the length and the nesting of a text.
///
/// # Errors
/// Fails if the text is too long or nested too deeply.
pub fn check_limits(text: &str) -> Result<(), ReadError> {
    check_length(text)?;
    check_depth(text)
}

fn too_deep(before: &[u8]) -> ReadError {
    ReadError::Syntax {
        message: format!("more than {MAX_DEPTH} brackets are open"),
        line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        column: before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1,
    }
}

/// Removes the position at the end of serde_json's messages, which the diagnostic shows anyway.
fn strip_position(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

/// Refuses JSON that is not a document of this version.
///
/// # Errors
/// Fails if the value is not a document of c2cuda, or has another version.
pub fn check_header(value: &Value) -> Result<(), ReadError> {
    match value.get("format").map(|format| format.as_str().unwrap_or_default()) {
        Some(FORMAT) => {}
        Some(other) => return Err(ReadError::Foreign(format!("its `format` is `{other}`"))),
        None => return Err(ReadError::Foreign("it has no field `format`".to_owned())),
    }
    match value.get("version") {
        Some(version) if version.as_u64() == Some(u64::from(VERSION)) => Ok(()),
        Some(version) => Err(ReadError::Version { found: version.to_string() }),
        None => Err(ReadError::Version { found: "none".to_owned() }),
    }
}

fn check_sections<S: Stage>(value: &Value) -> Result<(), ReadError> {
    let scops = value.get("scops").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (scop, body) in scops.iter().enumerate() {
        for section in S::SECTIONS {
            if body.get(section.key).is_none() {
                return Err(ReadError::MissingSection { scop, key: section.key, writer: section.writer });
            }
        }
    }
    Ok(())
}

/// Writes a document, indented, with a newline at the end. Fields are in the order of the types.
pub fn to_json<S: Stage>(program: &Program<S>) -> Result<String, serde_json::Error> {
    to_sealed_json(program, &Seal::default())
}

/// Writes a document with a seal, in the same form.
pub fn to_sealed_json<S: Stage>(program: &Program<S>, seal: &Seal) -> Result<String, serde_json::Error> {
    let verified = Some(seal).filter(|seal| !seal.is_empty());
    let mut text = laid_out(&serde_json::to_string(&Sealed { program, verified })?);
    text.push('\n');
    Ok(text)
}

/// The key of the seal in a document.
const VERIFIED: &str = "verified";

/// A document in the form in which it is written.
#[derive(Serialize, JsonSchema)]
struct Sealed<P, V> {
    #[serde(flatten)]
    program: P,
    /// Digests of the parts that a tool verified. Parts with other digests are verified again.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<V>,
}

/// Returns the JSON Schema of the document, in which the sections of all tools after clan-rs are optional.
pub fn document_schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Sealed<Program<Scanned>, Seal>>();
    schema.insert("title".to_owned(), Value::from("A c2cuda document"));
    let mut value = Value::from(schema);
    make_sections_optional(&mut value);
    value
}

fn make_sections_optional(value: &mut Value) {
    let is_section = |key: &Value| Scanned::SECTIONS.iter().any(|section| Some(section.key) == key.as_str());
    match value {
        Value::Object(object) => {
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.retain(|key| !is_section(key));
            }
            object.values_mut().for_each(make_sections_optional);
        }
        Value::Array(items) => items.iter_mut().for_each(make_sections_optional),
        _ => {}
    }
}
