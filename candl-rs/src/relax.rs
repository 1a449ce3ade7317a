//! Updates that may be done in any order, because every order gives the same bits.
//!
//! ```c
//! for (int i = 0; i < n; i++)
//!     count += a[i] > limit;      // integers: no iteration has to wait for another
//! ```
//!
//! Integer operators are exactly associative. If all instances of an update access the same element, none of them
//! could run in parallel in their order; therefore, the order is given up. Every other access of the element must
//! still stay before or after each of the updates. The analyses find exactly these dependences for a write that
//! hides nothing: every update before a read is a source of the read, not only the last one.

use polyhedra::{Map, Result, Set, Text};
use scop::{AccessId, ArrayId, Dependence, Dependences, LiveAccess, Model, Reduction, contribution};

use crate::dataflow::Dataflow;
use crate::live::Ends;
use crate::{anti, flow, live, output};

/// Gives up the order of updates where this makes a difference: marks these updates, and computes the dependences
/// of their elements anew.
pub fn relax(dataflow: Dataflow<'_>, found: &mut Dependences) -> Result<()> {
    let model = dataflow.model;
    for reduction in &mut found.reductions {
        reduction.relaxed = gains(model, reduction)?;
    }
    let relaxed: Vec<Reduction> = found.relaxed().cloned().collect();
    if relaxed.is_empty() {
        return Ok(());
    }
    let writes: Vec<AccessId> = relaxed.iter().map(|reduction| reduction.write).collect();
    let dataflow = dataflow.hiding_nothing(&writes)?;
    let again = Again { model, relaxed: &relaxed };
    again.replace(&mut found.flow, flow::flow(&dataflow)?)?;
    again.replace(&mut found.anti, anti::anti(&dataflow)?)?;
    let output = output::output(&dataflow)?;
    again.replace(&mut found.output, dataflow.dependences(output.dependences.copy()?)?)?;
    again.replace_live(&mut found.live_in, live::live_in(&dataflow)?)?;
    again.replace_live(&mut found.live_out, Ends::new(&dataflow)?.live_out(&dataflow)?)
}

/// True if a single atomic operation can do each update, and the order would keep all instances from running in
/// parallel: they update one element, or data decide which (`count[bin[i]] += 1`), so any two may update the same one.
fn gains(model: &Model, reduction: &Reduction) -> Result<bool> {
    let statement = model.statement(reduction.statement)?;
    let write = model.access(reduction.write)?;
    if contribution(statement, reduction).is_none() {
        return Ok(false);
    }
    if write.indirect {
        return Ok(true);
    }
    let domain = Set::parse(&statement.domain.0)?.intersect_params(Set::parse(&model.context.0)?)?;
    let elements = Map::parse(&write.relation.0)?.intersect_domain(domain)?.range()?;
    Ok(elements.copy()?.lexmin()?.is_equal(&elements.lexmax()?)?)
}

struct Again<'a> {
    model: &'a Model,
    relaxed: &'a [Reduction],
}

impl Again<'_> {
    /// Replaces the dependences of the arrays of relaxed updates by those found now, without the dependences
    /// between an update's own accesses.
    fn replace(&self, list: &mut Vec<Dependence>, anew: Vec<Dependence>) -> Result<()> {
        let mut kept = Vec::new();
        for dependence in std::mem::take(list) {
            if !self.is_relaxed(dependence.source)? {
                kept.push(dependence);
            }
        }
        for dependence in anew {
            if self.is_relaxed(dependence.source)? && !self.is_own(&dependence) {
                kept.push(dependence);
            }
        }
        kept.sort_by_key(|dependence| (dependence.source, dependence.sink));
        *list = kept;
        Ok(())
    }

    fn replace_live(&self, list: &mut Vec<LiveAccess>, anew: Vec<LiveAccess>) -> Result<()> {
        let mut kept = Vec::new();
        for (lives, wanted) in [(std::mem::take(list), false), (anew, true)] {
            for live in lives {
                if self.is_relaxed(live.access)? == wanted {
                    kept.push(live);
                }
            }
        }
        kept.sort_by_key(|live| live.access);
        *list = kept;
        Ok(())
    }

    /// True if an access is to an array that a relaxed update writes.
    fn is_relaxed(&self, access: AccessId) -> Result<bool> {
        let array_of = |access: AccessId| -> Result<ArrayId> { Ok(self.model.access(access)?.array) };
        let array = array_of(access)?;
        for reduction in self.relaxed {
            if array_of(reduction.write)? == array {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if a dependence is between the two accesses of one relaxed update.
    fn is_own(&self, dependence: &Dependence) -> bool {
        let ends = [dependence.source, dependence.sink];
        self.relaxed
            .iter()
            .any(|reduction| ends.iter().all(|end| [reduction.read, reduction.write].contains(end)))
    }
}
