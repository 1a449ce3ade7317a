//! What functions of this file do with memory of their callers, for the analysis of other files.
//!
//! *before → after*: the host code of all functions becomes the effects ([`Effects`]) of each function that other files
//! can call. A function has none, and its callers treat it as unknown code, if
//!
//! - it or what it calls runs unknown code, frees memory of callers, or may keep pointers;
//! - its parameters or its result are other than numbers, and pointers and references to numbers and structures;
//! - memory of regions is touched where gpulocalizer cannot announce it: in text that cannot be changed, or in one
//!   expression with a call that runs a region.
//!
//! Memory of regions of this file is announced in this file; all other memory of callers must be announced by them.

mod facts;
mod found;
mod uses;
mod values;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use scop::{AccessKind, HostNode};

use crate::c::ctree::{Class, ExprKind, Function, Lifetime, Type, TypeKind, Understood, Unnamed, VariableId};
use crate::directives::effects::{Effects, Parameter, THIS};
use crate::host::bits::Bits;
use crate::host::expressions::{innermost, swapped};
use crate::host::solver::EXPOSED;
use crate::host::statements::{Followed, Functions};
use crate::host::summaries::facts::Facts;
use crate::host::summaries::found::{Around, Fixed, Found};
use crate::host::summaries::values::Values;

/// The functions of a file.
pub struct Summaries<'a> {
    /// What is known of the file.
    all: &'a Functions<'a>,
    /// The host code of the functions.
    followed: &'a [Followed],
    /// True if it matters which code announces itself what it does.
    announces: bool,
    /// What is known of each of them.
    facts: Facts,
    /// The values of their pointers.
    values: Values<'a>,
    /// True for those that keep no pointer to memory of their callers.
    keeps_nothing: Vec<bool>,
}

impl<'a> Summaries<'a> {
    /// Collects what is known of the functions of a file.
    pub fn of(all: &'a Functions<'a>, followed: &'a [Followed]) -> Self {
        let facts = Facts::of(followed);
        let values = Values::of(all.ground.pointers, followed);
        let mut summaries = Self { all, followed, announces: true, facts, values, keeps_nothing: Vec::new() };
        summaries.keeps_nothing = followed.iter().map(|one| summaries.is_without_pointers(one)).collect();
        summaries
    }

    /// Returns the effects of the functions that other files can call. `announces` says whether it matters which code
    /// announces itself what it does.
    pub fn of_exported(&mut self, announces: bool) -> Vec<Effects> {
        self.announces = announces;
        let tree = self.all.ground.tree;
        let exported = tree.functions.iter().filter(|one| {
            let is_plain = !one.is_special
                && !one.is_template
                && !one.is_constexpr
                && !one.returns_reference
                && !one.takes_values;
            !one.is_internal
                && one.name != "main"
                && one.attributes.is_empty()
                && one.range.is_some()
                && is_plain
        });
        exported.filter_map(|function| self.of_function(function)).collect()
    }

    fn of_function(&self, function: &Function) -> Option<Effects> {
        let parameters = self.parameters(function)?;
        let is_void = matches!(&function.result.kind, TypeKind::Other(name) if name == "void");
        if !is_void && function.result.arithmetic().is_none() {
            return None;
        }
        let tree = self.all.ground.tree;
        let own = *self.all.ground.procedures.get(function.name.as_str())?;
        let reached = self.facts.reached_from(own)?;
        let are_plain = |place: &usize| {
            let one = &self.followed[*place];
            !one.doings.exits && self.facts.announces(*place) && self.keeps_nothing[*place]
        };
        if !reached.iter().all(are_plain) {
            return None;
        }
        let followed: Vec<&Followed> = reached.iter().map(|place| &self.followed[*place]).collect();
        let takes_vectors = parameters.iter().any(|parameter| parameter.vector);
        if takes_vectors && followed.iter().any(|one| self.changes_vectors(one)) {
            return None;
        }
        let is_structure = |parameter: &Parameter| {
            let variable = function
                .parameters
                .iter()
                .map(|id| tree.variable(*id))
                .find(|one| one.name == parameter.name);
            parameter.bytes.is_none()
                && variable.is_none_or(|one| one.ctype.arithmetic().is_none() || one.reference)
        };
        let mut found = Found {
            function,
            parameters: &parameters,
            items: BTreeMap::new(),
            members: Vec::new(),
            has_structures: parameters.iter().any(is_structure),
        };
        let written = self.may_hold_addresses(&followed);
        let entry = *followed.iter().find(|one| one.procedure.id == own)?;
        let of_entry = Fixed { variables: self.fixed(function, entry), written: &written };
        let of_others = Fixed { variables: BTreeSet::new(), written: &written };
        let around = Around { function, places: &reached, fixed: &of_entry };
        for one in &followed {
            let fixed = if one.procedure.id == own { &of_entry } else { &of_others };
            self.add_host(one, fixed, &mut found)?;
            self.add_regions(&one.procedure.body, &around, &mut found)?;
        }
        let (items, members) = found.items();
        let symbol = tree.symbol(&function.name).to_owned();
        Some(Effects { function: symbol, parameters, members, items })
    }

    /// Returns what some functions write, apart from floating-point numbers: these do not change pointers and integers
    /// in the same memory (C11, 6.5p7).
    fn may_hold_addresses(&self, followed: &[&Followed]) -> Bits {
        let pointers = self.all.ground.pointers;
        let mut written = Bits::default();
        for one in followed {
            let writes = one.doings.accesses.iter().filter(|access| access.writes() && !access.floating);
            for access in writes {
                written.add_all(pointers.objects_in(access.memory));
            }
            for (array, id) in self.written_by_regions(one) {
                if array.element.is_integer() {
                    written.add_all(pointers.objects_of(id));
                }
            }
        }
        written
    }

    /// Returns the arrays that the regions of a function write, each with its variable.
    fn written_by_regions(&self, one: &Followed) -> Vec<(&scop::Array, VariableId)> {
        let mut found = Vec::new();
        HostNode::walk(&one.procedure.body, &mut |node| {
            let HostNode::Region(region) = node else { return };
            let Some(region) = self.all.regions.get(region.scop as usize) else { return };
            for (&variable, &id) in &region.variables {
                let accesses = region.model.statements.iter().flat_map(|statement| &statement.accesses);
                let is_written =
                    accesses.into_iter().any(|access| access.array == id && access.kind == AccessKind::Write);
                found.extend(
                    region.model.array(id).ok().filter(|_| is_written).map(|array| (array, variable)),
                );
            }
        });
        found
    }

    fn parameters(&self, function: &Function) -> Option<Vec<Parameter>> {
        let parameter = |id: &VariableId| {
            let variable = self.all.ground.tree.variable(*id);
            let name = variable.name.clone();
            if variable.attribute.is_some() || variable.ctype.volatile || name.is_empty() {
                return None;
            }
            let (reference, vector) = (variable.reference, false);
            let plain = Parameter { name, bytes: None, reference, vector };
            if variable.ctype.arithmetic().is_some() {
                return Some(plain);
            }
            if reference && variable.class == Some(Class::Vector) {
                let element = self.all.ground.tree.elements_of_vectors.get(id)?;
                return Some(Parameter { bytes: Some(element.size()), vector: true, ..plain });
            }
            if reference {
                return self.is_structure(&variable.ctype).then_some(plain);
            }
            let (TypeKind::Pointer { target, .. } | TypeKind::Array { element: target, .. }) =
                &variable.ctype.kind
            else {
                return None;
            };
            let innermost = innermost(target);
            if self.is_structure(innermost) {
                return Some(plain);
            }
            let bytes = innermost.arithmetic().filter(|_| !innermost.volatile)?.size();
            Some(Parameter { bytes: Some(bytes), ..plain })
        };
        let own = function.parameters.iter().map(parameter);
        let this = Parameter { name: THIS.to_owned(), bytes: None, reference: true, vector: false };
        function.is_member.then_some(Some(this)).into_iter().chain(own).collect()
    }

    /// True for a structure, and in C++ for a class whose objects are as those of C.
    fn is_structure(&self, ctype: &Type) -> bool {
        let TypeKind::Other(name) = &ctype.kind else { return false };
        let tree = self.all.ground.tree;
        let is_plain = match tree.is_cxx {
            true => tree.plain_classes.get(name) == Some(&true),
            false => name != "void" && !name.contains(['(', '[']) && !name.contains("_Atomic"),
        };
        is_plain && !ctype.volatile
    }

    /// True if a function mentions no variable of static lifetime in which it could keep a pointer, or find one into
    /// memory of its callers.
    fn is_without_pointers(&self, one: &Followed) -> bool {
        let ground = self.all.ground;
        let number = one.procedure.id.index();
        let Some(function) = ground.tree.all_functions().nth(number) else { return false };
        let mut mentioned = BTreeSet::new();
        function.body.walk_expressions(ground.tree, &mut |expr| {
            if let ExprKind::Variable(id) = &expr.kind {
                mentioned.insert(ground.tree.root(*id));
            }
        });
        let exposed = ground.pointers.objects_in(EXPOSED);
        mentioned.into_iter().all(|id| {
            let variable = ground.tree.variable(id);
            // The range of a loop is a reference without a name.
            let is_bound =
                variable.reference && (function.parameters.contains(&id) || variable.name.is_empty());
            if is_bound || variable.lifetime != Lifetime::Static {
                return true;
            }
            let is_kept = || !self.is_written(id, one);
            let innermost = innermost(&variable.ctype);
            match &innermost.kind {
                TypeKind::Arithmetic(ctype) => !ctype.is_integer() || ctype.size() < 8 || is_kept(),
                TypeKind::Pointer { target, .. } => match &target.kind {
                    TypeKind::Arithmetic(_) => ground.pointers.contents(id).is_disjoint(exposed) && is_kept(),
                    TypeKind::Other(name) => name == "FILE" || name == "struct _IO_FILE",
                    _ => false,
                },
                _ => false,
            }
        })
    }

    /// True if a function may give a vector other elements, or another number of them.
    fn changes_vectors(&self, one: &Followed) -> bool {
        let tree = self.all.ground.tree;
        let Some(function) = tree.all_functions().nth(one.procedure.id.index()) else { return true };
        let mut changes = false;
        function.body.walk_expressions(tree, &mut |expr| {
            changes |= match &expr.kind {
                ExprKind::Other { what: Unnamed::Understood(known, _), .. } => {
                    matches!(known, Understood::Change | Understood::Swap | Understood::Assign)
                }
                ExprKind::Call { callee: Some(callee), arguments } => {
                    swapped(tree, callee, arguments).is_some()
                }
                _ => false,
            };
        });
        changes
    }

    fn is_written(&self, id: VariableId, one: &Followed) -> bool {
        let pointers = self.all.ground.pointers;
        let own = pointers.objects_in(pointers.variable(id));
        let writes = one.doings.accesses.iter().filter(|access| access.writes()).map(|access| access.memory);
        writes.chain(one.regions.iter().copied()).any(|node| !pointers.objects_in(node).is_disjoint(own))
    }

    /// Returns the parameters of a function that have the same value all the time.
    fn fixed(&self, function: &Function, one: &Followed) -> BTreeSet<VariableId> {
        let all = function.parameters.iter().chain(&function.this).copied();
        all.filter(|id| !self.is_written(*id, one)).collect()
    }
}
