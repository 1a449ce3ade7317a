//! Makes a document of a scop that another tool wrote.
//!
//! OpenScop contains neither types nor extents, and bodies only as text. The document's language marks this
//! ([`scop::Source::is_complete`]): its statements have a text and no steps, and its arrays have no known
//! extents.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{Map, Set, Text};
use scop::{FORMAT, OPENSCOP, VERSION, names};
use serde_json::{Value, json};

use crate::error::{OpenScopError, Result};
use crate::extension::{self, Body, Coordinates};
use crate::file::{Block, BlockStatement, Relation, RelationKind, tagged};
use crate::loops::loops;
use crate::order::order;
use crate::relation::{check_shape, context_text, map_text, parsed, set_text, split_access};
use crate::statement::{body, one};
use crate::tree::Scattered;

/// The path of a source without a name.
const UNKNOWN: &str = "unknown";

/// Returns the document of the scop at some position of a text.
pub fn document(block: &Block, position: usize) -> Result<Value> {
    if !block.language.eq_ignore_ascii_case("c") {
        let message = format!("the language of this program is {}; only C is supported", block.language);
        return Err(OpenScopError::meaning(block.at, message));
    }
    let coordinates = tagged(&block.extensions, "coordinates").map(Coordinates::read).transpose()?;
    let path = coordinates.as_ref().map_or(UNKNOWN, |place| place.file.as_str());
    let line = coordinates.as_ref().and_then(|place| u32::try_from(place.start.0).ok()).unwrap_or(0);
    // The offsets are not known; these numbers keep the regions in order.
    let range = json!({ "start": position, "end": position, "line": line.max(1), "column": 1 });
    let scop = Foreign::new(block)?.scop(&format!("{}_scop{position}", stem(path)), &range)?;
    let region = json!({ "function": "", "range": range });
    let source = json!({ "path": path, "language": OPENSCOP, "hash": "", "regions": [region] });
    Ok(json!({ "format": FORMAT, "version": VERSION, "source": source, "scops": [scop] }))
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(UNKNOWN)
}

/// The properties of an array.
struct ForeignArray {
    /// Its position in the document.
    position: usize,
    /// The number of its subscripts.
    dimensions: usize,
}

struct Foreign<'a> {
    block: &'a Block,
    /// The names of the parameters in the document.
    parameters: Vec<String>,
    /// Their names in the text.
    expressions: Vec<String>,
    /// The arrays, by their numbers in the text.
    arrays: BTreeMap<i64, ForeignArray>,
    /// All names that the document uses so far.
    taken: BTreeSet<String>,
    /// The number of accesses so far.
    accesses: usize,
}

impl<'a> Foreign<'a> {
    fn new(block: &'a Block) -> Result<Self> {
        let count = block.context.parts.first().map_or(0, |part| part.parameters);
        let generated = || (1..=count).map(|number| format!("P{number}")).collect();
        let expressions: Vec<String> = block.parameters.clone().unwrap_or_else(generated);
        if expressions.len() != count {
            let message = format!("the CONTEXT has {count} parameters, but {} have names", expressions.len());
            return Err(OpenScopError::meaning(block.context.at, message));
        }
        let mut taken = BTreeSet::new();
        let parameters = expressions.iter().map(|name| names::unused(name, &mut taken)).collect();
        let mut foreign =
            Self { block, parameters, expressions, arrays: BTreeMap::new(), taken, accesses: 0 };
        foreign.find_arrays().map(|()| foreign)
    }

    /// Finds the arrays that are accessed. Clan's list of arrays also contains iterators and parameters.
    fn find_arrays(&mut self) -> Result<()> {
        for access in self.block.statements.iter().flat_map(BlockStatement::accesses) {
            let (number, parts) = split_access(access)?;
            let dimensions = parts.first().map_or(0, |part| part.output);
            let known = self.arrays.entry(number).or_insert(ForeignArray { position: 0, dimensions });
            if known.dimensions != dimensions {
                let message = format!(
                    "this access to array {number} has {dimensions} subscripts, but an earlier one has {}",
                    known.dimensions
                );
                return Err(OpenScopError::meaning(access.at, message));
            }
        }
        for (position, array) in self.arrays.values_mut().enumerate() {
            array.position = position;
        }
        Ok(())
    }

    fn scop(mut self, name: &str, range: &Value) -> Result<Value> {
        let block = self.block;
        let context: Set = parsed(block.context.at, &context_text(&block.context, &self.parameters)?)?;
        let context = context.text().map_err(|error| OpenScopError::isl(block.context.at, &error))?;
        let arrays = self.arrays()?;
        let (mut statements, mut scattered, mut iterators) = (Vec::new(), Vec::new(), Vec::new());
        for (position, statement) in block.statements.iter().enumerate() {
            let (json, order, names) = self.statement(position, statement, range)?;
            statements.push(json);
            scattered.push(order);
            iterators.push(names);
        }
        let order = order(block, &scattered)?;
        let (loops, around) =
            loops(&order, &iterators).map_err(|error| OpenScopError::isl(block.at, &error))?;
        for (statement, around) in statements.iter_mut().zip(around) {
            statement["loops"] = json!(around);
        }
        Ok(json!({
            "name": names::unused(name, &mut BTreeSet::new()),
            "parameters": self.parameters(),
            "context": context,
            "loops": loops,
            "arrays": arrays,
            "statements": statements,
            "order": order,
            "extensions": kept(block),
        }))
    }

    fn parameters(&self) -> Vec<Value> {
        let pairs = self.parameters.iter().zip(&self.expressions);
        pairs.map(|(name, text)| json!({ "name": name, "expression": text, "type": "int" })).collect()
    }

    fn arrays(&mut self) -> Result<Vec<Value>> {
        let named = tagged(&self.block.extensions, "arrays").map(extension::arrays).transpose()?;
        let named: BTreeMap<i64, String> = named.unwrap_or_default().into_iter().collect();
        let array = |(number, array): (&i64, &ForeignArray)| {
            let text = named.get(number).cloned().unwrap_or_else(|| format!("array_{number}"));
            let storage = if array.dimensions == 0 { "scalar" } else { "contiguous" };
            json!({
                "id": format!("A{}", array.position),
                "name": names::unused(&text, &mut self.taken),
                "expression": text,
                "type": "double",
                "storage": storage,
                "extents": vec![json!({}); array.dimensions],
                "visible": true,
            })
        };
        Ok(self.arrays.iter().map(array).collect())
    }

    /// Returns a statement without its loops, its scattering, and the names of its iterators.
    fn statement(
        &mut self,
        position: usize,
        statement: &BlockStatement,
        range: &Value,
    ) -> Result<(Value, Scattered, Vec<String>)> {
        if let Some(other) = statement.of_kind(&[RelationKind::Undefined, RelationKind::Context]).first() {
            let message = format!("a statement has no {}", other.kind.name());
            return Err(OpenScopError::meaning(other.at, message));
        }
        let id = format!("S{position}");
        let domain = one(statement, RelationKind::Domain)?;
        let depth = domain.parts.first().map_or(0, |part| part.output);
        let set: Set = parsed(domain.at, &set_text(domain, &self.parameters, (&id, depth))?)?;
        let scattering = one(statement, RelationKind::Scattering)?;
        check_shape(scattering, &self.parameters, None, depth)?;
        let length = scattering.parts.first().map_or(0, |part| part.output);
        let map: Map = parsed(
            scattering.at,
            &map_text(&scattering.parts, &self.parameters, (&id, depth), ("", length)),
        )?;
        let mut accesses = Vec::new();
        for access in statement.accesses() {
            accesses.push(self.access(access, (&id, depth))?);
        }
        let (iterators, text) = iterators_and_text(statement, domain, depth)?;
        let json = json!({
            "id": id,
            "domain": set.text().map_err(|error| OpenScopError::isl(domain.at, &error))?,
            "accesses": accesses,
            "body": [],
            "range": range,
            "text": text,
        });
        Ok((json, Scattered { domain: set, scattering: map }, iterators))
    }

    fn access(&mut self, access: &Relation, instance: (&str, usize)) -> Result<Value> {
        check_shape(access, &self.parameters, None, instance.1)?;
        let (number, parts) = split_access(access)?;
        let array = self.arrays.get(&number).map_or(0, |array| array.position);
        let name = format!("A{array}");
        let subscripts = parts.first().map_or(0, |part| part.output);
        let map: Map = parsed(access.at, &map_text(&parts, &self.parameters, instance, (&name, subscripts)))?;
        let id = self.accesses;
        self.accesses += 1;
        Ok(json!({
            "id": format!("a{id}"),
            "array": name,
            "kind": if access.kind == RelationKind::Read { "read" } else { "write" },
            "certainty": if access.kind == RelationKind::MayWrite { "may" } else { "must" },
            "relation": map.text().map_err(|error| OpenScopError::isl(access.at, &error))?,
        }))
    }
}

fn iterators_and_text(
    statement: &BlockStatement,
    domain: &Relation,
    depth: usize,
) -> Result<(Vec<String>, String)> {
    let body = body(statement)?.unwrap_or(Body { iterators: Vec::new(), expression: String::new() });
    let names = match body.iterators.len() {
        0 => (1..=depth).map(|number| format!("i{number}")).collect(),
        count if count == depth => body.iterators,
        count => {
            let message = format!("this DOMAIN has {depth} dimensions, but the body names {count} iterators");
            return Err(OpenScopError::meaning(domain.at, message));
        }
    };
    Ok((names, body.expression))
}

/// Returns all extensions whose content is not already in the document.
fn kept(block: &Block) -> Vec<Value> {
    let of_scop = block.extensions.iter().filter(|tagged| tagged.tag != "arrays");
    let mut kept: Vec<Value> =
        of_scop.map(|tagged| json!({ "tag": tagged.tag, "text": tagged.text })).collect();
    for (position, statement) in block.statements.iter().enumerate() {
        let extensions = statement.extensions.iter().filter(|tagged| tagged.tag != "body");
        kept.extend(extensions.map(
            |tagged| json!({ "tag": tagged.tag, "text": tagged.text, "statement": format!("S{position}") }),
        ));
    }
    kept
}
