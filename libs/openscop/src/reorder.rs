//! The order that a text gives to the statements of a document.
//!
//! OpenScop's library drops extensions that it does not know, including ours. Output of Pluto therefore has
//! neither types nor the original bodies. But the document from which Pluto's input was written has them, and
//! only the scatterings are new.
//!
//! *Tile iterators.* Pluto tiles by adding iterators before the old ones: `0 <= i - 32 fk0 <= 31`. The old
//! iterators determine the new ones. The new ones are therefore projected out, and a function of them becomes a
//! function of the old ones.

use polyhedra::{DimType, Map, Set, limit_work};
use scop::{Model, Program, Stage, Statement};

use crate::error::{OpenScopError, OpenScopFault, Result};
use crate::file::{Block, BlockStatement, RelationKind};
use crate::order::order;
use crate::position::Position;
use crate::relation::{check_shape, map_text, parsed, set_text};
use crate::statement::one;
use crate::tree::Scattered;
use crate::{LIMIT, parse};

/// Returns the document with the order that the scatterings of a text give.
///
/// # Errors
/// Fails if the text is not OpenScop, is not of the document's program, or does not give an order.
pub fn with_order<S: Stage>(mut program: Program<S>, text: &str) -> Result<Program<S>> {
    let blocks = parse::parse(text)?;
    if blocks.len() != program.scops.len() {
        let message = format!("it has {} scops, but the document has {}", blocks.len(), program.scops.len());
        return Err(of_another_program(blocks[0].at, message));
    }
    for (block, scop) in blocks.iter().zip(&mut program.scops) {
        let order = limit_work(LIMIT, || {
            let scattered = Reorder::new(block, &scop.model)?.scattered()?;
            order(block, &scattered)
        })?;
        scop.reorder(order);
    }
    Ok(program)
}

/// A text and the scop whose order it gives.
struct Reorder<'a> {
    block: &'a Block,
    model: &'a Model,
    parameters: Vec<String>,
    context: Set,
}

impl<'a> Reorder<'a> {
    fn new(block: &'a Block, model: &'a Model) -> Result<Self> {
        let parameters: Vec<String> =
            model.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let context = parsed(block.at, &model.context.0)?;
        let reorder = Self { block, model, parameters, context };
        reorder.check().map(|()| reorder)
    }

    fn check(&self) -> Result<()> {
        let count = self.block.context.parts.first().map_or(0, |part| part.parameters);
        let names = self.block.parameters.as_ref();
        if count != self.parameters.len() || names.is_some_and(|names| *names != self.parameters) {
            let message = format!("its parameters are not `{}`", self.parameters.join(" "));
            return Err(of_another_program(self.block.context.at, message));
        }
        let (found, expected) = (self.block.statements.len(), self.model.statements.len());
        if found != expected {
            let message = format!("it has {found} statements, but the document has {expected}");
            return Err(of_another_program(self.block.at, message));
        }
        Ok(())
    }

    fn scattered(&self) -> Result<Vec<Scattered>> {
        let pairs = self.block.statements.iter().zip(&self.model.statements);
        pairs.map(|(found, statement)| self.statement(found, statement)).collect()
    }

    fn statement(&self, found: &BlockStatement, statement: &Statement) -> Result<Scattered> {
        let Times { instances, scattering, tiled } = self.times(found, statement)?;
        let at = one(found, RelationKind::Scattering)?.at;
        let isl = |error: polyhedra::Error| OpenScopError::isl(at, &error);
        let domain: Set = parsed(at, &statement.domain.0)?;
        let domain = self.same_instances(domain, &instances).map_err(isl)?.ok_or_else(|| {
            if tiled { tiles_remain(found.at) } else { other_instances(found.at, statement) }
        })?;
        let scattered = Scattered { domain, scattering };
        if tiled && !scattered.is_function().map_err(isl)? {
            return Err(tiles_remain(found.at));
        }
        if !scattered.tells_apart().map_err(isl)? {
            let message = "this SCATTERING gives two instances of the statement the same time: nothing determines \
                           which comes first";
            return Err(OpenScopError::meaning(at, message));
        }
        Ok(scattered)
    }

    /// Returns what the text contains of a statement, in terms of the document's iterators.
    fn times(&self, found: &BlockStatement, statement: &Statement) -> Result<Times> {
        let (domain, scattering) = (one(found, RelationKind::Domain)?, one(found, RelationKind::Scattering)?);
        let id = statement.id.to_string();
        let depth = domain.parts.first().map_or(0, |part| part.output);
        let Some(tiles) = depth.checked_sub(statement.depth()) else {
            return Err(other_instances(found.at, statement));
        };
        let instances: Set = parsed(domain.at, &set_text(domain, &self.parameters, (&id, depth))?)?;
        check_shape(scattering, &self.parameters, None, depth)?;
        let length = scattering.parts.first().map_or(0, |part| part.output);
        let text = map_text(&scattering.parts, &self.parameters, (&id, depth), ("", length));
        let map: Map = parsed(scattering.at, &text)?;
        if tiles == 0 {
            return Ok(Times { instances, scattering: map, tiled: false });
        }
        let tiles = u32::try_from(tiles).unwrap_or(u32::MAX);
        let (instances, scattering) = without_tiles(instances, map, tiles, &id)
            .map_err(|error| OpenScopError::isl(domain.at, &error))?;
        Ok(Times { instances, scattering, tiled: true })
    }

    /// Returns the instances of the document, if those of the text are the same. They are compared within the
    /// context, because tools use it to simplify domains.
    fn same_instances(&self, domain: Set, found: &Set) -> polyhedra::Result<Option<Set>> {
        if domain.is_equal(found)? {
            return Ok(Some(domain));
        }
        let known =
            |set: &Set| -> polyhedra::Result<Set> { Ok(set.copy()?.intersect_params(self.context.copy()?)?) };
        let domain = known(&domain)?;
        Ok(if domain.is_equal(&known(found)?)? { Some(domain) } else { None })
    }
}

/// The instances and the scattering of a statement in a text.
struct Times {
    instances: Set,
    scattering: Map,
    /// True if the text had more iterators than the document.
    tiled: bool,
}

/// Projects the first iterators out of a domain and a scattering.
fn without_tiles(domain: Set, scattering: Map, tiles: u32, id: &str) -> polyhedra::Result<(Set, Map)> {
    let scattering = scattering.intersect_domain(domain.copy()?)?;
    let scattering = scattering.project_out(DimType::In, 0, tiles)?.set_tuple_name(DimType::In, id)?;
    let domain = domain.project_out(DimType::Set, 0, tiles)?.set_tuple_name(id)?;
    Ok((domain, scattering))
}

fn of_another_program(at: Position, message: impl Into<String>) -> OpenScopError {
    OpenScopError::new(OpenScopFault::Unrelated, at, message)
}

fn other_instances(at: Position, statement: &Statement) -> OpenScopError {
    of_another_program(
        at,
        format!("this statement has other instances than {} of the document", statement.id),
    )
}

fn tiles_remain(at: Position) -> OpenScopError {
    let message = "this statement has more iterators than in the document, and its iterators there do not determine \
                   the others: if another tool tiles loops, run it with `--notile`";
    of_another_program(at, message)
}
