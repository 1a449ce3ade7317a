//! Host code and the plan's calls as a graph.

use std::collections::BTreeSet;

use scop::{
    ActionOp, BlockObject, HostAction, HostBlock, HostBranch, HostCode, HostJump, HostLoop, HostNode,
    HostRegion, HostTry, Jump, MemoryObject, Position, Procedure, SourceRange, Touch,
};

use crate::residency::calls::{Calls, Fault, Here, is_careful, is_read_before};
use crate::residency::graph::{Catch, Code, Ends, Graph, Loop, Point, PointId, Step};

/// Returns the graph of a procedure, and what is wrong with the calls in it. `unknown` is the number that stands for
/// unknown code, and `throws` are the procedures that exceptions may leave.
pub fn graph<'a>(
    procedure: &'a Procedure,
    memory: &'a [MemoryObject],
    calls: &mut Calls<'a>,
    on_host: &'a [bool],
    unknown: usize,
    throws: &[bool],
) -> (Graph<'a>, Vec<Fault<'a>>) {
    let mut builder = Builder {
        procedure,
        memory,
        calls,
        on_host,
        unknown,
        throws,
        graph: empty(),
        around: Vec::new(),
        in_loop: None,
        repeated_by: None,
        labels: Vec::new(),
        plain_labels: Vec::new(),
        gotos: Vec::new(),
        faults: Vec::new(),
    };
    let (entry, exit) = (builder.pass(), builder.pass());
    let thrown = builder.pass();
    (builder.graph.entry, builder.graph.exit, builder.graph.thrown) = (entry, exit, thrown);
    let (end, last) = builder.nodes(&procedure.body, Some(entry));
    builder.reject_forgets(&last);
    builder.link(end, exit);
    builder.find_entered_loops();
    builder.link_gotos();
    (builder.graph, builder.faults)
}

/// Returns the graph of unknown code, which may call some procedures.
pub fn unknown<'a>(calls: Vec<usize>) -> Graph<'a> {
    let thrown = Point { step: Step::Throws(0), range: None, next: Vec::new(), in_loop: None };
    Graph { points: vec![unseen(calls, false, vec![1]), thrown], thrown: 1, ..empty() }
}

/// Returns the graph of the whole program: unknown code may run before and after `main`.
pub fn program<'a>(main: Option<usize>, unknown: usize) -> Graph<'a> {
    let points = vec![
        unseen(vec![unknown], true, vec![1]),
        unseen(main.into_iter().collect(), true, vec![2]),
        unseen(vec![unknown], true, Vec::new()),
        // What nothing catches ends the program.
        Point { step: Step::Pass, range: None, next: Vec::new(), in_loop: None },
    ];
    Graph { points, exit: 2, thrown: 3, ..empty() }
}

fn unseen<'a>(calls: Vec<usize>, is_one_call: bool, next: Vec<PointId>) -> Point<'a> {
    let announced = Vec::new();
    let code = Code { code: None, announced, calls, is_one_call, runs_unknown: false, repeated_by: None };
    Point { step: Step::Code(code), range: None, next, in_loop: None }
}

fn empty<'a>() -> Graph<'a> {
    let (points, catches, loops) = (Vec::new(), Vec::new(), Vec::new());
    Graph { points, entry: 0, exit: 0, thrown: 0, catches, loops }
}

/// A statement that jumps may leave.
enum Target<'a> {
    Block { block: &'a HostBlock, labels: BTreeSet<&'a str> },
    Loop { next: PointId, end: PointId },
    Switch { condition: PointId, end: PointId },
    Try { handlers: PointId },
}

struct Builder<'b, 'a> {
    procedure: &'a Procedure,
    memory: &'a [MemoryObject],
    calls: &'b mut Calls<'a>,
    /// Which scops stay on the host.
    on_host: &'a [bool],
    unknown: usize,
    throws: &'b [bool],
    graph: Graph<'a>,
    /// The statements around, from the outside inwards.
    around: Vec<Target<'a>>,
    in_loop: Option<usize>,
    repeated_by: Option<usize>,
    /// The labels and cases, with their names.
    labels: Vec<(Option<&'a str>, PointId)>,
    /// The innermost loops around labels that are no `case`.
    plain_labels: Vec<usize>,
    /// The jumps to labels, with the label if it is known.
    gotos: Vec<(Option<&'a str>, PointId)>,
    faults: Vec<Fault<'a>>,
}

/// Returns the labels in some nodes.
fn labels(nodes: &[HostNode]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    HostNode::walk(nodes, &mut |node| {
        if let HostNode::Label { name: Some(name), .. } = node {
            found.insert(name.as_str());
        }
    });
    found
}

/// True for a `goto` to one of these labels.
fn is_target_in(jump: &HostJump, labels: &BTreeSet<&str>) -> bool {
    jump.jump == Jump::Goto && jump.label.as_deref().is_some_and(|label| labels.contains(label))
}

/// True for a call that notes what is open at the beginning of a `try`.
fn is_mark(action: &HostAction, range: SourceRange) -> bool {
    matches!(action.op, ActionOp::Mark { at } if at == range.start)
}

/// The point after which something is executed; nothing if it is never executed.
type At = Option<PointId>;

impl<'a> Builder<'_, 'a> {
    fn add(&mut self, at: At, step: Step<'a>, range: SourceRange) -> At {
        let range = self.procedure.range.map(|_| range);
        let in_loop = self.in_loop;
        self.graph.points.push(Point { step, range, next: Vec::new(), in_loop });
        let point = self.graph.points.len() - 1;
        self.link(at, point);
        Some(point)
    }

    fn pass(&mut self) -> PointId {
        let in_loop = self.in_loop;
        let step = Step::Pass;
        self.graph.points.push(Point { step, range: None, next: Vec::new(), in_loop });
        self.graph.points.len() - 1
    }

    fn link(&mut self, from: At, to: PointId) {
        if let Some(from) = from {
            self.graph.points[from].next.push(to);
        }
    }

    fn take(&mut self, range: SourceRange, position: Position) -> Here<'a> {
        match self.procedure.range {
            Some(_) => self.calls.take(range, position),
            None => Here::default(),
        }
    }

    /// Adds some calls, directly before or after code that does the `touches`.
    fn act(&mut self, mut at: At, actions: &[&'a HostAction], touches: &[Touch]) -> At {
        for (number, action) in actions.iter().enumerate() {
            let is_end = matches!(action.op, ActionOp::Forget { .. }) && action.after;
            if !is_end && !is_careful(action, touches, &actions[..number]) {
                self.faults.push(Fault::Careless(action));
            }
            at = self.add(at, Step::Act(action), action.range);
        }
        at
    }

    /// Adds calls before a jump, which may forget objects of blocks that it leaves.
    fn act_before_jump(&mut self, mut at: At, actions: &[&'a HostAction], jump: &HostJump) -> At {
        for (number, action) in actions.iter().enumerate() {
            let is_left = match &action.op {
                ActionOp::Forget { place } => {
                    let left = self.left_by(jump).0.into_iter().find(|object| object.place == *place);
                    left.is_some_and(|object| is_read_before(jump.value.as_ref(), object, &actions[..number]))
                }
                _ => is_careful(action, &[], &[]),
            };
            if !is_left {
                self.faults.push(Fault::Careless(action));
            }
            at = self.add(at, Step::Act(action), action.range);
        }
        at
    }

    fn reject_forgets(&mut self, actions: &[&'a HostAction]) {
        let forgets = actions.iter().filter(|action| matches!(action.op, ActionOp::Forget { .. }));
        self.faults.extend(forgets.map(|action| Fault::Careless(action)));
    }

    fn stays_on_host(&self, region: &HostRegion) -> bool {
        self.on_host.get(region.scop as usize).is_some_and(|stays| *stays)
    }

    /// What the host touches for a region.
    fn touched_by(&self, region: &'a HostRegion) -> &'a [Touch] {
        if self.stays_on_host(region) { &region.original } else { &region.touches }
    }

    /// Adds nodes, and returns the calls after the last one.
    fn nodes(&mut self, nodes: &'a [HostNode], mut at: At) -> (At, Vec<&'a HostAction>) {
        let mut last = Vec::new();
        for node in nodes {
            self.reject_forgets(&last);
            (at, last) = self.node(node, at);
        }
        (at, last)
    }

    fn node(&mut self, node: &'a HostNode, at: At) -> (At, Vec<&'a HostAction>) {
        if let HostNode::Code(code) = node {
            return self.code(code, at);
        }
        let (range, mut position) = node.place();
        if let HostNode::Region(region) = node
            && self.stays_on_host(region)
        {
            position = region.position_on_host();
        }
        let Here { before, after } = self.take(range, position);
        let touches = match node {
            HostNode::Loop(one) => &one.touches[..],
            HostNode::Region(region) => self.touched_by(region),
            _ => &[],
        };
        let at = match node {
            HostNode::Jump(jump) => self.act_before_jump(at, &before, jump),
            HostNode::Try(_) => {
                let others: Vec<_> =
                    before.iter().copied().filter(|action| !is_mark(action, range)).collect();
                self.act(at, &others, touches)
            }
            _ => self.act(at, &before, touches),
        };
        let end = match node {
            HostNode::Code(_) => at,
            HostNode::Branch(branch) => self.branch(branch, at),
            HostNode::Loop(one) => self.a_loop(one, before, at),
            HostNode::Block(block) => self.block(block, at),
            HostNode::Data(data) => {
                let (end, last) = self.nodes(&data.body, at);
                self.reject_forgets(&last);
                end
            }
            HostNode::Try(one) => {
                let is_marked = before.last().is_some_and(|action| is_mark(action, range));
                self.try_of(one, is_marked, at)
            }
            HostNode::Region(region) => {
                self.add(at, Step::Region { region, touches, announced: before }, range)
            }
            HostNode::Jump(jump) => {
                self.jump(jump, before, at);
                None
            }
            HostNode::Label { name, .. } => {
                let label = self.pass();
                self.link(at, label);
                self.labels.push((name.as_deref(), label));
                match name {
                    Some(_) => self.plain_labels.extend(self.in_loop),
                    None => self.enter_from_switch(label),
                }
                Some(label)
            }
        };
        (self.act(end, &after, &[]), after)
    }

    fn code(&mut self, code: &'a HostCode, at: At) -> (At, Vec<&'a HostAction>) {
        let Here { before, after } = self.take(code.range, code.position);
        if code.position == Position::Expression {
            self.faults.extend(after.iter().map(|action| Fault::Nowhere(action)));
        }
        let at = self.act(at, &before, &code.touches);
        if code.unknown.is_some() && code.ends {
            // What runs then comes after no part of a loop.
            let in_loop = self.in_loop.take();
            self.evaluation(code, before.clone(), true, at);
            self.in_loop = in_loop;
        }
        let at = self.evaluation(code, before, code.returns_from_unknown(), at);
        (self.act(at, &after, &[]), after)
    }

    fn evaluation(
        &mut self,
        code: &'a HostCode,
        announced: Vec<&'a HostAction>,
        runs_unknown: bool,
        at: At,
    ) -> At {
        let mut calls: Vec<usize> = code.calls.iter().map(|id| id.index()).collect();
        calls.extend(runs_unknown.then_some(self.unknown));
        let throws = calls.iter().any(|call| self.throws.get(*call).is_some_and(|throws| *throws));
        let (is_one_call, repeated_by) = (false, self.repeated_by);
        let step = Code { code: Some(code), announced, calls, is_one_call, runs_unknown, repeated_by };
        let end = self.add(at, Step::Code(step), code.range);
        if let (Some(point), true) = (end, throws && !(runs_unknown && code.ends)) {
            self.throw(point, code.range);
        }
        end
    }

    /// An exception may go to the handlers of each `try` around code, and leave the procedure.
    fn throw(&mut self, point: PointId, range: SourceRange) {
        let thrown = self.add(Some(point), Step::Throws(point), range);
        let around = self.around.iter().filter_map(|target| match target {
            Target::Try { handlers } => Some(*handlers),
            _ => None,
        });
        let targets: Vec<PointId> = around.chain([self.graph.thrown]).collect();
        targets.into_iter().for_each(|target| self.link(thrown, target));
    }

    fn try_of(&mut self, one: &'a HostTry, is_marked: bool, at: At) -> At {
        let (entry, handlers, end) = (self.pass(), self.pass(), self.pass());
        self.link(at, entry);
        self.around.push(Target::Try { handlers });
        let (body, last) = self.nodes(&one.body, Some(entry));
        self.around.pop();
        self.reject_forgets(&last);
        self.link(body, end);
        let mut restores = is_marked;
        for handler in &one.handlers {
            let Here { before, after } = self.take(handler.start, handler.position);
            self.faults.extend(before.iter().map(|action| Fault::Careless(action)));
            let is_restoring = |action: &&&HostAction| matches!(action.op, ActionOp::Caught { at } if is_marked && at == one.range.start);
            restores &= after.first().is_some_and(|first| is_restoring(&first));
            let others = after.iter().skip(usize::from(restores));
            self.faults.extend(others.map(|action| Fault::Careless(action)));
            let (handled, last) = self.nodes(&handler.body, Some(handlers));
            self.reject_forgets(&last);
            self.link(handled, end);
        }
        self.graph.catches.push(Catch { entry, handlers, restores });
        Some(end)
    }

    fn branch(&mut self, branch: &'a HostBranch, at: At) -> At {
        let (condition, _) = self.code(&branch.condition, at);
        let end = self.pass();
        self.link(condition, end);
        if branch.switch {
            let condition = condition.unwrap_or(end);
            self.around.push(Target::Switch { condition, end });
        }
        for arm in &branch.arms {
            let start = if branch.switch { None } else { condition };
            let (arm_end, last) = self.nodes(arm, start);
            self.reject_forgets(&last);
            self.link(arm_end, end);
        }
        if branch.switch {
            self.around.pop();
        }
        Some(end)
    }

    /// The condition is evaluated before each iteration, or after it.
    fn a_loop(&mut self, one: &'a HostLoop, announced: Vec<&'a HostAction>, at: At) -> At {
        let end = self.pass();
        let outside = (self.in_loop, self.repeated_by);
        let around = Loop { outer: self.in_loop, touches: &one.touches, announced, is_entered: false };
        self.graph.loops.push(around);
        self.in_loop = Some(self.graph.loops.len() - 1);
        let mut at = at;
        if let Some(start) = &one.start {
            (at, _) = self.code(start, at);
        }
        self.repeated_by = self.in_loop;
        let (head, next) = (self.pass(), self.pass());
        self.link(at, head);
        let mut body = Some(head);
        if let Some(condition) = &one.condition {
            let (tested, _) = self.code(condition, Some(head));
            self.link(tested, end);
            let join = self.pass();
            self.link(tested, join);
            self.link(Some(head), join);
            body = Some(join);
        } else {
            self.link(Some(head), end);
        }
        self.around.push(Target::Loop { next, end });
        let (body_end, last) = self.nodes(&one.body, body);
        self.reject_forgets(&last);
        self.around.pop();
        self.link(body_end, next);
        let mut stepped = Some(next);
        if let Some(step) = &one.step {
            (stepped, _) = self.code(step, stepped);
        }
        self.link(stepped, head);
        (self.in_loop, self.repeated_by) = outside;
        Some(end)
    }

    fn block(&mut self, block: &'a HostBlock, at: At) -> At {
        let objects = &block.objects[..];
        let at = match objects {
            [] => at,
            _ => self.add(at, Step::Begins(objects), block.range),
        };
        self.around.push(Target::Block { block, labels: labels(&block.body) });
        let (mut at, last) = self.nodes(&block.body, at);
        self.around.pop();
        let is_end = |action: &&&HostAction| match &action.op {
            ActionOp::Forget { place } => objects.iter().any(|object| object.place == *place),
            _ => true,
        };
        let others = last.iter().copied().filter(|action| !is_end(&action));
        self.faults.extend(others.map(Fault::Careless));
        if at.is_some() && !objects.is_empty() {
            let objects = objects.iter().collect();
            at = self.add(at, Step::Ends(Ends { objects, announced: last, value: None }), block.range);
        }
        at
    }

    /// Links jumps to their labels; one whose label is not known to all of them.
    fn link_gotos(&mut self) {
        for (target, goto) in std::mem::take(&mut self.gotos) {
            let is_target = |label: &&(Option<&str>, PointId)| target.is_some() && label.0 == target;
            let mut named: Vec<PointId> =
                self.labels.iter().filter(is_target).map(|(_, label)| *label).collect();
            if named.is_empty() {
                named = self.labels.iter().map(|(_, label)| *label).collect();
            }
            named.into_iter().for_each(|label| self.link(Some(goto), label));
        }
    }

    fn jump(&mut self, jump: &'a HostJump, announced: Vec<&'a HostAction>, mut at: At) {
        let mut value = None;
        if let Some(code) = &jump.value {
            (at, _) = self.code(code, at);
            value = at;
        }
        let (objects, to) = self.left_by(jump);
        at = self.add(at, Step::Ends(Ends { objects, announced, value }), jump.range);
        match jump.jump {
            // If its label is not known, it leaves no more blocks than these.
            Jump::Goto => self.gotos.extend(at.map(|point| (jump.label.as_deref(), point))),
            _ => self.link(at, to.unwrap_or(self.graph.exit)),
        }
    }

    /// Returns the objects of the blocks that a jump leaves, from the innermost block outwards, and where it leads, if
    /// that is in the procedure.
    fn left_by(&self, jump: &HostJump) -> (Vec<&'a BlockObject>, Option<PointId>) {
        let mut objects = Vec::new();
        let mut to = None;
        for target in self.around.iter().rev() {
            match target {
                Target::Block { labels, .. } if is_target_in(jump, labels) => break,
                Target::Block { block, .. } => {
                    let exists = |object: &&BlockObject| self.exists(block, object, jump.range);
                    objects.extend(block.objects.iter().filter(exists));
                }
                Target::Loop { next, end } if matches!(jump.jump, Jump::Break | Jump::Continue) => {
                    to = Some(if jump.jump == Jump::Break { *end } else { *next });
                    break;
                }
                Target::Switch { end, .. } if jump.jump == Jump::Break => {
                    to = Some(*end);
                    break;
                }
                _ => {}
            }
        }
        (objects, to)
    }

    /// Links the condition of the innermost `switch` to a `case` in it. Loops between the two are entered there.
    fn enter_from_switch(&mut self, label: PointId) {
        let inner = self.around.iter().rev().take_while(|target| !matches!(target, Target::Switch { .. }));
        let loops = inner.filter(|target| matches!(target, Target::Loop { .. })).count();
        let switch = self.around.iter().rev().find_map(|target| match target {
            Target::Switch { condition, .. } => Some(*condition),
            _ => None,
        });
        self.link(switch, label);
        let mut around = self.in_loop;
        for _ in 0..loops {
            let Some(number) = around else { break };
            self.graph.loops[number].is_entered = true;
            around = self.graph.loops[number].outer;
        }
    }

    /// Finds the loops with labels to which a `goto` outside of them may jump.
    fn find_entered_loops(&mut self) {
        let count = |points: &mut dyn Iterator<Item = Option<usize>>, loops: &[Loop<'_>]| {
            let mut counts = vec![0; loops.len()];
            for mut around in points {
                while let Some(number) = around {
                    counts[number] += 1;
                    around = loops[number].outer;
                }
            }
            counts
        };
        let loops = &self.graph.loops;
        let labels = count(&mut self.plain_labels.iter().map(|number| Some(*number)), loops);
        let gotos = self.gotos.iter().map(|(_, goto)| self.graph.points[*goto].in_loop);
        let inside = count(&mut gotos.clone(), loops);
        let all = gotos.count();
        for (number, one) in self.graph.loops.iter_mut().enumerate() {
            one.is_entered |= labels[number] > 0 && inside[number] < all;
        }
    }

    /// True if an object of a block around a jump may exist when control reaches the jump: not before its declaration,
    /// unless a `goto` may have led back from there.
    fn exists(&self, block: &HostBlock, object: &BlockObject, jump: SourceRange) -> bool {
        let declared = self.memory.get(object.memory.index()).and_then(|object| object.made_at);
        declared.is_none_or(|declared| declared.start < jump.start || leads_back(block, declared))
    }
}

/// True if a `goto` after a declaration in a block may lead to a label of the block before it.
fn leads_back(block: &HostBlock, declared: SourceRange) -> bool {
    let (mut labels, mut targets) = (BTreeSet::new(), Vec::new());
    HostNode::walk(&block.body, &mut |node| match node {
        HostNode::Label { range, name: Some(name) } if range.start <= declared.start => {
            labels.insert(name.as_str());
        }
        HostNode::Jump(jump) if jump.jump == Jump::Goto && jump.range.start > declared.start => {
            targets.push(jump.label.as_deref());
        }
        _ => {}
    });
    !labels.is_empty() && targets.iter().any(|target| target.is_none_or(|label| labels.contains(label)))
}
