//! Messages about breaches and faults, with instances as examples.

use polyhedra::{DimType, Map, Point, Result, Set, Space};
use scop::ast::Node;
use scop::{
    Access, AccessId, AccessKind, ArrayId, Buffer, Dependence, Diagnostic, KernelId, Model, Statement,
    StatementId,
};

use crate::program::{Difference, Leaf, Points};

/// The number of characters of a statement's text that a message repeats.
const EXCERPT: usize = 50;

/// Examples are first searched among parameters up to this absolute value.
const SMALL: i32 = 20;

/// How a schedule breaks a dependence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// The second instance does not run after the first.
    Order,
    /// Two blocks of one launch run the instances.
    Blocks,
    /// Two threads of one block run the instances, without a barrier in between.
    Threads,
}

/// Returns the message about a dependence of which `pairs` are not in order.
pub fn describe(
    path: &str,
    model: &Model,
    kind: &str,
    dependence: &Dependence,
    breach: Breach,
    pairs: Map,
) -> Result<Diagnostic> {
    let example = Example::of(pairs.wrap()?, model)?;
    let (first, second) = (example.instance(0), example.instance(1));
    let (code, message) = match breach {
        Breach::Order => ("E0201", format!("{second} does not run after {first}, on which it depends")),
        Breach::Blocks => {
            ("E0202", format!("{second} depends on {first}, which another block of the same launch runs"))
        }
        Breach::Threads => (
            "E0203",
            format!("{second} depends on {first}, which another thread runs without a barrier between them"),
        ),
    };
    let (source, sink) = (model.access(dependence.source)?, model.access(dependence.sink)?);
    let range = model.owner(sink.id)?.range;
    let diagnostic = Diagnostic::error(code, message + &example.parameters);
    Ok(diagnostic.at(path, range, touches(model, sink)?).with_help(help(model, kind, source)?))
}

/// Reduces messages about dependences between the same two statements to the first of each kind, which gets the
/// number of the others: one cause may have produced many.
pub fn gathered(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut gathered: Vec<(Diagnostic, usize)> = Vec::new();
    for message in found {
        match gathered.iter_mut().find(|(first, _)| first.code == message.code) {
            Some((_, more)) => *more += 1,
            None => gathered.push((message, 0)),
        }
    }
    let with_number = |(message, more): (Diagnostic, usize)| {
        let help = message.help.clone().unwrap_or_default();
        match more {
            0 => message,
            1 => message.with_help(format!("{help}; one more dependence between the two is broken")),
            more => message.with_help(format!("{help}; {more} more dependences between the two are broken")),
        }
    };
    gathered.into_iter().map(with_number).collect()
}

/// Returns two instances of some pairs in words, and the values of the parameters for which these instances exist.
pub fn pair_in_words(model: &Model, pairs: Map) -> Result<(String, String, String)> {
    let example = Example::of(pairs.wrap()?, model)?;
    Ok((example.instance(0).to_owned(), example.instance(1).to_owned(), example.parameters))
}

fn help(model: &Model, kind: &str, source: &Access) -> Result<String> {
    let statement = model.owner(source.id)?;
    let place = format!("{} in line {}, `{}`", statement.id, statement.range.line, excerpt(&statement.text));
    Ok(format!("the {kind} dependence comes from {place}, which {}", touches(model, source)?))
}

/// ``reads `A` [a3]``
fn touches(model: &Model, access: &Access) -> Result<String> {
    let verb = match access.kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    };
    let array = model.array(access.array)?;
    let name = if array.expression.is_empty() { &array.name } else { &array.expression };
    Ok(format!("{verb} `{name}` [{}]", access.id))
}

/// Returns the beginning of a text, on one line.
fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

/// What may be wrong with a single instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It runs twice, or in two threads.
    Repeated,
    /// The kernel's launch does not start its block or thread.
    Outside,
    /// The loop program leaves it out.
    Missing,
    /// The loop program runs it although the source does not.
    Foreign,
    /// It belongs to a dead statement, for which no order is known, and may overwrite what others use.
    Dead,
    /// An access goes to the wrong element.
    Misplaced(AccessId),
    /// An access reads a place of a buffer where nothing was put.
    Unprovided(AccessId),
    /// A value that others need stays in a buffer.
    Lost(AccessId),
    /// An access of a kernel leaves the part of the array that the device holds.
    OffDevice(AccessId),
    /// A value of the same launch bypasses the buffer through which it is used, or does not reach all its users.
    Bypassed(AccessId),
    /// A value is needed on the other side and is not transferred.
    Untransferred(AccessId),
    /// An update that others make at the same time goes to a buffer.
    Apart(AccessId),
    /// An update of a shared sum is not combined with its element, or not only once, or in an order that is not free.
    Unshared(AccessId),
}

/// Returns the message about a statement whose `instances` have a fault.
pub fn describe_statement(
    path: &str,
    model: &Model,
    statement: StatementId,
    fault: Fault,
    instances: Set,
) -> Result<Diagnostic> {
    let example = Example::of(instances, model)?;
    let (code, words) = match fault {
        Fault::Repeated => ("E0204", "runs more than once".to_owned()),
        Fault::Outside => ("E0205", "never runs: the mapping starts no thread for it".to_owned()),
        Fault::Missing => ("E0205", "never runs".to_owned()),
        Fault::Foreign => ("E0208", "runs, but the source does not execute it".to_owned()),
        Fault::Dead => {
            ("E0208", "runs without being needed, and may overwrite what other statements use".to_owned())
        }
        Fault::Misplaced(access) => ("E0210", format!("accesses another element than {access} does")),
        Fault::Unprovided(access) => {
            ("E0211", format!("reads from a buffer a value that was never put there [{access}]"))
        }
        Fault::Lost(access) => ("E0212", format!("leaves in a buffer what is needed elsewhere [{access}]")),
        Fault::OffDevice(access) => {
            ("E0215", format!("touches an element that is not on the device [{access}]"))
        }
        Fault::Bypassed(access) => {
            ("E0217", format!("misses a value that its launch computes, because of a buffer [{access}]"))
        }
        Fault::Untransferred(access) => {
            ("E0216", format!("uses a value that is not transferred between host and device [{access}]"))
        }
        Fault::Apart(access) => (
            "E0223",
            format!(
                "updates a buffer, and not the element that all instances update in any order [{access}]"
            ),
        ),
        Fault::Unshared(access) => (
            "E0230",
            format!("is not part of a sum that the threads of a warp share and then combine [{access}]"),
        ),
    };
    let message = format!("{} {words}{}", example.instance(0), example.parameters);
    let diagnostic = Diagnostic::error(code, message);
    Ok(diagnostic.at(path, model.statement(statement)?.range, "this statement"))
}

/// Returns the message about a barrier that a thread misses at one of `points`.
pub fn describe_barrier(barrier: &Leaf<'_>, points: Set) -> Result<Diagnostic> {
    let message = "a thread does not reach a barrier at which others of its block wait";
    Ok(Diagnostic::error("E0209", format!("{message} ({})", example_point(&barrier.names, points)?)))
}

/// Returns the message about a kernel whose blocks are numbered wrongly.
pub fn describe_numbering(kernel: KernelId) -> Diagnostic {
    let message =
        format!("the numbers of the blocks of {kernel} do not give each block coordinates of its own");
    Diagnostic::error("E0229", message)
        .with_help("correct the tool that numbered the blocks, or ask for `--grid box`, which numbers none")
}

/// Returns the message about a combination of a warp's values that a thread misses at one of `points`.
pub fn describe_combination(combination: &Leaf<'_>, points: Set) -> Result<Diagnostic> {
    let message = "a thread does not reach a place at which others of its warp combine their values";
    Ok(Diagnostic::error("E0209", format!("{message} ({})", example_point(&combination.names, points)?)))
}

/// Returns the message about a specialised nest that differs from the one that it replaces.
pub fn describe_specialised(path: &str, model: &Model, difference: Difference<'_>) -> Result<Diagnostic> {
    let (words, points) = match difference {
        Difference::Shape => {
            let message = "a specialised nest has other loops, statements, copies or barriers than the one that it \
                           replaces";
            return Ok(Diagnostic::error("E0222", message));
        }
        Difference::Added(points) => ("runs in a specialised nest but not in", points),
        Difference::LeftOut(points) => ("is left out of a specialised nest but not of", points),
        Difference::Value(points) => ("has other values in a specialised nest than in", points),
    };
    let Points { node, names, set } = points;
    let (what, range) = match node {
        Node::Instance { statement, .. } => (statement.to_string(), Some(model.statement(*statement)?.range)),
        Node::Copy { buffer, .. } => (format!("a copy of {buffer}"), None),
        _ => ("a barrier".to_owned(), None),
    };
    let example = example_point(&names, set)?;
    let message = format!("{what} {words} the one that it replaces ({example})");
    let diagnostic = Diagnostic::error("E0222", message);
    Ok(match range {
        Some(range) => diagnostic.at(path, range, "this statement"),
        None => diagnostic,
    })
}

/// Returns the message about an element that a leaf should not touch at one of `points`; `words` precede the name of
/// the buffer.
pub fn describe_copy(
    buffer: &Buffer,
    code: &str,
    words: &str,
    copy: &Leaf<'_>,
    points: Set,
) -> Result<Diagnostic> {
    let message =
        format!("an element {words} the buffer `{}` ({})", buffer.name, example_point(&copy.names, points)?);
    Ok(Diagnostic::error(code, message))
}

/// Returns the message about a buffer as a whole; `words` precede its name.
pub fn describe_buffer(buffer: &Buffer, code: &str, words: &str) -> Diagnostic {
    Diagnostic::error(code, format!("{words} the buffer `{}`", buffer.name))
}

/// Returns the message about one of some elements of an array; `words` follow the element.
pub fn describe_element(
    model: &Model,
    code: &str,
    array: ArrayId,
    elements: Set,
    words: &str,
) -> Result<Diagnostic> {
    let names = parameter_names(&elements.get_space()?)?;
    let dimensions = elements.dim(DimType::Set)?;
    let point = with_small_parameters(elements)?.sample_point()?;
    let parameters = assignments(&names, &point, DimType::Param, 0)?;
    let mut element = model.array(array)?.name.clone();
    for position in 0..dimensions {
        let value = point.get_coordinate_val(DimType::Set, position)?.get_num_si()?;
        element.push_str(&format!("[{value}]"));
    }
    let parameters = if parameters.is_empty() { parameters } else { format!(" ({parameters})") };
    Ok(Diagnostic::error(code, format!("{element} {words}{parameters}")))
}

/// Returns an example such as `c0 = 1, tx = 3; n = 4`, for points whose dimensions have these names.
fn example_point(dimensions: &[String], points: Set) -> Result<String> {
    let names = parameter_names(&points.get_space()?)?;
    let point = with_small_parameters(points)?.sample_point()?;
    let parameters = assignments(&names, &point, DimType::Param, 0)?;
    let values = assignments(dimensions, &point, DimType::Set, 0)?;
    Ok(if parameters.is_empty() { values } else { format!("{values}; {parameters}") })
}

/// A point of a set of instances or pairs of instances.
struct Example {
    instances: Vec<String>,
    /// ` (n = 4)`, or nothing.
    parameters: String,
}

impl Example {
    fn of(set: Set, model: &Model) -> Result<Self> {
        let space = set.get_space()?;
        let point = with_small_parameters(set)?.sample_point()?;
        let names = parameter_names(&space)?;
        let parameters = assignments(&names, &point, DimType::Param, 0)?;
        let parameters = if parameters.is_empty() { parameters } else { format!(" ({parameters})") };
        let mut instances = Vec::new();
        let mut position = 0;
        for statement in statements(&space, model)? {
            let loops = model.loops_around(statement)?;
            let names: Vec<String> = loops.iter().map(|around| around.iterator.clone()).collect();
            let values = assignments(&names, &point, DimType::Set, position)?;
            position += names.len();
            instances.push(format!("{}({values})", statement.id));
        }
        Ok(Self { instances, parameters })
    }

    fn instance(&self, position: usize) -> &str {
        self.instances.get(position).map_or("?", String::as_str)
    }
}

fn parameter_names(space: &Space) -> Result<Vec<String>> {
    (0..space.dim(DimType::Param)?)
        .map(|position| Ok(space.get_dim_name(DimType::Param, position as u32)?.to_owned()))
        .collect()
}

/// Returns the statements of a set in `S0[]` or `[S0[] -> S1[]]`.
fn statements<'a>(space: &Space, model: &'a Model) -> Result<Vec<&'a Statement>> {
    let name = |space: &Space, side: DimType| -> Result<Option<&'a Statement>> {
        let id = space.get_tuple_name(side)?.parse::<StatementId>();
        id.ok().map(|id| model.statement(id)).transpose()
    };
    let found = if space.is_wrapping()? {
        let pair = space.copy()?.unwrap()?;
        vec![name(&pair, DimType::In)?, name(&pair, DimType::Out)?]
    } else {
        vec![name(space, DimType::Set)?]
    };
    Ok(found.into_iter().flatten().collect())
}

/// Returns the part of a set with small parameters, or the set itself if that part is empty.
fn with_small_parameters(set: Set) -> Result<Set> {
    let mut small = set.copy()?;
    for position in 0..small.dim(DimType::Param)? as u32 {
        small = small.lower_bound_si(DimType::Param, position, -SMALL)?;
        small = small.upper_bound_si(DimType::Param, position, SMALL)?;
    }
    Ok(if small.is_empty()? { set } else { small })
}

/// `i = 1, j = 2`
fn assignments(names: &[String], point: &Point, kind: DimType, first: usize) -> Result<String> {
    let mut text = Vec::new();
    for (position, name) in names.iter().enumerate() {
        let value = point.get_coordinate_val(kind, (first + position) as i32)?.get_num_si()?;
        text.push(format!("{name} = {value}"));
    }
    Ok(text.join(", "))
}
