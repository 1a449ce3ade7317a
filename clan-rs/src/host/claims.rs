//! Claims about functions whose bodies are in the same file, compared with what the analysis finds.

use scop::Diagnostic;

use crate::c::ctree::Tree;
use crate::directives::effects::{Does, EffectsClaim, Item};
use crate::errors::{UNCHECKED_EFFECTS, WRONG_EFFECTS};
use crate::host::Host;

/// Returns an error if a function does more than is claimed, and a warning if that is not known.
pub fn check(claim: &EffectsClaim, tree: &Tree, host: &Host) -> Option<Diagnostic> {
    let name = &claim.effects.function;
    tree.functions.iter().find(|function| function.name == *name)?;
    let Some(found) = host.effects.iter().find(|effects| effects.function == *name) else {
        let message = format!("it could not be checked that `{name}` does nothing but what this says");
        let warning = Diagnostic::warning(UNCHECKED_EFFECTS, message);
        let warning = warning.at(&claim.path, claim.range, "callers in other files rely on it");
        return Some(
            warning.with_help("make sure that it holds; functions that run unknown code cannot be checked"),
        );
    };
    let missing = found.items.iter().find(|item| !claim.effects.items.iter().any(|one| covers(one, item)))?;
    let message = format!("`{name}` does more than this says: `{missing}` is missing");
    let error = Diagnostic::error(WRONG_EFFECTS, message);
    let error = error.at(&claim.path, claim.range, "callers in other files rely on it");
    Some(error.with_help(format!("add `{missing}` to the directive, or remove the directive")))
}

/// True if a claim is about at least the same use of the same memory.
fn covers(claim: &Item, found: &Item) -> bool {
    let is_enough = match found.does {
        Does::Reads => true,
        Does::Writes | Does::Announces => claim.does != Does::Reads,
        Does::Device => claim.does == Does::Device,
    };
    is_enough && claim.name == found.name && (claim.section.is_none() || claim.section == found.section)
}
