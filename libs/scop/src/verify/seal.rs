//! Digests of the parts of a document that were verified and need not be verified again.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Function, Scop, Stage};

/// The length of a digest in characters, for 128 bits.
const DIGEST: usize = 32;

/// The digest of the sources of the types and the verifier, computed by `build.rs`.
const VERIFIER: &str = env!("VERIFIER_SOURCES");

/// Digests of the parts of a document that the verifier found sound. A tool writes them into the document, and
/// the next tool verifies only parts whose digest is not among them: parts that were changed or come from
/// elsewhere.
///
/// A digest covers everything that the checks of its part read, and also the sources of the checks. A seal by
/// tools with fewer checks is therefore not accepted by tools with more checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seal(BTreeSet<String>);

impl Seal {
    /// True if no part is known to be sound.
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

/// The digests of all parts of a scop, including parts that the stage does not have.
pub(super) struct Digests {
    /// Domains, accesses, bodies and the order of the source.
    pub model: String,
    /// The accesses to which candl-rs gave arrays of their own.
    pub expansions: String,
    /// The dependences, live values and reductions.
    pub dependences: String,
    /// The new order.
    pub schedule: String,
    /// Kernels, blocks and threads, and their order.
    pub mapping: String,
    /// The placement of the data.
    pub placement: String,
    /// The loop program.
    pub ast: String,
}

impl Digests {
    /// Computes the digests.
    ///
    /// # Errors
    /// Fails if a part cannot be written as JSON.
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

    /// Returns the digests of the parts that a stage has.
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

/// Returns the digest of a part that depends on another part, whose digest is `base`.
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

    /// Computes the digest in another way than `build.rs`, to check that no source is left out.
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
