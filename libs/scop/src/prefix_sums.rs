//! Prefix sums: sums of which each intermediate value is read.
//!
//! ```c
//!                                          // up: what each chunk adds
//!                                          for (int c = 0; c < (n + 63) / 64; c++) {
//!                                              total[c] = 0;
//!                                              for (int i = 64 * c; i < 64 * c + 64; i++)
//!                                                  total[c] += a[i];
//!                                          }
//!                                          // down: the value before each chunk
//! for (int i = 0; i < n; i++) {            for (int c = 0; c < (n + 63) / 64; c++) {
//!     s += a[i];                               before[c] = s;
//!     b[i] = s;                       →        s += total[c];
//! }                                        }
//!                                          // each chunk from there
//!                                          for (int c = 0; c < (n + 63) / 64; c++)
//!                                              for (int i = 64 * c; i < 64 * c + 64; i++) {
//!                                                  before[c] += a[i];
//!                                                  b[i] = before[c];
//!                                              }
//! ```
//!
//! The loop in the middle is a prefix sum of the same form, whose values go to `before`. It is divided into chunks in
//! the same way, and so on: there are several *levels*, and the loop of the last one runs in order.
//!
//! **Algebra.** The operator is associative with a neutral value. The value before a chunk is that before the nest,
//! combined with the contributions of all earlier iterations in their order. It is here computed as the same
//! combination with other parentheses: no two contributions change places at the levels. Within a chunk, they may, as
//! those of any sum whose order is free. So integers have the bits of the source, and floating-point numbers need a
//! permission.
//!
//! Where the order is free, candl-rs describes the region in this form as well (a [`crate::Variant`]). The accesses to
//! the variable in the nest are expanded: their first subscript is the chunk.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::partial_sums::{combination, neutral_value};
use crate::renamed::Renaming;
use crate::{AccessId, CType, Expr, ExprKind, Loop, ReductionOp, Statement, StatementId, Step};

/// Statements that candl-rs adds to a region for prefix sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrefixSums {
    /// The loops around these statements that are not in the source, numbered after all others. Loops of the source may
    /// be around them.
    pub loops: Vec<Loop>,
    /// The prefix sums.
    pub all: Vec<PrefixSum>,
}

/// A sum of which each intermediate value is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrefixSum {
    /// The statement that makes the updates.
    pub statement: StatementId,
    /// The access by which it writes the variable.
    pub write: AccessId,
    /// The number of loops of the source around the nest, which are the outermost ones of its statements. The next loop
    /// of the source is the one that is divided into chunks.
    pub depth: u32,
    /// From the instances of the source to few chunks.
    pub levels: Vec<Level>,
}

/// A division into chunks: of iterations, or of the chunks of the level before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// The number of consecutive iterations, or chunks of the level before, in one chunk: chunk `c` has those whose
    /// quotient by this number, rounded down, is `c`.
    pub size: u32,
    /// The statement that begins what a chunk adds with the neutral value. Its coordinates are the iterators of the
    /// loops around the nest, and the chunk.
    pub start: Statement,
    /// The statement that updates it: in the first level one with the instances of that of the source, in others one
    /// with an instance for each chunk of the level before.
    pub update: Statement,
    /// The statement that stores the value before a chunk and adds to it what the chunk adds. The value is that of a
    /// chunk of the next level, or the variable itself.
    pub offset: Statement,
}

impl PrefixSums {
    /// Returns the added statements, in the order of their numbers.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.all.iter().flat_map(PrefixSum::statements)
    }
}

impl PrefixSum {
    /// Returns the added statements, in the order of their numbers.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.levels.iter().flat_map(|level| [&level.start, &level.update, &level.offset])
    }

    /// Returns how many iterations are in a chunk of a level.
    pub fn iterations(&self, level: usize) -> u64 {
        self.levels.iter().take(level + 1).map(|level| u64::from(level.size)).product()
    }
}

/// Returns the chunk of an iteration, or of a chunk of the level before, in isl's notation.
pub fn chunk(number: &str, size: u64) -> String {
    if size == 1 { format!("({number})") } else { format!("(floor(({number})/{size}))") }
}

/// Returns the body of a statement that begins what a chunk adds.
pub fn start(operator: ReductionOp, ctype: CType, write: AccessId) -> Option<Vec<Step>> {
    Some(vec![assign(write, neutral_value(operator, ctype)?)])
}

/// Returns the body of a statement that changes what a chunk adds as one of the source changes the variable.
///
/// `renamed` gives the accesses of the new statement, `names` those of its temporaries, in the order of the body.
pub fn first_update(
    statement: &Statement,
    renamed: &dyn Fn(AccessId) -> AccessId,
    names: &mut dyn FnMut(&str) -> String,
) -> Vec<Step> {
    let mut body = statement.body.clone();
    Renaming { renamed, names }.steps(&mut body);
    body
}

/// Returns the body of a statement by which what a chunk adds is changed by what one of its chunks adds.
pub fn further_update(operator: ReductionOp, ctype: CType, accesses: [AccessId; 3]) -> Option<Vec<Step>> {
    Some(vec![combination(operator, ctype, accesses)?])
}

/// Returns the body of a statement that stores the value before a chunk, and changes the value by what the chunk adds:
/// `before = value; value = value + total`.
///
/// The accesses write `before`, read `value`, write and read it once more, and read `total`.
pub fn offset(
    operator: ReductionOp,
    ctype: CType,
    [before, value, write, read, total]: [AccessId; 5],
) -> Option<Vec<Step>> {
    let value = Expr { ctype, kind: ExprKind::Read { access: value, subscripts: Vec::new() } };
    Some(vec![assign(before, value), combination(operator, ctype, [write, read, total])?])
}

fn assign(access: AccessId, value: Expr) -> Step {
    Step::Assign { access, subscripts: Vec::new(), value, compound: None }
}
