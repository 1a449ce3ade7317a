//! The source that a program came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Diagnostic, Diagnostics, SourceRange};

/// The source file of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The path, as given to clan-rs.
    pub path: String,
    /// The language: `c`, `c++`, or `openscop` for a program that another tool described in OpenScop. Of such a
    /// program, bodies are known only as text and arrays only by their names.
    pub language: String,
    /// The SHA-256 digest of the file's bytes, in hexadecimal. cudagen refuses to rewrite a file that has
    /// changed.
    pub hash: String,
    /// The regions, in the order of the text; scop `k` came from region `k`.
    pub regions: Vec<Region>,
    /// The `#line` directives of the source, in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineDirective>,
}

/// The effect of a `#line` directive on the lines after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineDirective {
    /// The first of these lines in the file, counted from 1.
    pub line: u32,
    /// The number of this line in `__LINE__`.
    pub presumed: u32,
    /// The path in `__FILE__`.
    pub path: String,
}

/// The value of [`Source::language`] for programs that other tools described in OpenScop.
pub const OPENSCOP: &str = "openscop";

impl Source {
    /// True if the document contains the bodies of the statements and the extents of the arrays, which are
    /// needed to generate code.
    pub fn is_complete(&self) -> bool {
        self.language != OPENSCOP
    }

    /// Returns the number and the path of a line of the file, as in `__LINE__` and `__FILE__`.
    pub fn presumed(&self, line: u32) -> (u32, &str) {
        match self.lines.iter().rfind(|directive| directive.line <= line) {
            Some(directive) => {
                (directive.presumed.saturating_add(line - directive.line), directive.path.as_str())
            }
            None => (line, &self.path),
        }
    }

    /// Checks that a tool which needs bodies and extents can work on this program.
    ///
    /// # Errors
    /// Fails with `E0014` if the program came from OpenScop.
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

/// Returns the name of the file at a path. The names of generated files are derived from it; generated files
/// include each other by these names and mention them in comments.
///
/// # Errors
/// Fails with `E0018` if there is no name, or one that C cannot include.
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
    /// From the `#` of `#pragma scop`, or of pragmas directly before it that belong to the next loop, to the
    /// end of the line of `#pragma endscop` (without its newline, and without a comment that continues on the
    /// next line). For a region that clan-rs found itself, the statements and the pragmas directly before them.
    pub range: SourceRange,
    /// The line of the region's end, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
    /// The names in the region's call that are macros in some part of the source. They are names after macro
    /// expansion, so they must not be expanded again in the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<String>,
}

/// Returns the hash of a source text in the form of [`Source::hash`].
pub fn hash_text(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
