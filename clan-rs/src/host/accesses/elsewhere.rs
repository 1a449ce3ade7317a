//! What functions of other files do with memory.

use scop::{CType, Effect, SourceRange};

use super::{Ground, Search};
use crate::c::ctree::{Expr, TypeKind};
use crate::directives::effects::{Amount, Called, Does, Item, Path};
use crate::host::bits::Bits;
use crate::host::expressions::Typed;
use crate::host::place::{Loaded, Lvalue, Place, Term};
use crate::host::solver::Node;

impl<'t> Search<'_, 't> {
    pub(super) fn call_elsewhere(&mut self, called: &Called<'t>, (range, start): (SourceRange, usize)) {
        let runs = self.ground.run_elsewhere(called);
        let is_called = self.certain && !self.found.ends;
        self.ends(start);
        if !runs.is_empty() {
            self.runs_others(start);
        }
        if !runs.iter().all(|(_, objects, _)| self.ground.pointers.are_placed(objects, self.ground.placed)) {
            self.unknown(|| format!("calls `{}`, which uses memory whose end is not known", called.shown));
        }
        for item in &called.effects.items {
            let reached = self.ground.pointers.reached_by(called, &item.path);
            // It reads the pointers on the way.
            for holder in &reached.holders {
                self.add(Effect::Reads, *holder, None, range);
                self.is_of(Typed::Pointers);
            }
            let announces = |other: &Item| {
                other.path == item.path && matches!(other.does, Does::Device | Does::Announces)
            };
            if called.effects.items.iter().any(announces) {
                self.add_access(Effect::Writes, reached.memory, None, range, true);
                continue;
            }
            let place = self.ground.section(called, item);
            let effect = if item.does == Does::Reads { Effect::Reads } else { Effect::Writes };
            self.add(effect, reached.memory, place, range);
            // Pointers to the structures are valid whenever the function is called.
            if let Some(access) = self.found.accesses.last_mut() {
                access.certain = is_called;
            }
        }
        self.found.elsewhere.extend(runs.into_iter().map(|(node, ..)| node));
    }
}

impl<'t> Ground<'t> {
    /// Returns the memory of each array of the regions that a function of another file runs, the objects in it that may be
    /// such an array, and the size of its elements, if that is known.
    pub fn run_elsewhere(&self, called: &Called<'t>) -> Vec<(Node, Bits, Option<u32>)> {
        let on_device = called.effects.items.iter().filter(|item| item.does == Does::Device);
        let memory = on_device.map(|item| {
            let node = self.pointers.reached_by(called, &item.path).memory;
            let size = called.effects.size(&item.path);
            let may_be =
                |object: &usize| size.is_none_or(|size| self.pointers.may_be_array(*object, (size, None)));
            let mut objects = Bits::default();
            self.pointers.objects_in(node).iter().filter(may_be).for_each(|object| {
                objects.insert(object);
            });
            (node, objects, size)
        });
        memory.filter(|(_, objects, _)| !objects.is_empty()).collect()
    }

    /// Returns the elements that an item names, if C text can say where they are.
    fn section(&self, called: &Called<'t>, item: &Item) -> Option<Place> {
        let position = called.effects.position(&item.path.root)?;
        let (parameter, argument) =
            (called.effects.parameters.get(position)?, *called.arguments.get(position)?);
        let Some(section) = item.section.as_ref() else {
            let size = parameter.bytes.filter(|_| parameter.vector)?;
            return Place::of_whole_vector(self.pointers, argument, size);
        };
        let start = self.amount(&section.start, called)?;
        let length = self.amount(&section.length, called)?;
        let bytes = |size: u32| Term::product(length.clone(), Term::Integer(i128::from(size), CType::Long));
        if !item.path.members.is_empty() {
            let numbers = called.effects.numbers(&item.path)?;
            let member = self.member(called, &item.path)?;
            return Some(Place::of_member(member, !numbers.is_array, start, bytes(numbers.bytes)));
        }
        let size = parameter.bytes?;
        if parameter.vector {
            return Place::of_vector(self.pointers, argument, start, bytes(size));
        }
        let argument = argument.without_casts();
        let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) =
            &argument.ctype.kind
        else {
            return None;
        };
        let is_same = target.arithmetic().is_some_and(|ctype| u64::from(ctype.size()) == u64::from(size));
        let place = || Place::section(self.pointers, argument, start, bytes(size));
        is_same.then(place).flatten()
    }

    /// Returns a member of what an argument is, or points to.
    fn member(&self, called: &Called<'t>, path: &Path) -> Option<Loaded> {
        let position = called.effects.position(&path.root)?;
        let argument: &Expr = called.arguments.get(position)?;
        let is_bound = called.effects.parameters.get(position)?.reference;
        let members: Vec<(bool, &str)> =
            path.members.iter().map(|member| (member.arrow, member.name.as_str())).collect();
        let loads = self.pointers.reached_by(called, path).holders;
        let (lvalue, more, mut reads) = Lvalue::member_of(self.pointers, argument, is_bound, &members)?;
        reads.insert(lvalue.root);
        Some(Loaded { lvalue, ctype: CType::Int, loads: [loads, more].concat(), reads })
    }

    fn amount(&self, amount: &Amount, called: &Called<'t>) -> Option<Term> {
        Some(match amount {
            Amount::Number(value) => Term::Integer(*value, CType::Long),
            Amount::Value(path) if path.members.is_empty() => {
                let argument = called.arguments.get(called.effects.position(&path.root)?)?;
                Term::of(self.pointers, argument)?.converted(CType::Long)
            }
            Amount::Value(path) => Term::Member(Box::new(self.member(called, path)?)).converted(CType::Long),
            Amount::Binary(operator, left, right) => {
                let [left, right] = [left, right].map(|part| self.amount(part, called));
                Term::in_long(*operator, left?, right?)
            }
        })
    }
}
