//! Arrays and scalars.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArrayId, CType, IslPwAff, MemoryId, SourceRange};

/// An object in memory that statements share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Array {
    /// The id, which is also the tuple name of the array's elements.
    pub id: ArrayId,
    /// The name in generated code: the user's if it is free; unique among the names of the scop.
    pub name: String,
    /// The C expression that denotes the array at the region's place; empty if the array is declared inside the
    /// region.
    pub expression: String,
    /// The type of an element.
    #[serde(rename = "type")]
    pub element: CType,
    /// How the C source stores the array.
    pub storage: Storage,
    /// The dimensions, outermost first; none for a scalar.
    pub extents: Vec<Extent>,
    /// The number of leading dimensions that stand for loops around the declaration. It is 0 unless the array
    /// is declared inside the region, or candl-rs gave it a copy for each iteration of some loops.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub scope_depth: u32,
    /// True if the type of the elements is `const`, so that pointers to them must be passed on as pointers to
    /// `const`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant: bool,
    /// True if the elements have an enumeration type, in C++. Where pointers to them or their values are passed
    /// on, they are converted to and from `element`, the integer type that represents the enumeration.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enumeration: bool,
    /// True if the array is reached through a pointer that is not `restrict`. Its memory may overlap that of
    /// another array; the generated program checks at run time that it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_alias: bool,
    /// True if the array is reached through a `restrict` pointer. No other array has the same elements, but
    /// another array may have elements between them. If the region writes both arrays, the generated program
    /// checks that this is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restrict: bool,
    /// True if the array is visible outside the region.
    pub visible: bool,
    /// True if no code reads the array after the region, so that the values that the region leaves in it do not
    /// matter.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dead_after: bool,
    /// True if other threads of the host may change elements that the region does not use while it runs. Such
    /// elements must not be copied back from the device.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub concurrent: bool,
    /// For copies that candl-rs made of an object from outside the region: the C expression of this object,
    /// which the copies leave unchanged. Absent if the expression is a pointer or a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion_of: Option<String>,
    /// The memory objects that the array may be, in order. Empty if they are not known, or if the array cannot stay on
    /// the device between regions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryId>,
    /// True if the array is known to be none of the document's memory objects, so that what stays on the device is none
    /// of it. A sum in a local variable is such an array.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub apart: bool,
    /// The place of the declaration, if it is in the source file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_at: Option<SourceRange>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Array {
    /// Returns what the user calls the array: `p[].x` for a member of each structure of an array; for an array that the
    /// tools made, its name in generated code.
    pub fn shown(&self) -> String {
        match &self.storage {
            Storage::Member { structures, base, member, .. } if *structures > 0 => {
                format!("{base}{}{member}", "[]".repeat(*structures as usize))
            }
            _ if self.expression.is_empty() => self.name.clone(),
            _ => self.expression.clone(),
        }
    }

    /// Returns the C text of the element with these subscripts; of the array itself if there are none.
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

    /// True if the source declares the lengths of all dimensions but the outermost. Other lengths were derived
    /// from subscripts such as `a[i * n + j]`, and the memory may end within the last row.
    pub fn declares_rows(&self) -> bool {
        self.extents.iter().skip(1).all(|extent| extent.c.is_some())
    }

    /// True if the array has no dimensions.
    pub fn is_scalar(&self) -> bool {
        self.extents.is_empty()
    }
}

/// How the C source stores an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// A variable of arithmetic type: `double s`.
    Scalar,
    /// An array object, or a parameter or pointer that points to contiguous elements in row-major order:
    /// `double a[N][M]`, `double a[n][m]`, `double (*a)[m]`, `double *a`.
    Contiguous,
    /// A member of structures in an array. The leading dimensions are those of the array of structures, whose
    /// elements are `stride` bytes apart. The other dimensions are those of the member, which is contiguous.
    /// `expression` refers to the member of the first structure: `p[0].x`.
    Member {
        /// The number of dimensions of the array of structures; at least one.
        structures: u32,
        /// The size of a structure in bytes.
        stride: u32,
        /// The C expression of the array of structures: `p`.
        base: String,
        /// The text after its subscripts: `.x`.
        member: String,
    },
}

/// One dimension of an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extent {
    /// The number of elements as the source writes it (`n + 1`); absent for the outermost dimension of a pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
    /// The same number as a quasi-affine expression in the parameters, `[n] -> { [(1 + n)] }`. It is present
    /// for every dimension except dimensions that stand for loops and, in some cases, the outermost. If the C
    /// expression is not affine, or its variables may have changed since the declaration, a parameter of its
    /// own stands for it (whose C expression uses `sizeof`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<IslPwAff>,
}
