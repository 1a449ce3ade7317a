//! Mentions of variables that the syntax tree does not have.

use std::collections::BTreeMap;

use scop::SourceRange;

use super::expr::VariableId;

/// Where variables are mentioned; nothing for a place outside the main file.
#[derive(Debug, Clone, Default)]
pub struct HiddenMentions {
    /// By the variables themselves.
    pub variables: BTreeMap<VariableId, Vec<Option<SourceRange>>>,
    /// Pragmas know them by name alone.
    pub names: BTreeMap<String, Vec<Option<SourceRange>>>,
    /// True if some pragma's text is made by a macro, so that any name may be in it.
    pub any: bool,
}

impl HiddenMentions {
    /// The places where a variable of this name is mentioned.
    pub fn of_variable<'a>(
        &'a self,
        id: VariableId,
        name: &str,
    ) -> impl Iterator<Item = Option<SourceRange>> + 'a {
        let places = self.variables.get(&id).into_iter().chain(self.names.get(name)).flatten();
        places.copied().chain(self.any.then_some(None))
    }

    /// The places of a word in pragmas; nothing for one outside the main file, or in a pragma that a macro makes.
    pub fn of_pragmas<'a>(&'a self, word: &str) -> impl Iterator<Item = Option<SourceRange>> + 'a {
        self.names.get(word).into_iter().flatten().copied().chain(self.any.then_some(None))
    }
}
