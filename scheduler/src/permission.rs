//! What permission for another order of floating-point sums would bring.
//!
//! Sums and products of floating-point numbers keep C's order, because another one would round differently. Where a
//! chain of their updates takes the most time that every order in C's sense needs, the user is told so: the floor of
//! the region with the order, and without.

use polyhedra::Result;
use scop::{
    AccessKind, Dependences, Freedom, IslMap, Model, Reduction, ReductionOp, Statement, Update,
    can_be_partial, updates,
};

use crate::cost::{Floor, Pricing};
use crate::duration::duration;

/// The user is told if what no order can beat takes this many times as long with C's order of sums.
const WORTH_SAYING: f64 = 2.0;

/// Sums whose order takes most of the time.
pub struct Permission {
    /// The variables and arrays that they are in.
    sums: Vec<String>,
    /// The time that no program can beat if it keeps C's order.
    ordered: f64,
    /// The time that none can beat otherwise.
    free: f64,
}

impl Permission {
    /// Returns the sums of a region whose order takes most of the time, for the sizes of some prices; nothing if there
    /// are none.
    pub fn of(model: &Model, dependences: &Dependences, pricing: &Pricing) -> Result<Option<Self>> {
        let kept: Vec<Reduction> = ordered(model, dependences)?;
        if kept.is_empty() {
            return Ok(None);
        }
        let mut permitted = dependences.clone();
        permitted.reductions.retain(|known| !kept.iter().any(|one| one.write == known.write));
        permitted.reductions.extend(kept.iter().cloned());
        let Some(ordered) = pricing.floor(model, dependences)? else { return Ok(None) };
        let ordered = ordered.microseconds;
        let Some(free) = Floor::of(model, &permitted, &pricing.places)? else { return Ok(None) };
        let free = free.time(&pricing.gpu).microseconds;
        let mut sums = Vec::new();
        for reduction in &kept {
            let array = model.array(model.access(reduction.write)?.array)?;
            let name = array.expansion_of.clone().unwrap_or_else(|| array.shown());
            if !sums.contains(&name) {
                sums.push(name);
            }
        }
        Ok((ordered >= WORTH_SAYING * free).then_some(Self { sums, ordered, free }))
    }

    /// Returns the options that permit another order.
    fn options(&self) -> String {
        let options: Vec<String> = self.sums.iter().map(|sum| format!("`--reassociate={sum}`")).collect();
        options.join(" and ")
    }

    /// Says what permission would bring.
    pub fn said(&self) -> String {
        let (ordered, free) = (duration(self.ordered), duration(self.free));
        format!("C's order of sums takes {ordered} at least, and {free} with {}", self.options())
    }
}

/// Returns the sums and products of floating-point numbers whose order is kept, as they would be with permission.
fn ordered(model: &Model, dependences: &Dependences) -> Result<Vec<Reduction>> {
    let mut found = Vec::new();
    for statement in model.statements.iter().filter(|statement| !dependences.dead.contains(&statement.id)) {
        for update in updates(statement) {
            let known = dependences.reductions.iter().find(|known| known.write == update.write);
            let reduction = match known {
                Some(known) if known.free.is_some() => continue,
                Some(known) => Reduction { free: Some(Freedom::Permitted), ..known.clone() },
                None if is_prefix(model, dependences, statement, &update)? => permitted(statement, &update),
                None => continue,
            };
            let is_sum = matches!(reduction.operator, ReductionOp::Sum | ReductionOp::Product);
            let element = model.array(model.access(reduction.write)?.array)?.element;
            if is_sum && !element.is_integer() && can_be_partial(statement, &reduction) {
                found.push(reduction);
            }
        }
    }
    Ok(found)
}

/// True if an update is that of a sum whose intermediate values other statements read, and needs nothing that they
/// compute.
fn is_prefix(
    model: &Model,
    dependences: &Dependences,
    statement: &Statement,
    update: &Update,
) -> Result<bool> {
    let is_own = |access| access == update.write || update.reads.contains(&access);
    let array = model.access(update.write)?.array;
    let others = |access: &&scop::Access| access.array == array && !is_own(access.id);
    if statement.accesses.iter().any(|access| others(&access)) {
        return Ok(false);
    }
    let reads =
        statement.accesses.iter().filter(|access| access.kind == AccessKind::Read && !is_own(access.id));
    for read in reads {
        for flow in dependences.flow.iter().filter(|flow| flow.sink == read.id) {
            let source = model.owner(flow.source)?;
            if source.loops.iter().any(|around| statement.loops.contains(around)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn permitted(statement: &Statement, update: &Update) -> Reduction {
    Reduction {
        statement: statement.id,
        read: update.reads.first().copied().unwrap_or(update.write),
        write: update.write,
        compared: update.reads.iter().skip(1).copied().collect(),
        operator: update.operator,
        relation: IslMap("{ }".to_owned()),
        relaxed: false,
        free: Some(Freedom::Permitted),
    }
}
