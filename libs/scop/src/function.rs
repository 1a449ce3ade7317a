//! Functions of the source file that statements call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CType, SourceRange, Step};

/// A function of numbers, and of arrays that it only reads, without side effects: it sees its parameters and its own
/// variables, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// The name: the user's where it is free, unique in the program. CUDA files have that of the file in front.
    pub name: String,
    /// The type of its value.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The parameters, which are the first temporaries of the body.
    pub parameters: Vec<FunctionParameter>,
    /// What it does. It has no assignments to elements and reads none, and each way through it ends with a `return`.
    pub body: Vec<Step>,
    /// Where it is defined.
    pub range: SourceRange,
    /// What C calls it, if it is a function of C's library, of which this is the definition for one type of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionParameter {
    /// Its name, unique in the function.
    pub name: String,
    /// Its type; that of its elements if it is an array.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The length of each dimension if it is an array; none if it is a number. An argument has the same lengths, but
    /// for the first, which may be larger.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extents: Vec<u64>,
}
