//! Checks that no value bypasses a buffer within a launch.

use polyhedra::{Map, Result, Set, Text};
use scop::{Access, AccessId, AccessKind, Diagnostic, Memory, Statement, Step as BodyStep};

use super::facts::Facts;
use super::users::Buffers;
use crate::program::compare::{apart, common, equal};
use crate::program::instances::{Executed, pulled_back};
use crate::program::order::between_points;
use crate::report::Fault;

/// Returns the messages about values that bypass a buffer. Within a launch, an element has to be written and then
/// used through the same buffer, and by the same thread if the buffer is private. This includes an element that an
/// instance writes and then reads itself, which is in no dependence.
pub fn check(facts: &Facts<'_>, buffers: &Buffers<'_>) -> Result<Vec<Diagnostic>> {
    let dependences = facts.sections.dependences;
    let mut messages = Vec::new();
    for dependence in dependences.flow.iter().chain(&dependences.output) {
        for (source, _) in facts.executing(dependence.source) {
            for (sink, _) in facts.executing(dependence.sink) {
                // A shared sum changes the element itself when it is combined.
                let route = |executed: &Executed<'_>, access| {
                    let is_sum = |id| buffers.by_id.get(&id).is_some_and(|buffer| buffer.partial.is_some());
                    executed.buffer(access).filter(|id| !is_sum(*id))
                };
                let routes = (route(source, dependence.source), route(sink, dependence.sink));
                let memory = match routes {
                    (None, None) => continue,
                    (Some(first), Some(second)) if first == second => {
                        buffers.by_id.get(&first).map(|buffer| buffer.memory)
                    }
                    _ => None,
                };
                if let Some(points) = bypassing(source, sink, &dependence.relation.0, memory)? {
                    messages.push(facts.message(sink, Fault::Bypassed(dependence.sink), points)?);
                }
            }
        }
    }
    for executed in facts.executed().filter(|executed| executed.leaf.launch.is_some()) {
        for (read, points) in bypassing_own(executed)? {
            messages.push(facts.message(executed, Fault::Bypassed(read), points)?);
        }
    }
    Ok(messages)
}

/// Returns the points that use, in one launch, what other points wrote by another route: through another buffer or
/// none, or through a private buffer in another thread. `memory` is that of the buffer that both use, if there is
/// one.
fn bypassing(
    source: &Executed<'_>,
    sink: &Executed<'_>,
    pairs: &str,
    memory: Option<Memory>,
) -> Result<Option<Set>> {
    let launch = source.leaf.launch.filter(|launch| launch.step < common(&source.leaf.path, &sink.leaf.path));
    let Some(launch) = launch.filter(|_| memory != Some(Memory::Shared)) else { return Ok(None) };
    let mut pairs = between_points(source, sink, &Map::parse(pairs)?)?;
    for dimension in 0..launch.first {
        pairs = equal(pairs, dimension)?;
    }
    if memory == Some(Memory::Private) {
        for dimension in launch.first..launch.thread_dimensions().end {
            if let Some(apart) = apart(&pairs, dimension)?.pop() {
                return Ok(Some(apart.range()?));
            }
            pairs = equal(pairs, dimension)?;
        }
        return Ok(None);
    }
    Ok(if pairs.is_empty()? { None } else { Some(pairs.range()?) })
}

/// Returns the reads that use by another route what their own instance wrote before, each with the points at which
/// they do.
fn bypassing_own(executed: &Executed<'_>) -> Result<Vec<(AccessId, Set)>> {
    let statement = executed.statement;
    let mut found = Vec::new();
    for read in statement.accesses.iter().filter(|access| access.kind == AccessKind::Read) {
        let route = executed.buffer(read.id);
        let elsewhere = |write: &&Access| executed.buffer(write.id) != route;
        for write in own_writes(statement, read).filter(elsewhere) {
            let same = Map::parse(&write.relation.0)?.intersect(Map::parse(&read.relation.0)?)?.domain()?;
            let points = executed.points.copy()?.intersect(pulled_back(same, &executed.instance)?)?;
            if !points.is_empty()? {
                found.push((read.id, points));
                break;
            }
        }
    }
    Ok(found)
}

/// Returns the writes in a read's own statement to the same array that may precede the read: in an earlier step, or
/// in the same step if it is a condition or a loop.
fn own_writes<'s>(statement: &'s Statement, read: &'s Access) -> impl Iterator<Item = &'s Access> {
    let of_array = |write: &&Access| write.kind == AccessKind::Write && write.array == read.array;
    let writes: Vec<&Access> = statement.accesses.iter().filter(of_array).collect();
    // Finding a position requires a walk through the whole body.
    let used = if writes.is_empty() { 0 } else { statement.position(read.id) };
    let has_steps = matches!(statement.body.get(used / 2), Some(BodyStep::If { .. } | BodyStep::For { .. }));
    writes.into_iter().filter(move |write| {
        let written = statement.position(write.id);
        written < used || written / 2 == used / 2 && has_steps
    })
}
