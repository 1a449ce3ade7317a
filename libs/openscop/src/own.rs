//! c2cuda's extension: the document of one scop as JSON, and its combination with matrices that another tool
//! changed.

use std::cmp::Ordering;

use polyhedra::{Map, Set, Text};
use schemars::JsonSchema;
use scop::{
    Dependences, Expansions, Extension, IslMap, IslSchedule, IslSet, Model, Program, Scanned, Section, Stage,
    Statement, StatementId, Variant, check_header, parse_json,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::describe::{Scope, one_line};
use crate::error::{OpenScopError, Result};
use crate::extension::Body;
use crate::file::{Block, BlockStatement, Relation, RelationKind, Tagged};
use crate::order::order;
use crate::position::Position;
use crate::relation::{check_shape, context_text, map_text, parsed, set_text, split_access};
use crate::statement::{self, one};
use crate::tree::Scattered;

/// The name of the extension. OpenScop's library allows only letters and `_` in a tag.
pub const TAG: &str = "c_to_cuda";

/// The former name of the extension, which is still accepted.
const OLD_TAG: &str = "c2cuda";

/// True for the tag of the extension, under either name.
pub fn is_own(tag: &str) -> bool {
    [TAG, OLD_TAG].contains(&tag)
}

/// Returns the extension for one scop of a document, or for a document without scops.
pub fn tagged(document: &Value, scop: Option<usize>) -> polyhedra::Result<Tagged> {
    let mut document = document.clone();
    for list in ["/source/regions", "/scops"] {
        if let Some(Value::Array(items)) = document.pointer_mut(list) {
            *items = scop.and_then(|position| items.get(position).cloned()).into_iter().collect();
        }
    }
    let text = serde_json::to_string_pretty(&document);
    let text = text.map_err(|error| polyhedra::Error::new(error.to_string()))?;
    // Escaped so that no text in it looks like a tag.
    Ok(Tagged::new(TAG, text.replace('<', "\\u003c") + "\n"))
}

/// Returns c2cuda's extension of a scop, if it has one.
pub fn extension(block: &Block) -> Result<Option<&Tagged>> {
    let mut found = block.extensions.iter().filter(|tagged| is_own(&tagged.tag));
    match (found.next(), found.next()) {
        (_, Some(second)) => {
            let message = format!("this scop has a second extension `{}`", second.tag);
            Err(OpenScopError::syntax(second.at, message))
        }
        (first, None) => Ok(first),
    }
}

/// The sections that OpenScop can express, each of which may be absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    #[serde(default)]
    expansions: Expansions,
    #[serde(default)]
    dependences: Option<Dependences>,
    #[serde(default)]
    schedule: Option<IslSchedule>,
    #[serde(default)]
    variants: Vec<Variant>,
    #[serde(default)]
    variant: Option<usize>,
}

impl Said {
    /// Returns the variant that is ordered, if it is one.
    fn taken(&self) -> Option<&Variant> {
        self.variant.and_then(|position| self.variants.get(position))
    }

    /// Returns the dependences of the variant that is ordered, if candl-rs ran.
    fn respected(&self) -> Option<&Dependences> {
        self.taken().map(|variant| &variant.dependences).or(self.dependences.as_ref())
    }
}

impl Stage for Said {
    const SECTIONS: &'static [Section] = &[];

    fn expansions(&self) -> Option<&Expansions> {
        Some(self.taken().map_or(&self.expansions, |variant| &variant.expansions))
    }

    fn variant_exists(&self) -> bool {
        self.variant.is_none() || self.taken().is_some()
    }
}

/// Returns the document of a scop, with the changes that its matrices contain.
pub fn document<S: Stage>(block: &Block, extension: &Tagged) -> Result<Value> {
    let stale = |message: String| OpenScopError::stale(extension.at, message);
    let damaged = |why: String| stale(format!("the extension `{TAG}` is damaged: {why}"));
    let mut document = parse_json(&extension.text).map_err(|error| damaged(error.to_string()))?;
    check_header(&document).map_err(|error| damaged(error.to_string()))?;
    let program: Program<Said> =
        serde_path_to_error::deserialize(&document).map_err(|error| damaged(error.to_string()))?;
    match (&program.scops[..], &program.source.regions[..]) {
        ([], []) if block.statements.is_empty() => return Ok(document),
        ([_], [_]) => {}
        _ => return Err(damaged("it does not hold exactly one scop".to_owned())),
    }
    let scop = document.pointer_mut("/scops/0").ok_or_else(|| damaged("it has no scop".to_owned()))?;
    Merge::new(block, &program, extension)?.into::<S>(scop)?;
    Ok(document)
}

/// Returns what OpenScop expresses of a scop of a program.
pub fn scope(program: &Program<Said>, position: usize) -> Option<Scope<'_>> {
    let scop = program.scops.get(position)?;
    Some(Scope {
        model: &scop.model,
        order: scop.stage.schedule.as_ref().unwrap_or(&scop.model.order),
        dependences: scop.stage.respected(),
        path: &program.source.path,
        region: program.source.regions.get(position),
    })
}

/// A text and the document in its extension.
struct Merge<'a> {
    block: &'a Block,
    /// The block that would be written for the document.
    expected: Block,
    model: &'a Model,
    said: &'a Said,
    parameters: Vec<String>,
}

/// The changes that another tool made.
#[derive(Default)]
struct Changes {
    /// True if the context, a domain or an access changed.
    facts: bool,
    /// True if the scattering of a statement changed.
    order: bool,
    /// True if the text, in which expansions are applied, becomes the program.
    program: bool,
}

impl<'a> Merge<'a> {
    fn new(block: &'a Block, program: &'a Program<Said>, extension: &Tagged) -> Result<Self> {
        let damaged = || OpenScopError::stale(extension.at, format!("the extension `{TAG}` has no scop"));
        let scope = scope(program, 0).ok_or_else(damaged)?;
        let (model, said) = (scope.model, &program.scops[0].stage);
        let expected = scope.block().map_err(|error| {
            let isl = OpenScopError::isl(extension.at, &error);
            OpenScopError { message: format!("the extension `{TAG}` is damaged: {}", isl.message), ..isl }
        })?;
        let parameters = model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let merge = Self { block, expected, model, said, parameters };
        merge.check().map(|()| merge)
    }

    /// Checks that the text has the same parameters, statements and accesses as the document.
    fn check(&self) -> Result<()> {
        let (block, expected) = (self.block, &self.expected);
        if block.parameters.clone().unwrap_or_default() != self.parameters {
            return Err(differs(block.at, "parameters"));
        }
        if block.statements.len() != expected.statements.len() {
            return Err(differs(block.at, "statements"));
        }
        let pairs = block.statements.iter().zip(&expected.statements);
        pairs.into_iter().try_for_each(|(found, expected)| check_statement(found, expected))
    }

    /// Writes the changes of the matrices into the JSON of the scop. The matrices describe accesses with
    /// expansions applied. If another tool changed one of them, or the order of the program, the expanded form
    /// becomes the program, and the expansions are removed: the new order may be wrong without copies.
    fn into<S: Stage>(self, scop: &mut Value) -> Result<()> {
        let mut changed = scop.clone();
        for (key, expanded) in [
            ("arrays", json!(self.model.arrays)),
            ("loops", json!(self.model.loops)),
            ("statements", json!(self.model.statements)),
            ("order", json!(self.model.order)),
        ] {
            changed[key] = expanded;
        }
        let changes = self.merge::<S>(&mut changed)?;
        if changes.program {
            [EXPANSIONS, VARIANTS, VARIANT].into_iter().for_each(|key| remove(&mut changed, key));
        } else {
            for key in ["arrays", "loops", "statements", "order"] {
                changed[key] = scop[key].take();
            }
        }
        *scop = changed;
        Ok(())
    }

    fn merge<S: Stage>(&self, scop: &mut Value) -> Result<Changes> {
        let mut changes = Changes::default();
        self.context(scop, &mut changes)?;
        let mut scattered = Vec::new();
        for position in 0..self.model.statements.len() {
            let here = scop.pointer_mut(&format!("/statements/{position}"));
            let here = here.ok_or_else(|| differs(self.block.at, "statements"))?;
            scattered.push(self.statement(position, here, &mut changes)?);
        }
        scop["extensions"] = json!(self.kept());
        if changes.order || changes.facts {
            changes.program = self.reorder::<S>(scop, &changes, &scattered)?;
        }
        Ok(changes)
    }

    fn context(&self, scop: &mut Value, changes: &mut Changes) -> Result<()> {
        let found = &self.block.context;
        if found.parts != self.expected.context.parts {
            let new: Set = parsed(found.at, &context_text(found, &self.parameters)?)?;
            let old: Set = parsed(found.at, &self.model.context.0)?;
            let isl = |error: polyhedra::Error| OpenScopError::isl(found.at, &error);
            if !new.is_equal(&old).map_err(|error| isl(error.into()))? {
                scop["context"] = json!(IslSet(new.text().map_err(isl)?));
                changes.facts = true;
            }
        }
        Ok(())
    }

    /// Writes the domain and the accesses of a statement, and returns its instances and scattering.
    fn statement(&self, position: usize, here: &mut Value, changes: &mut Changes) -> Result<Scattered> {
        let (found, expected) = (&self.block.statements[position], &self.expected.statements[position]);
        let statement = &self.model.statements[position];
        let pairs = found.accesses().into_iter().zip(expected.accesses()).zip(&statement.accesses);
        for (number, ((found, expected), access)) in pairs.enumerate() {
            if found.parts != expected.parts {
                let text = access_text(found, statement, &self.parameters)?;
                if let Some(new) = changed_map(found.at, &text, &access.relation.0)? {
                    here["accesses"][number]["relation"] = json!(IslMap(new));
                    changes.facts = true;
                }
            }
        }
        let domain = self.domain(found, expected, statement, here, changes)?;
        let scattering = one(found, RelationKind::Scattering)?;
        let before = one(expected, RelationKind::Scattering)?;
        let text = scattering_text(scattering, statement, &self.parameters)?;
        let map: Map = parsed(scattering.at, &text)?;
        if scattering.parts != before.parts {
            let before = scattering_text(before, statement, &self.parameters)?;
            changes.order |= changed_map(scattering.at, &text, &before)?.is_some();
        }
        Ok(Scattered { domain, scattering: map })
    }

    fn domain(
        &self,
        found: &BlockStatement,
        expected: &BlockStatement,
        statement: &Statement,
        here: &mut Value,
        changes: &mut Changes,
    ) -> Result<Set> {
        let (found, expected) = (one(found, RelationKind::Domain)?, one(expected, RelationKind::Domain)?);
        let old: Set = parsed(found.at, &statement.domain.0)?;
        if found.parts == expected.parts {
            return Ok(old);
        }
        let id = statement.id.to_string();
        let new: Set = parsed(found.at, &set_text(found, &self.parameters, (&id, statement.depth()))?)?;
        let isl = |error: polyhedra::Error| OpenScopError::isl(found.at, &error);
        if new.is_equal(&old).map_err(|error| isl(error.into()))? {
            return Ok(old);
        }
        here["domain"] = json!(IslSet(new.text().map_err(isl)?));
        changes.facts = true;
        Ok(new)
    }

    /// Returns the extensions of other tools: those that the document had, and new ones.
    fn kept(&self) -> Vec<Extension> {
        let mut kept = Vec::new();
        let mut keep = |found: &[Tagged], expected: &[Tagged], statement: Option<StatementId>| {
            let had = |tag: &str| {
                self.model.extensions.iter().any(|old| old.tag == tag && old.statement == statement)
            };
            for tagged in found {
                if tagged.tag == "dependence" && self.said.dependences.is_some() {
                    kept.extend(self.model.extensions.iter().filter(|old| old.tag == tagged.tag).cloned());
                    continue;
                }
                let made = expected.iter().any(|other| other.tag == tagged.tag) && !had(&tagged.tag);
                if !is_own(&tagged.tag) && !made {
                    kept.push(Extension { tag: tagged.tag.clone(), text: tagged.text.clone(), statement });
                }
            }
        };
        keep(&self.block.extensions, &self.expected.extensions, None);
        let pairs = self.block.statements.iter().zip(&self.expected.statements).zip(&self.model.statements);
        for ((found, expected), statement) in pairs {
            keep(&found.extensions, &expected.extensions, Some(statement.id));
        }
        kept
    }

    /// Writes the order that the scatterings give. It becomes the schedule if the stage has a schedule and the
    /// source order, with which the schedule is to be compared, is still valid. Otherwise it becomes the source
    /// order; then the result is true.
    fn reorder<S: Stage>(
        &self,
        scop: &mut Value,
        changes: &Changes,
        scattered: &[Scattered],
    ) -> Result<bool> {
        let order = json!(order(self.block, scattered)?);
        let has = |key: &str| S::SECTIONS.iter().any(|section| section.key == key);
        if has("schedule") && !changes.facts && self.said.dependences.is_some() {
            for key in [SCHEDULED_BY, ALGORITHM, FUSION] {
                remove(scop, key);
            }
            if has("mapping") {
                scop["mapping"] = host_mapping(self.model, &order);
            } else {
                remove(scop, "mapping");
            }
            scop["schedule"] = order;
            return Ok(false);
        }
        scop["order"] = order;
        let sections = Scanned::SECTIONS.iter().map(|section| section.key);
        for key in sections.chain([EXPANSIONS, VARIANTS, SCHEDULED_BY, ALGORITHM, FUSION, VARIANT]) {
            remove(scop, key);
        }
        Ok(true)
    }
}

/// Parts that candl-rs and scheduler write only if they are not empty.
const EXPANSIONS: &str = "expansions";
const SCHEDULED_BY: &str = "scheduled_by";
const ALGORITHM: &str = "algorithm";
const FUSION: &str = "fusion";
const VARIANTS: &str = "variants";
const VARIANT: &str = "variant";

fn remove(scop: &mut Value, key: &str) {
    if let Some(scop) = scop.as_object_mut() {
        scop.remove(key);
    }
}

/// Puts all statements on the host: OpenScop does not express what runs on the GPU.
fn host_mapping(model: &Model, order: &Value) -> Value {
    let reason = "its order comes from OpenScop, which says nothing about kernels";
    let host = |statement: &Statement| json!({ "statement": statement.id, "reason": reason });
    let host: Vec<Value> = model.statements.iter().map(host).collect();
    json!({ "tree": order, "kernels": [], "host": host })
}

/// Returns the map of a scattering, in isl's notation.
pub fn scattering_text(relation: &Relation, statement: &Statement, parameters: &[String]) -> Result<String> {
    let depth = statement.depth();
    check_shape(relation, parameters, None, depth)?;
    let length = relation.parts.first().map_or(0, |part| part.output);
    Ok(map_text(&relation.parts, parameters, (&statement.id.to_string(), depth), ("", length)))
}

fn access_text(relation: &Relation, statement: &Statement, parameters: &[String]) -> Result<String> {
    let depth = statement.depth();
    check_shape(relation, parameters, None, depth)?;
    let (number, parts) = split_access(relation)?;
    let array = format!("A{}", number.saturating_sub(1));
    let subscripts = parts.first().map_or(0, |part| part.output);
    Ok(map_text(&parts, parameters, (&statement.id.to_string(), depth), (&array, subscripts)))
}

/// Returns isl's text of the first of two maps, if they differ.
fn changed_map(at: Position, new: &str, old: &str) -> Result<Option<String>> {
    let (new, old): (Map, Map) = (parsed(at, new)?, parsed(at, old)?);
    let isl = |error: polyhedra::Error| OpenScopError::isl(at, &error);
    if new.is_equal(&old).map_err(|error| isl(error.into()))? {
        return Ok(None);
    }
    new.text().map(Some).map_err(isl)
}

fn check_statement(found: &BlockStatement, expected: &BlockStatement) -> Result<()> {
    let depth = |statement| one(statement, RelationKind::Domain).map(|domain| domain.parts[0].output);
    match depth(found)?.cmp(&depth(expected)?) {
        Ordering::Less => return Err(differs(found.at, "iterators")),
        Ordering::Greater => {
            let OpenScopError { message, .. } = differs(found.at, "iterators");
            let message = format!("{message}; if it tiles loops, run it with `--notile`");
            return Err(OpenScopError::stale(found.at, message));
        }
        Ordering::Equal => {}
    }
    let kinds = |statement: &BlockStatement| -> Result<Vec<_>> {
        let accesses = statement.accesses().into_iter();
        accesses.map(|access| Ok((access.kind, split_access(access)?.0, access.parts[0].output))).collect()
    };
    let known = [RelationKind::Undefined, RelationKind::Context];
    if kinds(found)? != kinds(expected)? || !found.of_kind(&known).is_empty() {
        return Err(differs(found.at, "accesses"));
    }
    match (body(found)?, body(expected)?) {
        (Some(found_body), expected) if Some(&found_body) != expected.as_ref() => {
            Err(differs(found.at, "a body"))
        }
        _ => Ok(()),
    }
}

/// Returns the body of a statement in one line, without comments.
fn body(statement: &BlockStatement) -> Result<Option<String>> {
    let found = statement::body(statement)?;
    Ok(found.map(|body: Body| one_line(&body.expression)))
}

fn differs(at: Position, what: &str) -> OpenScopError {
    OpenScopError::stale(at, format!("another tool changed {what}: the extension `{TAG}` says otherwise"))
}
