//! The error codes of this tool, and how its passes report faults.
//!
//! A [`Fault`] is a diagnostic whose place lacks the path of the file; `into_diagnostics` adds it.

use scop::{Diagnostic, GIVEN_UP, Severity, SourceRange};

/// The file cannot be read.
pub const UNREADABLE: &str = "E0100";
/// clang reports an error.
pub const CLANG: &str = "E0101";
/// libclang is missing or too old.
pub const NO_CLANG: &str = "E0102";
/// No region is marked.
pub const NO_REGION: &str = "E0103";
/// Warning: a region of an included file is not translated.
pub const IN_HEADER: &str = "W0103";
/// `#pragma scop` and `#pragma endscop` do not pair up.
pub const UNPAIRED: &str = "E0104";
/// A region does not consist of whole statements of one block.
pub const MISPLACED: &str = "E0105";
/// A region has nothing to translate.
pub const EMPTY: &str = "E0106";
/// Warning: no statement of a region ever runs.
pub const IDLE: &str = "W0107";
/// A preprocessor directive that is not allowed, or that prevents the translation.
pub const DIRECTIVE: &str = "E0107";
/// A region in a template or a `constexpr` function.
pub const TEMPLATE: &str = "E0108";
/// A predefined macro or a value on which clang and the compiler may not agree.
pub const PREDEFINED: &str = "E0109";
/// A statement that is not supported.
pub const STATEMENT: &str = "E0110";
/// A `for` loop of a form that is not supported.
pub const LOOP: &str = "E0111";
/// A loop that may never end, or counts away from its bound.
pub const ENDLESS: &str = "E0112";
/// An iterator that is changed by something other than its loop.
pub const ITERATOR_CHANGED: &str = "E0113";
/// An iterator that is used after its loop although its value is not known there.
pub const ITERATOR_AFTER_LOOP: &str = "E0114";
/// An expression that must be affine and is not.
pub const NOT_AFFINE: &str = "E0120";
/// A bound, condition or subscript that uses a variable changed by the region.
pub const CHANGED: &str = "E0121";
/// A bound, condition or subscript that depends on data.
pub const DATA_DEPENDENT: &str = "E0122";
/// Integer arithmetic that may wrap around.
pub const WRAPS: &str = "E0123";
/// A constant that does not fit into a signed 64-bit integer.
pub const TOO_LARGE: &str = "E0125";
/// A subscript that is out of bounds in every case.
pub const OUT_OF_BOUNDS: &str = "E0124";
/// A type that is not supported.
pub const TYPE: &str = "E0130";
/// An array or pointer of a form that is not supported.
pub const ARRAY: &str = "E0131";
/// A variable that is declared in the region and used after it, or an unsupported declaration.
pub const DECLARATION: &str = "E0132";
/// A variable that may be changed through a pointer.
pub const ALIAS: &str = "E0133";
/// A name that cannot be repeated before the region.
pub const NAME: &str = "E0134";
/// An attribute that changes what a declaration means.
pub const ATTRIBUTE: &str = "E0135";
/// A name that is also the name of a CUDA function.
pub const NAME_OF_CUDA: &str = "E0136";
/// An expression that is not supported.
pub const EXPRESSION: &str = "E0140";
/// An expression that changes a variable as a side effect.
pub const SIDE_EFFECT: &str = "E0141";
/// A call of an unknown function.
pub const CALL: &str = "E0142";
/// The region is too complicated for the polyhedral library.
pub const TOO_COMPLEX: &str = "E0150";
/// Warning: the translation makes an assumption about the parameters.
pub const ASSUMPTION: &str = "W0160";
/// Warning: a directive in a region is ignored.
pub const IGNORED_DIRECTIVE: &str = "W0161";
/// Elements that may be accessed, but may not exist.
pub const POSSIBLE_ACCESS: &str = "E0162";

/// A file of effects that cannot be read or is wrong.
pub const EFFECTS: &str = "E0165";
/// `#pragma c2cuda effects` that is wrong.
pub const WRONG_EFFECTS: &str = "E0166";
/// Warning: `#pragma c2cuda effects` that cannot be checked.
pub const UNCHECKED_EFFECTS: &str = "W0166";

/// Warning: `--autoscop` leaves a loop unchanged.
pub const LEFT_ALONE: &str = "W0164";

/// Warning: a single thread executes a whole loop, because it depends on data.
pub const SEQUENTIAL: &str = "W0163";

/// The reason why something was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault(pub Box<Diagnostic>);

/// The result of a pass that may refuse.
pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// Creates an error at a place in the main file.
    pub fn new(code: &str, message: impl Into<String>, range: SourceRange, label: impl Into<String>) -> Self {
        Self(Box::new(Diagnostic::error(code, message).at("", range, label)))
    }

    /// Adds advice for the user.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self(Box::new(self.0.with_help(help)))
    }

    /// Sets the place to a region, if the fault has no place yet.
    pub fn within(mut self, region: SourceRange) -> Self {
        if self.0.place.is_none() {
            self.0 = Box::new(self.0.at("", region, GIVEN_UP));
        }
        self
    }

    /// Sets the file of the place.
    pub fn in_file(mut self, path: &str) -> Self {
        if let Some(place) = &mut self.0.place {
            path.clone_into(&mut place.path);
        }
        self
    }

    /// Creates a report of a bug in this tool.
    pub fn bug(message: impl Into<String>) -> Self {
        Self(Box::new(Diagnostic::bug("clan-rs", message)))
    }
}

/// Returns the message for a region that is too complicated for isl.
pub fn too_complex() -> Diagnostic {
    Diagnostic::given_up(TOO_COMPLEX, "this region is too complicated to analyse")
}

impl From<polyhedra::Error> for Fault {
    fn from(error: polyhedra::Error) -> Self {
        if error.is_limit() {
            return Self(Box::new(too_complex()));
        }
        Self::bug(error.to_string())
    }
}

impl From<polyhedra::LibISLError> for Fault {
    fn from(error: polyhedra::LibISLError) -> Self {
        polyhedra::Error::from(error).into()
    }
}

/// The faults of a file, without duplicates.
#[derive(Debug, Default)]
pub struct Faults(Vec<Diagnostic>);

impl Faults {
    /// Adds a fault, unless it is already in the list.
    pub fn push(&mut self, fault: Fault) {
        if !self.0.contains(&fault.0) {
            self.0.push(*fault.0);
        }
    }

    /// True if the list contains a fault with the same code and place.
    pub fn has_like(&self, fault: &Fault) -> bool {
        self.0.iter().any(|other| other.code == fault.0.code && other.place == fault.0.place)
    }

    /// True if one of the faults reports a bug in this tool.
    pub fn has_bug(&self) -> bool {
        self.0.iter().any(|fault| fault.severity == Severity::Bug)
    }

    /// Removes and returns the faults that are not wanted.
    pub fn take_if(&mut self, mut unwanted: impl FnMut(&Diagnostic) -> bool) -> Vec<Fault> {
        let (out, kept) = std::mem::take(&mut self.0).into_iter().partition(|fault| unwanted(fault));
        self.0 = kept;
        Self(out).into_faults()
    }

    /// Adds the faults of another list.
    pub fn extend(&mut self, others: Self) {
        for other in others.0 {
            self.push(Fault(Box::new(other)));
        }
    }

    /// Returns the value of a result, or adds its fault to this list.
    pub fn accept<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|fault| self.push(fault)).ok()
    }

    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the faults one by one.
    pub fn into_faults(self) -> Vec<Fault> {
        self.0.into_iter().map(|diagnostic| Fault(Box::new(diagnostic))).collect()
    }

    /// Returns the diagnostics in source order, with the path of the file added.
    pub fn into_diagnostics(self, path: &str) -> Vec<Diagnostic> {
        in_order(self.0, path)
    }
}

/// Sorts diagnostics into source order, and adds the path of the file where it is missing. Duplicates at the same
/// place are removed.
pub fn in_order(mut diagnostics: Vec<Diagnostic>, path: &str) -> Vec<Diagnostic> {
    for place in diagnostics.iter_mut().filter_map(|d| d.place.as_mut()) {
        if place.path.is_empty() {
            path.clone_into(&mut place.path);
        }
    }
    let mut said = Vec::new();
    diagnostics.retain(|diagnostic| {
        let key = (diagnostic.code.clone(), diagnostic.message.clone(), diagnostic.place.clone());
        let is_new = diagnostic.place.is_none() || !said.contains(&key);
        said.push(key);
        is_new
    });
    diagnostics.sort_by_key(|d| d.place.as_ref().map(|place| place.range.start));
    diagnostics
}
