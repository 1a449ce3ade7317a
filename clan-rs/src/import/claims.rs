//! `#pragma c2cuda effects …` before declarations of functions, in the file and in headers of the user.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::BTreeSet;

use clang_sys::*;
use scop::{Diagnostic, SourceRange};

use crate::c::clang::{self, Cursor, Unit};
use crate::c::ctree::{Class, Type, TypeKind};
use crate::c::source::SourceText;
use crate::directives::c2cuda::EFFECTS;
use crate::directives::clauses::clauses;
use crate::directives::directive::{Directive, directives};
use crate::directives::effects::{
    Amount, Effects, EffectsClaim, Item, Member, Numbers, Parameter, Path, Section, THIS,
};
use crate::errors::{Fault, WRONG_EFFECTS};
use crate::import::types::import_type;
use crate::import::understood::class;

/// Returns the claims about functions, and what is wrong with others.
pub fn effects(unit: &Unit, is_cxx: bool) -> (Vec<EffectsClaim>, Vec<Fault>) {
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
            let one = File { unit, is_cxx, file, path: &path, text: &text, directives: &directives };
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
    is_cxx: bool,
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
        let shown = function.spelling();
        if import_type(function.result()).is_pointer_like() || function.result().is_reference() {
            let message = format!("`{shown}` returns a pointer, and no clause can say where it leads");
            return Err(self.wrong(message, directive.range, "remove this"));
        }
        let symbol = function.linker_name().filter(|_| self.is_cxx).unwrap_or_else(|| shown.clone());
        let mut about = Function { file: self, cursor: function, members: Vec::new() };
        let mut found = Vec::new();
        for item in items {
            let item = about
                .resolved(item)
                .map_err(|(word, why)| self.wrong(why, self.range_of(start, &clauses_text, &word), "here"))?;
            found.push(item);
        }
        let effects = Effects {
            function: symbol,
            parameters: about.parameters(),
            members: about.members,
            items: found,
        };
        Ok(EffectsClaim { effects, shown, path: self.path.to_owned(), range: directive.range })
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
        declarations(self.unit).into_iter().find(starts_there)
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

/// Returns the declarations of functions in the files of the user, also those in namespaces and classes.
fn declarations(unit: &Unit) -> Vec<Cursor<'_>> {
    let mut found = Vec::new();
    let mut open: Vec<Cursor<'_>> = unit.top_level().filter(|one| !one.is_of_language()).collect();
    open.reverse();
    while let Some(cursor) = open.pop() {
        match cursor.kind() {
            CXCursor_FunctionDecl | CXCursor_CXXMethod => found.push(cursor),
            CXCursor_Namespace
            | CXCursor_LinkageSpec
            | CXCursor_UnexposedDecl
            | CXCursor_ClassDecl
            | CXCursor_StructDecl => open.extend(cursor.children().into_iter().rev()),
            _ => {}
        }
    }
    found
}

/// What is wrong: the word, and why.
type Wrong = (String, String);

/// A function with effects.
struct Function<'a, 'u> {
    file: &'a File<'a>,
    cursor: Cursor<'u>,
    /// The numbers to which members lead that its effects name.
    members: Vec<Numbers>,
}

/// Where a path leads.
struct Target<'u> {
    ctype: clang::Type<'u>,
    /// True if it is memory of the caller, not a copy.
    is_of_caller: bool,
    /// True if every member on the way is one that callers can name.
    is_public: bool,
}

impl<'u> Function<'_, 'u> {
    fn is_member(&self) -> bool {
        self.cursor.kind() == CXCursor_CXXMethod && !self.cursor.is_static_member()
    }

    fn parameters(&self) -> Vec<Parameter> {
        let this = Parameter { name: THIS.to_owned(), bytes: None, reference: true, vector: false };
        let own = self.cursor.parameters().into_iter().map(|one| {
            let ctype = one.ctype().canonical();
            let reference = ctype.is_reference();
            let vector = reference && class(ctype) == Some(Class::Vector);
            let bytes = match vector {
                true => ctype.target().canonical().template_arguments().first().and_then(|one| one.size()),
                false if reference => None,
                false => bytes(&import_type(one.ctype())),
            };
            Parameter { name: one.spelling(), bytes, reference, vector }
        });
        Some(this).filter(|_| self.is_member()).into_iter().chain(own).collect()
    }

    /// Returns an item with all paths from a parameter or variable on, and notes to which numbers it leads.
    fn resolved(&mut self, item: Item) -> Result<Item, Wrong> {
        let Item { does, path, section } = item;
        let function = self.cursor.spelling();
        let last = path.members.last().map_or(&path.root, |member| &member.name).clone();
        let parameters = self.parameters();
        let (path, target) = self.target(path)?;
        let parameter = parameters.iter().find(|one| one.name == path.root);
        let ctype = import_type(target.ctype);
        if !ctype.is_pointer_like() && !target.is_of_caller {
            let why =
                format!("`{last}` is passed by value: callers do not notice what `{function}` does with it");
            return Err((last, why));
        }
        if parameter.is_none() && section.is_some() {
            return Err((last.clone(), format!("`{last}` is a variable: name all of it, without a section")));
        }
        let is_vector = parameter.is_some_and(|one| one.vector) && path.members.is_empty();
        if !is_vector && self.file.is_cxx && class(target.ctype).is_some() {
            let why = format!(
                "`{last}` is an object of a class with code of its own, which may own other memory: name a member of it, or \
                 pass a pointer to its elements"
            );
            return Err((last, why));
        }
        let size = bytes(&ctype);
        if section.is_some() && !is_vector && (size.is_none() || !ctype.is_pointer_like()) {
            let why = format!("`{last}` does not point to numbers: name all of it, without a section");
            return Err((last, why));
        }
        if let Some(bytes) = size.filter(|_| !path.members.is_empty() && self.is_new(&path)) {
            let is_array = matches!(ctype.kind, TypeKind::Array { .. });
            self.members.push(Numbers { path: path.clone(), bytes, is_array });
        }
        let section = match section {
            Some(section) => {
                let (start, start_is_public) = self.amount(section.start)?;
                let (length, length_is_public) = self.amount(section.length)?;
                // Calls in other files cannot name the others.
                let is_public = target.is_public && start_is_public && length_is_public;
                Some(Section { start, length }).filter(|_| is_public)
            }
            None => None,
        };
        Ok(Item { does, path, section })
    }

    fn is_new(&self, path: &Path) -> bool {
        self.members.iter().all(|numbers| numbers.path != *path)
    }

    fn amount(&self, amount: Amount) -> Result<(Amount, bool), Wrong> {
        Ok(match amount {
            Amount::Number(value) => (Amount::Number(value), true),
            Amount::Value(path) => {
                let last = path.members.last().map_or(&path.root, |member| &member.name).clone();
                let parameters = self.parameters();
                let (path, target) = self.target(path)?;
                let is_integer =
                    import_type(target.ctype).arithmetic().is_some_and(|ctype| ctype.is_integer());
                if !is_integer || parameters.iter().all(|one| one.name != path.root) {
                    let function = self.cursor.spelling();
                    return Err((last.clone(), format!("`{last}` is no integer parameter of `{function}`")));
                }
                (Amount::Value(path), target.is_public)
            }
            Amount::Binary(operator, left, right) => {
                let (left, right) = (self.amount(*left)?, self.amount(*right)?);
                (Amount::Binary(operator, Box::new(left.0), Box::new(right.0)), left.1 && right.1)
            }
        })
    }

    /// Follows a path.
    fn target(&self, mut path: Path) -> Result<(Path, Target<'u>), Wrong> {
        let root = path.root.clone();
        let parameter = self.cursor.parameters().into_iter().find(|one| one.spelling() == root);
        let object = self.cursor.parent().ctype();
        let is_own = |name: &str| object.fields().iter().any(|field| field.spelling() == name);
        let mut target = if let Some(parameter) = parameter {
            let ctype = parameter.ctype().canonical();
            match ctype.is_reference() {
                true => Target { ctype: ctype.target(), is_of_caller: true, is_public: true },
                false => Target { ctype: parameter.ctype(), is_of_caller: false, is_public: true },
            }
        } else if self.is_member() && (root == THIS || is_own(&root)) {
            if root != THIS {
                path.root = THIS.to_owned();
                path.members.insert(0, Member { arrow: true, name: root });
            }
            Target { ctype: object, is_of_caller: true, is_public: true }
        } else {
            Target { ctype: self.variable(&root)?, is_of_caller: true, is_public: true }
        };
        for (number, member) in path.members.iter().enumerate() {
            let is_this = number == 0 && path.root == THIS && self.is_member();
            target = step(target, member, is_this, self.file.is_cxx)?;
        }
        Ok((path, target))
    }

    fn variable(&self, name: &str) -> Result<clang::Type<'u>, Wrong> {
        let mut variables = self.cursor.unit().top_level_of(CXCursor_VarDecl);
        let found = variables.find(|one| one.spelling() == name && one.linker_name().is_some());
        found.map(|variable| variable.ctype()).ok_or_else(|| {
            let function = self.cursor.spelling();
            let why = format!(
                "`{name}` is no parameter of `{function}`, and no variable that other files can use has this name"
            );
            (name.to_owned(), why)
        })
    }
}

/// Goes on to a member; `is_this` if the arrow before it is that of the object of a member function.
fn step<'u>(from: Target<'u>, member: &Member, is_this: bool, is_cxx: bool) -> Result<Target<'u>, Wrong> {
    let name = &member.name;
    let fail = |why: String| Err((name.clone(), why));
    let canonical = from.ctype.canonical();
    let is_pointer = canonical.kind() == CXType_Pointer;
    let structure = match (member.arrow && !is_this, is_pointer) {
        (true, true) => canonical.target().canonical(),
        (true, false) => {
            return fail(format!("what is before `{name}` is no pointer: write `.` in the place of `->`"));
        }
        (false, true) => {
            return fail(format!("what is before `{name}` is a pointer: write `->` in the place of `.`"));
        }
        (false, false) => canonical,
    };
    let Some(field) = structure.fields().into_iter().find(|field| field.spelling() == *name) else {
        return fail(format!("`{}` has no member `{name}`", structure.spelling()));
    };
    let ctype = field.ctype();
    Ok(Target {
        ctype: if ctype.is_reference() { ctype.canonical().target() } else { ctype },
        is_of_caller: from.is_of_caller || is_pointer,
        is_public: from.is_public && (field.is_public() || !is_cxx) && !field.is_bit_field(),
    })
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
