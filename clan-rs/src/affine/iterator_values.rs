//! What is known about iterators outside their loops.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, End, Map, PwAff, PwMultiAff, Set, Space, Val, context, optimum};

use crate::c::ctree::VariableId;
use crate::errors::Result;

/// What is known about one variable.
pub struct Value {
    /// Its value, where it is known.
    pub value: PwAff,
    /// Where it was set since the walk through the block began, whether the value is known or not.
    pub set: Set,
}

/// What is known about the iterators whose values after their loops matter, as functions in the space of a point.
#[derive(Default)]
pub struct Values(BTreeMap<VariableId, Value>);

impl Values {
    /// Creates values that are neither known nor set at any instance of a space.
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

    /// Gives a variable a value that does not count as set.
    pub fn begin_with(&mut self, id: VariableId, known: PwAff) {
        if let Some(value) = self.0.get_mut(&id) {
            value.value = known;
        }
    }

    /// Returns what is known about a variable.
    pub fn get(&self, id: VariableId) -> Option<&Value> {
        self.0.get(&id)
    }

    /// True if there is no variable whose value matters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a copy.
    pub fn copy(&self) -> Result<Self> {
        self.map(|value| Ok(Value { value: value.value.copy()?, set: value.set.copy()? }))
    }

    /// Returns the values restricted to instances in `domain`.
    pub fn within(&self, domain: &Set) -> Result<Self> {
        self.map(|value| {
            let (known, set) = (value.value.copy()?, value.set.copy()?);
            Ok(Value { value: known.intersect_domain(domain.copy()?)?, set: set.intersect(domain.copy()?)? })
        })
    }

    /// Returns the values where the first iteration of a loop begins, whose iterations are `inside`: nothing counts
    /// as set yet.
    pub fn entering(&self, inside: &Set) -> Result<Self> {
        self.map(|value| {
            let value = value.value.copy()?.add_dims(DimType::In, 1)?.intersect_domain(inside.copy()?)?;
            Ok(Value { value, set: Set::empty(inside.get_space()?)? })
        })
    }

    /// Returns the same values, none of which counts as set.
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

    /// Returns the values after an `if` from those after its branches.
    pub fn joined(self, mut other: Self) -> Result<Self> {
        let joined = self.0.into_iter().map(|(id, value)| {
            let Some(other) = other.0.remove(&id) else { return Ok((id, value)) };
            let set = value.set.union(other.set)?;
            Ok((id, Value { value: value.value.union_add(other.value)?.coalesce()?, set }))
        });
        joined.collect::<Result<_>>().map(Self)
    }

    /// Forgets the values of variables where `others` may have set them.
    pub fn blur(&mut self, others: &Self) -> Result<()> {
        for (id, value) in &mut self.0 {
            if let Some(other) = others.get(*id) {
                value.lose(&other.set)?;
            }
        }
        Ok(())
    }

    /// Forgets the values of these variables in `domain`, where something set them to an unknown value.
    pub fn lose<'a>(&mut self, ids: impl IntoIterator<Item = &'a VariableId>, domain: &Set) -> Result<()> {
        for id in ids {
            if let Some(value) = self.0.get_mut(id) {
                value.lose(domain)?;
            }
        }
        Ok(())
    }

    /// Sets a variable to a value in `domain`.
    pub fn assign(&mut self, id: VariableId, known: PwAff, domain: &Set) -> Result<()> {
        let Some(value) = self.0.get_mut(&id) else { return Ok(()) };
        value.lose(domain)?;
        value.value = value.value.copy()?.union_add(known.intersect_domain(domain.copy()?)?)?.coalesce()?;
        Ok(())
    }

    /// Applies later events to these values.
    pub fn followed_by(&mut self, events: Self) -> Result<()> {
        for (id, event) in events.0 {
            self.assign(id, event.value, &event.set)?;
        }
        Ok(())
    }

    /// Returns the values that the events of a block leave, whatever they were before.
    pub fn events(&self) -> Result<Self> {
        self.map(|value| {
            let (known, set) = (value.value.copy()?, value.set.copy()?);
            Ok(Value { value: known.intersect_domain(set.copy()?)?, set })
        })
    }

    /// Returns the values as seen from other instances, which `earlier` maps to instances with events. The last of
    /// these counts; that is the lexicographically first one unless the loop is `ascending`.
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

#[cfg(test)]
mod tests {
    use polyhedra::Text;

    use super::*;

    /// What follows a block must not take a variable that the block sets to an unknown value for one that it leaves
    /// alone.
    #[test]
    fn unknown_values_count_as_set() {
        let id = VariableId(0);
        let space = Set::parse("{ [i] }").unwrap().get_space().unwrap();
        let mut before = Values::unknown(&BTreeSet::from([id]), &space).unwrap();
        before.begin_with(id, PwAff::parse("{ [i] -> [(7)] }").unwrap());
        let mut block = before.copy().unwrap();
        block.lose(&[id], &Set::parse("{ [i] : i < 3 }").unwrap()).unwrap();
        before.blur(&block).unwrap();
        let known = before.get(id).unwrap().value.copy().unwrap().domain().unwrap();
        assert!(known.is_equal(&Set::parse("{ [i] : i >= 3 }").unwrap()).unwrap());
    }
}
