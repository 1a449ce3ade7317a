//! Where a program came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Diagnostic, Diagnostics, ResidencyId, SourceRange};

/// The source file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The path, as given to clan-rs.
    pub path: String,
    /// The language: `c`, `c++`, or `openscop` for a program that another tool described in OpenScop. Of such a one the
    /// bodies are known as text alone, and the arrays by their names.
    pub language: String,
    /// The SHA-256 of the file's bytes, in hexadecimal; cudagen refuses to rewrite a file that changed.
    pub hash: String,
    /// The regions, in the order of the text; scop `k` came from region `k`.
    pub regions: Vec<Region>,
    /// Where arrays may stay on the device from one region to the next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residencies: Vec<Residency>,
    /// What directives `#line` of the source say, in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineDirective>,
}

/// What a directive `#line` says of the lines after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineDirective {
    /// The first of these lines, counted in the file from 1.
    pub line: u32,
    /// Its number in `__LINE__`.
    pub presumed: u32,
    /// The path in `__FILE__`.
    pub path: String,
}

/// The value of [`Source::language`] for programs that other tools described in OpenScop.
pub const OPENSCOP: &str = "openscop";

impl Source {
    /// True if the document has the bodies of the statements and the extents of the arrays, so that code can be
    /// generated.
    pub fn is_complete(&self) -> bool {
        self.language != OPENSCOP
    }

    /// The number and the path of a line of the file, as `__LINE__` and `__FILE__` have them.
    pub fn presumed(&self, line: u32) -> (u32, &str) {
        match self.lines.iter().rfind(|directive| directive.line <= line) {
            Some(directive) => {
                (directive.presumed.saturating_add(line - directive.line), directive.path.as_str())
            }
            None => (line, &self.path),
        }
    }

    /// # Errors
    /// If a tool that needs bodies and extents cannot work on this program.
    pub fn require_complete(&self, tool: &str) -> Result<(), Diagnostics> {
        if self.is_complete() {
            return Ok(());
        }
        let message = format!(
            "{tool} needs what OpenScop does not say: the types of arrays and what statements compute"
        );
        let help =
            "translate the C source: `clan-rs FILE.c`; its `--openscop` keeps what other tools do not need";
        Err(Diagnostic::error("E0014", message).with_help(help).into())
    }
}

/// The name of the file at a path, in whose image generated files are named. They include each other by these names and
/// mention them in comments.
///
/// # Errors
/// `E0018` if there is none, or one that C cannot include.
pub fn file_name(path: &str) -> Result<&str, Diagnostics> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let cannot = |what: String| {
        let help =
            "give the file a name of letters, digits and the like, without quotes and control characters";
        Err(Diagnostic::error("E0018", what).with_help(help).into())
    };
    if ["", ".", ".."].contains(&name) {
        return cannot(format!("the path {path:?} of the source names no file"));
    }
    match name.chars().find(|character| ['"', '\\'].contains(character) || character.is_control()) {
        Some(character) => {
            cannot(format!("the file name {name:?} has a character that C cannot include: {character:?}"))
        }
        None => Ok(name),
    }
}

/// A marked region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Region {
    /// The function around it.
    pub function: String,
    /// From the `#` of `#pragma scop`, or of pragmas directly before it that belong to the next loop, to the end of the
    /// line of `#pragma endscop` (its newline excluded, and a comment that goes on in the next line); of a region that
    /// clan-rs found itself, the statements and the pragmas directly before them.
    pub range: SourceRange,
    /// The line of its end, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
    /// The names in the region's call that are macros in some part of the source. C has expanded them where the region
    /// mentions the variables, and must not do so once more in the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<String>,
}

/// Statements of one block of a function in which arrays may stay on the device: all that happens to them there,
/// between the first and the last of the statements, happens in regions, but for reading those that say so
/// ([`crate::Array::residency`]). No jump leads into or out of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Residency {
    /// The id.
    pub id: ResidencyId,
    /// A name for generated code.
    pub name: String,
    /// The statements. The first and the last have regions in them.
    pub range: SourceRange,
    /// True if loops on the host are around a region in it, so that the region runs again and again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeats: bool,
}

/// The hash of a source text as [`Source::hash`] holds it.
pub fn hash_text(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
