//! Arrays and scalars.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArrayId, CType, IslPwAff, ResidencyId, SourceRange};

/// Something in memory that statements share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Array {
    /// The id, which is the tuple name of its elements.
    pub id: ArrayId,
    /// A name for generated code: the user's where it is free, unique among the names of the scop.
    pub name: String,
    /// The C expression by which code at the region's place refers to it; empty for one declared inside the region.
    pub expression: String,
    /// The type of an element.
    #[serde(rename = "type")]
    pub element: CType,
    /// How the C source holds it.
    pub storage: Storage,
    /// The dimensions, outermost first; none for a scalar.
    pub extents: Vec<Extent>,
    /// How many of the leading dimensions stand for the loops around its declaration; 0 unless it is declared
    /// inside the region, or candl-rs gave it a copy for each iteration of loops.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scope_depth: u32,
    /// True if the type of the elements is `const`, so that it may only be passed on as such.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant: bool,
    /// True if its elements are of an enumeration, in C++: pointers to them and values of them are converted where they
    /// are passed on as those of `element`, the integers that represent it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enumeration: bool,
    /// True if it is reached through a pointer that is not `restrict`: the memory may overlap that of another array,
    /// and the generated program checks at run time that it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_alias: bool,
    /// True if it is reached through a `restrict` pointer: no other array has its elements, but another may have some
    /// between them, and the generated program checks that it does not if it writes both.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restrict: bool,
    /// True if code outside the region can see it.
    pub visible: bool,
    /// True if no code reads it after the region, so that what the region leaves in it does not matter.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dead_after: bool,
    /// True if other threads of the host may change elements of it that the region does not use, while it runs: those
    /// must not come back from the device.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concurrent: bool,
    /// For copies that candl-rs made of an object from outside the region: the C expression of that object, which they
    /// leave as it was. Absent where the expression is a pointer, or that of a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion_of: Option<String>,
    /// The statements around the region in which it may stay on the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residency: Option<ResidencyId>,
    /// True if code between the regions of its residency reads it, so that what a region writes has to come back at
    /// once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_between: bool,
    /// Statements in the residency and around the region that do not read it: what the region writes has to come back
    /// after them only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_back_after: Option<ResidencyId>,
    /// Where it is declared, if in the source file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_at: Option<SourceRange>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Array {
    /// How the C source writes an element with these subscripts; none of them for the array itself.
    pub fn c_element(&self, subscripts: &[String]) -> String {
        let text = |part: &[String]| part.iter().map(|index| format!("[{index}]")).collect::<String>();
        match &self.storage {
            Storage::Member { structures, base, member, .. } if !subscripts.is_empty() => {
                let (outer, inner) = subscripts.split_at(subscripts.len().min(*structures as usize));
                format!("{base}{}{member}{}", text(outer), text(inner))
            }
            _ => format!("{}{}", self.expression, text(subscripts)),
        }
    }

    /// True if the source writes the lengths of all dimensions but the outermost. Those that it does not write were
    /// found in subscripts like `a[i * n + j]`, and memory may end within the last row.
    pub fn declares_rows(&self) -> bool {
        self.extents.iter().skip(1).all(|extent| extent.c.is_some())
    }

    /// True if it has no dimensions.
    pub fn is_scalar(&self) -> bool {
        self.extents.is_empty()
    }
}

/// How the C source holds an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// A variable of arithmetic type: `double s`.
    Scalar,
    /// An array object, or a parameter or pointer that points to contiguous elements in row-major order:
    /// `double a[N][M]`, `double a[n][m]`, `double (*a)[m]`, `double *a`.
    Contiguous,
    /// A member of structures in an array: the leading dimensions are those of the array of structures, which are apart
    /// by `stride` bytes; the others are those of the member and contiguous. `expression` refers to the member of the
    /// first structure: `p[0].x`.
    Member {
        /// How many dimensions are those of the array of structures; at least one.
        structures: u32,
        /// The size of a structure in bytes.
        stride: u32,
        /// The C expression of the array of structures: `p`.
        base: String,
        /// What stands after its subscripts: `.x`.
        member: String,
    },
}

/// One dimension of an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extent {
    /// The number of elements as the source writes it (`n + 1`); absent for the outermost dimension of a pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
    /// The same as a quasi-affine expression in the parameters, `[n] -> { [(1 + n)] }`; present for every dimension but
    /// perhaps the outermost, and those that stand for loops. Where C's expression is not affine, or its variables may
    /// have changed since the declaration, a parameter of its own stands for it (whose C expression uses `sizeof`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<IslPwAff>,
}
