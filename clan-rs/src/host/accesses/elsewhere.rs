//! What functions of other files do with memory.

use scop::{CType, Effect, SourceRange};

use super::{Ground, Search};
use crate::c::ctree::{Callee, Expr, Type, TypeKind};
use crate::directives::effects::{self, Amount, Does, Effects, Item};
use crate::host::place::{Place, Term};
use crate::host::solver::{EXPOSED, Node};

impl<'t> Search<'_, 't> {
    pub(super) fn call_elsewhere(
        &mut self,
        effects: &Effects,
        callee: &Callee,
        arguments: &'t [Expr],
        (range, start): (SourceRange, usize),
    ) {
        let runs = self.ground.run_elsewhere(effects, arguments);
        self.ends(start);
        if !runs.is_empty() {
            self.runs_others(start);
        }
        if !runs.iter().all(|node| self.ground.pointers.can_stay(*node, self.ground.placed)) {
            self.unknown(|| format!("calls `{}`, which uses memory whose end is not known", callee.shown));
        }
        for item in &effects.items {
            let memory = self.ground.memory_of(effects, item, arguments);
            let announces = |other: &Item| {
                other.name == item.name && matches!(other.does, Does::Device | Does::Announces)
            };
            if effects.items.iter().any(announces) {
                self.add_access(Effect::Writes, memory, None, range, true);
                continue;
            }
            let place = self.ground.section(effects, item, arguments);
            let effect = if item.does == Does::Reads { Effect::Reads } else { Effect::Writes };
            self.add(effect, memory, place, range);
        }
        self.found.elsewhere.extend(runs);
    }
}

impl<'t> Ground<'t> {
    /// Returns the memory of each array of the regions that a function of another file runs.
    pub fn run_elsewhere(&self, effects: &Effects, arguments: &[Expr]) -> Vec<Node> {
        let on_device = effects.items.iter().filter(|item| item.does == Does::Device);
        let memory = on_device.map(|item| self.memory_of(effects, item, arguments));
        memory.filter(|node| !self.pointers.objects_in(*node).is_empty()).collect()
    }

    /// Returns the memory of an item: what an argument or a variable points to, or an array. Nothing points to what no
    /// code of the file mentions, except other code.
    fn memory_of(&self, effects: &Effects, item: &Item, arguments: &[Expr]) -> Node {
        if let Some(argument) = effects.position(&item.name).and_then(|position| arguments.get(position)) {
            return self.pointers.value_of(argument);
        }
        match effects::external(self.tree, &item.name) {
            Some(id) if !self.tree.variable(id).ctype.is_pointer_like() => self.pointers.variable(id),
            Some(id) if is_array(&self.tree.variable(id).ctype) => self.pointers.variable(id),
            _ => EXPOSED,
        }
    }

    fn section(&self, effects: &Effects, item: &Item, arguments: &'t [Expr]) -> Option<Place> {
        let section = item.section.as_ref()?;
        let position = effects.position(&item.name)?;
        let bytes = effects.parameters.get(position)?.bytes?;
        let amount = |amount: &Amount| self.amount(amount, effects, arguments);
        let (start, length) = (amount(&section.start)?, amount(&section.length)?);
        let length = Term::product(length, Term::Integer(i128::from(bytes), CType::Long));
        let argument = arguments.get(position)?.without_casts();
        let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) =
            &argument.ctype.kind
        else {
            return None;
        };
        let is_same = target.arithmetic().is_some_and(|ctype| u64::from(ctype.size()) == u64::from(bytes));
        is_same.then(|| Place::section(self.pointers, self.tree, argument, start, length)).flatten()
    }

    fn amount(&self, amount: &Amount, effects: &Effects, arguments: &[Expr]) -> Option<Term> {
        Some(match amount {
            Amount::Number(value) => Term::Integer(*value, CType::Long),
            Amount::Name(name) => {
                Term::of(self.tree, arguments.get(effects.position(name)?)?)?.converted(CType::Long)
            }
            Amount::Binary(operator, left, right) => {
                let [left, right] = [left, right].map(|part| self.amount(part, effects, arguments));
                Term::in_long(*operator, left?, right?)
            }
        })
    }
}

fn is_array(ctype: &Type) -> bool {
    matches!(ctype.kind, TypeKind::Array { .. })
}
