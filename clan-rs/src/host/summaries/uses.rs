//! What the host code and the regions of a function use, in terms of its parameters.

use scop::{AccessKind, BinaryOp, CType, Effect, HostNode};

use crate::c::ctree::{Class, Lifetime, TypeKind, VariableId};
use crate::directives::effects::{Amount, Does, Member, Path, Section};
use crate::host::bits::Bits;
use crate::host::doings::Access;
use crate::host::expressions::{Typed, innermost};
use crate::host::place::{Content, Extent, Lvalue, Place, Step, Term};
use crate::host::solver::{EXPOSED, Node};
use crate::host::statements::Followed;
use crate::host::summaries::Summaries;
use crate::host::summaries::found::{Around, Fixed, Found};

impl Summaries<'_> {
    /// Adds what the host code of a function does itself.
    pub(super) fn add_host(&self, one: &Followed, fixed: &Fixed<'_>, found: &mut Found<'_>) -> Option<()> {
        let pointers = self.all.ground.pointers;
        for access in one.doings.accesses.iter().filter(|access| !access.announced) {
            let objects = pointers.objects_in(access.memory);
            let does = match access.effect {
                _ if self.announces && self.all.interest.announces(access) => Does::Announces,
                Effect::Reads => Does::Reads,
                Effect::Writes | Effect::Overwrites => Does::Writes,
                Effect::Frees if objects.is_disjoint(pointers.objects_in(EXPOSED)) => continue,
                Effect::Frees => return None,
            };
            // Regions write numbers, and no pointers.
            let content = access.place.as_ref().map(|place| place.content);
            let is_pointer = access.typed == Typed::Pointers || content == Some(Content::Pointer);
            if access.effect == Effect::Reads && is_pointer {
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
    pub(super) fn add_regions(
        &self,
        body: &[HostNode],
        around: &Around<'_>,
        found: &mut Found<'_>,
    ) -> Option<()> {
        let mut regions = Vec::new();
        HostNode::walk(body, &mut |node| {
            if let HostNode::Region(region) = node {
                regions.push(region.scop as usize);
            }
        });
        for number in regions {
            let region = self.all.regions.get(number)?;
            for (&id, &array) in &region.variables {
                self.add_array(region.model.array(array).ok()?, &region.model, id, around, found)?;
            }
        }
        Some(())
    }

    fn add_array(
        &self,
        array: &scop::Array,
        model: &scop::Model,
        id: VariableId,
        around: &Around<'_>,
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
        let ways = if is_pointer { self.ways_to(id, around) } else { None };
        let exposed = ground.pointers.objects_in(EXPOSED);
        let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
        let mut own = accesses.filter(|access| access.array == array.id);
        let is_written = own.any(|access| access.kind == AccessKind::Write);
        let does = match is_written {
            // If the table is in use, regions announce what they transfer themselves.
            _ if self.all.interest.contains_any(objects) || self.all.interest.contains_any(exposed) => {
                Does::Device
            }
            true => Does::Writes,
            false => Does::Reads,
        };
        let Some(ways) = ways else { return self.add(objects, does, None, found) };
        for (path, member) in ways {
            if !path.members.is_empty() {
                let (size, is_array) = member?;
                found.note(&path, size, is_array);
            }
            self.add(objects, does, Some((path, None)), found)?;
        }
        Some(())
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
    pub(super) fn root(&self, place: &Place, fixed: &Fixed<'_>) -> Option<(Path, Option<(u32, bool)>)> {
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
        let is_vector = variable.reference && variable.class == Some(Class::Vector);
        if is_vector && matches!(lvalue.steps[..], [Step::Data] | [Step::Data, Step::Index(_)]) {
            return Some((Path::of(&variable.name), None));
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
            // A number of the structure itself.
            Content::Numbers(size) if is_itself => Some((path, Some((size, true)))),
            Content::Other if is_itself => Some((path, None)),
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
