//! Exceptions that leave intervals: handlers have to know how many are open.
//!
//! Code that may throw is unknown code. In an interval, memory of bounded classes leaves the device before it runs
//! ([`ActionOp::Leave`]), so nothing of it is there when an exception is on its way. But the calls that should follow
//! are left out: the end of the interval, and the return to it. A `try` therefore notes what is open when it begins,
//! and its handlers restore that.

use std::collections::BTreeSet;

use scop::{ActionOp, HostAction, HostNode, HostTry, Procedure, ProcedureId};

use crate::residency::code::{add_called, called, takes_statements};
use crate::residency::runs::RunTable;
use crate::residency::work;

/// Returns the statements of all procedures that may catch an exception.
fn catching<'p>(procedures: &'p [Procedure], runs: &RunTable<'p>) -> Vec<&'p HostTry> {
    let mut found = Vec::new();
    for procedure in procedures {
        HostNode::walk(&procedure.body, &mut |node| {
            work::add(1);
            if let HostNode::Try(one) = node
                && runs.any_is_unknown(&one.body)
            {
                found.push(&**one);
            }
        });
    }
    found
}

/// True if calls can be added where a statement and its handlers begin.
fn can_restore(one: &HostTry) -> bool {
    let positions = one.handlers.iter().map(|handler| handler.position).chain([one.position]);
    positions.into_iter().all(takes_statements)
}

/// True if a node may catch an exception and cannot restore what was open before it.
pub fn is_lost_in<'p>(node: &'p HostNode, runs: &RunTable<'p>) -> bool {
    matches!(node, HostNode::Try(one) if !can_restore(one) && runs.any_is_unknown(&one.body))
}

/// Returns the procedures that exceptions may leave of which a handler cannot restore what was open before: those that
/// its `try` calls, and those that unknown code may call.
pub fn left_for_good<'p>(procedures: &'p [Procedure], runs: &RunTable<'p>) -> BTreeSet<ProcedureId> {
    let lost: Vec<_> = catching(procedures, runs).into_iter().filter(|one| !can_restore(one)).collect();
    let mut all = BTreeSet::new();
    lost.iter().for_each(|one| add_called(procedures, called(&one.body), &mut all));
    if !lost.is_empty() {
        let callable = procedures.iter().filter(|one| one.called_from_elsewhere).map(|one| one.id);
        add_called(procedures, callable.collect(), &mut all);
    }
    all
}

/// Returns the calls with which handlers restore what was open, if there are intervals: unknown code in a `try` may call
/// functions that have some.
pub fn restoring<'p>(procedures: &'p [Procedure], runs: &RunTable<'p>) -> Vec<HostAction> {
    let mut actions = Vec::new();
    for one in catching(procedures, runs).into_iter().filter(|one| can_restore(one)) {
        let at = one.range.start;
        let action = |range, position, after, op| HostAction { range, position, after, op, because: None };
        actions.push(action(one.range, one.position, false, ActionOp::Mark { at }));
        let restores = |handler: &scop::HostHandler| {
            action(handler.start, handler.position, true, ActionOp::Caught { at })
        };
        actions.extend(one.handlers.iter().map(restores));
    }
    actions
}
