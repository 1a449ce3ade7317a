//! Translations that leave no assumptions behind if they fail.

use crate::affine::translator::Affine;
use crate::errors::Result;

impl<'e, 't> Affine<'e, 't> {
    /// Returns the result of `translate`; if it fails, its assumptions and warnings are discarded.
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
