//! Finds out which file of a crate uses which, as far as the text shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::Graph;

/// The modules of a crate that have their own files, by path (`["ast", "tree"]`).
pub struct Modules {
    modules: BTreeMap<Vec<String>, Module>,
}

struct Module {
    /// The module's file, relative to the crate's source folder.
    file: String,
    /// The words and punctuation of the code, without imports.
    code: Vec<String>,
    /// The imported names, with their paths; `*` for everything in a module.
    taken: Vec<(String, Vec<String>)>,
    /// The imported names that are re-exported (`pub use`).
    passed_on: BTreeSet<String>,
}

impl Modules {
    /// Returns the modules of a source folder.
    pub fn of(folder: &Path) -> Self {
        let mut modules = Self { modules: BTreeMap::new() };
        let root = ["lib.rs", "main.rs"].into_iter().find(|root| folder.join(root).exists());
        modules.add(folder, root.unwrap().into(), Vec::new());
        modules
    }

    fn add(&mut self, folder: &Path, file: PathBuf, path: Vec<String>) {
        let text = fs::read_to_string(folder.join(&file)).unwrap();
        let tokens = without_tests(&tokens(&text));
        let below = if path.is_empty() { PathBuf::new() } else { path.iter().collect() };
        for words in tokens.windows(3) {
            let [keyword, name, end] = words else { continue };
            if keyword == "mod" && end == ";" {
                let candidates =
                    [below.join(format!("{name}.rs")), below.join(name).join("mod.rs")].into_iter();
                let child = candidates.into_iter().find(|child| folder.join(child).exists());
                self.add(folder, child.unwrap(), [&path[..], std::slice::from_ref(name)].concat());
            }
        }
        let file = file.to_str().unwrap().to_owned();
        self.modules.insert(path, Module::of(file, &tokens));
    }

    /// Returns, for each file, the files that it uses.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (at, module) in &self.modules {
            let mut used = BTreeSet::new();
            let taken =
                module.taken.iter().filter(|(name, _)| module.uses(name)).map(|(_, path)| path.clone());
            for path in taken.chain(paths(&module.code)) {
                used.extend(self.file_of(at, &path, 0));
            }
            used.remove(&module.file);
            graph.insert(module.file.clone(), used);
        }
        graph
    }

    /// Returns the file that defines what a path in a module names, or `None` if another crate defines it.
    fn file_of(&self, at: &[String], path: &[String], depth: usize) -> Option<String> {
        let (mut module, mut rest) = self.start(at, path)?;
        while let Some((next, others)) = rest.split_first() {
            let inner = [&module[..], std::slice::from_ref(next)].concat();
            if !self.modules.contains_key(&inner) {
                break;
            }
            (module, rest) = (inner, others);
        }
        let found = &self.modules[&module];
        let Some(name) = rest.first() else { return Some(found.file.clone()) };
        let passed = found.taken.iter().find(|(taken, _)| taken == name);
        match passed {
            Some((_, from)) if depth < 9 => {
                let from = [&from[..], &rest[1..]].concat();
                self.file_of(&module, &from, depth + 1)
            }
            _ if found.defines(name) => Some(found.file.clone()),
            _ => self.through_glob(found, &module, name, depth).or_else(|| Some(found.file.clone())),
        }
    }

    /// Returns the file of a name that a module re-exports with everything from another module.
    fn through_glob(&self, module: &Module, at: &[String], name: &str, depth: usize) -> Option<String> {
        let globs = module.taken.iter().filter(|(taken, _)| taken == "*" && depth < 9);
        globs.filter(|_| module.passed_on.contains("*")).find_map(|(_, from)| {
            let (start, rest) = self.start(at, &from[..from.len() - 1])?;
            let inner = self.modules.get(&[&start[..], rest].concat())?;
            inner.defines(name).then(|| inner.file.clone())
        })
    }

    /// Returns the module where a path begins, and the rest of the path.
    fn start<'p>(&self, at: &[String], path: &'p [String]) -> Option<(Vec<String>, &'p [String])> {
        let (first, mut rest) = path.split_first()?;
        let mut module = match first.as_str() {
            "crate" => Vec::new(),
            "self" => at.to_vec(),
            "super" => at.split_last().map_or(Vec::new(), |(_, around)| around.to_vec()),
            child => {
                let inner = [at, &[child.to_owned()]].concat();
                return self.modules.contains_key(&inner).then_some((inner, rest));
            }
        };
        while let Some((next, others)) = rest.split_first()
            && next == "super"
        {
            module.pop();
            rest = others;
        }
        Some((module, rest))
    }
}

impl Module {
    fn of(file: String, tokens: &[String]) -> Self {
        let mut module = Self { file, code: Vec::new(), taken: Vec::new(), passed_on: BTreeSet::new() };
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at] == "use" {
                let end = end_of_item(tokens, at);
                let before = module.taken.len();
                tree(&tokens[at + 1..end - 1], &[], &mut module.taken);
                if at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")") {
                    module.passed_on.extend(module.taken[before..].iter().map(|(name, _)| name.clone()));
                }
                at = end;
            } else {
                module.code.push(tokens[at].clone());
                at += 1;
            }
        }
        module
    }

    /// True unless the module only re-exports the name.
    fn uses(&self, name: &str) -> bool {
        !self.passed_on.contains(name) || self.code.iter().any(|word| word == name)
    }

    fn defines(&self, name: &str) -> bool {
        const KEYWORDS: &[&str] =
            &["fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod"];
        self.code.windows(2).any(|words| KEYWORDS.contains(&words[0].as_str()) && words[1] == name)
    }
}

/// Returns the words, `::` and other characters of a text that are code.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = literal(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else {
            let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the string or character literal that a text begins with.
fn literal(text: &str) -> Option<usize> {
    let unprefixed = text.trim_start_matches(['b', 'r']);
    let prefix = text.len() - unprefixed.len();
    let raw = text[..prefix].contains('r');
    if raw && prefix <= 2 && unprefixed.starts_with(['#', '"']) {
        let hashes = unprefixed.len() - unprefixed.trim_start_matches('#').len();
        let body = unprefixed[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(prefix + hashes + 1 + body.find(&end)? + end.len());
    }
    if prefix <= 1 && unprefixed.starts_with('"') {
        return Some(prefix + quoted(unprefixed, '"')?);
    }
    // A lifetime is not followed by a quote.
    let is_character = |inner: &str| {
        let mut letters = inner.chars();
        letters.next() == Some('\\') || letters.next() == Some('\'')
    };
    unprefixed.strip_prefix('\'').filter(|inner| prefix <= 1 && is_character(inner))?;
    Some(prefix + quoted(unprefixed, '\'')?)
}

fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if letter == quote && !escaped {
            return Some(at + 1);
        }
        escaped = letter == '\\' && !escaped;
    }
    None
}

/// Returns the tokens without items under `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().map(String::as_str).take(attribute.len()).eq(attribute) {
            at = end_of_item(tokens, at + attribute.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Returns the end of an item: after its `;`, or after the brace that closes its body.
fn end_of_item(tokens: &[String], from: usize) -> usize {
    let is_import = tokens[from..].iter().take(2).any(|token| token == "use");
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && (token == ";" || token == "}" && !is_import) {
            return at + 1;
        }
    }
    tokens.len()
}

/// Splits `a::{b, c::D as E}` into names with paths.
fn tree(tokens: &[String], around: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let mut depth = 0;
    let parts = tokens.split(|token| {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        token == "," && depth == 0
    });
    for part in parts.filter(|part| !part.is_empty()) {
        let open = part.iter().position(|token| token == "{");
        let words = part[..open.unwrap_or(part.len())].iter().filter(|token| *token != "::");
        let mut path = [around, &words.cloned().collect::<Vec<_>>()].concat();
        if let Some(open) = open {
            tree(&part[open + 1..part.len() - 1], &path, found);
            continue;
        }
        let renamed = path.iter().position(|word| word == "as");
        let name = path.last().cloned().unwrap_or_default();
        path.truncate(renamed.unwrap_or(path.len()));
        if name == "self" {
            path.pop();
        }
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
        found.push((name, path));
    }
}

/// Returns the paths that code writes in full.
fn paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let begins = tokens.get(at + 1).is_some_and(|next| next == "::")
            && !(at > 0 && (tokens[at - 1] == "::" || tokens[at - 1] == "$"))
            && token.starts_with(|c: char| c.is_lowercase());
        if !begins {
            continue;
        }
        let mut path = vec![token.clone()];
        let mut next = at + 1;
        while tokens.get(next).is_some_and(|token| token == "::")
            && let Some(word) = tokens.get(next + 1)
            && word.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        {
            path.push(word.clone());
            next += 2;
        }
        found.push(path);
    }
    found
}
