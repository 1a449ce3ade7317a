//! `#pragma c2cuda data …`: memory that the user holds on the device.

use scop::{SourceRange, c_syntax};

use crate::directives::directive::{Directive, text_after};
use crate::errors::{DIRECTIVE, Fault, Faults};

/// The beginning of the directive.
const DATA: &[&str] = &["pragma", "c2cuda", "data"];

/// What each clause means for the values on the device after the statement: whether they are forgotten.
const CLAUSES: [(&str, bool); 4] = [("copy", false), ("copyin", false), ("copyout", false), ("create", true)];

/// A `#pragma c2cuda data`.
#[derive(Debug, Clone)]
pub struct DataDirective {
    /// The directive.
    pub range: SourceRange,
    /// The offset at which the statement after it begins.
    pub next: u32,
    /// What its clauses name.
    pub items: Vec<Item>,
}

/// An array in a clause.
#[derive(Debug, Clone)]
pub struct Item {
    /// The name of a variable.
    pub name: String,
    /// The section, if there is one.
    pub section: Option<Section>,
    /// Its text.
    pub range: SourceRange,
    /// True if its values on the device are not needed after the statement.
    pub forgotten: bool,
}

/// `[start:length]`, as C text.
#[derive(Debug, Clone)]
pub struct Section {
    /// The first element.
    pub start: String,
    /// The number of elements; `None` for all others.
    pub length: Option<String>,
}

/// True for `#pragma c2cuda data`.
pub fn is_data(directive: &Directive) -> bool {
    directive.starts_with(DATA)
}

/// Returns the directives of a file that are in no region.
pub fn find(directives: &[Directive], regions: &[SourceRange], faults: &mut Faults) -> Vec<DataDirective> {
    let mut found = Vec::new();
    for directive in directives.iter().filter(|directive| is_data(directive)) {
        if !regions.iter().any(|region| directive.range.is_within(*region)) {
            found.extend(faults.accept(parsed(directive, directives)));
        }
    }
    found
}

/// Returns the fault of a directive in a region.
pub fn in_region(directive: &Directive) -> Fault {
    let message = "`#pragma c2cuda data` in a region";
    Fault::new(DIRECTIVE, message, directive.range, "a region copies its arrays at most once in any case")
        .with_help("write it before a loop or block that runs regions several times")
}

/// Returns the fault of a directive in a file that is included.
pub fn in_header(directive: &Directive) -> Fault {
    let message = "`#pragma c2cuda data` in a file that is included";
    Fault::new(DIRECTIVE, message, directive.range, "calls are added only to files that are translated").with_help(
        "move the function to the file that includes this one, or call `c2cuda_data_begin` and `c2cuda_data_end` here",
    )
}

fn parsed(directive: &Directive, directives: &[Directive]) -> Result<DataDirective, Fault> {
    let mut reader = Reader { directive, at: DATA.len() };
    let mut items = Vec::new();
    while let Some(word) = reader.word() {
        if word != "," || items.is_empty() {
            reader.clause(&mut items)?;
        } else {
            reader.at += 1;
        }
    }
    Ok(DataDirective { range: directive.range, next: text_after(directive, directives), items })
}

/// Reads the words of a directive.
struct Reader<'d> {
    directive: &'d Directive,
    at: usize,
}

impl<'d> Reader<'d> {
    fn word(&self) -> Option<&'d str> {
        self.directive.words.get(self.at).map(String::as_str)
    }

    /// Returns the text from one word up to the one before the current word.
    fn since(&self, first: usize) -> SourceRange {
        let place = |at: usize| self.directive.places.get(at).copied().unwrap_or(self.directive.range);
        let last = place(self.at.saturating_sub(1).max(first));
        SourceRange { end: last.end, ..place(first) }
    }

    fn fault(&self, message: String, first: usize, label: &str) -> Fault {
        let last = Self { directive: self.directive, at: (first + 1).max(self.at) };
        Fault::new(DIRECTIVE, message, last.since(first), label)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Fault> {
        if self.word() == Some(wanted) {
            self.at += 1;
            return Ok(());
        }
        let first = self.at.min(self.directive.words.len() - 1);
        let found = self.word().map_or("the line ends".to_owned(), |word| format!("there is `{word}`"));
        let message = format!("`{wanted}` is missing in `#pragma c2cuda data`");
        Err(self.fault(message, first, &found).with_help("write, for example, `copy(u[0:n], v[0:n])`"))
    }

    fn clause(&mut self, items: &mut Vec<Item>) -> Result<(), Fault> {
        let first = self.at;
        let word = self.word().unwrap_or_default();
        self.at += 1;
        let Some((_, forgotten)) = CLAUSES.iter().find(|(name, _)| *name == word) else {
            return Err(self.unknown_clause(word, first));
        };
        self.expect("(")?;
        loop {
            let item = self.item(*forgotten)?;
            items.push(item);
            if self.word() != Some(",") {
                return self.expect(")");
            }
            self.at += 1;
        }
    }

    fn unknown_clause(&self, word: &str, first: usize) -> Fault {
        let message = format!("`#pragma c2cuda data` has no clause `{word}`");
        let known = CLAUSES.iter().map(|(name, _)| *name);
        let (distance, nearest) =
            known.map(|name| (strsim::osa_distance(name, word), name)).min().unwrap_or_default();
        if distance <= 2 {
            let help = format!("write `{nearest}`");
            return self.fault(message, first, "c2cuda does not know it").with_help(help);
        }
        let help = match word {
            "present" | "no_create" => {
                "leave it out: regions find by themselves which memory is on the device, and a function that is called \
                 while its caller holds memory needs no directive"
            }
            "deviceptr" | "attach" => "arrays are named by their addresses on the host",
            "if" | "async" | "wait" => {
                "leave it out; if memory is to be held only in some cases, call `c2cuda_data_begin` and \
                 `c2cuda_data_end` there"
            }
            _ => {
                "the clauses are `copy`, `copyin` and `copyout`, which hold memory and copy it when it is needed, and \
                 `create`, after which the values on the device are forgotten"
            }
        };
        self.fault(message, first, "c2cuda does not know it").with_help(help)
    }

    fn item(&mut self, forgotten: bool) -> Result<Item, Fault> {
        let first = self.at;
        let name = self.word().unwrap_or_default().to_owned();
        if !c_syntax::is_name(&name) {
            self.expect("a name")
                .map_err(|fault| fault.with_help("name variables that are arrays or pointers"))?;
        }
        self.at += 1;
        let section = (self.word() == Some("[")).then(|| self.section(&name)).transpose()?;
        if matches!(self.word(), Some("[" | "." | "->")) {
            let from = self.at;
            self.at += 1;
            let message = format!("more than a section of the variable `{name}`");
            let help = "name a variable and a section of its outermost dimension; rows are held as a whole. Memory that \
                        members or rows point to can be held with `c2cuda_data_begin(pointer, bytes)`";
            return Err(self.fault(message, from, "only variables can be named").with_help(help));
        }
        Ok(Item { name, section, range: self.since(first), forgotten })
    }

    /// Reads `[start:length]`.
    fn section(&mut self, name: &str) -> Result<Section, Fault> {
        self.expect("[")?;
        let start = self.expression(":")?;
        if self.word() != Some(":") {
            let help =
                format!("write `{name}[start:length]`, with the first element and the number of elements");
            return self
                .expect(":")
                .map(|()| Section { start, length: None })
                .map_err(|fault| fault.with_help(help));
        }
        self.expect(":")?;
        let length = self.expression("]")?;
        self.expect("]")?;
        let start = if start.is_empty() { "0".to_owned() } else { start };
        Ok(Section { start, length: Some(length).filter(|length| !length.is_empty()) })
    }

    /// Reads an expression up to `end`; it may be empty.
    fn expression(&mut self, end: &str) -> Result<String, Fault> {
        let first = self.at;
        let mut depth = 0_u32;
        while let Some(word) = self.word() {
            match word {
                _ if depth == 0 && (word == end || word == "]" || word == ",") => break,
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => break,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        let text = self.directive.words[first..self.at].join(" ");
        if !text.is_empty() && !c_syntax::is_pure(&text) {
            let message = format!("`{text}` cannot stand in a section");
            let help = "use variables, members, elements, integers and operators without side effects";
            return Err(self.fault(message, first, "this is evaluated before the statement").with_help(help));
        }
        Ok(text)
    }
}
