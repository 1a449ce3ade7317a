//! The values that iterators have behind their loops.
//!
//! *before → after*: in `for (i = 0; i < n; i++) A; b[i] = 0;` the last `i` is `max(n, 0)`: the last iterator value
//! plus the step, or the first value if there is no iteration.
//!
//! A loop sets its iterator whenever control reaches it. [`Values`] says for each place in the region what the last
//! such event before it left, as functions of the loops around the place and the parameters: in the field's words,
//! the last write before a read (Feautrier, Dataflow analysis of array and scalar references, 1991), with the value
//! in place of the instance. What a body leaves is a function of its iteration; the iteration that counts behind the
//! loop is the last one with an event, and at the beginning of an iteration the last one before it.

use std::collections::{BTreeMap, BTreeSet};

use polyhedra::{DimType, End, Map, PwAff, PwMultiAff, Set, Space, optimum};

use crate::affine::point::Point;
use crate::around::outside;
use crate::c::ctree::{Expr, ExprKind, Stmt, StmtKind, Tree, VariableId};
use crate::errors::Result;
use crate::variables::environment::Environment;

/// What is known of one variable.
pub struct Value {
    /// Its value, where it is known.
    pub value: PwAff,
    /// Where it was set since the walk through the block began, be the value known or not.
    pub set: Set,
}

/// What is known of the iterators whose values behind their loops matter, as functions in the space of a point.
#[derive(Default)]
pub struct Values(BTreeMap<VariableId, Value>);

impl Values {
    /// What is known where the region begins.
    pub fn at_entry(environment: &Environment, point: &Point) -> Result<Self> {
        let mut values = Self::unknown(&environment.tracked, point)?;
        for (id, value) in &mut values.0 {
            if environment.has_no_value_before(*id) {
                // Who reads it without setting it first gets any value.
                value.value = point.constant(0)?;
            } else if let Some(name) = environment.parameters.get(id) {
                value.value = point.parameter(name)?;
            }
        }
        Ok(values)
    }

    /// Nothing is known, and nothing was set.
    pub fn unknown(ids: &BTreeSet<VariableId>, point: &Point) -> Result<Self> {
        let unknown = |&id: &VariableId| {
            let nowhere = Set::empty(point.domain.get_space()?)?;
            let value = point.constant(0)?.intersect_domain(nowhere.copy()?)?;
            Ok((id, Value { value, set: nowhere }))
        };
        ids.iter().map(unknown).collect::<Result<_>>().map(Self)
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

    /// Behind an `if`, from what is known behind its branches.
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
    fn assign(&mut self, id: VariableId, known: PwAff, domain: &Set) -> Result<()> {
        let Some(value) = self.0.get_mut(&id) else { return Ok(()) };
        value.lose(domain)?;
        value.value = value.value.copy()?.union_add(known.intersect_domain(domain.copy()?)?)?.coalesce()?;
        Ok(())
    }

    /// What later events make of these values.
    fn followed_by(&mut self, events: Self) -> Result<()> {
        for (id, event) in events.0 {
            self.assign(id, event.value, &event.set)?;
        }
        Ok(())
    }

    /// What the events of a block leave, whatever was before.
    fn events(&self) -> Result<Self> {
        self.map(|value| {
            let (known, set) = (value.value.copy()?, value.set.copy()?);
            Ok(Value { value: known.intersect_domain(set.copy()?)?, set })
        })
    }

    /// The same, seen from other places: the event that counts there is that of the last instance to which `earlier`
    /// leads.
    fn seen(&self, earlier: &Map, ascending: bool) -> Result<Self> {
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

/// The iterations of a loop, for what they do to the values of iterators.
pub struct Iterations<'a> {
    /// The iterator.
    pub iterator: VariableId,
    /// Its first value, at the place of the loop.
    pub first: PwAff,
    /// What is added after each iteration.
    pub step: i128,
    /// The values of the iterators in the body; that of this loop is the last.
    pub domain: &'a Set,
}

impl Iterations<'_> {
    /// What is known at the beginning of the first iteration.
    pub fn values_before_body(&self, before: &Values) -> Result<Values> {
        before.entering(self.domain)
    }

    /// What is known at the beginning of each iteration, if `left` is what the body leaves.
    pub fn values_inside(&self, before: &Values, left: &Values) -> Result<Values> {
        let mut values = before.entering(self.domain)?;
        let earlier = later(self.domain.get_space()?, self.outer()?, self.step)?.reverse()?;
        let earlier = earlier.intersect_domain(self.domain.copy()?)?;
        values.followed_by(left.events()?.seen(&earlier, self.step > 0)?)?;
        values.begun()
    }

    /// What is known behind the loop at `point`; `body` is the point behind its body.
    pub fn values_behind(&self, point: &Point, body: &Point) -> Result<Values> {
        let mut events = body.values.events()?;
        let next = body.iterator(self.outer()?)?.add(body.constant(self.step)?)?;
        events.assign(self.iterator, next, self.domain)?;
        let mut values = point.values.copy()?;
        values.assign(self.iterator, self.first.copy()?, &point.domain)?;
        values.followed_by(events.seen(&inner_instances(self.domain, self.outer()?)?, self.step > 0)?)?;
        Ok(values)
    }

    /// The number of loops around this one.
    fn outer(&self) -> Result<u32> {
        Ok(self.domain.dim(DimType::Set)?.unsigned_abs().saturating_sub(1))
    }
}

/// From the instances of a loop to those of its iterations.
fn inner_instances(inside: &Set, outer: u32) -> Result<Map> {
    let mut map = Map::from_range(inside.copy()?)?.add_dims(DimType::In, outer)?;
    for position in 0..outer as i32 {
        map = map.equate(DimType::In, position, DimType::Out, position)?;
    }
    Ok(map)
}

/// From each instance to those of the same outer iteration that come later.
pub fn later(space: Space, position: u32, step: i128) -> Result<Map> {
    let mut map = if step > 0 { Map::lex_lt(space)? } else { Map::lex_gt(space)? };
    for outer in 0..position as i32 {
        map = map.equate(DimType::In, outer, DimType::Out, outer)?;
    }
    Ok(map)
}

/// The iterators whose values outside of their loops matter: the region uses them there, or what is behind the region
/// may read them.
pub fn tracked(environment: &Environment) -> BTreeSet<VariableId> {
    let iterators = &environment.iterators;
    let mut search =
        Search { tree: environment.tree, iterators, counting: Vec::new(), found: BTreeSet::new() };
    for stmt in &environment.region.statements {
        search.statement(stmt);
    }
    let live = iterators.iter().copied().filter(|&id| outside::outlives_region(environment, id));
    search.found.extend(live);
    search.found
}

/// The search for uses of iterators outside of their loops.
struct Search<'e> {
    tree: &'e Tree,
    iterators: &'e BTreeSet<VariableId>,
    /// The iterators of the loops around.
    counting: Vec<VariableId>,
    found: BTreeSet<VariableId>,
}

impl Search<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        let StmtKind::For { init, body, .. } = &stmt.kind else {
            stmt.expressions(self.tree).into_iter().for_each(|expr| self.expression(expr));
            return stmt.parts().into_iter().for_each(|part| self.statement(part));
        };
        let depth = self.counting.len();
        match &init.kind {
            StmtKind::Declaration(ids) => {
                init.expressions(self.tree).into_iter().for_each(|expr| self.expression(expr));
                self.counting.extend(ids);
            }
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign { operator: None, target, value }, ..
            }) if target.as_variable().is_some() => {
                self.expression(value);
                self.counting.extend(target.as_variable());
            }
            _ => self.statement(init),
        }
        stmt.expressions(self.tree).into_iter().for_each(|expr| self.expression(expr));
        self.statement(body);
        self.counting.truncate(depth);
    }

    fn expression(&mut self, expr: &Expr) {
        expr.walk(&mut |inner| {
            let used = inner.as_variable().filter(|id| self.iterators.contains(id));
            self.found.extend(used.filter(|id| !self.counting.contains(id)));
        });
    }
}
