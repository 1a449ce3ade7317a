//! The spelling of leaves.

use super::dialect::Dialect;
use super::fragment::Fragment;
use crate::AccessId;

/// The spelling of the leaves of a statement's body. Functions return nothing for a leaf that the document does
/// not define.
pub trait Spelling {
    /// The reason why a body cannot be spelled.
    type Error: From<Undefined>;

    /// Returns the language.
    fn dialect(&self) -> Dialect;

    /// Returns the element that a read or write access touches, with the type of the array. `subscripts` are
    /// those of an indirect access; for other accesses they are empty.
    ///
    /// # Errors
    /// Fails if the document does not define the element, or if it cannot be spelled for another reason.
    fn element(&self, access: AccessId, subscripts: &[Fragment]) -> Result<Fragment, Self::Error>;

    /// Returns the value of an iterator of the statement.
    fn iterator(&self, dimension: u32) -> Option<Fragment>;

    /// Returns the value of a parameter.
    fn parameter(&self, name: &str) -> Option<Fragment>;

    /// Returns the spelling of a function, which is the program's own or from the library.
    fn function<'n>(&'n self, name: &'n str) -> &'n str {
        name
    }
}

/// A leaf or temporary that the document does not define.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is used where it is not defined")]
pub struct Undefined(pub String);
