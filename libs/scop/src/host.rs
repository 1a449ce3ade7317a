//! The code around the regions: memory objects, and what each procedure does with them.
//!
//! clan-rs writes facts; which copies follow from them, gpulocalizer decides ([`crate::ResidencyPlan`]).
//!
//! **Memory objects.** A [`MemoryObject`] is a variable, all memory that one expression allocates, or `M0`: memory that
//! only code outside of the file made. An access names all objects that it may touch. The sets come from a points-to
//! analysis (Andersen) that depends neither on the order of statements nor on the caller, so they are supersets.
//!
//! **Host code.** A [`Procedure`] is a tree of loops, branches, blocks, jumps, regions, and pieces of code that are
//! evaluated at once. A piece lists what it touches itself; what the functions that it calls touch stands in their own
//! procedures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArrayId, MemoryId, ProcedureId, SourceRange};

/// A part of memory that the analysis of the host code distinguishes from all others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryObject {
    /// `M0, M1, …`; `M0` is the memory that only other code made.
    pub id: MemoryId,
    /// The name of the variable, or a description of the allocation, for people.
    pub name: String,
    /// How long it exists.
    pub lifetime: MemoryLifetime,
    /// True if code that the document does not contain may read or write it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exposed: bool,
    /// True for a variable that other files may name, because it has external linkage.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
    /// True if code of the file holds it on the device: with `c2cuda_data_begin`, or in a block of `data`. Unknown code
    /// then does not touch it without saying so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// The declaration or the allocation, if it is in the source file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_at: Option<SourceRange>,
}

/// How long memory exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryLifetime {
    /// As long as the program.
    Program,
    /// Until its block ends: see [`HostBlock::objects`].
    Block,
    /// Until it is freed.
    Allocated,
    /// It is not known.
    Unknown,
}

/// Something that keeps memory from staying on the device between regions, whatever a plan does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prevention {
    /// The array that it is about: the position of its scop, and its id. Absent if it is about all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<(u32, ArrayId)>,
    /// The reason, as the end of a sentence: `the file calls \`setjmp\`, which may return more than once`.
    pub reason: String,
    /// What the user can do about it, as the end of a sentence.
    pub way_out: String,
    /// The code, if it is in the source file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<SourceRange>,
}

/// A function with all that it does outside of regions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Procedure {
    /// `P0, P1, …`, in the order of the text.
    pub id: ProcedureId,
    /// The name in the source, for people.
    pub name: String,
    /// The function in the source file; absent if it is in a header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<SourceRange>,
    /// The offsets at which the lines of `range` begin that come after its first one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// True if code that the document does not contain may call it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub called_from_elsewhere: bool,
    /// True if no other file can name it: what calls it from elsewhere was given its address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
    /// Its body: the statements of the outermost block, as one [`HostNode::Block`].
    pub body: Vec<HostNode>,
}

impl Procedure {
    /// Returns the line of the last byte of a part of the procedure.
    pub fn last_line(&self, part: SourceRange) -> u32 {
        let begins_in_it = |start: &&u32| part.start < **start && **start < part.end;
        part.line + self.lines.iter().filter(begins_in_it).count() as u32
    }
}

/// A part of a procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "node", rename_all = "snake_case")]
pub enum HostNode {
    /// Code that is evaluated once.
    Code(HostCode),
    /// `if` or `switch`.
    Branch(Box<HostBranch>),
    /// A loop of any kind.
    Loop(Box<HostLoop>),
    /// A block, with the objects that exist only in it.
    Block(HostBlock),
    /// A statement after `#pragma c2cuda data`.
    Data(HostData),
    /// `try` with what catches.
    Try(Box<HostTry>),
    /// A region that is translated.
    Region(HostRegion),
    /// A jump out of the statements around it.
    Jump(HostJump),
    /// A place to which control may jump: a label, or a `case` of the `switch` around it.
    Label {
        /// The label.
        range: SourceRange,
        /// Its name; absent for a `case`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

impl HostCode {
    /// True if code that the document does not contain may run and return.
    pub fn returns_from_unknown(&self) -> bool {
        self.unknown.is_some() && !self.ends
    }

    /// True if it may run code other than its own.
    pub fn runs_others(&self) -> bool {
        !self.calls.is_empty() || self.unknown.is_some() || !self.elsewhere.is_empty()
    }
}

impl HostNode {
    /// Returns the text of the node and where calls can be added around it.
    pub fn place(&self) -> (SourceRange, Position) {
        match self {
            Self::Code(code) => (code.range, code.position),
            Self::Branch(branch) => (branch.range, branch.position),
            Self::Loop(one) => (one.range, one.position),
            Self::Block(block) => (block.range, block.position),
            Self::Data(data) => (data.range, data.position),
            Self::Try(one) => (one.range, one.position),
            Self::Region(region) => (region.range, region.position),
            Self::Jump(jump) => (jump.range, jump.position),
            Self::Label { range, .. } => (*range, Position::Fixed),
        }
    }

    /// Returns the code that the node evaluates itself.
    pub fn codes(&self) -> Vec<&HostCode> {
        match self {
            Self::Code(code) => vec![code],
            Self::Branch(branch) => vec![&branch.condition],
            Self::Loop(one) => one.start.iter().chain(&one.condition).chain(&one.step).collect(),
            Self::Jump(jump) => jump.value.iter().collect(),
            Self::Block(_) | Self::Data(_) | Self::Try(_) | Self::Region(_) | Self::Label { .. } => {
                Vec::new()
            }
        }
    }

    /// Returns the lists of nodes in the node.
    pub fn parts(&self) -> Vec<&[Self]> {
        match self {
            Self::Branch(branch) => branch.arms.iter().map(Vec::as_slice).collect(),
            Self::Loop(one) => vec![&one.body],
            Self::Block(block) => vec![&block.body],
            Self::Data(data) => vec![&data.body],
            Self::Try(one) => {
                let handlers = one.handlers.iter().map(|handler| handler.body.as_slice());
                std::iter::once(one.body.as_slice()).chain(handlers).collect()
            }
            Self::Code(_) | Self::Region(_) | Self::Jump(_) | Self::Label { .. } => Vec::new(),
        }
    }

    /// Calls `visit` on all nodes in some nodes, outer nodes first.
    pub fn walk<'a>(nodes: &'a [Self], visit: &mut dyn FnMut(&'a Self)) {
        for node in nodes {
            visit(node);
            node.parts().into_iter().for_each(|part| Self::walk(part, visit));
        }
    }
}

/// Code that is evaluated once: an expression, or all expressions of a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostCode {
    /// The text, without the semicolon.
    pub range: SourceRange,
    /// Where calls can be added.
    pub position: Position,
    /// What it reads and writes itself, in no particular order but for what comes before its calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Touch>,
    /// The procedures that it may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ProcedureId>,
    /// The reason why it may also run code that the document does not contain, or never return: `calls the function
    /// f, whose body is elsewhere`. Such code may read and write all exposed memory and call procedures that are called
    /// from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// What the user can do about that, as the end of a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub way_out: String,
    /// True if this code never returns: what follows is executed only where it has not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
    /// What regions of other files use that run meanwhile: for each of their arrays, all objects that it may be. The
    /// functions of these files announce what else they do with this memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Vec<MemoryId>>,
}

/// Where calls can be added to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// The text is a statement of a block: other statements may stand before and after it.
    Statement,
    /// The text is a statement where only one is allowed, such as the body of a loop: braces must be added.
    Alone,
    /// The text is an expression: `e` may become `(f(), e)`.
    Expression,
    /// Nothing can be added, because a macro contains the text or its type is not known.
    Fixed,
}

/// An access of host code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Touch {
    /// What is done.
    pub effect: Effect,
    /// All objects that it may touch, in order.
    pub memory: Vec<MemoryId>,
    /// The bytes that it touches at most, if the text can say that; evaluating it has no effects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<HostPlace>,
    /// Why there is no place, as the end of a sentence, if that depends on how the text is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unplaced: Option<String>,
    /// True if it comes before everything that the code calls. What these calls leave on the device does not matter to
    /// it, and its place holds when the code begins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub before_calls: bool,
    /// True if it happens only under a condition in the expression in which it stands, such as what is before `&&`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guarded: bool,
    /// The access.
    pub range: SourceRange,
}

/// What an access does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Some of the bytes may be read.
    Reads,
    /// Some of the bytes may be written.
    Writes,
    /// All bytes are written. Those that the same code also reads are in a touch of their own.
    Overwrites,
    /// The memory is freed; `place` is the pointer that is passed, with the length if that is known.
    Frees,
}

/// Contiguous bytes of the host's memory, as C text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct HostPlace {
    /// The address of the first byte: `&a[i]`.
    pub address: String,
    /// The number of bytes, an expression of any integer type: `sizeof(double) * n`. Nothing is touched if it is not
    /// positive. Absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
}

/// A branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostBranch {
    /// The statement.
    pub range: SourceRange,
    /// Where calls can be added around the statement.
    pub position: Position,
    /// The condition.
    pub condition: HostCode,
    /// The statements of each alternative, of which at most one is executed. A `switch` has one, which contains
    /// labels.
    pub arms: Vec<Vec<HostNode>>,
    /// True for `switch`, which `break` leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub switch: bool,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostLoop {
    /// The statement.
    pub range: SourceRange,
    /// Where calls can be added around the statement.
    pub position: Position,
    /// The first part of the header of a `for` loop, evaluated once before the loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<HostCode>,
    /// What is evaluated before each iteration (or after it).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<HostCode>,
    /// What is evaluated after each iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<HostCode>,
    /// The body.
    pub body: Vec<HostNode>,
    /// What all iterations together touch, except in regions and in functions that they call, with places in terms of
    /// what holds before the loop. It covers all touches of `condition`, `step` and `body`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Touch>,
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostBlock {
    /// The block, with its braces.
    pub range: SourceRange,
    /// Where calls can be added around the block: `fixed` for the body of a function, an arm or a loop, for which the
    /// statement around it has a position.
    pub position: Position,
    /// The memory objects that exist only until the end of the block, each with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<BlockObject>,
    /// Its statements.
    pub body: Vec<HostNode>,
}

/// An object that exists only in a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockObject {
    /// The object.
    pub memory: MemoryId,
    /// All of its bytes.
    pub place: HostPlace,
}

/// A statement during which memory is held on the device: unknown code in it does not touch this memory without saying
/// so (`c2cuda_data_reads`, `c2cuda_data_writes`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostData {
    /// The statement.
    pub range: SourceRange,
    /// Where calls can be added around the statement.
    pub position: Position,
    /// The directive.
    pub directive: SourceRange,
    /// What is held; nothing stands for all memory that regions use in the statement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<HeldMemory>,
    /// The statement as a node.
    pub body: Vec<HostNode>,
}

/// A statement that catches exceptions. Code in `body` that runs code which the document does not contain, itself or in
/// a procedure, may lead to any of the handlers, and on to those of a `try` around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostTry {
    /// The statement.
    pub range: SourceRange,
    /// Where calls can be added around the statement.
    pub position: Position,
    /// The block after `try`, as one node.
    pub body: Vec<HostNode>,
    /// What catches, in order.
    pub handlers: Vec<HostHandler>,
}

/// A part of a `try` that catches exceptions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostHandler {
    /// The brace with which its block begins.
    pub start: SourceRange,
    /// Whether calls can be added after it.
    pub position: Position,
    /// The declaration of what is caught, the block, and the end of the exception.
    pub body: Vec<HostNode>,
}

/// Memory that is held on the device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldMemory {
    /// The text that names it.
    pub range: SourceRange,
    /// All objects that it may be, in order.
    pub memory: Vec<MemoryId>,
    /// Its bytes, in terms of what holds before the statement.
    pub place: HostPlace,
    /// True if nothing reads the values after the statement that regions write in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgotten: bool,
}

/// A region in host code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostRegion {
    /// The position of its scop.
    pub scop: u32,
    /// The region.
    pub range: SourceRange,
    /// Where calls can be added around the region.
    pub position: Position,
    /// What the host reads to call its function: the values of parameters and pointers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Touch>,
    /// What the source of the region touches, with places in terms of what holds before it: in place of `touches` if
    /// the region stays on the host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub original: Vec<Touch>,
}

impl HostRegion {
    /// Returns where calls can be added around the region if it stays on the host, where braces can always be added.
    pub fn position_on_host(&self) -> Position {
        if self.position == Position::Statement { self.position } else { Position::Alone }
    }
}

/// A jump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostJump {
    /// The statement.
    pub range: SourceRange,
    /// Where calls can be added before it.
    pub position: Position,
    /// Its kind.
    pub jump: Jump,
    /// The value of a `return`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<HostCode>,
    /// The label to which `goto` leads; absent if that is computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The kinds of jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Jump {
    /// Out of the procedure.
    Return,
    /// Out of the nearest loop or `switch`.
    Break,
    /// To the next iteration of the nearest loop.
    Continue,
    /// To a label of the procedure.
    Goto,
}
