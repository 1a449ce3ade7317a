//! What cudasim counts for translated programs, compared with tables in `tests/golden/counts`: a change that makes
//! generated code slower fails until somebody has seen it and blessed it.
//!
//! ```text
//! gemm 45 37 29: scop0_kernel0: launches 1, blocks 6, idle blocks 0, …
//! gemm 45 37 29: scop0_kernel0 instructions: all 67768, registers 80, …
//! gemm 45 37 29: copies: calls to device 3, bytes to device 14384, …
//! ```
//!
//! A row has the program, its arguments, and a kernel, its instructions, or the copies. An idle block is one in which
//! no thread accesses memory; sectors are those that the L1 cache does not have, of those that requests touch.
//! Instructions ([`instructions`]) are compared where nvcc is installed, and the test says where it is not.
//! `UPDATE_GOLDEN=1` writes the rows of the programs that run; without nvcc, instructions stay as they are.

mod instructions;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use chain_tests::{names_in, root};
use serde_json::Value;

use crate::program::stem;

pub use instructions::{executed, listing_of};

/// Folders with programs, and their tables.
const TABLES: [(&str, &str); 3] =
    [("examples", "examples.txt"), ("benches/", "benches.txt"), ("tests/kernels/polybench", "polybench.txt")];

const FOLDER: &str = "tests/golden/counts";

/// What follows the name of a kernel in the row of its instructions.
const INSTRUCTIONS: &str = " instructions";

/// Returns whether neither more nor less of a figure is better: a wide access may replace several others, and nobody
/// minds registers before they limit the blocks on a multiprocessor. Of all others less is.
fn is_neutral(name: &str) -> bool {
    name == "blocks" || name == "registers" || name.contains(" of ")
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The program with its arguments, and the kernel or `copies`.
    pub subject: String,
    figures: Vec<(String, u64)>,
}

/// What a program did with some arguments.
pub struct Run<'a> {
    /// The arguments.
    pub arguments: &'a str,
    /// What cudasim counted.
    pub profile: Value,
    /// What its kernels executed, if nvcc is installed ([`executed`]).
    pub instructions: Option<Vec<Value>>,
}

impl Row {
    fn new(subject: String, figures: &[(&str, u64)]) -> Self {
        Self { subject, figures: figures.iter().map(|&(name, value)| (name.to_owned(), value)).collect() }
    }

    /// Returns whether the row is about what cudasim counts for a kernel.
    pub fn is_of_kernel(&self) -> bool {
        !self.subject.ends_with(": copies") && !self.has_instructions()
    }

    fn has_instructions(&self) -> bool {
        self.subject.ends_with(INSTRUCTIONS)
    }

    /// Reads `SUBJECT: NAME VALUE, NAME VALUE, …`.
    fn read(line: &str) -> Option<Self> {
        let (subject, figures) = line.rsplit_once(": ")?;
        let figure = |text: &str| {
            let (name, value) = text.rsplit_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        let figures = figures.split(", ").map(figure).collect::<Option<_>>()?;
        Some(Self { subject: subject.to_owned(), figures })
    }

    /// Returns a figure.
    pub fn figure(&self, name: &str) -> u64 {
        let found = self.figures.iter().find(|(own, _)| own == name);
        found.unwrap_or_else(|| panic!("{}: no {name}", self.subject)).1
    }

    fn line(&self) -> String {
        let figures: Vec<String> =
            self.figures.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!("{}: {}", self.subject, figures.join(", "))
    }
}

/// Returns the rows of a table.
pub fn rows_of(table: &str) -> Vec<Row> {
    let text = fs::read_to_string(root().join(FOLDER).join(table)).unwrap();
    text.lines().map(read).collect()
}

/// Returns the table for the programs of a folder, if it has one.
pub fn table_of(folder: &str) -> Option<&'static str> {
    let in_folder = |known: &str| folder == known || known.ends_with('/') && folder.starts_with(known);
    TABLES.iter().find(|(known, _)| in_folder(known)).map(|(_, table)| *table)
}

/// Compares some runs with the rows of a table, or writes them.
pub fn compare(table: &str, program: &str, runs: &[Run<'_>]) {
    let path = root().join(FOLDER).join(table);
    let actual: Vec<Row> = runs.iter().flat_map(|run| rows(program, run)).collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        return update(&path, program, actual);
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    let expected: Vec<Row> = lines_of(&text, program).map(read).collect();
    let changes = changes(&comparable(expected, &actual), &actual);
    assert!(
        changes.is_empty(),
        "{}:\n{changes}if this is right: UPDATE_GOLDEN=1 scripts/test golden",
        path.display()
    );
}

fn read(line: &str) -> Row {
    Row::read(line).unwrap_or_else(|| panic!("{FOLDER}: no row: {line}"))
}

/// Returns the rows of a run.
fn rows(program: &str, Run { arguments, profile, instructions }: &Run<'_>) -> Vec<Row> {
    let run = format!("{program} {arguments}").trim_end().to_owned();
    let kernels = profile["kernels"].as_array().unwrap().iter().flat_map(|kernel| {
        let subject = format!("{run}: {}", short_name(kernel));
        let executed = instructions.as_ref().map(|kernels| row_of_instructions(&subject, kernel, kernels));
        [Some(Row::new(subject, &figures_of_kernel(kernel))), executed].into_iter().flatten()
    });
    let copies = Row::new(format!("{run}: copies"), &figures_of_copies(&profile["copies"]));
    kernels.chain([copies]).collect()
}

fn row_of_instructions(subject: &str, kernel: &Value, kernels: &[Value]) -> Row {
    let found = kernels.iter().find(|executed| executed["name"] == kernel["name"]);
    let found = found.unwrap_or_else(|| panic!("{subject}: gpu-sass does not have it"));
    Row { subject: subject.to_owned() + INSTRUCTIONS, figures: instructions::figures(found) }
}

/// Returns the rows with which those of today can be compared: instructions need a compiler.
fn comparable(expected: Vec<Row>, actual: &[Row]) -> Vec<Row> {
    let are_counted = actual.iter().any(Row::has_instructions);
    expected.into_iter().filter(|row| are_counted || !row.has_instructions()).collect()
}

/// Returns rows with the instructions that an earlier table has of their kernels, unless they have instructions.
fn with_earlier_instructions(rows: Vec<Row>, earlier: &[Row]) -> Vec<Row> {
    if rows.iter().any(Row::has_instructions) {
        return rows;
    }
    let kept = |row: &Row| {
        let subject = row.subject.clone() + INSTRUCTIONS;
        earlier.iter().find(|row| row.subject == subject).cloned()
    };
    rows.into_iter().flat_map(|row| [kept(&row), Some(row)].into_iter().rev().flatten()).collect()
}

/// Returns a kernel's name without that of its function, which contains a digest of the file: `scop0_kernel1`.
pub fn short_name(kernel: &Value) -> &str {
    let name = kernel["name"].as_str().unwrap();
    name.rfind("scop").map_or(name, |at| &name[at..])
}

/// Returns the figures of a kernel. Asynchronous copies count as accesses to global and to shared memory.
pub fn figures_of_kernel(kernel: &Value) -> [(&'static str, u64); 9] {
    let all = |memory: &Value, what: &str| {
        ["loads", "stores", "atomics"].iter().map(|kind| number(&memory[kind][what])).sum::<u64>()
    };
    let asynchronous = |what: &str| number(&kernel["async_copies"][what]);
    let global = |what: &str| all(&kernel["global"], what) + asynchronous(what);
    let [launches, blocks, with_work, barriers] =
        ["launches", "blocks", "blocks_with_work", "barriers"].map(|key| number(&kernel[key]));
    [
        ("launches", launches),
        ("blocks", blocks),
        ("idle blocks", blocks - with_work),
        ("requests", global("requests")),
        ("touched sectors", global("touched_sectors")),
        ("sectors", global("sectors")),
        ("wavefronts", all(&kernel["shared"], "wavefronts") + asynchronous("shared_wavefronts")),
        ("constant wavefronts", number(&kernel["constant"]["wavefronts"])),
        ("barriers", barriers),
    ]
}

fn figures_of_copies(copies: &Value) -> [(&'static str, u64); 4] {
    let of = |way: &str, what: &str| number(&copies[way][what]);
    [
        ("calls to device", of("host_to_device", "calls")),
        ("bytes to device", of("host_to_device", "bytes")),
        ("calls to host", of("device_to_host", "calls")),
        ("bytes to host", of("device_to_host", "bytes")),
    ]
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("the profile lacks a number: {value}"))
}

/// Returns a line for each figure that changed, and for each row that came or went.
fn changes(expected: &[Row], actual: &[Row]) -> String {
    let find = |rows: &'_ [Row], subject: &str| rows.iter().position(|row| row.subject == subject);
    let mut text = String::new();
    for row in expected {
        match find(actual, &row.subject) {
            Some(at) => text += &changed_figures(row, &actual[at]),
            None => writeln!(text, "- {}", row.line()).unwrap(),
        }
    }
    for row in actual.iter().filter(|row| find(expected, &row.subject).is_none()) {
        writeln!(text, "+ {}", row.line()).unwrap();
    }
    text
}

fn changed_figures(expected: &Row, actual: &Row) -> String {
    let names = |row: &Row| row.figures.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    // Only rows of instructions leave figures out, which are 0.
    if names(expected) != names(actual) && !expected.has_instructions() {
        return format!("- {}\n+ {}\n", expected.line(), actual.line());
    }
    let new_ones = names(actual).into_iter().filter(|name| !names(expected).contains(name));
    let value = |row: &Row, name: &str| {
        row.figures.iter().find(|(own, _)| own == name).map_or(0, |(_, value)| *value)
    };
    let pairs = names(expected).into_iter().chain(new_ones).map(|name| {
        let (old, new) = (value(expected, &name), value(actual, &name));
        (name, old, new)
    });
    let line = |(name, old, new): (String, u64, u64)| {
        let verdict = match new < old {
            _ if is_neutral(&name) => "changed",
            true => "better",
            false => "WORSE",
        };
        format!("{}: {name} {old} -> {new}: {verdict}\n", expected.subject)
    };
    pairs.filter(|(_, old, new)| old != new).map(line).collect()
}

fn program_of(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default().trim_end_matches(':')
}

fn lines_of<'a>(text: &'a str, program: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter(move |line| program_of(line) == program)
}

/// Replaces the rows of a program in a table, which all tests of the folder share.
fn update(path: &Path, program: &str, rows: Vec<Row>) {
    static WRITING: Mutex<()> = Mutex::new(());
    let _alone = WRITING.lock().unwrap();
    let text = fs::read_to_string(path).unwrap_or_default();
    let earlier: Vec<Row> = lines_of(&text, program).map(read).collect();
    let rows = with_earlier_instructions(rows, &earlier);
    let mut lines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        lines.entry(program_of(line)).or_default().push(line.to_owned());
    }
    lines.insert(program, rows.iter().map(Row::line).collect());
    let text: String = lines.values().flatten().map(|line| format!("{line}\n")).collect();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn no_row_is_left_over() {
    for (folder, table) in TABLES {
        let text = fs::read_to_string(root().join(FOLDER).join(table)).unwrap();
        let names = names_in(&root().join(folder));
        // The programs of benches have folders.
        let known = |program: &str| names.iter().any(|name| stem(name).unwrap_or(name) == program);
        let unknown: Vec<&str> = text.lines().filter(|line| !known(program_of(line))).collect();
        assert!(unknown.is_empty(), "rows of {table} without a program: {unknown:?}");
    }
}

#[test]
fn changes_say_what_is_better_and_what_is_worse() {
    let rows = |lines: &[&str]| lines.iter().map(|line| read(line)).collect::<Vec<_>>();
    let table: [(&[&str], &[&str], &str); 7] = [
        (&["p 1: k: sectors 5, blocks 2"], &["p 1: k: sectors 5, blocks 2"], ""),
        (
            &["p 1: k: sectors 5, blocks 2"],
            &["p 1: k: sectors 6, blocks 2"],
            "p 1: k: sectors 5 -> 6: WORSE\n",
        ),
        (
            &["p 1: k: sectors 5, blocks 2"],
            &["p 1: k: sectors 4, blocks 2"],
            "p 1: k: sectors 5 -> 4: better\n",
        ),
        (
            &["p 1: k: sectors 5, blocks 2"],
            &["p 1: k: sectors 5, blocks 3"],
            "p 1: k: blocks 2 -> 3: changed\n",
        ),
        (
            &["p 1: k: sectors 5"],
            &["p 1: other: sectors 5"],
            "- p 1: k: sectors 5\n+ p 1: other: sectors 5\n",
        ),
        (&["p 1: k: sectors 5"], &["p 1: k: barriers 5"], "- p 1: k: sectors 5\n+ p 1: k: barriers 5\n"),
        (
            &["p 1: k instructions: all 9, registers 4, fp32 2, shared load of 4 7"],
            &["p 1: k instructions: all 8, registers 5, integer 6, shared load of 16 2"],
            "p 1: k instructions: all 9 -> 8: better\n\
             p 1: k instructions: registers 4 -> 5: changed\n\
             p 1: k instructions: fp32 2 -> 0: better\n\
             p 1: k instructions: shared load of 4 7 -> 0: changed\n\
             p 1: k instructions: integer 0 -> 6: WORSE\n\
             p 1: k instructions: shared load of 16 0 -> 2: changed\n",
        ),
    ];
    for (expected, actual, shown) in table {
        assert_eq!(changes(&rows(expected), &rows(actual)), shown, "{expected:?} and {actual:?}");
    }
}

#[test]
fn rows_are_read_as_they_are_written() {
    for line in ["p 1 2: k: sectors 5, idle blocks 0", "p : copies: calls to host 18446744073709551615"] {
        assert_eq!(read(line).line(), line);
    }
    for line in ["", "p", "p: sectors", "p: sectors -1", "p: sectors 5,"] {
        assert_eq!(Row::read(line), None, "{line}");
    }
}

/// Without nvcc, instructions are neither missed nor lost; with it, both.
#[test]
fn instructions_wait_for_a_compiler() {
    let rows = |lines: &[&str]| lines.iter().map(|line| read(line)).collect::<Vec<_>>();
    let table =
        ["p: k: sectors 5", "p: k instructions: all 9", "p: old: sectors 5", "p: old instructions: all 7"];
    let table = rows(&table);
    let counted = rows(&["p: k: sectors 4", "p: copies: calls to host 1"]);
    assert_eq!(comparable(table.clone(), &counted), rows(&["p: k: sectors 5", "p: old: sectors 5"]));
    let kept = rows(&["p: k: sectors 4", "p: k instructions: all 9", "p: copies: calls to host 1"]);
    assert_eq!(with_earlier_instructions(counted, &table), kept);
    let compiled = rows(&["p: k: sectors 4", "p: k instructions: all 8"]);
    assert_eq!(comparable(table.clone(), &compiled), table);
    assert_eq!(with_earlier_instructions(compiled.clone(), &table), compiled);
}

/// The figures of a kernel are those of gpu-sass.
#[test]
fn instructions_are_by_class_and_width() {
    let kernel = serde_json::json!({
        "name": "k", "registers": 40, "spills": 0,
        "instructions": {
            "all": 20,
            "classes": { "integer_multiply": 3, "shared_load": 12, "branch": 5 },
            "widths": { "shared_load": { "16": 2, "4": 10 } },
        },
    });
    let row = row_of_instructions("p 1: k", &kernel, std::slice::from_ref(&kernel));
    let expected = "p 1: k instructions: all 20, registers 40, branch 5, integer multiply 3, \
                    shared load of 4 10, shared load of 16 2";
    assert_eq!(row.line(), expected);
}
