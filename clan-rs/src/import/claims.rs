//! `#pragma c2cuda effects …` before declarations of functions, in the file and in headers of the user.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::BTreeSet;

use clang_sys::*;
use scop::{Diagnostic, SourceRange};

use crate::c::clang::{Cursor, Unit};
use crate::c::ctree::{Type, TypeKind};
use crate::c::source::SourceText;
use crate::directives::c2cuda::EFFECTS;
use crate::directives::directive::{Directive, directives};
use crate::directives::effects::{Amount, Effects, EffectsClaim, Item, Parameter, clauses};
use crate::errors::{Fault, WRONG_EFFECTS};
use crate::import::types::import_type;

/// Returns the claims about functions, and what is wrong with others.
pub fn effects(unit: &Unit) -> (Vec<EffectsClaim>, Vec<Fault>) {
    let (mut claims, mut faults) = (Vec::new(), Vec::new());
    let files: BTreeSet<usize> = unit.files_of_user().into_iter().collect();
    for file in files {
        let bytes = unit.contents(file).to_vec();
        if !bytes.windows(EFFECTS[2].len()).any(|word| word == EFFECTS[2].as_bytes()) {
            continue;
        }
        let text = SourceText { bytes, macro_uses: Vec::new() };
        let directives = directives(&unit.tokens_of(file), &unit.skipped_in(file), &text);
        let path = if unit.is_main_file(file) {
            String::new()
        } else {
            unit.name_of(file).to_string_lossy().into_owned()
        };
        for directive in directives.iter().filter(|directive| directive.starts_with(EFFECTS)) {
            let one = File { unit, file, path: &path, text: &text, directives: &directives };
            match one.claim(directive) {
                Ok(claim) => claims.push(claim),
                Err(fault) => faults.push(fault),
            }
        }
    }
    (claims, faults)
}

/// A file with claims.
struct File<'a> {
    unit: &'a Unit,
    file: usize,
    /// Its path; empty for the main file.
    path: &'a str,
    text: &'a SourceText,
    directives: &'a [Directive],
}

impl File<'_> {
    fn wrong(&self, message: String, range: SourceRange, label: &str) -> Fault {
        Fault(Box::new(Diagnostic::error(WRONG_EFFECTS, message).at(self.path, range, label)))
    }

    fn claim(&self, directive: &Directive) -> Result<EffectsClaim, Fault> {
        let function = self.function_after(directive).ok_or_else(|| {
            let message =
                "`#pragma c2cuda effects` must be followed by the declaration of a function".to_owned();
            let fault = self.wrong(message, directive.range, "this describes the function that follows");
            fault.with_help("write it directly before the declaration, on a line of its own")
        })?;
        let (start, clauses_text) = self.clauses_of(directive);
        let items = clauses(&clauses_text).map_err(|wrong| {
            let at = start + wrong.at as u32;
            let range = self.text.range(at, at + wrong.length.max(1) as u32);
            let fault =
                self.wrong(format!("the effects of a function are wrong: {}", wrong.what), range, "here");
            fault.with_help("for example `#pragma c2cuda effects reads(x[0:n]) writes(y[i]) device(z)`")
        })?;
        let name = function.spelling();
        if import_type(function.result()).is_pointer_like() {
            let message = format!("`{name}` returns a pointer, and no clause can say where it leads");
            return Err(self.wrong(message, directive.range, "remove this"));
        }
        let parameters: Vec<Parameter> = function
            .parameters()
            .into_iter()
            .map(|one| Parameter { name: one.spelling(), bytes: bytes(&import_type(one.ctype())) })
            .collect();
        let types: Vec<Type> =
            function.parameters().into_iter().map(|one| import_type(one.ctype())).collect();
        let effects = Effects { function: name, parameters, items };
        for item in &effects.items {
            if let Some((word, why)) = self.fault_of(&effects, &types, item) {
                let range = self.range_of(start, &clauses_text, &word);
                return Err(self.wrong(why, range, "here"));
            }
        }
        Ok(EffectsClaim { effects, path: self.path.to_owned(), range: directive.range })
    }

    /// Returns the name that is wrong in an item, and why.
    fn fault_of(&self, effects: &Effects, types: &[Type], item: &Item) -> Option<(String, String)> {
        let function = &effects.function;
        let Some(position) = effects.position(&item.name) else {
            let is_variable =
                |cursor: Cursor<'_>| cursor.spelling() == item.name && cursor.linker_name().is_some();
            if self.unit.top_level_of(CXCursor_VarDecl).any(is_variable) {
                let why = format!("`{}` is a variable: name all of it, without a section", item.name);
                return item.section.is_some().then(|| (item.name.clone(), why));
            }
            let why = format!(
                "`{}` is no parameter of `{function}`, and no variable that other files can use has this name",
                item.name
            );
            return Some((item.name.clone(), why));
        };
        if !types.get(position).is_some_and(Type::is_pointer_like) {
            let why = format!(
                "`{}` is passed by value: callers do not notice what `{function}` does with it",
                item.name
            );
            return Some((item.name.clone(), why));
        }
        let section = item.section.as_ref()?;
        if effects.parameters.get(position).is_none_or(|parameter| parameter.bytes.is_none()) {
            let why = format!("`{}` does not point to numbers: name all of it, without a section", item.name);
            return Some((item.name.clone(), why));
        }
        let mut names = Vec::new();
        names_in(&section.start, &mut names);
        names_in(&section.length, &mut names);
        let is_integer = |name: &&String| {
            let position = effects.position(name);
            let ctype = position.and_then(|position| types.get(position)).and_then(Type::arithmetic);
            ctype.is_some_and(|ctype| ctype.is_integer())
        };
        let wrong = names.iter().find(|name| !is_integer(name))?;
        Some((wrong.clone(), format!("`{wrong}` is no integer parameter of `{function}`")))
    }

    /// Returns the function whose declaration begins directly after a directive, past other directives.
    fn function_after(&self, directive: &Directive) -> Option<Cursor<'_>> {
        let mut next = directive.next;
        while let Some(other) = self.directives.iter().find(|other| Some(other.range.start) == next) {
            next = other.next;
        }
        let next = next?;
        let starts_there = |cursor: &Cursor<'_>| {
            let spot = cursor.spot();
            spot.file == self.file
                && cursor.range().start <= next
                && next <= spot.offset
                && directive.range.end <= cursor.range().start
        };
        self.unit.top_level_of(CXCursor_FunctionDecl).find(starts_there)
    }

    /// Returns the text of the clauses with blanks for everything else, and where it starts.
    fn clauses_of(&self, directive: &Directive) -> (u32, String) {
        let tokens = self.unit.tokens_of(self.file);
        let inside = tokens.iter().filter(|token| token.range.is_within(directive.range));
        let clauses: Vec<_> = inside.skip(1 + EFFECTS.len()).collect();
        let start = clauses.first().map_or(directive.range.end, |token| token.range.start);
        let mut text = String::new();
        for token in clauses {
            text.push_str(&" ".repeat((token.range.start - start) as usize - text.len()));
            text.push_str(&token.text);
        }
        (start, text)
    }

    fn range_of(&self, start: u32, text: &str, word: &str) -> SourceRange {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let places = text.match_indices(word).map(|(at, _)| at);
        let whole = places.into_iter().find(|at| {
            let (before, after) = (&text[..*at], &text[at + word.len()..]);
            // The names of clauses stand before parentheses.
            !before.ends_with(is_part) && !after.starts_with(is_part) && !after.trim_start().starts_with('(')
        });
        let at = start + whole.unwrap_or(0) as u32;
        self.text.range(at, at + word.len() as u32)
    }
}

fn names_in(amount: &Amount, found: &mut Vec<String>) {
    match amount {
        Amount::Number(_) => {}
        Amount::Name(name) => found.push(name.clone()),
        Amount::Binary(_, left, right) => {
            names_in(left, found);
            names_in(right, found);
        }
    }
}

/// Returns the size of the numbers to which a parameter points, in bytes.
fn bytes(ctype: &Type) -> Option<u32> {
    let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) = &ctype.kind else {
        return None;
    };
    fn innermost(ctype: &Type) -> &Type {
        match &ctype.kind {
            TypeKind::Array { element, .. } => innermost(element),
            _ => ctype,
        }
    }
    innermost(target).arithmetic().map(|ctype| ctype.size())
}
