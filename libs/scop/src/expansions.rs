//! What candl-rs gave arrays of their own.
//!
//! A variable that a region uses over and over keeps iterations in order only because they share its memory. candl-rs
//! says which accesses may as well go to an array with a copy for each iteration. The model stays as clan-rs wrote it;
//! whoever reads both works with the model to which the expansions were applied ([`crate::Scop::model`]).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, Array, ArrayId, BinaryOp, Expr, ExprKind, IslMap, Model, Step};

/// The accesses of a region that go elsewhere than in the source, and the arrays to which they go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expansions {
    /// The arrays with copies, as they are when the expansions are applied: one with the id of an array of the model
    /// takes its place, since no access is left to that; the others are numbered on.
    pub arrays: Vec<Array>,
    /// The accesses that go to them.
    pub accesses: Vec<ExpandedAccess>,
}

/// An access that goes to an array with copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandedAccess {
    /// The access.
    pub access: AccessId,
    /// The array.
    pub array: ArrayId,
    /// The element, as in [`crate::Access::relation`]: the iterators of some loops around, and then the subscripts of
    /// the source. `{ S0[i, j, k] -> A3[i, j] }` for a scalar.
    pub relation: IslMap,
}

impl Expansions {
    /// True if every access goes where it does in the source.
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty() && self.accesses.is_empty()
    }

    /// The model in which accesses go to the copies. What fits nothing in the model is left out; the verifier names it
    /// (V15).
    pub fn applied_to(&self, model: &Model) -> Model {
        let mut model = model.clone();
        if self.is_empty() {
            return model;
        }
        for array in &self.arrays {
            match model.arrays.get_mut(array.id.index()) {
                Some(place) => *place = array.clone(),
                None => model.arrays.push(array.clone()),
            }
        }
        let expanded: BTreeMap<AccessId, &ExpandedAccess> =
            self.accesses.iter().map(|expanded| (expanded.access, expanded)).collect();
        let mut arrays = BTreeMap::new();
        for access in model.statements.iter_mut().flat_map(|statement| &mut statement.accesses) {
            if let Some(expanded) = expanded.get(&access.id) {
                access.array = expanded.array;
                access.relation = expanded.relation.clone();
            }
            arrays.insert(access.id, access.array);
        }
        for step in model.statements.iter_mut().flat_map(|statement| &mut statement.body) {
            spell_out(step, &arrays);
        }
        model
    }
}

/// What was written `x += e` is no longer where the old and the new `x` have become different arrays.
fn spell_out(step: &mut Step, arrays: &BTreeMap<AccessId, ArrayId>) {
    match step {
        Step::Assign { access, value, compound: compound @ Some(_), .. } => {
            let kept = compound.filter(|&operator| {
                let read = updated(value, operator).and_then(|read| arrays.get(&read));
                read == arrays.get(access)
            });
            *compound = kept;
        }
        Step::If { then, otherwise, .. } => {
            then.iter_mut().chain(otherwise).for_each(|step| spell_out(step, arrays));
        }
        Step::For { body, .. } | Step::While { body, .. } => {
            body.iter_mut().for_each(|step| spell_out(step, arrays));
        }
        _ => {}
    }
}

/// The access that reads `x` in `(type)(x op e)`.
fn updated(value: &Expr, wanted: BinaryOp) -> Option<AccessId> {
    match &value.without_casts().kind {
        ExprKind::Binary { operator, left, .. } if *operator == wanted => match &left.without_casts().kind {
            ExprKind::Read { access, .. } => Some(*access),
            _ => None,
        },
        _ => None,
    }
}
