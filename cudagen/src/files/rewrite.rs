//! The user's C source, with each region replaced by a call, and with calls at code that touches memory which may be
//! on the device (`additions`). Every other byte is kept.
//!
//! *before → after*
//!
//! ```text
//! #pragma scop               if (!f(n, A)) {
//!     for (…) …       →      #pragma scop
//! #pragma endscop                for (…) …
//!                            #pragma endscop
//!                            }
//! ```
//!
//! If the function cannot decline, a plain call replaces the region. Iterators and temporaries that are declared
//! before the region, and functions that it calls, might then be unused, and compilers would warn about them. The
//! call therefore mentions them: `f(n, A), (void)i;`.
//!
//! `#line` directives before each part of the source preserve `__LINE__` and `__FILE__`, which `assert` prints.
//! Compilers and debuggers refer to the user's file.

use std::collections::BTreeSet;

use scop::{CType, Diagnostic, Diagnostics, Model, Region, Source};

use crate::files::additions::{self, Addition};
use crate::files::edits::{self, Edit, Form, Rank};
use crate::files::line_directives::{directive, escaped, line_of};
use crate::files::poison;
use crate::files::text::{inner_margin, margin, newline};
use crate::files::tokens::{first_token, tokens};
use crate::host::program::{HostArgument, Interface, Shape};
use crate::print::layout;

/// The UTF-8 byte order mark, which remains at the start of the file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The macro for the path of the compiled file, which `#line` directives do not change.
const BASE_FILE: &str = "__BASE_FILE__";

/// A region and what takes its place.
pub struct Replacement<'a> {
    /// The place of the region.
    pub region: &'a Region,
    /// The model of the region.
    pub model: &'a Model,
    /// The function that replaces it.
    pub function: &'a Interface,
    /// The functions of the source that it calls and that might be unused without it.
    pub called: Vec<&'a str>,
    /// The calls before the original code, if the caller itself decides that this code runs.
    pub before_original: Vec<String>,
}

/// A region as it is in the source.
struct Original<'a> {
    text: &'a [u8],
    /// The blanks before it, if nothing else precedes it on its line.
    margin: &'a [u8],
    /// True if only blanks precede it on its line.
    begins_line: bool,
    /// The directive that gives its first line the original number.
    line: String,
    /// The line ending of the source.
    newline: &'a [u8],
    /// True if an `else` follows.
    before_else: bool,
}

impl Original<'_> {
    /// Returns the directive and the text of the region, whose lines keep their numbers.
    fn lines(&self) -> [Vec<u8>; 2] {
        [self.line.as_bytes().to_vec(), [self.margin, self.text].concat()]
    }
}

/// Rewrites the text of a source; `replacements` are in source order.
///
/// # Errors
///
/// Reports a bug if the regions do not lie in the text one after the other, or if an addition is impossible.
pub fn rewrite(
    of: &Source,
    source: &[u8],
    header: &str,
    replacements: &[Replacement<'_>],
    additions: &[Addition],
) -> Result<Vec<u8>, Diagnostics> {
    let inside = |addition: &Addition| {
        let mut regions = replacements.iter().map(|replacement| replacement.region.range);
        regions.any(|region| addition.range != region && addition.range.is_within(region))
    };
    if additions.iter().any(inside) {
        return Err(Diagnostic::bug("cudagen", "the residency plan adds a call inside a region").into());
    }
    let replaced = replacements.iter().map(|replacement| edit(of, source, replacement));
    let mut edits: Vec<Edit> = replaced.collect::<Result<_, _>>()?;
    edits.extend(additions::edits(source, additions)?);
    let mark = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK } else { b"" };
    let text = edits::apply(of, source, mark.len(), edits)?;
    Ok([mark, preamble(of, source, header).as_bytes(), &text].concat())
}

/// Returns the lines before the text of the source.
fn preamble(of: &Source, source: &[u8], header: &str) -> String {
    let mut lines = vec![format!("#include \"{header}\"")];
    if source.windows(BASE_FILE.len()).any(|word| word == BASE_FILE.as_bytes()) {
        lines.extend(base_file(of));
    }
    lines.push(directive(of, 1));
    let newline = newline(source);
    lines.iter().map(|line| format!("{line}{newline}")).collect()
}

/// Returns the lines that define `__BASE_FILE__` as the user's file.
fn base_file(of: &Source) -> [String; 5] {
    [
        "#pragma GCC diagnostic push".to_owned(),
        "#pragma GCC diagnostic ignored \"-Wbuiltin-macro-redefined\"".to_owned(),
        format!("#undef {BASE_FILE}"),
        format!("#define {BASE_FILE} \"{}\"", escaped(&of.path)),
        "#pragma GCC diagnostic pop".to_owned(),
    ]
}

/// Returns the edit of a region and of the blanks before it on its line.
fn edit(of: &Source, source: &[u8], replacement: &Replacement<'_>) -> Result<Edit, Diagnostics> {
    let range = replacement.region.range;
    let (start, end) = (range.start as usize, range.end as usize);
    let (Some(before), Some(region)) = (source.get(..start), source.get(start..end)) else {
        return Err(Diagnostic::bug("cudagen", "the regions are not in the source").into());
    };
    let region = region.strip_suffix(b"\r").unwrap_or(region);
    let (margin, end) = (margin(before), start + region.len());
    let original = Original {
        text: region,
        margin: margin.unwrap_or_default(),
        begins_line: margin.is_some(),
        line: directive(of, line_of(source, start)),
        newline: newline(source).as_bytes(),
        before_else: first_token(&source[end..]) == Some(b"else"),
    };
    let start = start - original.margin.len();
    Ok(Edit { start, end, text: replacement.text(&original), form: Form::LinesAfter, rank: Rank::Instead })
}

impl Replacement<'_> {
    /// Returns the text that replaces a region. It is one statement, in braces if an `else` follows.
    fn text(&self, original: &Original<'_>) -> Vec<u8> {
        let indent = if original.margin.is_empty() { inner_margin(original.text) } else { original.margin };
        let mut lines = if self.function.is_verified {
            self.verified(original, indent)
        } else {
            self.called(original, indent)
        };
        // Preprocessor directives must begin a line.
        if !original.begins_line && !self.region.macros.is_empty() {
            lines.insert(0, Vec::new());
        }
        lines.join(original.newline)
    }

    /// Returns the call and, if the function may decline, the original region as the alternative.
    fn called(&self, original: &Original<'_>, indent: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = self.hidden(indented(&self.call(original.text, indent.len()), indent));
        if self.function.may_decline {
            let calls = self.before_original.iter();
            lines.extend(calls.map(|call| [indent, b"    ", call.as_bytes(), b";"].concat()));
            lines.extend(original.lines());
            lines.push([indent, b"}"].concat());
        }
        if original.before_else {
            lines.insert(0, [indent, b"{"].concat());
            lines.push([indent, b"}"].concat());
        }
        lines
    }

    /// Returns lines that mention the region's variables, with the macros of these names undefined around them.
    fn hidden(&self, lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let all = |directive: fn(&String) -> [String; 2]| self.region.macros.iter().flat_map(directive);
        let before = all(|name| [format!("#pragma push_macro(\"{name}\")"), format!("#undef {name}")]);
        let following = self.region.macros.iter().map(|name| format!("#pragma pop_macro(\"{name}\")"));
        let (before, following) = (before.map(String::into_bytes), following.map(String::into_bytes));
        before.chain(lines).chain(following).collect()
    }

    /// Returns the original, then the translation on the same data, then a comparison; see `host/verification.rs`.
    fn verified(&self, original: &Original<'_>, indent: &[u8]) -> Vec<Vec<u8>> {
        let (constants, values) = self.kept_values();
        let values = values.join(", ");
        let name = &self.function.name;
        let verify = |phase: u32| {
            let after = if values.is_empty() { "" } else { ", " };
            format!("{}({phase}{after}{values})", self.function.verification())
        };
        let line = |text: &str| indented(&layout::wrapped(text, indent.len()), indent);
        let mut before = Vec::new();
        constants.iter().for_each(|constant| before.extend(line(constant)));
        before.extend(line(&format!("const int c2cuda_verified = {};", verify(0))));
        let mut following = Vec::new();
        for call in [verify(1), format!("{name}({values})"), verify(2)] {
            following.extend(line(&format!("    {call};")));
        }
        for poisoning in self.poisonings(original.text) {
            following.extend(line(&format!("    {poisoning}")));
        }
        let mut lines = line("{");
        lines.extend(self.hidden(before));
        lines.extend(original.lines());
        let sizes = self.function.sizes.iter().map(|(one, size)| format!(" && sizeof({one}) == {size}"));
        lines.extend(self.hidden(line(&format!("if (c2cuda_verified{}) {{", sizes.collect::<String>()))));
        lines.extend(self.hidden(following));
        lines.extend(line("}"));
        lines.extend(line("}"));
        lines
    }

    /// Returns the declarations of constants, and the arguments of the function in the calls that compare. Numbers
    /// are kept in these constants, so that all calls pass the values from before the region, even if the region
    /// changes a number that the translator considers unchanged.
    fn kept_values(&self) -> (Vec<String>, Vec<String>) {
        let mut constants = Vec::new();
        let keep = |(number, argument): (usize, &HostArgument)| {
            if argument.shape != Shape::Value || argument.ctype.is_complex() {
                return argument.value.clone();
            }
            let name = format!("c2cuda_value{number}");
            // The type of truth values has different names in C and C++.
            let ctype = if argument.ctype == CType::Bool { CType::Int } else { argument.ctype };
            constants.push(format!("const {ctype} {name} = {};", argument.value));
            name
        };
        let values = self.function.arguments.iter().enumerate().map(keep).collect();
        (constants, values)
    }

    /// Returns statements that poison what the region writes and the translation does not deliver: iterators declared
    /// before the region, and objects that the translation replaces by copies.
    fn poisonings(&self, region: &[u8]) -> BTreeSet<String> {
        let arrays = &self.model.arrays;
        let is_array = |name: &str| arrays.iter().any(|array| array.expression == name);
        let iterators = outer_iterators(region, self.model);
        let iterators = iterators.iter().filter(|name| !is_array(name));
        let iterators = iterators.map(|name| poison::poisoned(name, CType::Int, true));
        let expanded = arrays.iter().filter_map(|array| {
            let object = array.expansion_of.as_deref()?;
            let is_delivered = arrays.iter().any(|other| other.expression == object && !other.dead_after);
            let is_scalar = array.extents.len() == array.scope_depth as usize;
            let poisoned = || match array.enumeration && is_scalar {
                true => {
                    let address = format!("__builtin_addressof({object})");
                    poison::poisoned_memory(&address, object, array.element)
                }
                false => poison::poisoned(object, array.element, is_scalar),
            };
            (!is_delivered).then(poisoned)
        });
        iterators.chain(expanded).collect()
    }

    /// Returns the variables from outside the region that copies replace, if their names are plain.
    fn temporaries(&self) -> BTreeSet<&str> {
        let arrays = &self.model.arrays;
        let objects = arrays.iter().filter_map(|array| array.expansion_of.as_deref());
        let is_passed = |name: &str| arrays.iter().any(|array| array.expression == name);
        let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        objects.filter(|name| is_plain(name) && !is_passed(name)).collect()
    }

    fn plain_call(&self) -> String {
        let values = self.function.arguments.iter().map(|argument| argument.value.as_str());
        format!("{}({})", self.function.name, values.collect::<Vec<_>>().join(", "))
    }

    /// Returns the lines before the original text.
    fn call(&self, region: &[u8], column: usize) -> Vec<String> {
        let call = self.plain_call();
        if self.function.may_decline {
            let sizes: String = self
                .function
                .sizes
                .iter()
                .map(|(one, size)| format!("sizeof({one}) != {size} || "))
                .collect();
            return layout::wrapped(&format!("if ({sizes}!{call}) {{"), column);
        }
        let iterators = outer_iterators(region, self.model);
        let mut names: Vec<&str> = iterators.iter().map(String::as_str).collect();
        let others = self.temporaries().into_iter().chain(self.called.iter().copied());
        names.extend(others.filter(|name| !iterators.iter().any(|iterator| iterator == name)));
        let names = names.into_iter();
        let mentions: String = names.map(|name| format!(", (void){name}")).collect();
        layout::wrapped(&format!("{call}{mentions};"), column)
    }
}

fn indented(lines: &[String], indent: &[u8]) -> Vec<Vec<u8>> {
    lines.iter().map(|line| [indent, line.as_bytes()].concat()).collect()
}

/// Returns the iterators of a region that are declared before it: their first use begins a `for`.
fn outer_iterators(region: &[u8], model: &Model) -> Vec<String> {
    let names: BTreeSet<&str> = model.loops.iter().map(|around| around.iterator.as_str()).collect();
    let Some(tokens) = tokens(region) else { return Vec::new() };
    let is_outer = |name: &&str| {
        let first = tokens.iter().position(|token| *token == name.as_bytes());
        first.is_some_and(|at| at >= 2 && tokens[at - 2] == b"for" && tokens[at - 1] == b"(")
    };
    names.into_iter().filter(is_outer).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
