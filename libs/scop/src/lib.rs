//! The document that flows through the tools.
//!
//! A [`Program`] is one C source file seen as a list of static control parts ([`Scop`]), each of which one
//! marked region of the source became. Every tool reads a program, fills in one more section of each scop,
//! and writes it; nothing else passes between tools.
//!
//! **Numbers and names.** Statements are `S0, S1, …`, arrays `A0, A1, …`, accesses `a0, a1, …`, all numbered
//! within their scop. These ids are also the tuple names in isl's notation: the set `{ S0[i, j] }` holds
//! instances of statement S0, `{ A1[x, y] }` elements of array A1. The user's names stand beside the ids for
//! people and for code generation, and are never used as keys. Parameters are the exception: isl names them,
//! so a parameter is its name.
//!
//! **Statement.** A piece of straight-line C that is executed once for every point of its *domain*, with all its
//! reads before its writes in the order of its [`Step`]s. The dimensions of a domain are the C loops around the
//! statement ([`Loop`], `L0, L1, …`), outermost first, and the coordinates are the very values of the C iterators. A
//! statement may contain several assignments and temporaries of its own ([`LocalId`]): a temporary whose every use is
//! in the same straight-line piece is not an array, so it causes no dependences and lives in a register. Control that
//! depends on data (`if (a[i] > 0)`, a loop to `row[i + 1]`) is part of a statement ([`Step::If`], [`Step::For`]):
//! for all other tools such a statement is one step.
//!
//! **Array.** Anything in memory that statements share, scalars included (an array without dimensions). A
//! variable declared inside a loop of the region is a fresh object in every iteration, so it becomes an array with one
//! leading dimension for every loop around its declaration ([`Array::scope_depth`]).
//!
//! **Access.** Which elements one textual reference reads or writes, as a relation from statement instances
//! to elements. A *must* access touches exactly those; a *may* access some of them. An *indirect* access
//! (`a[index[i]]`) may touch whatever its relation has, and the body says how the element is found.
//!
//! **Order.** [`Model::order`] is the execution order of the C source, as a schedule tree; no tool changes it.
//! [`Ordered::schedule`] is the order that scheduler found, [`Mapping::tree`] the same with its loops tied to blocks
//! and threads, and [`Placement::tree`] with copies and transfers as well, which is how the generated program runs.
//! The roles of the parts of the latter two are *marks* (`kernel`, `host`, …; see [`mark`]).
//!
//! **Dependence.** Two accesses to the same element of which one writes, with the instances of both: the first must
//! stay before the second. Flow dependences are value-based (each read depends on the last write alone).
//!
//! **Mapping.** How the dimensions of each kernel became blocks and threads. **Placement.** Which elements are
//! on the device and in which memory each kernel finds them. **Loop program.** The schedule tree turned into
//! loops, with every subscript spelled out; cudagen prints it and decides nothing.
//!
//! What the document does not say: how a storage class is spelled in C or CUDA (cudagen knows), how large the GPU is
//! (the target file), and which options produced it (the command line; what matters of it is a `reason`).

mod advance;
pub mod allowance;
mod array;
pub mod ast;
mod ast_text;
mod axis;
mod boxes;
pub mod c_syntax;
pub mod c_text;
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
mod placement;
mod program;
mod read;
mod source;
mod source_range;
mod statement;
mod subset;
pub use subset::calls;
pub mod verify;
pub mod wish;

pub use array::{Array, Extent, Storage};
pub use axis::{Axis, MAX_THREADS, MOST_ALONG_Z};
pub use boxes::{Boxes, ElementBox};
pub use contribution::contribution;
pub use ctype::CType;
pub use dependence::{Dependence, DependenceKind, Dependences, LiveAccess, Reduction, ReductionOp, Waived};
pub use diagnostic::{Diagnostic, Diagnostics, Findings, GIVEN_UP, Outcome, Place, Severity};
pub use expansions::{ExpandedAccess, Expansions};
pub use expr::{BinaryOp, Expr, ExprKind, UnaryOp};
pub use extension::Extension;
pub use function::{Function, FunctionParameter};
pub use id::{AccessId, ArrayId, BufferId, KernelId, LocalId, LoopId, ResidencyId, StatementId};
pub use isl_text::{IslMap, IslPwAff, IslPwQPolynomial, IslSchedule, IslSet};
pub use lookup::part;
pub use loops::{Claim, Loop, shared_loops};
pub use mapping::{BlockDimension, GridDimension, HostStatement, Kernel, Mapping};
pub use model::{Model, Parameter};
pub use placement::{
    Buffer, DeviceArray, DeviceMemory, KernelPlacement, Layout, Memory, Numbering, Placement,
};
pub use program::{
    Analysed, Extracted, FORMAT, Ordered, Placed, Program, Scanned, Scheduled, Scop, Section, Stage, VERSION,
};
pub use read::{
    MAX_DEPTH, MAX_TEXT, ReadError, Reading, check_header, check_length, check_limits, document_schema,
    from_json, from_value, nesting, parse_json, read, to_json, to_sealed_json,
};
pub use source::{LineDirective, OPENSCOP, Region, Residency, Source, file_name, hash_text};
pub use source_range::SourceRange;
pub use statement::{Access, AccessKind, Certainty, Statement, Step, walk_expressions};
pub use wish::{Answer, Wanted, Wish};
