//! A scop in OpenScop.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, Error, Map, Result, Set, Text};
use scop::{
    Access, AccessId, AccessKind, Certainty, Dependence, Dependences, Extension, IslSchedule, Model, Region,
    Statement, StatementId,
};

use crate::extension::{self, Body, Coordinates, Edge, Sizes};
use crate::file::{Block, BlockStatement, Matrix, Relation, RelationKind, Row, Tagged};
use crate::parse::is_tag;
use crate::position::Position;
use crate::relation::{Side, matrices, relation, set_matrices, with_array};
use crate::scattering::scatterings;

/// What OpenScop expresses of a scop.
pub struct Scope<'a> {
    /// The scop.
    pub model: &'a Model,
    /// The order that the scattering expresses: that of the source, or the schedule if there is one.
    pub order: &'a IslSchedule,
    /// The dependences, if candl-rs ran.
    pub dependences: Option<&'a Dependences>,
    /// The source file.
    pub path: &'a str,
    /// The region in the source file.
    pub region: Option<&'a Region>,
}

impl Scope<'_> {
    /// Returns all that OpenScop can express of the scop.
    pub fn block(&self) -> Result<Block> {
        let model = self.model;
        let scatterings = scatterings(&self.order.0)?;
        let statement = |statement| self.statement(statement, &scatterings);
        Ok(Block {
            language: "C".to_owned(),
            context: relation(RelationKind::Context, self.sets(&model.context.0)?),
            parameters: Some(model.parameters.iter().map(|parameter| parameter.name.clone()).collect()),
            statements: model.statements.iter().map(statement).collect::<Result<_>>()?,
            extensions: self.extensions(&scatterings)?,
            at: Position::default(),
        })
    }

    /// Parses a set of the document, with all parameters in their order.
    fn set(&self, text: &str) -> Result<Set> {
        Ok(Set::parse(text)?.align_params(self.parameters()?.get_space()?)?)
    }

    fn sets(&self, text: &str) -> Result<Vec<Matrix>> {
        self.known(set_matrices(self.set(text)?)?)
    }

    fn maps(&self, map: Map) -> Result<Vec<Matrix>> {
        self.known(matrices(&map.align_params(self.parameters()?.get_space()?)?)?)
    }

    /// Returns the matrices, if they have no parameters but the scop's.
    fn known(&self, parts: Vec<Matrix>) -> Result<Vec<Matrix>> {
        let known = self.model.parameters.len();
        match parts.iter().all(|part| part.parameters == known) {
            true => Ok(parts),
            false => Err(Error::new("a relation uses something that is not a parameter")),
        }
    }

    fn parameters(&self) -> Result<Set> {
        let names: Vec<&str> =
            self.model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        Set::parse(&format!("[{}] -> {{ : }}", names.join(", ")))
    }

    fn statement(
        &self,
        statement: &Statement,
        scatterings: &BTreeMap<StatementId, Map>,
    ) -> Result<BlockStatement> {
        let (domain, scattering) = match scatterings.get(&statement.id) {
            Some(scattering) => (self.sets(&statement.domain.0)?, scattering.copy()?),
            None => (vec![self.no_instances(statement)], at_no_time(statement, scatterings)?),
        };
        let mut relations = vec![
            relation(RelationKind::Domain, domain),
            relation(RelationKind::Scattering, self.maps(scattering)?),
        ];
        for access in &statement.accesses {
            relations.push(self.access(access)?);
        }
        let mut extensions = vec![body(self.model, statement)?.tagged()];
        extensions.extend(self.kept(Some(statement.id))?);
        Ok(BlockStatement { relations, extensions, at: Position::default() })
    }

    /// Returns the domain of a statement that the schedule omits because it has no effect: `-1 >= 0`.
    fn no_instances(&self, statement: &Statement) -> Matrix {
        let (output, parameters) = (statement.depth(), self.model.parameters.len());
        let mut coefficients = vec![0; output + parameters];
        coefficients.push(-1);
        let rows = vec![Row { equality: false, coefficients }];
        Matrix { output, input: 0, local: 0, parameters, rows }
    }

    fn access(&self, access: &Access) -> Result<Relation> {
        let parts = self.maps(Map::parse(&access.relation.0)?)?;
        let number = array_number(access);
        let parts = parts.into_iter().map(|part| with_array(part, Side::Output, 0, number)).collect();
        Ok(relation(kind_of(access), parts))
    }

    /// Returns the extensions of the scop. Extensions kept for other tools come last. An extension that is
    /// generated anew replaces them, except for names and the place.
    fn extensions(&self, scatterings: &BTreeMap<StatementId, Map>) -> Result<Vec<Tagged>> {
        let kept = self.kept(None)?;
        let missing = |tag: &str| kept.iter().all(|tagged| tagged.tag != tag);
        let mut extensions = Vec::new();
        if missing("scatnames") {
            extensions.push(extension::scatnames(&scattering_names(scatterings)?));
        }
        extensions.push(extension::print_arrays(&self.arrays()));
        extensions.extend(self.coordinates().filter(|_| missing("coordinates")));
        if let Some(dependences) = self.dependences {
            extensions.push(extension::print_dependences(&self.edges(dependences)?));
        }
        let replaced = self.dependences.is_some();
        extensions.extend(kept.into_iter().filter(|tagged| !(replaced && tagged.tag == "dependence")));
        Ok(extensions)
    }

    fn arrays(&self) -> Vec<(i64, String)> {
        let arrays = self.model.arrays.iter();
        arrays.map(|array| (i64::from(array.id.0) + 1, array.name.clone())).collect()
    }

    fn coordinates(&self) -> Option<Tagged> {
        let range = self.region?.range;
        let last = i64::from(self.region?.last_line?);
        let start = (i64::from(range.line), i64::from(range.column));
        let place =
            Coordinates { file: self.path.to_owned(), start, end: (last, 0), indentation: start.1 - 1 };
        (!self.path.trim().is_empty() && !self.path.contains(['#', '\n', '\r'])).then(|| place.tagged())
    }

    /// Returns the extensions of other tools, of a statement or of the scop.
    fn kept(&self, statement: Option<StatementId>) -> Result<Vec<Tagged>> {
        let extensions = self.model.extensions.iter();
        extensions.filter(|extension| extension.statement == statement).map(tagged).collect()
    }

    fn edges(&self, dependences: &Dependences) -> Result<Vec<Edge>> {
        let kinds = [("RAW", &dependences.flow), ("WAR", &dependences.anti), ("WAW", &dependences.output)];
        let all = kinds.into_iter().flat_map(|(kind, list)| list.iter().map(move |edge| (kind, edge)));
        let parts: Vec<Vec<Edge>> =
            all.map(|(kind, dependence)| self.edge(kind, dependence)).collect::<Result<_>>()?;
        Ok(parts.into_iter().flatten().collect())
    }

    /// Returns a dependence in OpenScop's form: from an instance and its element to another instance and the
    /// same element. Each part of a union is a dependence of its own, because it has its own number of local
    /// dimensions and Pluto does not read unions.
    fn edge(&self, kind: &str, dependence: &Dependence) -> Result<Vec<Edge>> {
        let (source, first) = self.end(dependence.source)?;
        let (target, second) = self.end(dependence.sink)?;
        let with_element = |access: &Access| -> Result<Map> {
            let relation = Map::parse(&access.relation.0)?;
            let instances = relation.copy()?.domain()?.get_space()?.map_from_set()?;
            Ok(Map::identity(instances)?.range_product(relation)?)
        };
        let (lift_source, lift_target) = (with_element(first)?, with_element(second)?);
        let same = Map::parse(&same_element(source, first, target, second, self.model)?)?;
        let pairs = Map::parse(&dependence.relation.0)?;
        let pairs = lift_source.reverse()?.apply_range(pairs)?.apply_range(lift_target)?.intersect(same)?;
        let parts = self.maps(pairs.reverse()?.flatten()?)?.into_iter().map(|part| {
            let part = with_array(part, Side::Output, source.depth(), array_number(first));
            with_array(part, Side::Input, target.depth(), array_number(second))
        });
        let sides = (source.depth(), target.depth());
        let edge = |part: Matrix| Edge {
            kind: kind.to_owned(),
            source: i64::from(source.id.0),
            target: i64::from(target.id.0),
            depth: -1,
            source_access: position(source, first),
            target_access: position(target, second),
            sizes: Some(sizes(&part, sides)),
            relation: relation(RelationKind::Domain, vec![part]),
        };
        Ok(parts.map(edge).collect())
    }

    fn end(&self, id: AccessId) -> Result<(&Statement, &Access)> {
        let mut statements = self.model.statements.iter();
        statements
            .find_map(|statement| Some((statement, statement.access(id)?)))
            .ok_or_else(|| Error::new(format!("there is no access {id}")))
    }
}

/// Returns the sizes of a dependence between statements with this number of loops. The relation that a local
/// dimension comes from is no longer known, so all of them count as local dimensions of the first domain.
fn sizes(part: &Matrix, (source, target): (usize, usize)) -> Sizes {
    let sizes = [source, part.output - source, target, part.input - target, part.local, 0, 0, 0];
    sizes.map(|size| i64::try_from(size).unwrap_or(i64::MAX))
}

/// Returns `{ [S0[i0] -> A0[o0]] -> [S1[p0] -> A0[o0]] }`: both instances access the same element.
fn same_element(
    source: &Statement,
    first: &Access,
    target: &Statement,
    second: &Access,
    model: &Model,
) -> Result<String> {
    let size = model.array(first.array)?.extents.len();
    let names = |letter: char, size: usize| -> String {
        let names: Vec<String> = (0..size).map(|position| format!("{letter}{position}")).collect();
        names.join(", ")
    };
    let end = |statement: &Statement, letter: char, access: &Access| {
        let instance = names(letter, statement.depth());
        format!("[{}[{instance}] -> {}[{}]]", statement.id, access.array, names('o', size))
    };
    Ok(format!("{{ {} -> {} }}", end(source, 'i', first), end(target, 'p', second)))
}

fn position(statement: &Statement, access: &Access) -> i64 {
    let position = statement.accesses.iter().position(|other| other.id == access.id);
    position.and_then(|position| i64::try_from(position).ok()).unwrap_or(-1)
}

/// Returns the array's number in OpenScop, from 1.
fn array_number(access: &Access) -> i64 {
    i64::from(access.array.0) + 1
}

/// Returns the kind of an access. OpenScop has no reads that may not happen.
pub fn kind_of(access: &Access) -> RelationKind {
    match (access.kind, access.certainty) {
        (AccessKind::Read, _) => RelationKind::Read,
        (AccessKind::Write, Certainty::Must) => RelationKind::Write,
        (AccessKind::Write, Certainty::May) => RelationKind::MayWrite,
    }
}

fn tagged(extension: &Extension) -> Result<Tagged> {
    let end = format!("</{}>", extension.tag);
    if !is_tag(&extension.tag) || extension.text.lines().any(|line| line.trim_ascii() == end) {
        return Err(Error::new(format!("the extension `{}` cannot be written in OpenScop", extension.tag)));
    }
    let mut text = extension.text.clone();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(Tagged::new(&extension.tag, text))
}

/// Returns an arbitrary scattering, for a statement without instances.
fn at_no_time(statement: &Statement, scatterings: &BTreeMap<StatementId, Map>) -> Result<Map> {
    let times = match scatterings.values().next() {
        Some(map) => map.dim(DimType::Out)?,
        None => 1,
    };
    let instance = polyhedra::numbered("i", statement.depth());
    let time = vec!["0"; times as usize].join(", ");
    Map::parse(&format!("{{ {}[{}] -> [{time}] }}", statement.id, instance.join(", ")))
}

/// Returns the names `c1`, `c2`, … of the dimensions of the longest vector.
fn scattering_names(scatterings: &BTreeMap<StatementId, Map>) -> Result<Vec<String>> {
    let mut longest = 0;
    for map in scatterings.values() {
        longest = longest.max(map.dim(DimType::Out)?);
    }
    Ok((1..=longest).map(|number| format!("c{number}")).collect())
}

/// Returns the body in one line, as OpenScop requires. Its exact meaning is in c2cuda's own extension.
fn body(model: &Model, statement: &Statement) -> Result<Body> {
    let mut taken = BTreeSet::new();
    let unique = |(position, name): (usize, &String)| match taken.insert(name.clone()) {
        true => name.clone(),
        false => format!("{name}_{position}"),
    };
    let loops = model.loops_around(statement)?;
    let names = loops.iter().map(|around| &around.iterator);
    let expression = one_line(&statement.text);
    Ok(Body {
        iterators: names.enumerate().map(unique).collect(),
        expression: if expression.is_empty() { ";".to_owned() } else { expression },
    })
}

/// Returns a C text in one line, without comments and without `#`, which would start a comment in OpenScop.
pub fn one_line(text: &str) -> String {
    without_comments(text).replace('#', " ").split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces C's comments by blanks. String and character constants cannot contain comments.
fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(next) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            kept.push(' ');
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            kept.push(' ');
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if next == '"' || next == '\'' {
            let end = quoted(rest, next);
            kept.push_str(&rest[..end]);
            end
        } else {
            kept.push(next);
            next.len_utf8()
        };
        rest = &rest[length..];
    }
    kept
}

/// Returns the length of the string or character constant at the beginning of a text.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (offset, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return offset + 1,
            _ => {}
        }
    }
    text.len()
}
