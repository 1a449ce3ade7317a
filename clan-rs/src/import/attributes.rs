//! Which declarations have attributes that change what they mean.
//!
//! libclang gives most attributes neither name nor arguments, so their names are read from the text, in the
//! definition of a macro if one hides them. It leaves out those that clang does not know, although the user's
//! compiler may; of these it says where they stand, and they count for whatever is declared there. `#pragma weak` and
//! its like are read from the tokens.
//!
//! All redeclarations of a name count together.

// The constants have libclang's names.
#![allow(non_upper_case_globals)]

use std::collections::{BTreeMap, HashMap, HashSet};

use clang_sys::*;

use crate::c::clang::{Cursor, Remark, Spot, Token, Type, Unit};
use crate::c::ctree::Attribute;
use crate::import::harmless::{self, Kind};

/// The attributes of a file's declarations.
#[derive(Debug, Default)]
pub struct Attributes {
    /// By declaration, in the order of the text, without those that are harmless for it.
    declared: HashMap<usize, Vec<Attribute>>,
    /// By name, of what is declared at file scope.
    by_name: BTreeMap<String, Attribute>,
    /// Where `#pragma scalar_storage_order` changes the order of bytes, and where it ends.
    orders: Vec<(Spot, Option<Attribute>)>,
    /// True if there are types among the declarations.
    has_types: bool,
}

impl Attributes {
    /// The attributes in a file and in the headers that are no system headers.
    pub fn of(unit: &Unit) -> Self {
        let mut attributes = Self::default();
        let remarks = Remarks::of(unit);
        for file in unit.files_of_user() {
            attributes.note_pragmas(unit, file);
        }
        let top = unit.top_level();
        for cursor in top.filter(|child| child.is_declaration() && !child.is_of_language()) {
            attributes.note(cursor, &remarks);
            for inner in cursor.declarations_below() {
                attributes.note(inner, &remarks);
            }
        }
        attributes
    }

    fn note(&mut self, declaration: Cursor, remarks: &Remarks) {
        let Some(kind) = kind_of(declaration) else { return };
        let children = declaration.children().into_iter();
        let mut found: Vec<Attribute> =
            children.filter(|child| child.is_attribute()).map(attribute).collect();
        found.extend(remarks.on(declaration));
        found.extend(self.order_of(declaration));
        found.retain(|attribute| !harmless::is_harmless(kind, &attribute.name));
        if found.is_empty() {
            return;
        }
        self.has_types |= kind == Kind::Type;
        self.declared.entry(declaration.declaration().identity()).or_default().extend(found);
    }

    fn note_pragmas(&mut self, unit: &Unit, file: usize) {
        let contents = unit.contents(file);
        let words = harmless::PRAGMAS.map(str::as_bytes);
        if !words.iter().any(|word| contents.windows(word.len()).any(|window| window == *word)) {
            return;
        }
        let tokens = unit.tokens_of(file);
        for (position, token) in tokens.iter().enumerate() {
            let is_argument = position > 0 && tokens[position - 1].text == "pragma";
            let words = if is_argument { words_of_line(&tokens[position..]) } else { words_of_string(token) };
            if let [pragma, name, ..] = &words[..]
                && harmless::PRAGMAS.contains(&pragma.as_str())
            {
                let range = unit.in_main_file(file, token.range);
                let attribute = Attribute { name: format!("#pragma {pragma}"), range };
                self.note_pragma(name, Spot { file, offset: token.range.start }, attribute);
            }
        }
    }

    fn note_pragma(&mut self, name: &str, spot: Spot, attribute: Attribute) {
        if attribute.name.ends_with(harmless::STORAGE_ORDER) {
            self.orders.push((spot, (name != "default").then_some(attribute)));
        } else {
            self.by_name.entry(name.to_owned()).or_insert(attribute);
        }
    }

    /// What the last `#pragma scalar_storage_order` before a structure says, if it is not C's own order.
    fn order_of(&self, declaration: Cursor) -> Option<Attribute> {
        let (spot, kind) = (declaration.spot(), declaration.kind());
        if ![CXCursor_StructDecl, CXCursor_UnionDecl, CXCursor_ClassDecl].contains(&kind) {
            return None;
        }
        let before = |(order, _): &&(Spot, _)| order.file == spot.file && order.offset < spot.offset;
        self.orders.iter().rfind(before)?.1.clone()
    }

    /// The attributes of a function but for those that are always harmless.
    pub fn of_function(&self, function: Cursor) -> Vec<Attribute> {
        let declared = self.declared.get(&function.declaration().identity()).into_iter().flatten();
        declared.chain(self.by_name.get(&function.spelling())).cloned().collect()
    }

    /// The first attribute of a function by which a call may do something else than its body or its name says.
    pub fn of_callee(&self, function: Cursor) -> Option<Attribute> {
        self.of_function(function).into_iter().find(|attribute| !harmless::in_calls(attribute))
    }

    /// The first attribute of a variable, or of its type.
    pub fn of_variable(&self, variable: Cursor) -> Option<Attribute> {
        let declaration = variable.declaration();
        let by_name = || {
            let reaches = declaration.kind() != CXCursor_ParmDecl && !declaration.is_automatic();
            reaches.then(|| self.by_name.get(&variable.spelling())).flatten()
        };
        let own = self.declared.get(&declaration.identity()).and_then(|found| found.first());
        own.or_else(by_name).cloned().or_else(|| self.of_type(variable.ctype()))
    }

    /// The first attribute of a type, of what it points to, or of a member.
    pub fn of_type(&self, ctype: Type) -> Option<Attribute> {
        search(self, ctype, &mut HashSet::new())
    }
}

/// Typedef names are followed one by one; `seen` are the structures that were looked at.
fn search(attributes: &Attributes, ctype: Type, seen: &mut HashSet<usize>) -> Option<Attribute> {
    if ctype.address_space() != 0 {
        return Some(Attribute { name: "address_space".to_owned(), range: None });
    }
    match ctype.kind() {
        CXType_Typedef | CXType_Elaborated => {
            let own = match ctype.kind() {
                CXType_Typedef => attributes.on_declaration(ctype.declaration()),
                _ => None,
            };
            own.or_else(|| search(attributes, ctype.named()?, seen))
        }
        CXType_Pointer | CXType_LValueReference | CXType_RValueReference => {
            search(attributes, ctype.target(), seen)
        }
        CXType_ConstantArray | CXType_VariableArray | CXType_IncompleteArray => {
            search(attributes, ctype.element(), seen)
        }
        CXType_Record if attributes.has_types => of_structure(attributes, ctype.declaration(), seen),
        CXType_Unexposed | CXType_Auto => {
            let canonical = ctype.canonical();
            let further = canonical.kind() != ctype.kind();
            further.then(|| search(attributes, canonical, seen)).flatten()
        }
        _ => None,
    }
}

fn of_structure(
    attributes: &Attributes,
    declaration: Cursor,
    seen: &mut HashSet<usize>,
) -> Option<Attribute> {
    if declaration.is_of_language() || !seen.insert(declaration.declaration().identity()) {
        return None;
    }
    let fields = || declaration.definition().unwrap_or(declaration).children().into_iter();
    attributes.on_declaration(declaration).or_else(|| {
        fields().filter(|child| child.kind() == CXCursor_FieldDecl).find_map(|field| {
            attributes.on_declaration(field).or_else(|| search(attributes, field.ctype(), seen))
        })
    })
}

impl Attributes {
    fn on_declaration(&self, declaration: Cursor) -> Option<Attribute> {
        self.declared.get(&declaration.declaration().identity())?.first().cloned()
    }
}

/// What kind of declaration may have attributes.
fn kind_of(declaration: Cursor) -> Option<Kind> {
    Some(match declaration.kind() {
        CXCursor_VarDecl | CXCursor_ParmDecl => Kind::Variable,
        CXCursor_FunctionDecl
        | CXCursor_CXXMethod
        | CXCursor_Constructor
        | CXCursor_Destructor
        | CXCursor_ConversionFunction
        | CXCursor_FunctionTemplate => Kind::Function,
        CXCursor_FieldDecl
        | CXCursor_StructDecl
        | CXCursor_UnionDecl
        | CXCursor_ClassDecl
        | CXCursor_EnumDecl
        | CXCursor_TypedefDecl
        | CXCursor_TypeAliasDecl => Kind::Type,
        _ => return None,
    })
}

fn attribute(cursor: Cursor) -> Attribute {
    let name = match cursor.kind() {
        CXCursor_AsmLabelAttr => "asm".to_owned(),
        _ => cursor.spelled_text().map(name_in).unwrap_or_default(),
    };
    Attribute { name, range: cursor.is_in_main_file().then(|| cursor.range()) }
}

/// The name with which the text of an attribute begins, without the namespace before it and the underscores around it.
fn name_in(text: &[u8]) -> String {
    let word = |text: &[u8]| -> usize {
        text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
    };
    let (first, rest) = text.split_at(word(text));
    let name = match rest.trim_ascii_start().strip_prefix(b"::") {
        Some(rest) => {
            let rest = rest.trim_ascii_start();
            &rest[..word(rest)]
        }
        None => first,
    };
    plain(&String::from_utf8_lossy(name))
}

/// `__weak__` is `weak`, and `_Noreturn` is `noreturn`.
fn plain(name: &str) -> String {
    name.trim_matches('_').to_lowercase()
}

/// The words of the line with which some tokens begin.
fn words_of_line(tokens: &[Token]) -> Vec<String> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let line = tokens.iter().take_while(|token| token.range.line == first.range.line);
    line.map(|token| token.text.clone()).collect()
}

/// The words of `"weak a = b"`, the argument of a `_Pragma`.
fn words_of_string(token: &Token) -> Vec<String> {
    let Some(text) = token.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return Vec::new();
    };
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The attributes that clang ignores, and the piece of text that each belongs to.
struct Remarks {
    found: Vec<(Remark, u32, u32)>,
}

impl Remarks {
    fn of(unit: &Unit) -> Self {
        let mut tokens: HashMap<usize, Vec<Token>> = HashMap::new();
        let with_piece = unit.ignored_attributes().into_iter().map(|mut remark| {
            let file = remark.spot.file;
            let tokens = tokens.entry(file).or_insert_with(|| unit.tokens_of(file));
            let token = tokens.iter().find(|token| token.range.start == remark.spot.offset);
            remark.range = remark.range.map(|range| token.map_or(range, |token| token.range));
            let (start, end) = piece_around(tokens, remark.spot.offset);
            (remark, start, end)
        });
        Self { found: with_piece.collect() }
    }

    /// Those that stand where something is declared, or after the members of a structure.
    fn on(&self, declaration: Cursor) -> Vec<Attribute> {
        let (name, end) = (declaration.spot(), declaration.end());
        let is_here = |(remark, first, last): &&(Remark, u32, u32)| {
            // What stands among parameters counts for the function.
            let named_here =
                declaration.kind() != CXCursor_ParmDecl && *first <= name.offset && name.offset < *last;
            let ends_here = declares_type(declaration) && end.offset == *first;
            remark.spot.file == name.file && (named_here || ends_here)
        };
        let here = self.found.iter().filter(is_here);
        here.map(|(remark, ..)| Attribute { name: quoted(&remark.text), range: remark.range }).collect()
    }
}

/// The name of the attribute that clang speaks of.
fn quoted(text: &str) -> String {
    let name = text.split('\'').nth(1).unwrap_or_default();
    plain(name.rsplit("::").next().unwrap_or_default())
}

fn declares_type(declaration: Cursor) -> bool {
    kind_of(declaration) == Some(Kind::Type)
}

/// From the end of the last `;`, `{` or `}` before a place to the next one after it.
fn piece_around(tokens: &[Token], offset: u32) -> (u32, u32) {
    let mut ends = tokens.iter().filter(|token| [";", "{", "}"].contains(&token.text.as_str()));
    let mut start = 0;
    for end in ends.by_ref() {
        if end.range.start >= offset {
            return (start, end.range.start);
        }
        start = end.range.end;
    }
    (start, u32::MAX)
}
