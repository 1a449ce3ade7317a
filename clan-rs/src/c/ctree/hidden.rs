//! Mentions of variables, and calls, that are missing from the syntax tree.

use std::collections::BTreeMap;

use scop::SourceRange;

use super::variable_id::VariableId;

/// The places where variables are mentioned; `None` for a place outside the main file.
#[derive(Debug, Clone, Default)]
pub struct HiddenMentions {
    /// Mentions of a known variable.
    pub variables: BTreeMap<VariableId, Vec<Option<SourceRange>>>,
    /// Mentions in pragmas, where only the name is known.
    pub names: BTreeMap<String, Vec<Option<SourceRange>>>,
    /// Calls, such as that in the type `double (*)[f()]`.
    pub calls: Vec<Option<SourceRange>>,
    /// True if a macro produces the text of a pragma, which may therefore contain any name.
    pub any: bool,
}

impl HiddenMentions {
    /// Returns the places where a variable of this id or name may be mentioned.
    pub fn of_variable<'a>(
        &'a self,
        id: VariableId,
        name: &str,
    ) -> impl Iterator<Item = Option<SourceRange>> + 'a {
        let places = self.variables.get(&id).into_iter().chain(self.names.get(name)).flatten();
        places.copied().chain(self.any.then_some(None))
    }

    /// Returns the places of a word in pragmas; `None` for a place outside the main file or in a pragma that a
    /// macro produces.
    pub fn of_pragmas<'a>(&'a self, word: &str) -> impl Iterator<Item = Option<SourceRange>> + 'a {
        self.names.get(word).into_iter().flatten().copied().chain(self.any.then_some(None))
    }
}
