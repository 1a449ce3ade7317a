//! Regions.

use std::collections::BTreeMap;

use crate::program::Type;
use crate::types::c_type;

use super::super::program::{Handle, Kind, Nest, Region, Shape, Source, VariableId, Work};
use super::{Printer, indent};

/// What names a handle in a region.
type Names = BTreeMap<VariableId, Vec<(Handle, String)>>;

impl Printer<'_> {
    /// A block with local copies of pointers and the region.
    pub(super) fn region(&self, region: &Region, depth: usize) -> String {
        let (i, inner) = (indent(depth), indent(depth + 1));
        let mut names = Names::new();
        let mut copies = String::new();
        let handles = region
            .nests
            .iter()
            .flat_map(|nest| [nest.target].into_iter().chain(nest.sources.iter().map(|source| source.of)));
        for handle in handles {
            let known = names.entry(handle.variable).or_default();
            if known.iter().any(|(other, _)| *other == handle) {
                continue;
            }
            let variable = self.kind(handle);
            let copied = match variable.kind {
                Kind::Member => !region.direct,
                Kind::Bank { .. } => true,
                _ => false,
            };
            let name = if copied {
                let name = format!("own{}_{}", handle.variable.0, known.len());
                copies += &format!("{inner}{} *{name} = {};\n", c_type(variable.element), self.flat(handle));
                name
            } else {
                self.name(&variable)
            };
            known.push((handle, name));
        }
        let nests: String =
            region.nests.iter().map(|nest| self.region_nest(nest, &names, depth + 1)).collect();
        format!("{i}{{\n{copies}#pragma scop\n{nests}#pragma endscop\n{i}}}\n")
    }

    fn region_nest(&self, nest: &Nest, names: &Names, depth: usize) -> String {
        const I: &str = "int i = 0; i < n; i++";
        const INNER_I: &str = "int i = 1; i < n - 1; i++";
        const INNER_J: &str = "int j = 1; j < m - 1; j++";
        const J: &str = "int j = 0; j < m; j++";
        let heads: &[&str] = match nest.shape {
            Shape::All => &[I, J],
            Shape::Inner => &[INNER_I, INNER_J],
            Shape::Repeated => &["int s = 0; s < 2; s++", INNER_I, INNER_J],
            Shape::Half => &["int i = 0; i < n / 2; i++", J],
            Shape::Striped => &[I, "int j = 0; j < m; j += 2"],
            Shape::Transposed => &[J, I],
            Shape::FirstRow => &[J],
            Shape::FirstColumn => &[I],
            Shape::RightHalf => &[I, "int j = m / 2; j < m; j++"],
        };
        let mut text = String::new();
        if nest.work == Work::Sum {
            text += &format!("{}{} = 0;\n", indent(depth), name_of(names, nest.target));
        }
        for (place, head) in heads.iter().enumerate() {
            text += &format!("{}for ({head})\n", indent(depth + place));
        }
        text + &format!("{}{};\n", indent(depth + heads.len()), self.assignment(nest, names))
    }

    fn assignment(&self, nest: &Nest, names: &Names) -> String {
        let element = self.kind(nest.target).element;
        let of = |source: &Source| {
            let text = self.operand(source, nest.shape, names);
            let is_cut = element == Type::Int && self.kind(source.of).element != Type::Int;
            if is_cut { format!("(int){text}") } else { text }
        };
        let first = nest.sources.first().map_or_else(|| "1".to_owned(), of);
        let scalar = name_of(names, nest.target);
        let target = self.operand(&Source { of: nest.target, rows: 0, columns: 0 }, nest.shape, names);
        let terms: String = nest
            .sources
            .iter()
            .enumerate()
            .map(|(place, source)| format!("{}{} + ", factor(element, place), of(source)))
            .collect();
        let sum = format!("{terms}{}", signed(nest.constant));
        match (nest.work, element) {
            (Work::Set, Type::Int) => format!("{target} = ({sum}) % 1009"),
            (Work::Update, Type::Int) => format!("{target} = ({target} + {sum}) % 1009"),
            (Work::Conditional, Type::Int) => {
                format!("if ({first} > 0) {target} = ({sum}) % 1009")
            }
            (Work::Conditional, _) => format!("if ({first} > 0) {target} = {sum}"),
            (Work::Set, _) => format!("{target} = {sum}"),
            (Work::Update, Type::Float) => format!("{target} += 0.5f * ({sum} - {target})"),
            (Work::Update, _) => format!("{target} += 0.5 * ({sum} - {target})"),
            (Work::Sum, Type::Int) => format!("{scalar} += {first} % 7"),
            (Work::Sum, Type::Float) => format!("{scalar} += 0.00390625f * {first}"),
            (Work::Sum, _) => format!("{scalar} += 0.00390625 * {first}"),
            (Work::Maximum, _) => format!("{scalar} = {first} > {scalar} ? {first} : {scalar}"),
        }
    }

    fn operand(&self, source: &Source, shape: Shape, names: &Names) -> String {
        let name = name_of(names, source.of);
        let row = if shape == Shape::FirstRow { "0".to_owned() } else { shifted("i", source.rows) };
        let column = if shape == Shape::FirstColumn { "0".to_owned() } else { shifted("j", source.columns) };
        if self.kind(source.of).kind.is_grid() {
            return format!("{name}[{row}][{column}]");
        }
        match (shape, source.rows) {
            (Shape::FirstRow, _) => format!("{name}[{column}]"),
            (Shape::FirstColumn, _) => format!("{name}[{row} * m]"),
            (_, 0) => format!("{name}[{row} * m + {column}]"),
            _ => format!("{name}[({row}) * m + {column}]"),
        }
    }
}

fn name_of(names: &Names, handle: Handle) -> String {
    let all = names.get(&handle.variable).into_iter().flatten();
    all.filter(|(other, _)| *other == handle).map(|(_, name)| name.clone()).next().unwrap_or_default()
}

fn shifted(iterator: &str, by: i64) -> String {
    match by {
        0 => iterator.to_owned(),
        1.. => format!("{iterator} + {by}"),
        _ => format!("{iterator} - {}", -by),
    }
}

fn signed(constant: i64) -> String {
    if constant < 0 { format!("({constant})") } else { constant.to_string() }
}

/// Factors of operands: those of reals have a sum below 1.
fn factor(element: Type, place: usize) -> &'static str {
    match (element, place) {
        (Type::Int, 0) => "3 * ",
        (Type::Int, 1) => "2 * ",
        (Type::Int, _) => "",
        (Type::Float, 0) => "0.5f * ",
        (Type::Float, 1) => "0.25f * ",
        (Type::Float, _) => "0.125f * ",
        (_, 0) => "0.5 * ",
        (_, 1) => "0.25 * ",
        _ => "0.125 * ",
    }
}
