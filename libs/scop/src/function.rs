//! Functions that statements call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CType, SourceRange, Step};

/// A function without side effects, whose arguments are numbers and arrays that it only reads. It uses only its
/// parameters and its own variables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// The name: the user's if it is free; unique in the program. In CUDA files, the name of the file is put
    /// before it.
    pub name: String,
    /// The type of its value.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The parameters, which are the first temporaries of the body.
    pub parameters: Vec<FunctionParameter>,
    /// The body. It neither reads nor assigns elements of arrays outside the function, and every path through
    /// it ends with a `return`.
    pub body: Vec<Step>,
    /// The place of its definition.
    pub range: SourceRange,
    /// The C name, if this is the definition of a function of C's library for one type of numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionParameter {
    /// Its name, unique in the function.
    pub name: String,
    /// The type of the parameter; that of its elements if it is an array.
    #[serde(rename = "type")]
    pub ctype: CType,
    /// The length of each dimension if the parameter is an array; empty if it is a number. An argument has the
    /// same lengths, except that the first may be larger.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extents: Vec<u64>,
}
