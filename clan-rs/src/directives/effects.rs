//! What functions of other files do with memory: a text such as `reads(x[0:n]) device(y)`, read and written.
//!
//! A function with effects does nothing beyond them: it keeps no pointer that it is passed, calls nothing back, and
//! returns. Its clauses:
//!
//! | clause | meaning |
//! |---|---|
//! | `reads(x)` | it may read what `x` points to, or the variable `x` |
//! | `writes(x)` | it may also write there |
//! | `announces(x)` | its host code announces itself what it does there, to the table of memory on the device |
//! | `device(x)` | the same, and regions that it runs use this memory on the device |
//! | `none` | it does nothing of this |
//!
//! `x` is a parameter, a variable with external linkage, or a member of what one of them is or points to: `g->u`,
//! `s.n`. `x[start:length]` and `x[i]` narrow it to elements. In a member function, members of its object have their
//! names alone, and are written with `this->` here.

use std::collections::BTreeMap;
use std::fmt;

use scop::{BinaryOp, SourceRange};

use crate::c::ctree::{Expr, ExprKind, Lifetime, Tree, Understood, Unnamed, VariableId};

/// What a function does with memory of its callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects {
    /// The function, as the linker knows it.
    pub function: String,
    /// Its parameters, in order; that of the object of a member function is the first one.
    pub parameters: Vec<Parameter>,
    /// The members of structures to which numbers belong, or which lead to numbers.
    pub members: Vec<Numbers>,
    /// What it does.
    pub items: Vec<Item>,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The size of the numbers that it points to, in bytes; absent if it points to no numbers.
    pub bytes: Option<u32>,
    /// True for a reference, and for the object of a member function.
    pub reference: bool,
    /// True for a reference to a vector of numbers, whose size is in `bytes`.
    pub vector: bool,
}

/// The object of a member function, as a parameter.
pub const THIS: &str = "this";

/// Numbers in structures, or to which members of structures lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    /// The member.
    pub path: Path,
    /// The size of one number, in bytes.
    pub bytes: u32,
    /// True for an array, whose numbers are in the structure itself.
    pub is_array: bool,
}

/// A parameter or a variable, or a member that is reached through it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The parameter or variable.
    pub root: String,
    /// The members, from the outside inwards.
    pub members: Vec<Member>,
}

/// A step to a member.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// True for `->`.
    pub arrow: bool,
    /// Its name.
    pub name: String,
}

impl Path {
    /// Returns the path that is a parameter or variable itself.
    pub fn of(root: &str) -> Self {
        Self { root: root.to_owned(), members: Vec::new() }
    }
}

/// A use of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is done.
    pub does: Does,
    /// What points to the memory, or is the memory.
    pub path: Path,
    /// The elements; absent for all of the object.
    pub section: Option<Section>,
}

/// What a function does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    /// Its host code reads it.
    Reads,
    /// Its host code writes it.
    Writes,
    /// Its host code uses it and announces that itself.
    Announces,
    /// Its regions use it, and its host code announces itself.
    Device,
}

impl Does {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reads, Self::Writes, Self::Announces, Self::Device];

    /// The word of its clause.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Announces => "announces",
            Self::Device => "device",
        }
    }
}

/// Elements one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The first.
    pub start: Amount,
    /// How many there are.
    pub length: Amount,
}

/// An integer in terms of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// A constant.
    Number(i128),
    /// A parameter, or a member.
    Value(Path),
    /// A sum, a difference or a product.
    Binary(BinaryOp, Box<Amount>, Box<Amount>),
}

impl Effects {
    /// Returns the position of a parameter.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }

    /// Returns the size of the numbers to which a path leads, if it is known.
    pub fn size(&self, path: &Path) -> Option<u32> {
        match path.members.is_empty() {
            true => self.parameters.iter().find(|one| one.name == path.root)?.bytes,
            false => self.numbers(path).map(|numbers| numbers.bytes),
        }
    }

    /// True if a parameter refers to a vector of numbers.
    pub fn is_vector(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|one| one.name == parameter && one.vector)
    }

    /// Returns the same without elements that only those can name who may name members of classes.
    pub fn without_members(mut self) -> Self {
        for item in &mut self.items {
            let is_plain = |section: &Section| {
                item.path.members.is_empty() && section.start.is_plain() && section.length.is_plain()
            };
            item.section = item.section.take().filter(is_plain);
        }
        self
    }

    /// Returns what is known of the numbers to which a member leads.
    pub fn numbers(&self, path: &Path) -> Option<&Numbers> {
        self.members.iter().find(|numbers| numbers.path == *path)
    }
}

impl Amount {
    /// True if it has no members.
    fn is_plain(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Value(path) => path.members.is_empty(),
            Self::Binary(_, left, right) => left.is_plain() && right.is_plain(),
        }
    }
}

/// A `#pragma c2cuda effects`.
#[derive(Debug, Clone)]
pub struct EffectsClaim {
    /// What it says.
    pub effects: Effects,
    /// The name of the function in the source.
    pub shown: String,
    /// The path of its file; empty for the main file.
    pub path: String,
    /// The directive.
    pub range: SourceRange,
}

/// The effects of functions of other files, by the names that the linker knows.
#[derive(Debug, Clone, Default)]
pub struct Table(pub BTreeMap<String, Effects>);

/// A call of a function whose effects are known.
#[derive(Debug, Clone)]
pub struct Called<'t> {
    /// What it does.
    pub effects: &'t Effects,
    /// The values of its parameters, in their order.
    pub arguments: Vec<&'t Expr>,
    /// The name in the source.
    pub shown: &'t str,
}

impl Table {
    /// Returns the effects of the function that an expression calls, if they are known.
    pub fn of_call<'t>(&'t self, tree: &Tree, call: &'t Expr) -> Option<Called<'t>> {
        let (name, shown, arguments) = match &call.kind {
            ExprKind::Call { callee: Some(callee), arguments } if callee.attribute.is_none() => {
                (&callee.name, &callee.shown, arguments.iter().collect::<Vec<_>>())
            }
            ExprKind::Other { what: Unnamed::Understood(Understood::Member(name, None), plain), parts } => {
                let Unnamed::MemberCall(shown) = &**plain else { return None };
                let object = parts.first()?.parts().into_iter().next()?;
                (name, shown, [object].into_iter().chain(&parts[1..]).collect())
            }
            _ => return None,
        };
        let effects = self.0.get(tree.symbol(name)).filter(|_| tree.function(name).is_none())?;
        (effects.parameters.len() == arguments.len()).then_some(Called { effects, arguments, shown })
    }
}

/// Returns the variable with external linkage of this name, if the file uses it.
pub fn external(tree: &Tree, name: &str) -> Option<VariableId> {
    let is_it = |id: &VariableId| {
        let variable = tree.variable(*id);
        variable.external && variable.lifetime == Lifetime::Static && variable.name == name
    };
    (0..tree.variables.len()).map(VariableId).find(is_it)
}

/// Returns the text of a file of effects, one function a line.
pub fn file_text(source: &str, all: &[Effects]) -> String {
    let mut text = format!("# what functions of {source} do with memory of their callers\n");
    for effects in all {
        text.push_str(&format!("{effects}\n"));
    }
    text
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        write!(f, "{}({}", self.function, parameters.join(", "))?;
        for (number, member) in self.members.iter().enumerate() {
            write!(f, "{} {member}", if number == 0 { ";" } else { "," })?;
        }
        f.write_str(")")?;
        self.items.iter().try_for_each(|item| write!(f, " {item}"))?;
        if self.items.is_empty() { f.write_str(" none") } else { Ok(()) }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.reference { "&" } else { "" };
        match self.bytes {
            Some(bytes) if self.vector => write!(f, "{mark}{}<{bytes}>", self.name),
            Some(bytes) => write!(f, "{mark}{}[{bytes}]", self.name),
            None => write!(f, "{mark}{}", self.name),
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, bytes, is_array } = self;
        if *is_array { write!(f, "{path}{{{bytes}}}") } else { write!(f, "{path}[{bytes}]") }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        self.members
            .iter()
            .try_for_each(|member| write!(f, "{}{}", if member.arrow { "->" } else { "." }, member.name))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}", self.does.name(), self.path)?;
        if let Some(Section { start, length }) = &self.section {
            write!(f, "[{start}:{length}]")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Value(path) => write!(f, "{path}"),
            Self::Binary(operator, left, right) => write!(f, "({left} {} {right})", operator.c_name()),
        }
    }
}
