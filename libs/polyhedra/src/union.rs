//! Unions of sets and relations that are collected one by one.

use isl_rs::{Map, Set, UnionMap};

use crate::Result;

/// An isl object that can be united with others of its kind.
pub trait Union: Sized {
    /// Returns the union of the two.
    ///
    /// # Errors
    /// Returns isl's error if an isl operation fails.
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

/// Adds to a union, which is `None` while it has no member: an empty set would need a space first.
///
/// # Errors
/// Returns isl's error if an isl operation fails.
pub fn add<T: Union>(all: Option<T>, more: T) -> Result<Option<T>> {
    Ok(Some(match all {
        Some(all) => all.united(more)?,
        None => more,
    }))
}
