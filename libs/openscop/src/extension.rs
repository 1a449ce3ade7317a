//! The extensions of OpenScop that c2cuda understands.

use std::fmt::Write as _;

use crate::error::{OpenScopError, Result};
use crate::file::{Matrix, Relation, RelationKind, Tagged};
use crate::lines::{Line, Lines, shortened};
use crate::matrix::parts;
use crate::print;

/// The tags of the extensions that OpenScop's own library defines and that this module reads.
pub const KNOWN: [&str; 8] =
    ["strings", "scatnames", "arrays", "coordinates", "body", "extbody", "loop", "dependence"];

/// Checks that an extension is well-formed, if this module knows it.
pub fn check(tagged: &Tagged) -> Result<()> {
    match tagged.tag.as_str() {
        "strings" | "scatnames" => strings(tagged).map(drop),
        "arrays" => arrays(tagged).map(drop),
        "coordinates" => Coordinates::read(tagged).map(drop),
        "body" => Body::read(tagged).map(drop),
        "extbody" => ExtendedBody::read(tagged).map(drop),
        "loop" => loops(tagged).map(drop),
        "dependence" => dependences(tagged).map(drop),
        _ => Ok(()),
    }
}

fn lines(tagged: &Tagged) -> Lines<'_> {
    Lines::new(&tagged.text, tagged.first_line())
}

fn finish(mut lines: Lines<'_>) -> Result<()> {
    match lines.next_line() {
        Some(line) => {
            let message = format!("`{}` is left over at the end of this extension", shortened(line.text));
            Err(OpenScopError::syntax(line.at, message))
        }
        None => Ok(()),
    }
}

/// Reads `strings` or `scatnames`: words.
pub fn strings(tagged: &Tagged) -> Result<Vec<String>> {
    let (mut lines, mut words) = (lines(tagged), Vec::new());
    while let Some(line) = lines.next_line() {
        words.extend(line.words().map(|(_, word)| word.to_owned()));
    }
    Ok(words)
}

/// Returns the extension with the names of the schedule dimensions.
pub fn scatnames(names: &[String]) -> Tagged {
    Tagged::new("scatnames", format!("{}\n", names.join(" ")))
}

/// Reads `arrays`: the name of each array, by the number that accesses use.
pub fn arrays(tagged: &Tagged) -> Result<Vec<(i64, String)>> {
    let mut lines = lines(tagged);
    let count = lines.count("the number of arrays")?;
    let mut arrays = Vec::new();
    for _ in 0..count {
        arrays.push(array(lines.expect("an array")?)?);
    }
    finish(lines).map(|()| arrays)
}

fn array(line: Line<'_>) -> Result<(i64, String)> {
    let wrong = || OpenScopError::syntax(line.at, "expected the number and the name of an array");
    let (number, name) = line.text.split_once(|c: char| c.is_ascii_whitespace()).ok_or_else(wrong)?;
    let number = number.parse().map_err(|_| wrong())?;
    Ok((number, name.trim_ascii().to_owned()))
}

/// Returns the extension `arrays`.
pub fn print_arrays(arrays: &[(i64, String)]) -> Tagged {
    let mut text = format!("# Number of arrays\n{}\n", arrays.len());
    if !arrays.is_empty() {
        text += "# Mapping array-identifiers/array-names\n";
    }
    for (number, name) in arrays {
        let _ = writeln!(text, "{number} {name}");
    }
    Tagged::new("arrays", text)
}

/// `coordinates`: the place of the scop in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordinates {
    /// The file.
    pub file: String,
    /// Line and column of the start; the column is 0 if only lines are known.
    pub start: (i64, i64),
    /// Line and column of the end.
    pub end: (i64, i64),
    /// The number of blanks before the first line.
    pub indentation: i64,
}

impl Coordinates {
    /// Reads the extension. Older versions have no columns.
    pub fn read(tagged: &Tagged) -> Result<Self> {
        let mut lines = lines(tagged);
        let file = lines.expect("the name of the source file")?.text.to_owned();
        let mut numbers = Vec::new();
        while let Some(line) = lines.next_line() {
            numbers.extend(line.integers()?);
        }
        match numbers[..] {
            [first, left, last, right, indentation] => {
                Ok(Self { file, start: (first, left), end: (last, right), indentation })
            }
            [first, last, indentation] => Ok(Self { file, start: (first, 0), end: (last, 0), indentation }),
            _ => Err(OpenScopError::syntax(
                tagged.at,
                "expected line and column of start and end, and indentation",
            )),
        }
    }

    /// Returns the extension.
    pub fn tagged(&self) -> Tagged {
        let (start, end) = (self.start, self.end);
        let text = format!(
            "# File name\n{}\n# Starting line and column\n{} {}\n# Ending line and column\n{} {}\n# Indentation\n{}\n",
            self.file, start.0, start.1, end.0, end.1, self.indentation
        );
        Tagged::new("coordinates", text)
    }
}

/// `body`: the C text of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The names that the text uses for the dimensions of the domain.
    pub iterators: Vec<String>,
    /// The text, in one line.
    pub expression: String,
}

impl Body {
    /// Reads the extension.
    pub fn read(tagged: &Tagged) -> Result<Self> {
        let mut lines = lines(tagged);
        let body = body(&mut lines)?;
        finish(lines).map(|()| body)
    }

    /// Returns the extension.
    pub fn tagged(&self) -> Tagged {
        let mut text = format!("# Number of original iterators\n{}\n", self.iterators.len());
        if !self.iterators.is_empty() {
            let _ = writeln!(text, "# List of original iterators\n{}", self.iterators.join(" "));
        }
        let _ = writeln!(text, "# Statement body expression\n{}", self.expression);
        Tagged::new("body", text)
    }
}

fn body(lines: &mut Lines<'_>) -> Result<Body> {
    let count = lines.count("the number of iterators")?;
    let mut iterators = Vec::new();
    if count > 0 {
        let line = lines.expect("the names of the iterators")?;
        iterators.extend(line.words().map(|(_, word)| word.to_owned()));
        if iterators.len() != count {
            let message = format!("expected {count} iterators, found {}", iterators.len());
            return Err(OpenScopError::syntax(line.at, message));
        }
    }
    let expression = lines.expect("the body of a statement")?.text.to_owned();
    Ok(Body { iterators, expression })
}

/// `extbody`: a body with the places of the accesses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtendedBody {
    /// Start and length of each access in the text; -1 for an access that is not in the text.
    pub accesses: Vec<(i64, i64)>,
    /// The body.
    pub body: Body,
}

impl ExtendedBody {
    /// Reads the extension.
    pub fn read(tagged: &Tagged) -> Result<Self> {
        let mut lines = lines(tagged);
        let count = lines.count("the number of accesses")?;
        let mut accesses = Vec::new();
        for _ in 0..count {
            let line = lines.expect("start and length of an access")?;
            let [start, length] = line.integers()?[..] else {
                return Err(OpenScopError::syntax(line.at, "expected start and length of an access"));
            };
            accesses.push((start, length));
        }
        let body = body(&mut lines)?;
        finish(lines).map(|()| Self { accesses, body })
    }
}

/// `loop`: another tool's description of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The iterator of the generated loop.
    pub iterator: String,
    /// The statements in it, by their positions from 1.
    pub statements: Vec<i64>,
    /// The variables that are private to each thread, separated by commas.
    pub private: Option<String>,
    /// A sum of flags: 1 for parallel, 2 for message passing (MPI), 4 for vector, 8 for unrolled.
    pub directive: i64,
}

/// Reads the extension `loop`.
pub fn loops(tagged: &Tagged) -> Result<Vec<Loop>> {
    let mut lines = lines(tagged);
    let count = lines.count("the number of loops")?;
    let mut loops = Vec::new();
    for _ in 0..count {
        loops.push(read_loop(&mut lines)?);
    }
    finish(lines).map(|()| loops)
}

fn read_loop(lines: &mut Lines<'_>) -> Result<Loop> {
    let iterator = lines.expect("the iterator of a loop")?.text.to_owned();
    let count = lines.count("the number of statements in a loop")?;
    let mut statements = Vec::new();
    for _ in 0..count {
        statements.push(lines.integer("a statement in a loop")?.1);
    }
    let private = lines.expect("the private variables of a loop, or `(null)`")?.text;
    let private = (private != "(null)").then(|| private.to_owned());
    Ok(Loop { iterator, statements, private, directive: lines.integer("the directive of a loop")?.1 })
}

/// `dependence`: instances of one access that must stay before those of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// `RAW`, `WAR`, `WAW`, `RAR`, …
    pub kind: String,
    /// The position of the first statement, from 0.
    pub source: i64,
    /// The position of the second statement.
    pub target: i64,
    /// The depth of the loop that carries the dependence; -1 for all depths together.
    pub depth: i64,
    /// The position of the access among those of the first statement, from 0.
    pub source_access: i64,
    /// The position of the access in the second statement.
    pub target_access: i64,
    /// The composition of the relation's dimensions. Absent from texts before December 2021.
    pub sizes: Option<Sizes>,
    /// From the first instance and its element (output) to the second and its element (input).
    pub relation: Relation,
}

/// The composition of a dependence's dimensions: those of the domain of the first statement and of its access,
/// the same for the second statement, then the local dimensions of these four.
pub type Sizes = [i64; 8];

/// Reads the extension `dependence`.
pub fn dependences(tagged: &Tagged) -> Result<Vec<Edge>> {
    let mut lines = lines(tagged);
    let count = lines.count("the number of dependences")?;
    let mut edges = Vec::new();
    for _ in 0..count {
        edges.push(edge(&mut lines)?);
    }
    finish(lines).map(|()| edges)
}

fn edge(lines: &mut Lines<'_>) -> Result<Edge> {
    let kind = lines.expect("the kind of a dependence")?.text.to_owned();
    let mut number = |what| Ok(lines.integer(what)?.1);
    let (source, target) = (number("the source of a dependence")?, number("the target of a dependence")?);
    let depth = number("the depth of a dependence")?;
    let source_access = number("the source access of a dependence")?;
    let target_access = number("the target access of a dependence")?;
    let sizes = sizes(lines)?;
    let head = lines.expect("the domain of a dependence")?;
    if head.text != RelationKind::Domain.name() {
        return Err(OpenScopError::syntax(head.at, "expected the DOMAIN of a dependence"));
    }
    let parts: Vec<Matrix> = parts(lines)?;
    let relation = Relation { kind: RelationKind::Domain, parts, at: head.at };
    Ok(Edge { kind, source, target, depth, source_access, target_access, sizes, relation })
}

/// Reads the sizes, which may be on any number of lines, because OpenScop's library reads them one by one.
fn sizes(lines: &mut Lines<'_>) -> Result<Option<Sizes>> {
    let mut numbers = Vec::new();
    while let Some(line) = lines.peek().filter(|line| line.text != RelationKind::Domain.name()) {
        numbers.extend(line.integers()?);
        if numbers.len() > Sizes::default().len() {
            return Err(wrong_sizes(line));
        }
        lines.next_line();
    }
    match (numbers.len(), Sizes::try_from(numbers), lines.peek()) {
        (0, ..) => Ok(None),
        (_, Ok(sizes), _) => Ok(Some(sizes)),
        (_, Err(_), Some(line)) => Err(wrong_sizes(line)),
        (_, Err(_), None) => Err(lines.ended("the DOMAIN of a dependence")),
    }
}

fn wrong_sizes(line: Line<'_>) -> OpenScopError {
    OpenScopError::syntax(line.at, "expected the 8 sizes of a dependence before its DOMAIN")
}

/// Returns the extension `dependence`.
pub fn print_dependences(edges: &[Edge]) -> Tagged {
    let mut text = format!("# Number of dependences\n{}\n", edges.len());
    for (number, edge) in edges.iter().enumerate() {
        let _ = writeln!(text, "# Description of dependence {}\n# type\n{}", number + 1, edge.kind);
        let _ = writeln!(text, "# From source statement id\n{}", edge.source);
        let _ = writeln!(text, "# To target statement id\n{}", edge.target);
        let _ = writeln!(text, "# Depth\n{}", edge.depth);
        let _ = writeln!(text, "# From source access ref\n{}", edge.source_access);
        let _ = writeln!(text, "# To target access ref\n{}", edge.target_access);
        if let Some(sizes) = edge.sizes {
            let sizes = sizes.map(|size| size.to_string()).join(" ");
            let _ =
                writeln!(text, "# Output dimensions of domain and access, twice, and local ones\n{sizes}");
        }
        text.push_str("# Dependence domain\n");
        print::relation(&edge.relation, &mut text);
    }
    Tagged::new("dependence", text)
}
