//! Through which parameters of a function its regions reach their arrays, and those of functions that it calls.
//!
//! *before → after*: `void relax(Grid &g) { average(g.n, g.now, g.next); }`, where `average` has a region with the arrays
//! `u` and `v`, becomes the paths `g.now` and `g.next`. A pointer is followed if it is
//!
//! - a parameter of the function itself, or a part of what one leads to, which stays as it is;
//! - a parameter of a function that it calls, through all of these calls;
//! - a variable of such a function that is set once, where it is declared.

use crate::c::ctree::{Expr, Lifetime, VariableId};
use crate::directives::effects::Path;
use crate::host::place::Place;
use crate::host::summaries::Summaries;
use crate::host::summaries::found::Around;

/// Pointers are followed through so many variables.
const MOST_STEPS: usize = 8;

/// A path, and the size of the numbers to which a member leads, with whether it is an array of them.
pub type Way = (Path, Option<(u32, bool)>);

impl Summaries<'_> {
    /// Returns all ways to what a pointer points to; nothing if some are not known.
    pub(super) fn ways_to(&self, pointer: VariableId, around: &Around<'_>) -> Option<Vec<Way>> {
        self.ways(pointer, around, MOST_STEPS)
    }

    fn ways(&self, pointer: VariableId, around: &Around<'_>, steps: usize) -> Option<Vec<Way>> {
        let variable = self.all.ground.tree.variable(pointer);
        if steps == 0 || variable.reference || self.is_set_again(pointer) {
            return None;
        }
        if around.function.parameters.contains(&pointer) {
            return Some(vec![(Path::of(&variable.name), None)]);
        }
        let values = match variable.lifetime {
            Lifetime::Static => return None,
            Lifetime::Parameter => self.passed(pointer, around)?,
            Lifetime::Automatic => vec![variable.initial.as_ref()?],
        };
        let mut found = Vec::new();
        for value in values {
            found.extend(self.ways_of(value, around, steps - 1)?);
        }
        Some(found)
    }

    /// Returns all ways to what the value of an expression points to.
    fn ways_of(&self, value: &Expr, around: &Around<'_>, steps: usize) -> Option<Vec<Way>> {
        if let Some(pointer) = value.without_casts().as_variable() {
            return self.ways(pointer, around, steps);
        }
        let place = Place::from(self.all.ground.pointers, value, None)?;
        self.root(&place, around.fixed).map(|way| vec![way])
    }

    /// Returns what is passed for a parameter of a function in all calls.
    fn passed(&self, parameter: VariableId, around: &Around<'_>) -> Option<Vec<&Expr>> {
        let all = self.values.passed.get(&parameter)?;
        let own = all.iter().filter(|(caller, _)| around.places.contains(caller));
        own.map(|(_, value)| *value).collect()
    }

    /// True if a pointer may change after it was set for the first time.
    fn is_set_again(&self, pointer: VariableId) -> bool {
        let pointers = self.all.ground.pointers;
        let own = pointers.objects_in(pointers.variable(pointer));
        self.values.assigned.contains(&pointer) || !own.is_disjoint(&self.values.pointed_to)
    }
}
