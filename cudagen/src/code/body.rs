//! Loops, conditions and statement instances as C.

use scop::ast::expression::value;
use scop::ast::{AstExpr, AstOp, Node, Unroll};
use scop::c_text::{self, Code};
use scop::{AccessKind, ArrayId, BufferId, Diagnostic, Diagnostics};

use crate::code::frame::{Frame, Instance};
use crate::model::facts::Facts;
use crate::print::layout::{Stmt, append};

/// Spells the nodes that are not the same in every function.
pub trait Special {
    /// A kernel launch, the transfer of a part of an array, or an element of a transfer; `facts` are what holds at
    /// its place.
    fn special(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt>, Diagnostics>;

    /// The transfers of some arrays at one place.
    fn transfers(
        &mut self,
        _arrays: &[ArrayId],
        _to_device: bool,
        _facts: &Facts,
    ) -> Result<Vec<Stmt>, Diagnostics> {
        Err(undefined("a transfer inside a kernel"))
    }
}

/// A writer of a function's body.
pub struct Body<'a, 'b> {
    /// The function.
    pub frame: &'a Frame<'a>,
    /// The launches and transfers, or none of them.
    pub special: &'b mut dyn Special,
    /// True if each instance says from which line it comes.
    pub lines: bool,
}

impl Body<'_, '_> {
    /// The statements of a node.
    ///
    /// # Errors
    ///
    /// A document that uses what it does not define.
    pub fn write(&mut self, node: &Node, facts: &Facts) -> Result<Vec<Stmt>, Diagnostics> {
        match node {
            Node::Block { children } => self.block(children, facts),
            Node::For { iterator, init, condition, increment, degenerate, unroll, body } => {
                let inner = facts.inside(node);
                if *degenerate {
                    return self.named(iterator, init, body, &inner);
                }
                let head = self.loop_head(iterator, init, condition, increment);
                let stmt = Stmt::Loop { head, body: self.write(body, &inner)? };
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
            Node::Barrier => Ok(vec![Stmt::line("__syncthreads();")]),
            Node::Transfer { array, to_device, part: None } => {
                self.special.transfers(&[*array], *to_device, facts)
            }
            Node::Kernel { .. } | Node::Element { .. } | Node::Transfer { part: Some(_), .. } => {
                self.special.special(node, facts)
            }
        }
    }

    fn block(&mut self, children: &[Node], facts: &Facts) -> Result<Vec<Stmt>, Diagnostics> {
        let mut block = Vec::new();
        for run in
            children.chunk_by(|one, other| direction(one).is_some() && direction(one) == direction(other))
        {
            let statements = match (run, direction(&run[0])) {
                ([only], _) => self.write(only, facts)?,
                (_, Some(to_device)) => self.special.transfers(&transferred(run), to_device, facts)?,
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
    ) -> Result<Vec<Stmt>, Diagnostics> {
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
    ) -> Result<Vec<Stmt>, Diagnostics> {
        let declaration =
            format!("const {} {name} = {};", self.frame.view.integers.index, self.frame.index(value));
        let mut block = vec![Stmt::declare(name, declaration)];
        append(&mut block, self.write(body, facts)?);
        Ok(block)
    }

    fn loop_head(&self, iterator: &str, init: &AstExpr, condition: &AstExpr, increment: &AstExpr) -> String {
        let (frame, index) = (self.frame, self.frame.view.integers.index);
        let step = match value(increment) {
            Some(1) => format!("{iterator}++"),
            _ => format!("{iterator} += {}", frame.index(increment)),
        };
        if let AstExpr::Op(operator @ (AstOp::Le | AstOp::Lt), sides) = condition
            && let [counted, bound] = sides.as_slice()
            && let Some(bound) = frame.hidden_bound(bound)
        {
            let (init, end) = (frame.index(init), format!("cuda_end_{iterator}"));
            let condition = AstExpr::Op(*operator, vec![counted.clone(), AstExpr::Name(end.clone())]);
            let condition = c_text::index_text(&condition, index);
            return format!("for ({index} {iterator} = {init}, {end} = {bound}; {condition}; {step})");
        }
        format!("for ({index} {iterator} = {}; {}; {step})", frame.index(init), frame.index(condition))
    }

    fn instance(&self, node: &Node) -> Result<Vec<Stmt>, Diagnostics> {
        let Node::Instance { statement, iterators, accesses } = node else {
            return Err(undefined("an instance"));
        };
        let statement = self.frame.view.statement(*statement);
        let statement = statement.ok_or_else(|| undefined("a statement"))?;
        let instance = Instance { frame: self.frame, statement, iterators, accesses };
        let texts = match self.frame.atomic(statement) {
            Some(reduction) => {
                let warp_sum = self.frame.warp_sum(reduction, accesses);
                c_text::atomic_update(statement, reduction, &instance, warp_sum)
            }
            None => c_text::body(statement, &instance),
        };
        let texts = texts.map_err(|error| undefined(&error.to_string()))?;
        let mut comment = self.lines.then(|| format!("line {}", statement.range.line));
        Ok(texts.into_iter().map(|text| stmt(text, &mut comment)).collect())
    }

    fn copy(
        &self,
        buffer: BufferId,
        into_buffer: bool,
        element: &[AstExpr],
        place: &[AstExpr],
    ) -> Result<Vec<Stmt>, Diagnostics> {
        let kind = if into_buffer { AccessKind::Read } else { AccessKind::Write };
        let array = self.frame.view.buffer(buffer).map(|named| named.buffer.array);
        let element = array.and_then(|array| self.frame.element(array, element, kind));
        let place = self.frame.place(buffer, place);
        let (Some(element), Some(place)) = (element, place) else {
            return Err(undefined(&format!("the array of {buffer}")));
        };
        let text =
            if into_buffer { format!("{place} = {element};") } else { format!("{element} = {place};") };
        Ok(vec![Stmt::line(text)])
    }
}

/// The direction of a transfer that is not of a part: true to the device.
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

/// A C statement; the first line that is no declaration takes the comment.
pub fn stmt(text: Code, comment: &mut Option<String>) -> Stmt {
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

/// The verifier rejects such documents, so this is never the user's fault.
pub fn undefined(what: &str) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("the loop program cannot be spelled: {what}")).into()
}

/// No launches and transfers: the body of a kernel.
pub struct Nothing;

impl Special for Nothing {
    fn special(&mut self, _node: &Node, _facts: &Facts) -> Result<Vec<Stmt>, Diagnostics> {
        Err(undefined("a launch or transfer inside a kernel"))
    }
}
