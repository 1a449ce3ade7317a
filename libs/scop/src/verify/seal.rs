//! What has been verified once need not be verified again.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Function, Scop, Stage};

/// Characters of a digest: 128 bits.
const DIGEST: usize = 32;

/// The digest of the sources of the types and the verifier, which `build.rs` makes.
const VERIFIER: &str = env!("VERIFIER_SOURCES");

/// Digests of the parts of a document that the verifier found sound. A tool puts them into what it writes, and the
/// next one verifies only parts whose digest is not there: those that somebody changed, or that come from somewhere
/// else.
///
/// A digest covers all that the checks of its part look at, and the sources of the checks themselves: a seal of tools
/// that check less means nothing to tools that check more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seal(BTreeSet<String>);

impl Seal {
    /// True if nothing is known to be sound.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn covers(&self, digest: &str) -> bool {
        self.0.contains(digest)
    }
}

impl FromIterator<String> for Seal {
    fn from_iter<I: IntoIterator<Item = String>>(digests: I) -> Self {
        Self(digests.into_iter().collect())
    }
}

/// The digests of the parts of a scop, of those that the stage does not have as well.
pub(super) struct Digests {
    /// Domains, accesses, bodies and the order of the source.
    pub model: String,
    /// The accesses that go elsewhere than in the source.
    pub expansions: String,
    /// What candl-rs found.
    pub dependences: String,
    /// The new order.
    pub schedule: String,
    /// Kernels, blocks and threads, and their order.
    pub mapping: String,
    /// Where the data is.
    pub placement: String,
    /// The loop program.
    pub ast: String,
}

impl Digests {
    /// # Errors
    /// If a part cannot be written as JSON.
    pub fn new<S: Stage>(
        scop: &Scop<S>,
        functions: &[Function],
        complete: bool,
    ) -> Result<Self, serde_json::Error> {
        let stage = &scop.stage;
        let model = digest(VERIFIER, &("model", scop.extracted(), functions, complete))?;
        let expansions = digest(&model, &("expansions", stage.expansions()))?;
        let dependences = digest(&expansions, &("dependences", stage.dependences()))?;
        let dead = stage.dependences().map(|dependences| &dependences.dead);
        let schedule = digest(&expansions, &("schedule", dead, stage.schedule()))?;
        let mapping = digest(&expansions, &("mapping", dead, stage.mapping()))?;
        let placement = digest(&mapping, &("placement", stage.placement()))?;
        let ast = digest(&placement, &("ast", stage.ast()))?;
        Ok(Self { model, expansions, dependences, schedule, mapping, placement, ast })
    }

    /// Those of the parts that a stage has.
    pub fn of<S: Stage>(&self, stage: &S) -> impl Iterator<Item = &String> {
        let digests = [
            (&self.model, true),
            (&self.expansions, stage.expansions().is_some()),
            (&self.dependences, stage.dependences().is_some()),
            (&self.schedule, stage.schedule().is_some()),
            (&self.mapping, stage.mapping().is_some()),
            (&self.placement, stage.placement().is_some()),
            (&self.ast, stage.ast().is_some()),
        ];
        digests.into_iter().filter_map(|(digest, exists)| exists.then_some(digest))
    }
}

/// The digest of a part that builds on one with the digest `base`.
fn digest(base: &str, part: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut hasher = Sha256::new();
    hasher.update(base);
    hasher.update(serde_json::to_vec(part)?);
    let mut text: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(DIGEST);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Another way to the same answer as `build.rs`: what is checked is that no source is left out.
    #[test]
    fn the_seal_covers_every_source_of_the_verifier() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        let mut folders = vec![package.join("src"), package.join("../polyhedra/src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort_by_key(|path| {
            let name = path.strip_prefix(package).unwrap().to_owned();
            (name.starts_with(".."), name)
        });
        let mut hasher = Sha256::new();
        for path in &files {
            let text = std::fs::read(path).unwrap();
            let name = path.strip_prefix(package).unwrap().to_str().unwrap();
            hasher.update(format!("{name} {}\n", text.len()));
            hasher.update(text);
        }
        let all: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(VERIFIER, all);
        assert!(files.iter().any(|path| path.ends_with("verify/seal.rs")));
    }

    #[test]
    fn what_other_sources_found_sound_is_unknown() {
        assert_ne!(digest(VERIFIER, &"part").unwrap(), digest("0.1.0", &"part").unwrap());
    }
}
