//! The temporaries to which candl-rs gave arrays of their own.
//!
//! If a region uses one variable over and over, iterations are ordered only because they share its memory.
//! candl-rs lists the accesses that may use an array with a copy for each iteration instead. The model stays as
//! clan-rs wrote it. Tools that read both use the model to which the expansions have been applied
//! ([`crate::Scop::model`]).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AccessId, Array, ArrayId, BinaryOp, Expr, ExprKind, IslMap, Model, Step};

/// The accesses of a region that use other arrays than in the source, and these arrays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expansions {
    /// The arrays with copies, as they are after the expansions are applied. One with the id of an array of the
    /// model replaces it, since no access to the old array is left; the others have the numbers after those of
    /// the model.
    pub arrays: Vec<Array>,
    /// The accesses that use these arrays.
    pub accesses: Vec<ExpandedAccess>,
}

/// An access that uses an array with copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExpandedAccess {
    /// The access.
    pub access: AccessId,
    /// The array.
    pub array: ArrayId,
    /// The element, as in [`crate::Access::relation`]: the iterators of some of the loops around the access,
    /// followed by the subscripts of the source. `{ S0[i, j, k] -> A3[i, j] }` for a scalar.
    pub relation: IslMap,
}

impl Expansions {
    /// True if every access uses the array that it uses in the source.
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty() && self.accesses.is_empty()
    }

    /// Returns the model in which accesses use the copies. Entries that fit nothing in the model are left out;
    /// the verifier reports them (V15).
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

/// Drops the note that an assignment is written `x += e` in the source, if the old and the new `x` are now in
/// different arrays.
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

/// Returns the access that reads `x` in `(type)(x op e)`.
fn updated(value: &Expr, wanted: BinaryOp) -> Option<AccessId> {
    match &value.without_casts().kind {
        ExprKind::Binary { operator, left, .. } if *operator == wanted => match &left.without_casts().kind {
            ExprKind::Read { access, .. } => Some(*access),
            _ => None,
        },
        _ => None,
    }
}
