//! How leaves are spelled.

use super::dialect::Dialect;
use super::fragment::Fragment;
use crate::AccessId;

/// How the leaves of a statement's body are spelled. Nothing means that the document does not define the leaf.
pub trait Spelling {
    /// Why a body cannot be spelled.
    type Error: From<Undefined>;

    /// The language.
    fn dialect(&self) -> Dialect;

    /// The element that a read or write access touches; its type is that of the array. The subscripts are those of an
    /// indirect access; of others there are none.
    ///
    /// # Errors
    /// The document does not define it, or it cannot be spelled for another reason.
    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> Result<Fragment, Self::Error>;

    /// The value of an iterator of the statement.
    fn iterator(&self, dimension: u32) -> Option<Fragment>;

    /// The value of a parameter.
    fn parameter(&self, name: &str) -> Option<Fragment>;

    /// The name of a function, of the program's own or of the library.
    fn function<'n>(&'n self, name: &'n str) -> &'n str {
        name
    }
}

/// A leaf or temporary that the document does not define.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is used where it is not defined")]
pub struct Undefined(pub String);
