//! Statements and accesses.

use polyhedra::{Map, PwMultiAff, Set, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AccessId, ArrayId, BinaryOp, CType, Expr, ExprKind, IslMap, IslSet, LocalId, LoopId, SourceRange,
    StatementId,
};

/// A piece of C, executed once for every point of its domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The id, which is the tuple name of its instances.
    pub id: StatementId,
    /// The loops around it, outermost first; as many as the domain has dimensions.
    pub loops: Vec<LoopId>,
    /// The instances: `[n] -> { S0[i, j] : 0 <= i < n and 0 <= j <= i }`.
    pub domain: IslSet,
    /// Every reference to memory in the body.
    pub accesses: Vec<Access>,
    /// What it does, in order.
    pub body: Vec<Step>,
    /// Where it stands in the source.
    pub range: SourceRange,
    /// The C text at that place.
    pub text: String,
}

impl Statement {
    /// The number of loops around it.
    pub fn depth(&self) -> usize {
        self.loops.len()
    }

    /// The access with this id, if it belongs to the statement.
    pub fn access(&self, id: AccessId) -> Option<&Access> {
        self.accesses.iter().find(|access| access.id == id)
    }

    /// Where an access happens in the body: step `k` reads at `2k` and writes at `2k + 1`. So do the steps inside it:
    /// what they write is not certain to be written, and hides nothing. An access that no step names comes first if it
    /// reads and last if it writes.
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

    /// A relation that is single-valued on the instances as a function of them: of others it may say anything, as the
    /// relations of accesses do.
    ///
    /// # Errors
    ///
    /// The relation has several values for an instance, or isl fails.
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
    /// Whether it reads or writes; `x += 1` has one access of each kind.
    pub kind: AccessKind,
    /// Whether it touches all of the relation.
    #[serde(default, skip_serializing_if = "Certainty::is_must")]
    pub certainty: Certainty,
    /// True if the instance alone does not determine the element: the body computes the subscripts, as in
    /// `a[index[i]]`, and the relation has all elements that may be meant. Such an access is never certain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub indirect: bool,
    /// True if the element is certainly accessed wherever the relation has one, though perhaps by another access of the
    /// instance: of an `if` on data, this one is in one branch, and one like it in the other. The access itself is not
    /// certain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_both_branches: bool,
    /// From instances to elements: `{ S0[i, j] -> A1[i, j - 1] }`.
    pub relation: IslMap,
}

impl Access {
    /// True if its elements are certainly used wherever the relation has one: by it, or else by one like it.
    pub fn is_certainly_used(&self) -> bool {
        self.certainty.is_must() || self.in_both_branches
    }
}

/// Whether an access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// It takes the element's value.
    Read,
    /// It gives the element a value.
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
        /// Its type, that of the value.
        #[serde(rename = "type")]
        ctype: CType,
        /// Its first value; absent if the declaration gives none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Expr>,
    },
    /// `local = value;`
    Set {
        /// A temporary that an earlier step defines.
        local: LocalId,
        /// Its new value, of its type.
        value: Expr,
    },
    /// `type name[3][4] = {value, …};`: an array of the body's own, which nothing else sees.
    DefineArray {
        /// The temporary, numbered as all of them are.
        local: LocalId,
        /// A name for generated code, unique among the names of the scop.
        name: String,
        /// The type of its elements.
        #[serde(rename = "type")]
        ctype: CType,
        /// The length of each of its dimensions, outermost first.
        extents: Vec<u64>,
        /// The first values of its elements, of their type, the last dimension fastest. What is missing at the end is
        /// zero, unless all are missing: then no element has a value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<Expr>,
    },
    /// `local[subscripts] = value;`
    SetElement {
        /// An array that an earlier step defines.
        local: LocalId,
        /// An integer for each of its dimensions.
        subscripts: Vec<Expr>,
        /// The new value, of the elements' type.
        value: Expr,
    },
    /// `element = value;`
    Assign {
        /// The write access of the element.
        access: AccessId,
        /// The element's subscripts, if the access is indirect; else none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        subscripts: Vec<Expr>,
        /// The complete new value, of the element's type. For `x += e` it is `(type)(x + e)` with C's conversions.
        value: Expr,
        /// How the source wrote it, if as `x op= e`: then `value`, without the cast around it, is a binary node with
        /// this operator whose left operand, without casts, reads the same element. Only for readable output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        compound: Option<BinaryOp>,
    },
    /// `if (condition) then else otherwise`, for conditions that depend on data. Writes and reads inside are not
    /// certain.
    If {
        /// The condition.
        condition: Expr,
        /// What happens where it is not zero.
        then: Vec<Step>,
        /// What happens where it is zero.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        otherwise: Vec<Step>,
    },
    /// `for (type name = first; condition; name = next) body`, for loops whose bounds depend on data.
    For {
        /// The temporary that counts; visible in the condition, `next` and the body.
        local: LocalId,
        /// Its name in generated code, unique among the names of the scop.
        name: String,
        /// Its type.
        #[serde(rename = "type")]
        ctype: CType,
        /// Its first value, of its type.
        first: Expr,
        /// The loop runs while this is not zero.
        condition: Expr,
        /// The value for the next iteration, of its type.
        next: Expr,
        /// What each iteration does.
        body: Vec<Step>,
    },
    /// `while (condition) body`
    While {
        /// The loop runs while this is not zero.
        condition: Expr,
        /// What each iteration does.
        body: Vec<Step>,
    },
    /// `return value;`, in functions only.
    Return {
        /// The function's value, of its type.
        value: Expr,
    },
}

impl Step {
    /// The expressions that belong to this step itself, in the order of evaluation (those of a loop: as in the text).
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

    /// The blocks of steps inside this one.
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

    /// The name that it gives a temporary, if it defines one.
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

    /// True if it, or a step inside it, has this write.
    fn writes(&self, access: AccessId) -> bool {
        let mut found = false;
        self.walk(&mut |step| {
            found |= matches!(step, Self::Assign { access: written, .. } if *written == access);
        });
        found
    }

    /// True if it, or a step inside it, has this read.
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
