//! Explains what keeps each loop of the source in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use polyhedra::{DimType, Map, Result, Text};
use scop::{
    AccessId, Analysed, Array, ArrayId, Dependence, DependenceKind, Dependences, Loop, Model, Reduction,
    Region, Scop, Statement, Variant,
};

use crate::carried::carried_at;

/// Returns one line for each loop of a scop, indented by its depth. If the loop is not parallel, the reasons follow.
pub fn report(scop: &Scop<Analysed>, region: Option<&Region>) -> Result<String> {
    let model = &scop.model;
    let reporter = Reporter { source: scop.extracted(), model, dependences: &scop.stage.dependences };
    let mut text = match region {
        Some(region) => format!("{}, line {}:\n", region.function, region.range.line),
        None => format!("{}:\n", model.name),
    };
    for around in &scop.extracted().loops {
        text += &reporter.describe(around)?;
    }
    for variant in &scop.stage.variants {
        text += &reporter.variant(variant)?;
    }
    Ok(text)
}

struct Reporter<'a> {
    /// What clan-rs extracted.
    source: &'a Model,
    /// The same with the expansions applied.
    model: &'a Model,
    dependences: &'a Dependences,
}

/// What a loop carries.
#[derive(Default)]
struct Carried {
    /// Why its iterations must stay in order: for each kind of dependence and each array, the source lines of both
    /// ends.
    reasons: BTreeMap<(DependenceKind, ArrayId), BTreeSet<(u32, u32)>>,
    /// The reductions that require its order.
    reductions: Vec<String>,
    /// The reductions whose order was given up.
    relaxed: Vec<String>,
}

impl Reporter<'_> {
    fn describe(&self, around: &Loop) -> Result<String> {
        let statements = self.statements(around);
        let Some(first) = statements.first() else { return Ok(String::new()) };
        let depth = first.loops.iter().position(|&id| id == around.id).unwrap_or_default();
        let indent = "  ".repeat(depth + 1);
        let carried = self.carried(around, depth)?;
        let (id, iterator, lines) = (around.id, &around.iterator, lines(&statements));
        let mut text = format!("{indent}{id}, for {iterator} ({lines}): {}", self.verdict(around, &carried));
        let copies = self.copies(&statements, depth)?;
        if !copies.is_empty() {
            write!(text, "; each iteration has its own {}", copies.join(", ")).unwrap_or_default();
        }
        text.push('\n');
        for reason in self.reasons(&carried)? {
            text += &format!("{indent}    {reason}\n");
        }
        Ok(text)
    }

    /// Describes a variant: the loops that it makes parallel, and the lines that it leaves out.
    fn variant(&self, variant: &Variant) -> Result<String> {
        let model = variant.expansions.applied_to(self.source);
        let other = Reporter { source: self.source, model: &model, dependences: &variant.dependences };
        let mut freed = Vec::new();
        for around in &self.source.loops {
            let Some(first) = self.statements(around).first().copied() else { continue };
            let depth = first.loops.iter().position(|&id| id == around.id).unwrap_or_default();
            let is_free = |reporter: &Reporter<'_>| -> Result<bool> {
                Ok(reporter.carried(around, depth)?.reasons.is_empty())
            };
            if !is_free(self)? && is_free(&other)? {
                freed.push(around.id.to_string());
            }
        }
        let dead = &self.dependences.dead;
        let omitted = variant.dependences.dead.iter().filter(|id| !dead.contains(id));
        let omitted = self.source.statements_of(omitted)?;
        let mut text = format!("  possible, if it is faster: {}", variant.described(self.source));
        if !freed.is_empty() {
            text += &format!(", which makes {} parallel", freed.join(" and "));
        }
        if !omitted.is_empty() {
            text += &format!(", without {}", lines(&omitted));
        }
        Ok(text + "\n")
    }

    /// Returns the reasons in words. Where values flow between iterations, the reuse of their memory is not
    /// mentioned.
    fn reasons(&self, carried: &Carried) -> Result<Vec<String>> {
        let reasons = carried.reasons.iter();
        let own = reasons.filter(|((kind, array), _)| {
            *kind == DependenceKind::Flow || !carried.reasons.contains_key(&(DependenceKind::Flow, *array))
        });
        let text = |((kind, array), lines): (&(DependenceKind, ArrayId), &BTreeSet<(u32, u32)>)| {
            let name = self.name(*array)?;
            let lines: Vec<String> = lines.iter().map(|(from, to)| format!("{from} to {to}")).collect();
            let what = match kind {
                DependenceKind::Flow => format!("reads `{name}` as an earlier iteration wrote it (flow)"),
                DependenceKind::Anti => {
                    format!("overwrites `{name}`, which an earlier iteration read (anti)")
                }
                DependenceKind::Output => {
                    format!("overwrites `{name}`, which an earlier iteration wrote (output)")
                }
            };
            Ok(format!("{what}: from line {}", lines.join(", ")))
        };
        own.map(text).collect()
    }

    fn statements(&self, around: &Loop) -> Vec<&Statement> {
        let statements = self.model.statements_in(around.id);
        statements.filter(|statement| !self.dependences.dead.contains(&statement.id)).collect()
    }

    fn verdict(&self, around: &Loop, carried: &Carried) -> String {
        let reductions = carried.reductions.join(", ");
        let waived = self.dependences.waived.iter().any(|waived| waived.around == around.id);
        let relaxed = carried.relaxed.join(", ");
        match (carried.reasons.is_empty(), carried.reductions.is_empty()) {
            (true, true) if !relaxed.is_empty() => format!("parallel, a reduction in any order, {relaxed}"),
            (true, true) if waived => "parallel, as the program claims".to_owned(),
            (true, true) => "parallel".to_owned(),
            (true, false) => format!("reduction, {reductions}"),
            (false, true) => "in order".to_owned(),
            (false, false) => format!("in order, also a reduction, {reductions}"),
        }
    }

    fn carried(&self, around: &Loop, depth: usize) -> Result<Carried> {
        let mut carried = Carried::default();
        for (kind, dependence) in self.all() {
            let ends = (self.model.owner(dependence.source)?, self.model.owner(dependence.sink)?);
            let inside = |statement: &Statement| statement.loops.contains(&around.id);
            if !inside(ends.0) || !inside(ends.1) {
                continue;
            }
            let pairs = carried_at(Map::parse(&dependence.relation.0)?, depth)?;
            if pairs.is_empty()? {
                continue;
            }
            match self.reduction(dependence, &pairs)? {
                Some(reduction) => note(&mut carried.reductions, reduction),
                None => {
                    let array = self.array(dependence.source)?;
                    let lines = (ends.0.range.line, ends.1.range.line);
                    carried.reasons.entry((kind, array.id)).or_default().insert(lines);
                }
            }
        }
        for reduction in self.dependences.relaxed() {
            let is_inside = self.model.statement(reduction.statement)?.loops.contains(&around.id);
            if is_inside && !carried_at(Map::parse(&reduction.relation.0)?, depth)?.is_empty()? {
                note(&mut carried.relaxed, self.in_words(reduction)?);
            }
        }
        Ok(carried)
    }

    /// Describes a reduction, for example ``+ into `s` ``.
    fn in_words(&self, reduction: &Reduction) -> Result<String> {
        let name = self.name(self.array(reduction.write)?.id)?;
        Ok(format!("{} into `{name}`", reduction.operator.c_name()))
    }

    fn all(&self) -> impl Iterator<Item = (DependenceKind, &Dependence)> {
        let Dependences { flow, anti, output, .. } = self.dependences;
        let kinds =
            [(DependenceKind::Flow, flow), (DependenceKind::Anti, anti), (DependenceKind::Output, output)];
        kinds.into_iter().flat_map(|(kind, list)| list.iter().map(move |dependence| (kind, dependence)))
    }

    /// Returns the reduction to which all pairs of a dependence belong, if there is one.
    fn reduction(&self, dependence: &Dependence, pairs: &Map) -> Result<Option<String>> {
        for reduction in &self.dependences.reductions {
            let accumulator = self.array(reduction.write)?;
            let owner = self.model.statement(reduction.statement)?;
            let own = |id: &AccessId| owner.access(*id).is_some_and(|access| access.array == accumulator.id);
            if own(&dependence.source)
                && own(&dependence.sink)
                && pairs.is_subset(&Map::parse(&reduction.relation.0)?)?
            {
                return self.in_words(reduction).map(Some);
            }
        }
        Ok(None)
    }

    fn array(&self, access: AccessId) -> Result<&Array> {
        self.model.array(self.model.access(access)?.array)
    }

    /// Returns the name that an array has for the user; for copies, that of the array that has them.
    fn name(&self, array: ArrayId) -> Result<&str> {
        let mut accesses = self.model.statements.iter().flat_map(|statement| &statement.accesses);
        let own = match accesses.find(|access| access.array == array) {
            Some(access) => self.source.array(self.source.access(access.id)?.array)?,
            None => self.model.array(array)?,
        };
        Ok(if own.expression.is_empty() { &own.name } else { &own.expression })
    }

    /// Returns the variables that have a separate copy for each iteration of a loop.
    fn copies(&self, statements: &[&Statement], depth: usize) -> Result<Vec<String>> {
        let mut copies = Vec::new();
        for access in statements.iter().flat_map(|statement| &statement.accesses) {
            let array = self.model.array(access.array)?;
            let text = format!("`{}`", self.name(array.id)?);
            if array.scope_depth > 0 && !copies.contains(&text) {
                let relation = Map::parse(&access.relation.0)?;
                if has_subscript(&relation, depth, array.scope_depth)? {
                    copies.push(text);
                }
            }
        }
        Ok(copies)
    }
}

/// True if one of the leading subscripts of an access is the given iterator.
fn has_subscript(relation: &Map, iterator: usize, leading: u32) -> Result<bool> {
    for subscript in 0..leading as i32 {
        let equal = relation.copy()?.equate(DimType::In, iterator as i32, DimType::Out, subscript)?;
        if relation.is_subset(&equal)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn note(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

/// Returns the range of source lines of some statements.
fn lines(statements: &[&Statement]) -> String {
    let last_line = |statement: &&Statement| {
        statement.range.line + statement.text.bytes().filter(|&byte| byte == b'\n').count() as u32
    };
    let first = statements.iter().map(|statement| statement.range.line).min().unwrap_or_default();
    let last = statements.iter().map(last_line).max().unwrap_or_default();
    if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
}
