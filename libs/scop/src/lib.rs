//! The document that flows through the tools.
//!
//! A [`Program`] is one C source file as a list of static control parts ([`Scop`]), one for each marked region
//! of the source. Every tool reads a program, adds one section to each scop, and writes the program again.
//! Nothing else passes between tools.
//!
//! **Numbers and names.** Statements are `S0, S1, …`, arrays `A0, A1, …`, and accesses `a0, a1, …`, all
//! numbered within their scop. These ids are also the tuple names in isl's notation: the set `{ S0[i, j] }`
//! contains instances of statement S0, and `{ A1[x, y] }` contains elements of array A1. The user's names are
//! stored next to the ids, for people and for code generation, and are never used as keys. Parameters are the
//! exception: isl identifies them by name, so the name of a parameter is its id.
//!
//! **Statement.** A piece of straight-line C that is executed once for every point of its *domain*. It does all
//! its reads before its writes, in the order of its [`Step`]s. The dimensions of a domain are the C loops
//! around the statement ([`Loop`], `L0, L1, …`), outermost first, and the coordinates are the values of the C
//! iterators. A statement may contain several assignments and temporaries of its own ([`LocalId`]): a temporary
//! that is used only in one straight-line piece is not an array, so it causes no dependences and is kept in a
//! register. Control that depends on data (`if (a[i] > 0)`, a loop to `row[i + 1]`) is part of a statement
//! ([`Step::If`], [`Step::For`]). For all other tools, such a statement is one step.
//!
//! **Array.** Anything in memory that statements share, including scalars (arrays without dimensions). A
//! variable declared inside a loop of the region is a new object in every iteration, so it becomes an array
//! with one leading dimension for every loop around its declaration ([`Array::scope_depth`]).
//!
//! **Access.** The elements that one textual reference reads or writes, as a relation from statement instances
//! to elements. A *must* access touches exactly these elements; a *may* access touches some of them. An
//! *indirect* access (`a[index[i]]`) may touch any element of its relation, and the body contains the
//! expressions of its subscripts.
//!
//! **Expansions.** If iterations share a variable only because they reuse its memory, candl-rs may give each a copy,
//! and statements that store the last values ([`Expansions`]). The model of a scop has them applied.
//!
//! **Order.** [`Model::order`] is the execution order of the C source, as a schedule tree; no tool changes it.
//! [`Ordered::schedule`] is the order that scheduler found. [`Mapping::tree`] is the same order with its loops
//! bound to blocks and threads. [`Placement::tree`] also contains copies and transfers; it is the order in
//! which the generated program runs. In the last two trees, *marks* (`kernel`, `host`, …; see [`mark`]) name
//! the roles of the parts.
//!
//! **Host code.** The code of the file outside of regions: [`Program::memory`] has the memory objects that a points-to
//! analysis tells apart, [`Program::host`] what each function does with them. Both are facts, and may be absent. Which
//! arrays stay on the device between regions, and which calls host code makes for them, is in [`Program::residency`].
//!
//! **Dependence.** Two accesses to the same element, of which at least one writes, and the instances of both:
//! the first must stay before the second. Flow dependences are value-based (each read depends only on the last
//! write).
//!
//! **Mapping.** How the dimensions of each kernel became blocks and threads. **Placement.** Which elements are
//! on the device and in which memory each kernel finds them. **Loop program.** The schedule tree turned into
//! loops, with every subscript spelled out; cudagen prints it and decides nothing.
//!
//! The document does not contain the C or CUDA spelling of a storage class (cudagen has it), the size of the
//! GPU (it is in the target file), or the options that produced the document (they are on the command line; if
//! one matters for a result, it is mentioned in a `reason`).

mod advance;
pub mod allowance;
mod arithmetic;
mod array;
pub mod ast;
mod ast_text;
mod axis;
mod boxes;
pub mod c_syntax;
pub mod c_text;
mod callbacks;
mod carried;
mod contribution;
mod ctype;
mod dependence;
mod diagnostic;
mod expansions;
mod expr;
mod extension;
mod flow_tree;
pub mod from_isl;
mod function;
pub mod guard;
mod host;
mod id;
pub mod instances;
mod isl_text;
mod json_layout;
mod lookup;
mod loops;
mod mapping;
pub mod mark;
mod model;
pub mod names;
pub mod ownership;
mod partial;
pub mod partial_sums;
mod placement;
pub mod prefix_sums;
mod program;
mod read;
pub mod renamed;
mod residency;
mod same;
pub mod selections;
mod source;
mod source_range;
mod statement;
mod subset;
pub use subset::calls;
pub mod touched;
mod updates;
mod variant;
pub mod verify;
pub mod wish;

pub use arithmetic::{Arithmetic, Operation};
pub use array::{Array, Extent, Storage};
pub use axis::{Axis, MAX_THREADS, MOST_ALONG_Z};
pub use boxes::{Boxes, ElementBox};
pub use carried::{Passing, carried, ways_to_result};
pub use contribution::{contributed, contribution, without_sign};
pub use ctype::CType;
pub use dependence::{
    Dependence, DependenceKind, Dependences, Freedom, LiveAccess, Reduction, ReductionOp, Waived,
};
pub use diagnostic::{Diagnostic, Diagnostics, Findings, GIVEN_UP, Outcome, Place, Severity};
pub use expansions::{ExpandedAccess, Expansions, LastValues, OldValues};
pub use expr::{BinaryOp, Expr, ExprKind, UnaryOp};
pub use extension::Extension;
pub use function::{Function, FunctionParameter};
pub use host::{
    BlockObject, Effect, HeldMemory, HostBlock, HostBranch, HostCode, HostData, HostHandler, HostJump,
    HostLoop, HostNode, HostPlace, HostRegion, HostTry, Jump, MemoryLifetime, MemoryObject, Position,
    Prevention, Procedure, Touch,
};
pub use id::{
    AccessId, ArrayId, BufferId, ClassId, KernelId, LocalId, LoopId, MemoryId, ProcedureId, StatementId,
};
pub use isl_text::{IslMap, IslPwAff, IslPwQPolynomial, IslSchedule, IslSet};
pub use lookup::part;
pub use loops::{Claim, Loop, shared_loops};
pub use mapping::{
    BlockDimension, GridDimension, HostStatement, Kernel, Mapping, PricedArray, Ranked, RankedCoordinate,
    Threshold,
};
pub use model::{Model, Parameter};
pub use partial::{can_be_in_order, can_be_partial, is_exact};
pub use partial_sums::{PartialSum, PartialSums};
pub use placement::{
    Buffer, DeviceArray, DeviceMemory, KernelPlacement, Layout, Memory, Numbering, Placement, UnlikePrice,
};
pub use prefix_sums::{PrefixSum, PrefixSums};
pub use program::{
    Analysed, Extracted, FORMAT, Ordered, Placed, Program, Scanned, Scheduled, Scop, Section, Stage, VERSION,
};
pub use read::{
    MAX_DEPTH, MAX_TEXT, ReadError, Reading, check_header, check_length, check_limits, document_schema,
    from_json, from_value, nesting, parse_json, read, to_json, to_sealed_json,
};
pub use residency::{ActionOp, HostAction, MemoryClass, ResidencyPlan};
pub use same::{is_same, is_same_element};
pub use selections::{Selection, Selections, Stage as SelectionStage};
pub use source::{LineDirective, OPENSCOP, Region, Source, file_name, hash_text};
pub use source_range::SourceRange;
pub use statement::{Access, AccessKind, Certainty, Statement, Step, walk_expressions};
pub use updates::{Update, updates};
pub use variant::{Variant, VariantKind};
pub use wish::{Answer, Wanted, Wish};
