//! The plan's calls, by the code at which they stand, and what may be wrong with them.

use std::collections::BTreeMap;

use scop::{ActionOp, BlockObject, Effect, HostAction, HostCode, Position, SourceRange, Touch};

use crate::residency::facts::are_same;

/// A call of the plan that means nothing, or not what it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault<'a> {
    /// No node of the host code is where it stands.
    Nowhere(&'a HostAction),
    /// It throws away what the code there does not overwrite, free or leave behind.
    Careless(&'a HostAction),
    /// It ends an interval that the procedure has not begun.
    Unopened(&'a HostAction),
    /// An exception leaves an interval in this text, and what catches it does not restore how many are open.
    Lost(Option<SourceRange>),
    /// On some path, more intervals are open at the end of a text than on another.
    Unbalanced(Option<SourceRange>),
}

/// The calls of a plan that stand at no node yet.
pub struct Calls<'a> {
    at: BTreeMap<(u32, u32, u8), Here<'a>>,
}

/// The calls at one node.
#[derive(Default)]
pub struct Here<'a> {
    /// Those before it, in the order of execution.
    pub before: Vec<&'a HostAction>,
    /// Those after it, in the order of execution.
    pub after: Vec<&'a HostAction>,
}

impl<'a> Calls<'a> {
    pub fn new(actions: &'a [HostAction]) -> Self {
        let mut at: BTreeMap<_, Here<'a>> = BTreeMap::new();
        for action in actions {
            let here = at.entry(key(action.range, action.position)).or_default();
            if action.after { here.after.push(action) } else { here.before.push(action) }
        }
        Self { at }
    }

    /// Takes the calls at a node. If several nodes have the same text, calls stand at the outermost.
    pub fn take(&mut self, range: SourceRange, position: Position) -> Here<'a> {
        if position == Position::Fixed {
            return Here::default();
        }
        self.at.remove(&key(range, position)).unwrap_or_default()
    }

    /// Returns the calls that were not taken.
    pub fn rest(self) -> impl Iterator<Item = &'a HostAction> {
        self.at.into_values().flat_map(|here| here.before.into_iter().chain(here.after))
    }
}

fn key(range: SourceRange, position: Position) -> (u32, u32, u8) {
    let position = match position {
        Position::Statement => 0,
        Position::Alone => 1,
        Position::Expression => 2,
        Position::Fixed => 3,
    };
    (range.start, range.end, position)
}

/// True if a call throws nothing away that anyone needs: what it does not copy back, the code directly after it
/// overwrites or frees. What that code also reads of what it overwrites, calls `before` it have copied back.
pub fn is_careful(action: &HostAction, touches: &[Touch], before: &[&HostAction]) -> bool {
    let any = |is_it: &dyn Fn(&Touch) -> bool| touches.iter().any(is_it);
    match &action.op {
        ActionOp::Overwrites { place } => {
            let may_need = |touch: &Touch, other: &Touch| {
                let is_shared = other.memory.iter().any(|id| touch.memory.contains(id));
                is_shared && other.effect != Effect::Overwrites && !announce(before, other)
            };
            any(&|touch| {
                touch.effect == Effect::Overwrites
                    && are_same(place, touch.place.as_ref())
                    && !touches.iter().any(|other| may_need(touch, other))
            })
        }
        ActionOp::Frees { pointer } => any(&|touch| {
            let freed = touch.place.as_ref().filter(|_| touch.effect == Effect::Frees);
            freed.is_some_and(|place| place.address == *pointer)
        }),
        ActionOp::Forget { place } => {
            any(&|touch| touch.effect == Effect::Frees && are_same(place, touch.place.as_ref()))
        }
        // Those for exceptions stand at `try` and its handlers alone.
        ActionOp::Mark { .. } | ActionOp::Caught { .. } => false,
        _ => true,
    }
}

/// True if all that the value of a jump does with an object is to read places that some calls copied back: then nobody
/// needs what the device has of the object.
pub fn is_read_before(value: Option<&HostCode>, object: &BlockObject, calls: &[&HostAction]) -> bool {
    let is_copied = |touch: &Touch| touch.effect == Effect::Reads && announce(calls, touch);
    value.is_none_or(|value| {
        !value.runs_others()
            && value.touches.iter().filter(|touch| touch.memory.contains(&object.memory)).all(is_copied)
    })
}

/// True if some calls make the host's values right at a place before an access.
pub fn announce(announced: &[&HostAction], touch: &Touch) -> bool {
    let place = touch.place.as_ref();
    announced.iter().any(|action| match (&action.op, touch.effect) {
        (ActionOp::Reads { place: of }, Effect::Reads)
        | (ActionOp::Writes { place: of }, Effect::Reads | Effect::Writes | Effect::Overwrites)
        | (ActionOp::Overwrites { place: of }, Effect::Overwrites) => are_same(of, place),
        (ActionOp::Forget { place: of }, Effect::Frees) => are_same(of, place),
        (ActionOp::Frees { pointer }, Effect::Frees) => place.is_some_and(|place| place.address == *pointer),
        _ => false,
    })
}
