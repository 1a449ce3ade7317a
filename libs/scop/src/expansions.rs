//! The temporaries to which candl-rs gave arrays of their own.
//!
//! If a region uses one variable over and over, iterations are ordered only because they share its memory.
//! candl-rs lists the accesses that may use an array with a copy for each iteration instead. The model stays as
//! clan-rs wrote it. Tools that read both use the model to which the expansions have been applied
//! ([`crate::Scop::model`]).
//!
//! Code after the region may read such a variable. Then statements that candl-rs adds at the end store in it the
//! values that it has last in the source ([`LastValues`]). Values that are overwritten while they are still needed can
//! be stored in a copy first ([`OldValues`]). Sums may be split into partial sums ([`PartialSums`]), and
//! extremes into those of parts ([`Selections`]); sums that are read in between, into those of chunks ([`PrefixSums`]).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AccessId, Array, ArrayId, BinaryOp, Expr, ExprKind, IslMap, IslSchedule, Loop, Model, PartialSum,
    PartialSums, PrefixSum, PrefixSums, Selection, Selections, Statement, Step,
};

/// The accesses of a region that use other arrays than in the source, and these arrays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expansions {
    /// The arrays with copies, as they are after the expansions are applied. One with the id of an array of the
    /// model replaces it, since no access to the old array is left; the others have the numbers after those of
    /// the model.
    pub arrays: Vec<Array>,
    /// The accesses that use these arrays.
    pub accesses: Vec<ExpandedAccess>,
    /// What stores values of copies in the variables for the code after the region. Absent if that reads none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_values: Option<LastValues>,
    /// What stores values in copies before they are overwritten. Absent if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_values: Option<OldValues>,
    /// The sums whose updates go to partial sums. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_sums: Option<PartialSums>,
    /// The selections that have many results first. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selections: Option<Selections>,
    /// The prefix sums that are divided into chunks. Absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_sums: Option<PrefixSums>,
    /// The order of all instances, if it is not [`Model::order`]: that order, followed by the statements that are
    /// added, or an order from elsewhere (`candl-rs --order`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<IslSchedule>,
}

/// Statements that candl-rs adds to a region. Each stores, for some elements of a variable, the value of that copy
/// which the source wrote last:
///
/// ```c
/// for (int i = 0; i < n; i++) {        for (int i = 0; i < n; i++) {
///     s = 0;                               s_[i] = 0;
///     for (int j = 0; j < n; j++)          for (int j = 0; j < n; j++)
///         s += a[i][j];               →        s_[i] += a[i][j];
///     b[i] = s;                            b[i] = s_[i];
/// }                                    }
///                                      if (n >= 1) s = s_[n - 1];
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastValues {
    /// The loops around these statements, numbered after those of the model; one loop for each subscript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Loop>,
    /// The statements, numbered after those of the model, as are their accesses: the first access writes the
    /// variable, the second reads the copy.
    pub statements: Vec<Statement>,
}

/// Statements that candl-rs adds to a region. Each stores elements of an array in a copy before the array is written:
///
/// ```c
///                                      for (int x = 1; x < n; x++)
///                                          a_[x] = a[x];
/// for (int i = 0; i < n - 1; i++)      for (int i = 0; i < n - 1; i++)
///     a[i] = f(a[i + 1]);         →        a[i] = f(a_[i + 1]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OldValues {
    /// The loops around these statements that are not in the source, numbered after all others; one loop for each
    /// subscript. Loops of the source may be around them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Loop>,
    /// The statements, numbered after all others, as are their accesses: the first access writes the copy, the second
    /// reads the array.
    pub statements: Vec<Statement>,
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
        self.arrays.is_empty()
            && self.accesses.is_empty()
            && self.last_values.is_none()
            && self.old_values.is_none()
            && self.partial_sums.is_none()
            && self.selections.is_none()
            && self.prefix_sums.is_none()
            && self.order.is_none()
    }

    /// Returns the statements that store the last values.
    pub fn added(&self) -> &[Statement] {
        self.last_values.as_ref().map_or(&[], |last| &last.statements)
    }

    /// Returns the statements that store old values.
    pub fn kept(&self) -> &[Statement] {
        self.old_values.as_ref().map_or(&[], |old| &old.statements)
    }

    /// Returns the sums whose updates go to partial sums.
    pub fn partial_sums(&self) -> &[PartialSum] {
        self.partial_sums.as_ref().map_or(&[], |partial| &partial.sums)
    }

    /// Returns the selections that have many results first.
    pub fn selections(&self) -> &[Selection] {
        self.selections.as_ref().map_or(&[], |selections| &selections.all)
    }

    /// Returns the prefix sums that are divided into chunks.
    pub fn prefix_sums(&self) -> &[PrefixSum] {
        self.prefix_sums.as_ref().map_or(&[], |prefix| &prefix.all)
    }

    /// Returns the model in which accesses use the copies, and last and old values are stored. Entries that fit nothing
    /// in the model are left out; the verifier reports them (V15).
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
        if let Some(last) = &self.last_values {
            model.loops.extend(last.loops.iter().cloned());
            model.statements.extend(last.statements.iter().cloned());
        }
        if let Some(old) = &self.old_values {
            model.loops.extend(old.loops.iter().cloned());
            model.statements.extend(old.statements.iter().cloned());
        }
        if let Some(partial) = &self.partial_sums {
            model.loops.extend(partial.loops.iter().cloned());
            model.statements.extend(partial.statements().cloned());
        }
        if let Some(selections) = &self.selections {
            model.loops.extend(selections.loops.iter().cloned());
            model.statements.extend(selections.statements().cloned());
        }
        if let Some(prefix) = &self.prefix_sums {
            model.loops.extend(prefix.loops.iter().cloned());
            model.statements.extend(prefix.statements().cloned());
        }
        if let Some(order) = &self.order {
            model.order = order.clone();
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
