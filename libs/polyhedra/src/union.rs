//! Unions of sets and relations that are collected one by one.

use isl_rs::{Map, Set, UnionMap};

use crate::Result;

/// An isl object that has a union with others of its kind.
pub trait Union: Sized {
    /// What is in either of the two.
    ///
    /// # Errors
    /// As of isl's.
    fn united(self, other: Self) -> Result<Self>;
}

macro_rules! impl_union {
    ($($kind:ty),*) => {$(
        impl Union for $kind {
            fn united(self, other: Self) -> Result<Self> {
                Ok(self.union(other)?)
            }
        }
    )*};
}

impl_union!(Set, Map, UnionMap);

/// Adds to a union that has no member yet if it is `None`: an empty set would need a space first.
///
/// # Errors
/// As of isl's.
pub fn add<T: Union>(all: Option<T>, more: T) -> Result<Option<T>> {
    Ok(Some(match all {
        Some(all) => all.united(more)?,
        None => more,
    }))
}
