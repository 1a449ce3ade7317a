//! Loops, conditions and statement instances as C.

use scop::ast::expression::value;
use scop::ast::{AstExpr, AstOp, Node, Unroll};
use scop::c_text::{Code, Fragment, atomic_combination};
use scop::{AccessKind, ArrayId, Axis, BufferId, CType, Diagnostics, ReductionOp};

use crate::code::element;
use crate::code::frame::Frame;
use crate::code::instance::Instance;
use crate::code::partial;
use crate::code::stmt::{Operation, Stmt, append};
use crate::code::undefined::undefined;
use crate::model::facts::Facts;

/// Writes the nodes that differ between host functions and kernels.
pub trait OwnNodes<Op> {
    /// Writes a kernel launch, the transfer of a part of an array, an element of a transfer, or a barrier; `facts`
    /// hold at this place.
    ///
    /// # Errors
    /// Reports a bug if the node must not occur in this function, or if the document uses something that it does not
    /// define.
    fn write(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt<Op>>, Diagnostics>;

    /// Writes the transfers of some arrays at one place.
    ///
    /// # Errors
    /// Fails as [`OwnNodes::write`] does.
    fn transfers(
        &mut self,
        _arrays: &[ArrayId],
        _to_device: bool,
        _facts: &Facts,
    ) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        Err(undefined("a transfer inside a kernel"))
    }

    /// Writes a loop.
    fn counted(&mut self, head: Counted<'_>, body: Vec<Stmt<Op>>) -> Stmt<Op> {
        Stmt::Loop { head: head.text(), body }
    }
}

/// The head of a loop.
pub struct Counted<'a> {
    /// The type of its iterator.
    pub ctype: CType,
    /// Its iterator.
    pub iterator: &'a str,
    /// The first value.
    pub first: Fragment,
    /// The loop runs while this holds.
    pub condition: &'a AstExpr,
    /// The condition as text.
    pub condition_text: Fragment,
    /// The statement after each iteration: `i++`.
    pub step: String,
}

impl Counted<'_> {
    /// Returns `for (…)`.
    pub fn text(&self) -> String {
        let Self { ctype, iterator, first, condition_text, step, .. } = self;
        format!("for ({ctype} {iterator} = {first}; {condition_text}; {step})")
    }
}

/// The writer of a function's body.
pub struct Body<'a, 'b, Op> {
    /// The function.
    pub frame: &'a Frame<'a>,
    /// Writes launches and transfers, or refuses them.
    pub own: &'b mut dyn OwnNodes<Op>,
    /// True if each instance gets a comment with its source line.
    pub lines: bool,
}

impl<Op: Operation> Body<'_, '_, Op> {
    /// Returns the statements of a node.
    ///
    /// # Errors
    ///
    /// Reports a bug if the document uses something that it does not define.
    pub fn write(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        match node {
            Node::Block { children } => self.block(children, facts),
            Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
                let inner = facts.inside(node);
                if *degenerate {
                    return self.named(iterator, init, body, &inner);
                }
                let body = self.write(body, &inner)?;
                let head = self.counted(iterator, init, condition, increment);
                let stmt = self.own.counted(head, body);
                Ok(match unroll {
                    Unroll::Compiler => vec![stmt],
                    Unroll::Wholly => vec![Stmt::line("#pragma unroll"), stmt],
                    Unroll::By(factor) => vec![Stmt::line(format!("#pragma unroll {factor}")), stmt],
                })
            }
            Node::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise.as_deref(), facts)
            }
            Node::Specialised { guard, specialised, general } => {
                self.branch(guard, specialised, Some(general), facts)
            }
            Node::Instance { .. } => self.instance(node),
            Node::Copy { buffer, into_buffer, element, place } => {
                self.copy(*buffer, *into_buffer, element, place)
            }
            Node::Transfer { array, to_device, part: None } => {
                self.own.transfers(&[*array], *to_device, facts)
            }
            Node::Barrier
            | Node::Kernel { .. }
            | Node::Element { .. }
            | Node::Transfer { part: Some(_), .. } => self.own.write(node, facts),
        }
    }

    fn block(&mut self, children: &[Node], facts: &Facts) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let mut block = Vec::new();
        for run in
            children.chunk_by(|one, other| direction(one).is_some() && direction(one) == direction(other))
        {
            let statements = match (run, direction(&run[0])) {
                ([only], _) => self.write(only, facts)?,
                (_, Some(to_device)) => self.own.transfers(&transferred(run), to_device, facts)?,
                (_, None) => self.block(run, facts)?,
            };
            append(&mut block, statements);
        }
        Ok(block)
    }

    fn branch(
        &mut self,
        condition: &AstExpr,
        then: &Node,
        otherwise: Option<&Node>,
        facts: &Facts,
    ) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let then = self.write(then, &facts.and(condition))?;
        let otherwise = otherwise.map_or(Ok(Vec::new()), |node| self.write(node, facts))?;
        Ok(vec![Stmt::If { condition: self.frame.index(condition).text, then, otherwise }])
    }

    fn named(
        &mut self,
        name: &str,
        value: &AstExpr,
        body: &Node,
        facts: &Facts,
    ) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let declaration =
            format!("const {} {name} = {};", self.frame.view.integers.index, self.frame.index(value));
        let mut block = vec![Stmt::declare(name, declaration)];
        append(&mut block, self.write(body, facts)?);
        Ok(block)
    }

    fn counted<'n>(
        &self,
        iterator: &'n str,
        init: &AstExpr,
        condition: &'n AstExpr,
        increment: &AstExpr,
    ) -> Counted<'n> {
        let frame = self.frame;
        let step = match value(increment) {
            Some(1) => format!("{iterator}++"),
            _ => format!("{iterator} += {}", frame.index(increment)),
        };
        Counted {
            ctype: frame.view.integers.index,
            iterator,
            first: frame.index(init),
            condition,
            condition_text: frame.index(condition),
            step,
        }
    }

    fn instance(&self, node: &Node) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let Node::Instance { statement, iterators, accesses } = node else {
            return Err(undefined("an instance"));
        };
        let statement = self.frame.view.statement(*statement)?;
        let instance = Instance { frame: self.frame, statement, iterators, accesses };
        let texts = instance.code()?;
        let mut comment = self.lines.then(|| format!("line {}", statement.range.line));
        Ok(texts.into_iter().map(|text| stmt(text, &mut comment)).collect())
    }

    fn copy(
        &self,
        buffer: BufferId,
        into_buffer: bool,
        element: &[AstExpr],
        place: &[AstExpr],
    ) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let partial = self.frame.view.buffer(buffer)?.buffer;
        if let Some(operator) = partial.partial {
            if partial.has_block_sums() {
                return self.block_sum(operator, buffer, into_buffer, (element, place));
            }
            return self.shared_sum(operator, buffer, into_buffer, (element, place));
        }
        let kind = if into_buffer { AccessKind::Read } else { AccessKind::Write };
        let array = self.frame.view.buffer(buffer)?.buffer.array;
        let element = element::element(self.frame, array, element, kind)?;
        let place = element::place(self.frame, buffer, place)?;
        let text =
            if into_buffer { format!("{place} = {element};") } else { format!("{element} = {place};") };
        Ok(vec![Stmt::line(text)])
    }
}

impl<Op: Operation> Body<'_, '_, Op> {
    /// Returns the statement that sets a value of a block to the neutral one, or that combines it with the element.
    fn block_sum(
        &self,
        operator: ReductionOp,
        buffer: BufferId,
        begins: bool,
        (element, place): (&[AstExpr], &[AstExpr]),
    ) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let own = element::place(self.frame, buffer, place)?;
        if begins {
            return Ok(vec![Stmt::line(format!("{own} = {};", partial::neutral(operator, own.ctype)?))]);
        }
        let array = self.frame.view.buffer(buffer)?.buffer.array;
        let element = element::element(self.frame, array, element, AccessKind::Write)?;
        let update = atomic_combination(operator, &element, &own);
        Ok(vec![Stmt::line(update.ok_or_else(|| undefined("a combination of sums"))?)])
    }

    /// Returns the statements that set a value of a shared sum to the neutral one, or that combine the values of a
    /// warp with the element.
    fn shared_sum(
        &self,
        operator: ReductionOp,
        buffer: BufferId,
        begins: bool,
        (element, place): (&[AstExpr], &[AstExpr]),
    ) -> Result<Vec<Stmt<Op>>, Diagnostics> {
        let frame = self.frame;
        let (array, in_order) =
            (frame.view.buffer(buffer)?.buffer.array, frame.view.buffer(buffer)?.buffer.in_order);
        let own = element::place(frame, buffer, place)?;
        if begins {
            let neutral = partial::neutral(operator, own.ctype)?;
            frame.note_use(|uses| uses.calls_library |= neutral.contains("HUGE_VAL"));
            return Ok(vec![Stmt::line(format!("{own} = {neutral};"))]);
        }
        frame.note_use(|uses| {
            uses.shared_sums.insert((operator, in_order));
        });
        let function = frame.view.names.own(partial::function(operator, in_order));
        let element = element::element(frame, array, element, AccessKind::Write)?;
        let first = AstExpr::Name(Axis::X.thread_parameter().to_owned());
        let first = frame.index(&AstExpr::Op(AstOp::Eq, vec![first, AstExpr::Int(0)])).text;
        if in_order {
            let combine = format!("{own} = {function}({first} ? {element} : {own}, {own});");
            let update = vec![Stmt::line(format!("{element} = {own};"))];
            let update = Stmt::If { condition: first, then: update, otherwise: Vec::new() };
            return Ok(vec![Stmt::line(combine), update]);
        }
        let update = format!("{element} = {};", partial::combined(operator, &element, &own)?);
        let combine = Stmt::line(format!("{own} = {function}({own});"));
        let update = Stmt::If { condition: first, then: vec![Stmt::line(update)], otherwise: Vec::new() };
        Ok(vec![combine, update])
    }
}

/// Returns the direction of the transfer of a whole array: true if it is to the device.
fn direction(node: &Node) -> Option<bool> {
    if let Node::Transfer { to_device, part: None, .. } = node { Some(*to_device) } else { None }
}

fn transferred(nodes: &[Node]) -> Vec<ArrayId> {
    let arrays = nodes.iter().filter_map(|node| match node {
        Node::Transfer { array, .. } => Some(*array),
        _ => None,
    });
    arrays.collect()
}

/// Converts a C statement. The first line that is not a declaration takes the comment.
pub fn stmt<Op>(text: Code, comment: &mut Option<String>) -> Stmt<Op> {
    let mut block = |texts: Vec<Code>| texts.into_iter().map(|text| stmt(text, comment)).collect();
    match text {
        Code::Line { text, declares: Some(name) } => Stmt::Declare { name, text },
        Code::Line { text, declares: None } => Stmt::Line { text, comment: comment.take() },
        Code::If { condition, then, otherwise } => {
            Stmt::If { condition, then: block(then), otherwise: block(otherwise) }
        }
        Code::Loop { head, body } => Stmt::Loop { head, body: block(body) },
    }
}
