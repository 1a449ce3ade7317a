//! What is known of iterators outside of their loops.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, End, Map, PwAff, PwMultiAff, Set, Space, Val, context, optimum};

use crate::c::ctree::VariableId;
use crate::errors::Result;

/// What is known of one variable.
pub struct Value {
    /// Its value, where it is known.
    pub value: PwAff,
    /// Where it was set since the walk through the block began, be the value known or not.
    pub set: Set,
}

/// What is known of the iterators whose values after their loops matter, as functions in the space of a point.
#[derive(Default)]
pub struct Values(BTreeMap<VariableId, Value>);

impl Values {
    /// Nothing is known, and nothing was set, at any instance of a space.
    pub fn unknown(ids: &BTreeSet<VariableId>, space: &Space) -> Result<Self> {
        let unknown = |&id: &VariableId| {
            let nowhere = Set::empty(space.copy()?)?;
            let zero = Val::read_from_str(context(), "0")?;
            let value = PwAff::val_on_domain(Set::universe(space.copy()?)?, zero)?;
            let value = value.intersect_domain(nowhere.copy()?)?;
            Ok((id, Value { value, set: nowhere }))
        };
        ids.iter().map(unknown).collect::<Result<_>>().map(Self)
    }

    /// A variable has a value that nothing has set yet.
    pub fn begin_with(&mut self, id: VariableId, known: PwAff) {
        if let Some(value) = self.0.get_mut(&id) {
            value.value = known;
        }
    }

    /// What is known of a variable.
    pub fn get(&self, id: VariableId) -> Option<&Value> {
        self.0.get(&id)
    }

    /// True if no variable matters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same.
    pub fn copy(&self) -> Result<Self> {
        self.map(|value| Ok(Value { value: value.value.copy()?, set: value.set.copy()? }))
    }

    /// The same where control passes `domain` only.
    pub fn within(&self, domain: &Set) -> Result<Self> {
        self.map(|value| {
            let (known, set) = (value.value.copy()?, value.set.copy()?);
            Ok(Value { value: known.intersect_domain(domain.copy()?)?, set: set.intersect(domain.copy()?)? })
        })
    }

    /// The same at the beginning of the first iteration of a loop, whose iterations are `inside`: nothing was set yet.
    pub fn entering(&self, inside: &Set) -> Result<Self> {
        self.map(|value| {
            let value = value.value.copy()?.add_dims(DimType::In, 1)?.intersect_domain(inside.copy()?)?;
            Ok(Value { value, set: Set::empty(inside.get_space()?)? })
        })
    }

    /// The same, where nothing counts as set yet.
    pub fn begun(&self) -> Result<Self> {
        self.map(|value| {
            let set = Set::empty(value.set.get_space()?)?;
            Ok(Value { value: value.value.copy()?, set })
        })
    }

    fn map(&self, change: impl Fn(&Value) -> Result<Value>) -> Result<Self> {
        let changed = self.0.iter().map(|(&id, value)| Ok((id, change(value)?)));
        changed.collect::<Result<_>>().map(Self)
    }

    /// After an `if`, from what is known after its branches.
    pub fn joined(self, mut other: Self) -> Result<Self> {
        let joined = self.0.into_iter().map(|(id, value)| {
            let Some(other) = other.0.remove(&id) else { return Ok((id, value)) };
            let set = value.set.union(other.set)?;
            Ok((id, Value { value: value.value.union_add(other.value)?.coalesce()?, set }))
        });
        joined.collect::<Result<_>>().map(Self)
    }

    /// Where `others` may have set a variable, its value is not known any more.
    pub fn blur(&mut self, others: &Self) -> Result<()> {
        for (id, value) in &mut self.0 {
            if let Some(other) = others.get(*id) {
                value.lose(&other.set)?;
            }
        }
        Ok(())
    }

    /// In `domain`, something changed these variables to nobody knows what.
    pub fn lose<'a>(&mut self, ids: impl IntoIterator<Item = &'a VariableId>, domain: &Set) -> Result<()> {
        for id in ids {
            if let Some(value) = self.0.get_mut(id) {
                value.lose(domain)?;
            }
        }
        Ok(())
    }

    /// In `domain`, a variable gets a value.
    pub fn assign(&mut self, id: VariableId, known: PwAff, domain: &Set) -> Result<()> {
        let Some(value) = self.0.get_mut(&id) else { return Ok(()) };
        value.lose(domain)?;
        value.value = value.value.copy()?.union_add(known.intersect_domain(domain.copy()?)?)?.coalesce()?;
        Ok(())
    }

    /// What later events make of these values.
    pub fn followed_by(&mut self, events: Self) -> Result<()> {
        for (id, event) in events.0 {
            self.assign(id, event.value, &event.set)?;
        }
        Ok(())
    }

    /// What the events of a block leave, whatever was before.
    pub fn events(&self) -> Result<Self> {
        self.map(|value| {
            let (known, set) = (value.value.copy()?, value.set.copy()?);
            Ok(Value { value: known.intersect_domain(set.copy()?)?, set })
        })
    }

    /// The same, seen from other places: the event that counts there is that of the last instance to which `earlier`
    /// leads.
    pub fn seen(&self, earlier: &Map, ascending: bool) -> Result<Self> {
        self.map(|value| {
            let earlier = earlier.copy()?.intersect_range(value.set.copy()?)?;
            let set = earlier.copy()?.domain()?;
            let end = if ascending { End::Last } else { End::First };
            let last = PwMultiAff::from_map(optimum(&earlier, end)?)?;
            Ok(Value { value: value.value.copy()?.pullback_pw_multi_aff(last)?.coalesce()?, set })
        })
    }
}

impl Value {
    fn lose(&mut self, domain: &Set) -> Result<()> {
        self.value = self.value.copy()?.subtract_domain(domain.copy()?)?;
        self.set = self.set.copy()?.union(domain.copy()?)?.coalesce()?;
        Ok(())
    }
}
