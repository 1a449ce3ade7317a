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

mod found;
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use scop::{AccessKind, HostBlock, HostCode, HostNode, Jump, Position, ProcedureId};

use crate::c::ctree::{ExprKind, Function, Lifetime, Type, TypeKind, VariableId};
use crate::directives::effects::{Effects, Parameter, THIS};
use crate::host::bits::Bits;
use crate::host::expressions::innermost;
use crate::host::solver::EXPOSED;
use crate::host::statements::{Followed, Functions};
use crate::host::summaries::found::{Fixed, Found};

/// The functions of a file.
pub struct Summaries<'a> {
    /// What is known of the file.
    pub all: &'a Functions<'a>,
    /// The host code of the functions.
    pub followed: &'a [Followed],
    /// True if it matters which code announces itself what it does.
    pub announces: bool,
}

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
