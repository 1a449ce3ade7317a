//! Whether blocks have something to do.

use crate::program::{Launch, Loop, LoopKind, Thread};
use crate::range::{Ranges, range, truth};

/// Whether the threads of some blocks come to work or to a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// None of them does, in no block.
    Never,
    /// This cannot be said of all the blocks at once.
    Perhaps,
    /// All of them do, in every block.
    Always,
}

/// Returns what the blocks of a box of the grid do, given by their first coordinates and numbers in each dimension.
/// `ranges` has the variables of the host.
pub fn reach(launch: &Launch, blocks: &[(i64, i64)], ranges: &mut Ranges) -> Reach {
    for ((slot, ..), (first, number)) in launch.grid.iter().zip(blocks) {
        ranges.set(*slot, (*first, first.saturating_add(number - 1)));
    }
    for (slot, threads) in &launch.block {
        ranges.set(*slot, (0, i64::from(*threads) - 1));
    }
    reached(&launch.body, ranges)
}

fn reached(thread: &Thread, ranges: &mut Ranges) -> Reach {
    match thread {
        Thread::Block(children) => {
            let mut most = Reach::Never;
            for child in children {
                most = most.max(reached(child, ranges));
                if most == Reach::Always {
                    break;
                }
            }
            most
        }
        Thread::For(inner) => reached_in_loop(inner, ranges),
        Thread::If(condition, then, otherwise) => {
            let other = |ranges: &mut Ranges| {
                otherwise.as_deref().map_or(Reach::Never, |otherwise| reached(otherwise, ranges))
            };
            match truth(range(condition, ranges)) {
                Some(true) => reached(then, ranges),
                Some(false) => other(ranges),
                None => match (reached(then, ranges), other(ranges)) {
                    (one, other) if one == other => one,
                    _ => Reach::Perhaps,
                },
            }
        }
        Thread::Work(_) | Thread::Barrier => Reach::Always,
    }
}

fn reached_in_loop(inner: &Loop<Thread>, ranges: &mut Ranges) -> Reach {
    let init = range(&inner.init, ranges);
    let lasts = inner.last.iter().map(|last| range(last, ranges));
    let last = lasts.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)));
    let (LoopKind::Kept(_) | LoopKind::Unrolled, Some(last)) = (inner.kind, last) else {
        ranges.set(inner.iterator, init);
        return reached(&inner.body, ranges);
    };
    if last.1 < init.0 {
        return Reach::Never;
    }
    ranges.set(inner.iterator, (init.0, last.1));
    let body = reached(&inner.body, ranges);
    if last.0 >= init.1 { body } else { body.min(Reach::Perhaps) }
}
