//! Which memory on the device the original code of a region touches.

use std::collections::BTreeSet;

use crate::{AccessKind, Array, ArrayId, ClassId, MemoryClass, Model, ResidencyPlan};

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

/// Returns the classes of the memory that an array may be: none if it is none of the memory objects.
pub fn classes_of(array: &Array, plan: &ResidencyPlan) -> Classes {
    if array.memory.is_empty() && !array.apart {
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

/// Returns the arrays of the caller that the original code of a region uses, each with whether it writes it. Copies
/// that replace a temporary stand for the temporary. Scalars that are only read do not count: the caller has just read
/// them.
pub fn arrays_of_original(model: &Model) -> Vec<(&Array, bool)> {
    let accesses = model.statements.iter().flat_map(|statement| &statement.accesses);
    let written: BTreeSet<ArrayId> =
        accesses.filter(|access| access.kind == AccessKind::Write).map(|access| access.array).collect();
    let is_value = |array: &Array| array.is_scalar() && !array.may_alias && !array.element.is_complex();
    let of_caller = model.arrays.iter().filter(|array| array.visible || array.expansion_of.is_some());
    let used = of_caller.map(|array| (array, written.contains(&array.id)));
    used.filter(|(array, is_written)| *is_written || !is_value(array)).collect()
}

/// Returns what the original code of a region touches.
pub fn touched(model: &Model, plan: &ResidencyPlan) -> Touched {
    let arrays = arrays_of_original(model);
    let all = |written: bool| {
        let arrays = arrays.iter().filter(|(_, is_written)| *is_written == written);
        let classes = arrays.map(|(array, _)| classes_of(array, plan));
        match classes.fold(Classes::Some(BTreeSet::new()), Classes::and) {
            Classes::Some(classes) if classes.iter().any(|class| named(*class, plan).is_none()) => {
                Classes::All
            }
            classes => classes,
        }
    };
    Touched { written: all(true), read: all(false) }
}
