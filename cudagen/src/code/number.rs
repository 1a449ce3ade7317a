//! Functions of integers: positions of elements, and ranks of blocks. They compute in 64 bits.

use std::collections::BTreeSet;

use scop::CType;
use scop::ast::AstExpr;
use scop::c_text::{self, Helper};

use crate::code::element::parameters;

/// A function of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberFunction {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<String>,
    /// Its value, as an expression.
    pub value: String,
    /// The index helpers that it calls.
    pub helpers: BTreeSet<Helper>,
}

impl NumberFunction {
    /// Returns the function with this value, whose parameters are first these names and then all others that occur.
    pub fn new(name: &str, first: &[String], value: &AstExpr) -> Self {
        let parameters = first.iter().cloned().chain(parameters(value, first));
        Self {
            name: name.to_owned(),
            parameters: parameters.collect(),
            value: c_text::index_text(value, CType::Long).text,
            helpers: c_text::helpers(value),
        }
    }

    /// Returns the call with arguments of the same names.
    pub fn call(&self) -> String {
        format!("{}({})", self.name, self.parameters.join(", "))
    }
}
