//! Statements and accesses.

use polyhedra::{Map, PwMultiAff, Set, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AccessId, ArrayId, BinaryOp, CType, Expr, ExprKind, IslMap, IslSet, LocalId, LoopId, SourceRange,
    StatementId,
};

/// A piece of C that is executed once for every point of its domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The id, which is also the tuple name of the statement's instances.
    pub id: StatementId,
    /// The loops around the statement, outermost first, one for each dimension of the domain.
    pub loops: Vec<LoopId>,
    /// The instances: `[n] -> { S0[i, j] : 0 <= i < n and 0 <= j <= i }`.
    pub domain: IslSet,
    /// Every reference to memory in the body.
    pub accesses: Vec<Access>,
    /// The steps, in order.
    pub body: Vec<Step>,
    /// The place in the source.
    pub range: SourceRange,
    /// The C text at that place.
    pub text: String,
}

impl Statement {
    /// Returns the number of loops around the statement.
    pub fn depth(&self) -> usize {
        self.loops.len()
    }

    /// Returns the access with this id, if it belongs to the statement.
    pub fn access(&self, id: AccessId) -> Option<&Access> {
        self.accesses.iter().find(|access| access.id == id)
    }

    /// Returns the position of an access in the body: step `k` reads at `2k` and writes at `2k + 1`. Steps
    /// inside step `k` have the same positions: their writes are not certain, so they hide nothing. An access
    /// that occurs in no step comes first if it reads and last if it writes.
    pub fn position(&self, access: AccessId) -> usize {
        let steps = self.body.iter().enumerate();
        let found = steps.filter_map(|(number, step)| {
            if step.writes(access) { Some(2 * number + 1) } else { step.reads(access).then_some(2 * number) }
        });
        found.min().unwrap_or_else(|| match self.access(access).map(|access| access.kind) {
            Some(AccessKind::Write) => 2 * self.body.len() + 1,
            _ => 0,
        })
    }

    /// Returns a relation that is single-valued on the instances, as a function of them. Outside the domain the
    /// relation may have several values, as the relations of accesses do.
    ///
    /// # Errors
    ///
    /// Fails if the relation has several values for an instance, or if an isl operation fails.
    pub fn function(&self, relation: &IslMap) -> polyhedra::Result<PwMultiAff> {
        let relation = Map::parse(&relation.0)?;
        if relation.is_single_valued()? {
            return Ok(PwMultiAff::from_map(relation)?);
        }
        Ok(PwMultiAff::from_map(relation.intersect_domain(Set::parse(&self.domain.0)?)?)?)
    }
}

/// One textual reference to an array or scalar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// The id.
    pub id: AccessId,
    /// The array.
    pub array: ArrayId,
    /// Whether the access reads or writes; `x += 1` has one access of each kind.
    pub kind: AccessKind,
    /// Whether the access touches all elements of its relation.
    #[serde(default, skip_serializing_if = "Certainty::is_must")]
    pub certainty: Certainty,
    /// True if the instance alone does not determine the element: the body computes the subscripts, as in
    /// `a[index[i]]`, and the relation has all elements that may be accessed. Such an access is never certain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub indirect: bool,
    /// True if each element of the relation is certainly accessed, though perhaps by another access of the same
    /// instance: one branch of an `if` on data contains this access, and the other branch contains one like it.
    /// The access itself is not certain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_both_branches: bool,
    /// From instances to elements: `{ S0[i, j] -> A1[i, j - 1] }`.
    pub relation: IslMap,
}

impl Access {
    /// True if each element of the relation is certainly used, by this access or by one like it.
    pub fn is_certainly_used(&self) -> bool {
        self.certainty.is_must() || self.in_both_branches
    }
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// It reads the element.
    Read,
    /// It writes the element.
    Write,
}

/// Whether an access certainly happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It touches exactly the elements of its relation.
    #[default]
    Must,
    /// It touches some of the elements of its relation.
    May,
}

impl Certainty {
    /// True for an access that certainly happens.
    pub fn is_must(&self) -> bool {
        *self == Self::Must
    }
}

/// One step of a statement's body. The reads of a step come before its effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "step")]
pub enum Step {
    /// `const type name = value;`, or without `const` if a later step sets it again.
    Define {
        /// The temporary, numbered within the statement.
        local: LocalId,
        /// A name for generated code, unique among the names of the scop.
        name: String,
        /// The type of the temporary, which is that of the value.
        #[serde(rename = "type")]
        ctype: CType,
        /// The first value; absent if the declaration has no initialiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Expr>,
    },
    /// `local = value;`
    Set {
        /// A temporary that an earlier step defines.
        local: LocalId,
        /// The new value, with the type of the temporary.
        value: Expr,
    },
    /// `type name[3][4] = {value, …};`: an array that only the body uses.
    DefineArray {
        /// The temporary, numbered together with all others.
        local: LocalId,
        /// A name for generated code, unique among the names of the scop.
        name: String,
        /// The type of the elements.
        #[serde(rename = "type")]
        ctype: CType,
        /// The length of each dimension, outermost first.
        extents: Vec<u64>,
        /// The first values of the elements, with their type, in row-major order. Elements without a value at
        /// the end are zero; if there are no values at all, the array is not initialised.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<Expr>,
    },
    /// `local[subscripts] = value;`
    SetElement {
        /// An array that an earlier step defines.
        local: LocalId,
        /// An integer subscript for each dimension.
        subscripts: Vec<Expr>,
        /// The new value, with the type of the elements.
        value: Expr,
    },
    /// `element = value;`
    Assign {
        /// The write access of the element.
        access: AccessId,
        /// The element's subscripts, if the access is indirect; otherwise none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        subscripts: Vec<Expr>,
        /// The complete new value, with the type of the element. For `x += e` it is `(type)(x + e)` with C's
        /// conversions.
        value: Expr,
        /// The operator, if the source has `x op= e`. The value, without the cast around it, is then a binary
        /// node with this operator, whose left operand, without casts, reads the same element. It is used only
        /// for readable output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        compound: Option<BinaryOp>,
    },
    /// `if (condition) then else otherwise`, for conditions that depend on data. Reads and writes inside are
    /// not certain.
    If {
        /// The condition.
        condition: Expr,
        /// The steps executed if the condition is not zero.
        then: Vec<Step>,
        /// The steps executed if the condition is zero.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Step>,
    },
    /// `for (type name = first; condition; name = next) body`, for loops whose bounds depend on data.
    For {
        /// The loop counter, visible in the condition, `next` and the body.
        local: LocalId,
        /// The name of the counter in generated code, unique among the names of the scop.
        name: String,
        /// The type of the counter.
        #[serde(rename = "type")]
        ctype: CType,
        /// The first value, with the type of the counter.
        first: Expr,
        /// The condition; the loop runs while it is not zero.
        condition: Expr,
        /// The value for the next iteration, with the type of the counter.
        next: Expr,
        /// The steps of each iteration.
        body: Vec<Step>,
    },
    /// `while (condition) body`
    While {
        /// The condition; the loop runs while it is not zero.
        condition: Expr,
        /// The steps of each iteration.
        body: Vec<Step>,
    },
    /// `return value;`, in functions only.
    Return {
        /// The function's value, with the type of the function.
        value: Expr,
    },
}

impl Step {
    /// Returns the expressions of this step itself, in the order of evaluation (those of a loop in the order of
    /// the text).
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Define { value, .. } => value.iter().collect(),
            Self::DefineArray { values, .. } => values.iter().collect(),
            Self::Set { value, .. } | Self::Return { value } => vec![value],
            Self::Assign { subscripts, value, .. } | Self::SetElement { subscripts, value, .. } => {
                subscripts.iter().chain([value]).collect()
            }
            Self::If { condition, .. } | Self::While { condition, .. } => vec![condition],
            Self::For { first, condition, next, .. } => vec![first, condition, next],
        }
    }

    /// As [`Step::expressions`], to change them.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Define { value, .. } => value.iter_mut().collect(),
            Self::DefineArray { values, .. } => values.iter_mut().collect(),
            Self::Set { value, .. } | Self::Return { value } => vec![value],
            Self::Assign { subscripts, value, .. } | Self::SetElement { subscripts, value, .. } => {
                subscripts.iter_mut().chain([value]).collect()
            }
            Self::If { condition, .. } | Self::While { condition, .. } => vec![condition],
            Self::For { first, condition, next, .. } => vec![first, condition, next],
        }
    }

    /// As [`Step::blocks`], to change them.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Step>> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::For { body, .. } | Self::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Returns the blocks of steps inside this one.
    pub fn blocks(&self) -> Vec<&[Step]> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::For { body, .. } | Self::While { body, .. } => vec![body],
            Self::Define { .. }
            | Self::Set { .. }
            | Self::DefineArray { .. }
            | Self::SetElement { .. }
            | Self::Assign { .. }
            | Self::Return { .. } => Vec::new(),
        }
    }

    /// Returns the name of the temporary that this step defines, if any.
    pub fn defined_name(&self) -> Option<&str> {
        match self {
            Self::Define { name, .. } | Self::DefineArray { name, .. } | Self::For { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Calls `visit` on this step and then on all steps inside it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Step)) {
        visit(self);
        for step in self.blocks().into_iter().flatten() {
            step.walk(visit);
        }
    }

    /// True if this step or a step inside it contains the write.
    fn writes(&self, access: AccessId) -> bool {
        let mut found = false;
        self.walk(&mut |step| {
            found |= matches!(step, Self::Assign { access: written, .. } if *written == access);
        });
        found
    }

    /// True if this step or a step inside it contains the read.
    fn reads(&self, access: AccessId) -> bool {
        let mut found = false;
        walk_expressions(std::slice::from_ref(self), &mut |node| {
            found |= matches!(node.kind, ExprKind::Read { access: read, .. } if read == access);
        });
        found
    }
}

/// Calls `visit` on every expression of some steps and of all steps inside them, outermost nodes first.
pub fn walk_expressions<'a>(steps: &'a [Step], visit: &mut impl FnMut(&'a Expr)) {
    for step in steps {
        step.walk(&mut |step| step.expressions().into_iter().for_each(|expr| expr.walk(visit)));
    }
}
