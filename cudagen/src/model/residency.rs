//! Which memory stays on the device from one region to the next.

use std::collections::BTreeSet;

use scop::ast::tree::has_kernels;
use scop::{
    AccessKind, Array, ArrayId, ClassId, HostNode, MemoryClass, Model, Procedure, Program, ResidencyPlan,
    Scanned,
};

/// *Rewrite:* no array is resident, so each region transfers what it needs, whatever gpulocalizer decided.
pub fn transfer_in_each_region(program: &mut Program<Scanned>) {
    program.residency = None;
    for scop in &mut program.scops {
        for device in &mut scop.stage.placed.placement.device {
            device.resident = None;
        }
    }
}

/// True if there is a plan, and an array of a region with kernels is resident, or other files may put its memory on the
/// device.
pub fn is_planned(program: &Program<Scanned>) -> bool {
    let with_kernels = program.scops.iter().filter(|scop| has_kernels(&scop.stage.ast.body));
    let mut devices = with_kernels.flat_map(|scop| &scop.stage.placed.placement.device);
    let Some(plan) = &program.residency else { return false };
    plan.classes.iter().any(|class| class.foreign) || devices.any(|device| device.resident.is_some())
}

/// Classes of memory that code may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Classes {
    /// It is not known which.
    All,
    /// These.
    Some(BTreeSet<ClassId>),
}

impl Classes {
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Some(classes) if classes.is_empty())
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Some(mut classes), Self::Some(others)) => {
                classes.extend(others);
                Self::Some(classes)
            }
            _ => Self::All,
        }
    }
}

/// Returns the classes of the memory that an array may be.
pub fn classes_of(array: &Array, plan: &ResidencyPlan) -> Classes {
    if array.memory.is_empty() {
        return Classes::All;
    }
    let may_be = |class: &&MemoryClass| class.memory.iter().any(|memory| array.memory.contains(memory));
    Classes::Some(plan.classes.iter().filter(may_be).map(|class| class.id).collect())
}

/// Returns the class that a call for all memory of a class names; none if it stands for all memory on the device,
/// because other files may have put some of the class there.
pub fn named(class: ClassId, plan: &ResidencyPlan) -> Option<ClassId> {
    let is_foreign = plan.classes.iter().any(|one| one.id == class && one.foreign);
    (!is_foreign).then_some(class)
}

/// The classes of the memory that the original code of a region touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Those that it may write.
    pub written: Classes,
    /// Those that it may read.
    pub read: Classes,
}

/// Returns what the original code of a region touches. Copies that replace a temporary stand for the temporary.
/// Scalars that are passed by value do not count, because the caller has just read them.
pub fn touched(model: &Model, plan: &ResidencyPlan) -> Touched {
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    let written: BTreeSet<ArrayId> =
        accesses.filter(|access| access.kind == AccessKind::Write).map(|access| access.array).collect();
    let is_value = |array: &Array| array.is_scalar() && !array.may_alias && !array.element.is_complex();
    let of_caller = model.arrays.iter().filter(|array| array.visible || array.expansion_of.is_some());
    let of_caller = of_caller.filter(|array| written.contains(&array.id) || !is_value(array));
    let (writes, reads): (Vec<&Array>, Vec<&Array>) =
        of_caller.partition(|array| written.contains(&array.id));
    let all = |arrays: Vec<&Array>| {
        let classes = arrays.into_iter().map(|array| classes_of(array, plan));
        match classes.fold(Classes::Some(BTreeSet::new()), Classes::and) {
            Classes::Some(classes) if classes.iter().any(|class| named(*class, plan).is_none()) => {
                Classes::All
            }
            classes => classes,
        }
    };
    Touched { written: all(writes), read: all(reads) }
}

/// True if code that the document does not contain may call a function that reads or writes memory that stays on the
/// device outside of intervals. Such code may run when the program ends.
pub fn is_used_by_callbacks(program: &Program<Scanned>) -> bool {
    let Some(plan) = &program.residency else { return false };
    let unbounded: BTreeSet<_> =
        plan.classes.iter().filter(|class| !class.bounded).flat_map(|class| &class.memory).collect();
    let called = |one: &&Procedure| one.called_from_elsewhere && one.name != "main";
    let mut open: Vec<&Procedure> = program.host.iter().filter(called).collect();
    let mut seen: BTreeSet<_> = open.iter().map(|one| one.id).collect();
    let mut uses = false;
    while let Some(procedure) = open.pop() {
        HostNode::walk(&procedure.body, &mut |node| {
            let codes = node.codes();
            let touches = codes.iter().flat_map(|code| &code.touches);
            uses |= touches.flat_map(|touch| &touch.memory).any(|memory| unbounded.contains(memory));
            if let HostNode::Region(region) = node {
                let model = program.scops.get(region.scop as usize).map(|scop| &scop.model);
                let mut arrays = model.into_iter().flat_map(|model| &model.arrays);
                uses |= arrays.any(|array| array.memory.iter().any(|memory| unbounded.contains(memory)));
            }
            let new = codes.into_iter().flat_map(|code| &code.calls).filter(|id| seen.insert(**id));
            open.extend(new.filter_map(|id| program.host.get(id.index())));
        });
    }
    uses
}
