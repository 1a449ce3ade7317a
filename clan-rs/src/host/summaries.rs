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

use std::collections::{BTreeMap, BTreeSet};

use scop::{AccessKind, BinaryOp, CType, Effect, HostBlock, HostCode, HostNode, Jump, Position, ProcedureId};

use crate::c::ctree::{ExprKind, Function, Lifetime, Type, TypeKind, VariableId};
use crate::directives::effects::{
    Amount, Does, Effects, Item, Member, Numbers, Parameter, Path, Section, THIS,
};
use crate::host::bits::Bits;
use crate::host::doings::Access;
use crate::host::place::{Content, Extent, Lvalue, Place, Step, Term};
use crate::host::solver::{EXPOSED, Node};
use crate::host::statements::{Followed, Functions};

/// The functions of a file.
pub struct Summaries<'a> {
    /// What is known of the file.
    pub all: &'a Functions<'a>,
    /// The host code of the functions.
    pub followed: &'a [Followed],
    /// True if it matters which code announces itself what it does.
    pub announces: bool,
}

/// More sections of one parameter stand for all of its memory.
const MOST_SECTIONS: usize = 4;

impl Summaries<'_> {
    /// Returns the effects of the functions that other files can call.
    pub fn of_exported(&self) -> Vec<Effects> {
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
        exported.filter_map(|function| self.of(function)).collect()
    }

    fn of(&self, function: &Function) -> Option<Effects> {
        let parameters = self.parameters(function)?;
        let is_void = matches!(&function.result.kind, TypeKind::Other(name) if name == "void");
        if !is_void && function.result.arithmetic().is_none() {
            return None;
        }
        let tree = self.all.ground.tree;
        let own = *self.all.ground.procedures.get(function.name.as_str())?;
        let reached = self.reached_from(own)?;
        let followed: Vec<&Followed> = reached.iter().map(|id| self.followed(*id)).collect::<Option<_>>()?;
        let are_plain =
            followed.iter().all(|one| !one.doings.exits && self.are_announced(&one.procedure.body));
        if !are_plain || !followed.iter().all(|one| self.keeps_nothing(one)) {
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
        for one in followed {
            let is_own = one.procedure.id == own;
            let variables = if is_own { self.fixed(function, one) } else { BTreeSet::new() };
            let fixed = Fixed { variables, written: &written };
            self.add_host(one, &fixed, &mut found)?;
            self.add_regions(&one.procedure.body, &fixed, &mut found)?;
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

    fn followed(&self, id: ProcedureId) -> Option<&Followed> {
        self.followed.iter().find(|one| one.procedure.id == id)
    }

    /// Returns a procedure and all that it calls, directly or not; nothing if unknown code may run.
    fn reached_from(&self, own: ProcedureId) -> Option<BTreeSet<ProcedureId>> {
        let mut reached = BTreeSet::from([own]);
        let mut open = vec![own];
        while let Some(id) = open.pop() {
            let mut is_known = true;
            HostNode::walk(&self.followed(id)?.procedure.body, &mut |node| {
                for code in node.codes() {
                    is_known &= code.unknown.is_none();
                    open.extend(code.calls.iter().filter(|called| reached.insert(**called)));
                }
            });
            if !is_known {
                return None;
            }
        }
        Some(reached)
    }

    /// True if calls can be added wherever host code touches memory of regions.
    fn are_announced(&self, nodes: &[HostNode]) -> bool {
        let mut fits = true;
        HostNode::walk(nodes, &mut |node| {
            fits &= node.codes().into_iter().all(|code| self.is_announced(code));
            match node {
                HostNode::Region(region) => {
                    fits &= region.touches.is_empty() || region.position != Position::Fixed;
                }
                HostNode::Block(block) => fits &= block.objects.is_empty() || ends_visibly(block),
                _ => {}
            }
        });
        fits
    }

    fn is_announced(&self, code: &HostCode) -> bool {
        let runs_regions = !code.elsewhere.is_empty() || code.calls.iter().any(|id| self.runs_regions(*id));
        code.touches.is_empty() || code.position != Position::Fixed && !runs_regions
    }

    fn runs_regions(&self, id: ProcedureId) -> bool {
        let mut runs = false;
        for id in self.reached_from(id).unwrap_or_default() {
            let body = self.followed(id).map_or(&[][..], |one| &one.procedure.body);
            HostNode::walk(body, &mut |node| {
                runs |= matches!(node, HostNode::Region(_));
                runs |= node.codes().iter().any(|code| !code.elsewhere.is_empty());
            });
        }
        runs
    }

    /// True if a function mentions no variable of static lifetime in which it could keep a pointer, or find one into
    /// memory of its callers.
    fn keeps_nothing(&self, one: &Followed) -> bool {
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
            if variable.lifetime != Lifetime::Static {
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

    /// Adds what the host code of a function does itself.
    fn add_host(&self, one: &Followed, fixed: &Fixed<'_>, found: &mut Found<'_>) -> Option<()> {
        let pointers = self.all.ground.pointers;
        for access in one.doings.accesses.iter().filter(|access| !access.announced) {
            let objects = pointers.objects_in(access.memory);
            let does = match access.effect {
                _ if self.announces && self.all.interest.contains_any(objects) => Does::Announces,
                Effect::Reads => Does::Reads,
                Effect::Writes | Effect::Overwrites => Does::Writes,
                Effect::Frees if objects.is_disjoint(pointers.objects_in(EXPOSED)) => continue,
                Effect::Frees => return None,
            };
            // Regions write numbers, and no pointers.
            let content = access.place.as_ref().map(|place| place.content);
            if access.effect == Effect::Reads && content == Some(Content::Pointer) {
                continue;
            }
            let root = access.place.as_ref().and_then(|place| self.root(place, fixed));
            let section = root.as_ref().and_then(|_| self.section(access, fixed));
            if let Some((path, Some((size, is_array)))) = &root {
                found.note(path, *size, *is_array);
            }
            let root = root.map(|(root, _)| {
                let has_numbers = !root.members.is_empty() || found.leads_to_numbers(&root.root);
                (root, section.filter(|_| has_numbers))
            });
            self.add(objects, does, root, found)?;
        }
        for node in &one.doings.elsewhere {
            self.add(pointers.objects_in(*node), Does::Device, None, found)?;
        }
        Some(())
    }

    /// Adds what the regions of a function use.
    fn add_regions(&self, body: &[HostNode], fixed: &Fixed<'_>, found: &mut Found<'_>) -> Option<()> {
        let mut regions = Vec::new();
        HostNode::walk(body, &mut |node| {
            if let HostNode::Region(region) = node {
                regions.push(region.scop as usize);
            }
        });
        for number in regions {
            let region = self.all.regions.get(number)?;
            for (&id, &array) in &region.variables {
                self.add_array(region.model.array(array).ok()?, &region.model, id, fixed, found)?;
            }
        }
        Some(())
    }

    fn add_array(
        &self,
        array: &scop::Array,
        model: &scop::Model,
        id: VariableId,
        fixed: &Fixed<'_>,
        found: &mut Found<'_>,
    ) -> Option<()> {
        let ground = self.all.ground;
        let variable = ground.tree.variable(id);
        if !array.visible && array.expansion_of.is_none() {
            return Some(());
        }
        if variable.member.is_some() {
            return None;
        }
        let is_parameter = variable.lifetime == Lifetime::Parameter;
        let is_pointer = match variable.ctype.kind {
            TypeKind::Pointer { .. } => true,
            TypeKind::Array { .. } => is_parameter,
            _ => false,
        };
        let objects = match is_pointer {
            true => ground.pointers.contents(id),
            false => ground.pointers.objects_in(ground.pointers.variable(id)),
        };
        let is_fixed = is_pointer && !variable.reference && fixed.variables.contains(&id);
        let root = is_fixed.then(|| (Path::of(&variable.name), None));
        let exposed = ground.pointers.objects_in(EXPOSED);
        // If the table is in use, regions announce what they transfer themselves.
        if self.all.interest.contains_any(objects) || self.all.interest.contains_any(exposed) {
            return self.add(objects, Does::Device, root, found);
        }
        let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
        let mut own = accesses.filter(|access| access.array == array.id);
        let is_written = own.any(|access| access.kind == AccessKind::Write);
        self.add(objects, if is_written { Does::Writes } else { Does::Reads }, root, found)
    }

    /// Adds a use of some objects, as far as callers can know them. `root` is the parameter through which they are
    /// reached, with the elements.
    fn add(
        &self,
        objects: &Bits,
        does: Does,
        root: Option<(Path, Option<Section>)>,
        found: &mut Found<'_>,
    ) -> Option<()> {
        let ground = self.all.ground;
        let exposed = ground.pointers.objects_in(EXPOSED);
        if objects.is_disjoint(exposed) {
            return Some(());
        }
        if let Some((root, section)) = root {
            found.add(does, root, section);
            return Some(());
        }
        let mut are_variables = true;
        for object in objects.iter().filter(|object| exposed.contains(*object)) {
            let object = &ground.pointers.objects.all[object];
            let variable = object.variable.map(|id| ground.tree.variable(id));
            match variable.filter(|variable| variable.external && variable.lifetime == Lifetime::Static) {
                Some(variable) if innermost(&variable.ctype).arithmetic().is_some() => {
                    found.add(does, Path::of(&variable.name), None);
                }
                Some(_) => {}
                None => are_variables = false,
            }
        }
        if are_variables { Some(()) } else { found.add_to_all(does) }
    }

    /// Returns the path through which a place is reached, and the size of the numbers to which a member leads, with
    /// whether it is an array of them.
    fn root(&self, place: &Place, fixed: &Fixed<'_>) -> Option<(Path, Option<(u32, bool)>)> {
        let tree = self.all.ground.tree;
        let (lvalue, has_index) = match &place.extent {
            Extent::Between(low, high) => {
                let is_same = low.root == high.root && low.steps.len() == high.steps.len();
                (low, is_same && matches!(low.steps.last(), Some(Step::Index(_))))
            }
            Extent::From(lvalue, ..) => (lvalue, false),
        };
        let is_from = matches!(place.extent, Extent::From(..));
        let variable = tree.variable(lvalue.root);
        if !fixed.variables.contains(&lvalue.root) || !self.are_fixed(&place.loads, fixed) {
            return None;
        }
        let mut path = self.member(Lvalue {
            steps: lvalue.steps[..lvalue.steps.len() - usize::from(has_index)].to_vec(),
            ..lvalue.clone()
        })?;
        let is_itself = !has_index && !is_from;
        if path.members.is_empty() {
            let is_pointer = variable.ctype.is_pointer_like() && !variable.reference;
            return (if is_pointer { !is_itself } else { variable.reference && is_itself })
                .then_some((path, None));
        }
        if !path.members[0].arrow && !variable.reference {
            return None;
        }
        match place.content {
            Content::Numbers(size) if !is_itself => {
                let is_array = lvalue.loaded < path.members.len();
                Some((path, Some((size, is_array))))
            }
            Content::Numbers(_) | Content::Other if is_itself => Some((path, None)),
            // The structure that has it: a path to a pointer stands for what it points to.
            Content::Pointer if is_itself => {
                path.members.pop();
                Some((path, None))
            }
            _ => None,
        }
    }

    /// Returns a member of what a parameter is, points to or refers to.
    fn member(&self, lvalue: Lvalue) -> Option<Path> {
        let step = |step: Step| match step {
            Step::Field(name) => Some(Member { arrow: false, name }),
            Step::Arrow(name) => Some(Member { arrow: true, name }),
            Step::Index(_) | Step::Data | Step::Size => None,
        };
        let root = self.all.ground.tree.variable(lvalue.root).name.clone();
        let members = lvalue.steps.into_iter().map(step).collect::<Option<_>>()?;
        Some(Path { root, members })
    }

    /// True if nothing writes memory that is read on the way to a place.
    fn are_fixed(&self, loads: &[Node], fixed: &Fixed<'_>) -> bool {
        loads.iter().all(|node| self.all.ground.pointers.objects_in(*node).is_disjoint(fixed.written))
    }

    /// Returns the elements of a place whose bounds callers can compute.
    fn section(&self, access: &Access, fixed: &Fixed<'_>) -> Option<Section> {
        let place = access.place.as_ref().filter(|place| place.names().is_subset(&fixed.variables))?;
        // Callers read the members on the way whenever they call the function.
        if !place.loads.is_empty() && !access.certain {
            return None;
        }
        let amount = |term: &Term| self.amount(term);
        match &place.extent {
            Extent::Between(low, high) => {
                let ([.., Step::Index(first)], [.., Step::Index(last)]) = (&low.steps[..], &high.steps[..])
                else {
                    return None;
                };
                let start = amount(first)?;
                if first == last {
                    return Some(Section { start, length: Amount::Number(1) });
                }
                let length = match &start {
                    Amount::Number(0) => amount(last)?,
                    _ => binary(BinaryOp::Sub, amount(last)?, start.clone()),
                };
                Some(Section { start, length: binary(BinaryOp::Add, length, Amount::Number(1)) })
            }
            Extent::From(lvalue, offset, bytes) => {
                let size = match &self.all.ground.tree.variable(lvalue.root).ctype.kind {
                    _ if !lvalue.steps.is_empty() => match place.content {
                        Content::Numbers(size) => size,
                        _ => return None,
                    },
                    TypeKind::Pointer { target, .. } => target.arithmetic()?.size(),
                    _ => return None,
                };
                let size = i128::from(size);
                let start = offset.as_ref().map_or(Some(Amount::Number(0)), amount)?;
                let length = match bytes.as_ref()? {
                    Term::Binary(BinaryOp::Mul, one, other) => match (&**one, &**other) {
                        (count, Term::Integer(factor, _)) | (Term::Integer(factor, _), count)
                            if *factor == size =>
                        {
                            amount(count)?
                        }
                        _ => return None,
                    },
                    _ => return None,
                };
                Some(Section { start, length })
            }
        }
    }

    /// Returns a number in terms of parameters, computed with `long` and without overflow.
    fn amount(&self, term: &Term) -> Option<Amount> {
        let is_signed = |ctype: CType| !ctype.is_unsigned();
        Some(match term {
            Term::Integer(value, _) if (0..=i128::from(i32::MAX)).contains(value) => Amount::Number(*value),
            Term::Variable(id, ctype) if is_signed(*ctype) => {
                Amount::Value(Path::of(&self.all.ground.tree.variable(*id).name))
            }
            Term::Member(loaded) if is_signed(loaded.ctype) => {
                Amount::Value(self.member(loaded.lvalue.clone())?)
            }
            Term::Negated(operand) => binary(BinaryOp::Sub, Amount::Number(0), self.amount(operand)?),
            Term::Cast(ctype, operand)
                if is_signed(*ctype)
                    && is_signed(operand.ctype())
                    && ctype.size() >= operand.ctype().size() =>
            {
                self.amount(operand)?
            }
            // `(size_t)n * sizeof(double)` and the like: a negative number would be no size.
            Term::Cast(ctype, operand) if ctype.size() == 8 && is_signed(operand.ctype()) => {
                self.amount(operand)?
            }
            Term::Binary(operator @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) => {
                binary(*operator, self.amount(left)?, self.amount(right)?)
            }
            _ => return None,
        })
    }
}

/// What is the same all the time while a function runs.
struct Fixed<'a> {
    /// The parameters that are.
    variables: BTreeSet<VariableId>,
    /// The memory that is not.
    written: &'a Bits,
}

fn binary(operator: BinaryOp, left: Amount, right: Amount) -> Amount {
    match (operator, &left, &right) {
        // `n - 1 + 1`
        (BinaryOp::Add, Amount::Binary(BinaryOp::Sub, first, one), other) if **one == *other => {
            (**first).clone()
        }
        // `n + k - k`
        (BinaryOp::Sub, Amount::Binary(BinaryOp::Add, first, one), other) if **one == *other => {
            (**first).clone()
        }
        (BinaryOp::Add, Amount::Number(one), Amount::Number(other)) => Amount::Number(one + other),
        (BinaryOp::Sub, Amount::Number(one), Amount::Number(other)) => Amount::Number(one - other),
        _ => Amount::Binary(operator, Box::new(left), Box::new(right)),
    }
}

/// What was found of one function.
struct Found<'a> {
    function: &'a Function,
    parameters: &'a [Parameter],
    /// The sections of each use; with one that is absent, all of the object.
    items: BTreeMap<(Path, Does), Vec<Option<Section>>>,
    /// The numbers to which members lead.
    members: Vec<Numbers>,
    /// True if it takes structures, or pointers or references to anything but numbers.
    has_structures: bool,
}

impl Found<'_> {
    fn note(&mut self, path: &Path, bytes: u32, is_array: bool) {
        if self.members.iter().all(|numbers| numbers.path != *path) {
            self.members.push(Numbers { path: path.clone(), bytes, is_array });
        }
    }

    fn leads_to_numbers(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|one| one.name == parameter && one.bytes.is_some())
    }

    fn add(&mut self, does: Does, path: Path, section: Option<Section>) {
        let sections = self.items.entry((path, does)).or_default();
        if !sections.contains(&section) {
            sections.push(section);
        }
    }

    /// Adds a use of all memory that the caller passes; nothing if it passes none, or structures, which may lead to
    /// more.
    fn add_to_all(&mut self, does: Does) -> Option<()> {
        let pointers = self.parameters.iter().filter(|parameter| parameter.bytes.is_some());
        let names: Vec<String> = pointers.map(|parameter| parameter.name.clone()).collect();
        names.iter().for_each(|name| self.add(does, Path::of(name), None));
        (!names.is_empty() && !self.has_structures).then_some(())
    }

    fn items(self) -> (Vec<Item>, Vec<Numbers>) {
        let does_more = |path: &Path, does: Does| {
            let mut stronger = [Does::Announces, Does::Device].into_iter().filter(|other| *other > does);
            stronger.any(|other| self.items.contains_key(&(path.clone(), other)))
        };
        let mut items = Vec::new();
        for ((path, does), sections) in &self.items {
            if does_more(path, *does) {
                continue;
            }
            let is_whole =
                sections.len() > MOST_SECTIONS || sections.contains(&None) || *does >= Does::Announces;
            let item = |section: Option<Section>| Item { does: *does, path: path.clone(), section };
            match is_whole {
                true => items.push(item(None)),
                false => items.extend(sections.iter().cloned().map(item)),
            }
        }
        let position = |item: &Item| {
            let mut parameters = self.parameters.iter();
            parameters.position(|one| one.name == item.path.root).unwrap_or(self.function.parameters.len())
        };
        items.sort_by_key(|item| (item.does, position(item)));
        (items, self.members)
    }
}

/// True if calls can be added wherever control leaves a block.
fn ends_visibly(block: &HostBlock) -> bool {
    let takes = |position: Position| matches!(position, Position::Statement | Position::Alone);
    let mut fits = match block.body.last() {
        None | Some(HostNode::Jump(_)) => true,
        Some(HostNode::Code(code)) => takes(code.position),
        Some(HostNode::Branch(branch)) => takes(branch.position),
        Some(HostNode::Loop(one)) => takes(one.position),
        Some(HostNode::Block(inner)) => takes(inner.position),
        Some(HostNode::Data(data)) => takes(data.position),
        Some(HostNode::Try(one)) => takes(one.position),
        Some(HostNode::Region(region)) => takes(region.position),
        Some(HostNode::Label { .. }) => false,
    };
    HostNode::walk(&block.body, &mut |node| {
        if let HostNode::Jump(jump) = node {
            fits &= takes(jump.position) && jump.jump != Jump::Goto;
        }
    });
    fits
}

/// Returns the type of the elements of an array of any number of dimensions, or any other type itself.
fn innermost(ctype: &Type) -> &Type {
    match &ctype.kind {
        TypeKind::Array { element, .. } => innermost(element),
        _ => ctype,
    }
}
