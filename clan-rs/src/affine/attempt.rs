//! Translations that may fail without a trace.

use crate::affine::translator::Affine;
use crate::errors::Result;

impl<'e, 't> Affine<'e, 't> {
    /// What `translate` gives; if it fails, what it assumed on the way is forgotten.
    pub fn attempt<T>(&mut self, translate: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (assumed, warnings) = (self.assumed.copy()?, self.warnings.len());
        let result = translate(self);
        if result.is_err() {
            self.assumed = assumed;
            self.warnings.truncate(warnings);
        }
        result
    }
}
