//! The control flow of a procedure, with the plan's calls in it.

use scop::{BlockObject, HostAction, HostCode, HostRegion, SourceRange, Touch};

/// The number of a point.
pub type PointId = usize;

/// The control flow of a procedure. A path from `entry` along `next` is a possible execution; every execution is such
/// a path.
pub struct Graph<'a> {
    pub points: Vec<Point<'a>>,
    pub entry: PointId,
    pub exit: PointId,
    /// Where exceptions leave it.
    pub thrown: PointId,
    /// Where exceptions may be caught in it.
    pub catches: Vec<Catch>,
    /// Outer loops before inner ones.
    pub loops: Vec<Loop<'a>>,
}

/// One step of an execution.
pub struct Point<'a> {
    pub step: Step<'a>,
    /// The text, if it is in the source file.
    pub range: Option<SourceRange>,
    /// What may be executed next.
    pub next: Vec<PointId>,
    /// The innermost loop around it; the first part of the header belongs to the loop.
    pub in_loop: Option<usize>,
}

/// What is executed at a point.
pub enum Step<'a> {
    /// Nothing.
    Pass,
    /// A call of the plan.
    Act(&'a HostAction),
    /// Code. It may make its calls in any order, any number of times, before and after what it touches itself.
    Code(Code<'a>),
    /// A region.
    Region { region: &'a HostRegion, touches: &'a [Touch], announced: Vec<&'a HostAction> },
    /// An exception is on its way from the code at a point.
    Throws(PointId),
    /// A block begins.
    Begins(&'a [BlockObject]),
    /// Blocks end.
    Ends(Ends<'a>),
}

/// The evaluation of host code.
pub struct Code<'a> {
    /// The code; absent for code that the document does not contain.
    pub code: Option<&'a HostCode>,
    /// The calls of the plan directly before it.
    pub announced: Vec<&'a HostAction>,
    /// The procedures that it may call. The number after that of the last procedure stands for unknown code.
    pub calls: Vec<usize>,
    /// True if it makes only one call.
    pub is_one_call: bool,
    /// True if it runs code that the document does not contain.
    pub runs_unknown: bool,
    /// The innermost loop that evaluates it in each iteration.
    pub repeated_by: Option<usize>,
}

/// The end of some blocks, inner ones first.
pub struct Ends<'a> {
    /// The objects that cease to exist.
    pub objects: Vec<&'a BlockObject>,
    /// The calls of the plan directly before.
    pub announced: Vec<&'a HostAction>,
    /// The code that is evaluated after these calls.
    pub value: Option<PointId>,
}

/// A `try`.
pub struct Catch {
    /// Where it begins.
    pub entry: PointId,
    /// Where its handlers begin.
    pub handlers: PointId,
    /// True if all handlers restore how many intervals were open at its beginning.
    pub restores: bool,
}

/// A loop.
pub struct Loop<'a> {
    /// The next loop around it.
    pub outer: Option<usize>,
    /// What its iterations touch.
    pub touches: &'a [Touch],
    /// The calls of the plan directly before it.
    pub announced: Vec<&'a HostAction>,
    /// True if control may enter it without passing these calls.
    pub is_entered: bool,
}

impl Graph<'_> {
    /// Returns the points that can be reached, each after its predecessors as far as possible.
    pub fn order(&self) -> Vec<PointId> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.points.len()];
        let mut open = vec![(self.entry, 0)];
        seen[self.entry] = true;
        while let Some((point, next)) = open.last_mut() {
            match self.points[*point].next.get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
                        open.push((successor, 0));
                    }
                }
                None => {
                    order.push(*point);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }
}
