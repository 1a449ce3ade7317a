//! Regions, as host code sees them.

use scop::{HostNode, HostRegion, Position, Touch};

use super::Inside;
use crate::c::ctree::{Expr, ExprKind, Stmt, StmtKind, TypeKind, VariableId};
use crate::host::doings::{Access, Doings};
use crate::host::hoist::anywhere;
use crate::host::part::Part;

impl<'a> Inside<'a> {
    /// A region: its host function reads the numbers and pointers that it uses, and accesses arrays that have no memory
    /// in the document.
    pub(super) fn region(&self, number: usize, position: Position) -> Part {
        let tree = self.ground().tree;
        let resident = &self.all.resident[number];
        let is_resident = |expr: &Expr| {
            let is_element = matches!(expr.kind, ExprKind::Subscript { .. });
            is_element && array_of(expr).is_some_and(|id| resident.contains(&id))
        };
        let (mut shown, mut inside): (Vec<Access>, Doings) = (Vec::new(), Doings::default());
        let mut note = |all: Doings, shows: Doings| {
            shown.extend(shows.accesses.iter().map(before_region));
            inside.add(all);
        };
        for stmt in &self.all.regions[number].region.statements {
            stmt.walk(&mut |inner| {
                if let StmtKind::Declaration(ids) = &inner.kind {
                    let doings = self.ground().of_declaration(ids, inner.range);
                    note(doings, Doings::default());
                }
                for expr in inner.expressions(tree) {
                    note(self.ground().of(expr), self.ground().of_without(expr, &is_resident));
                }
            });
        }
        let shown = self.all.interest.unchanged_by(&inside, shown);
        let touches = self.all.interest.touches(&shown, false);
        let writes = inside.accesses.iter().filter(|access| access.writes());
        let regions = writes.map(|access| access.memory).collect();
        let range = self.all.regions[number].region.range;
        let original = self.original(number);
        let node = HostNode::Region(HostRegion { scop: number as u32, range, position, touches, original });
        Part { regions, is_rough: true, ..Part::of(node, Doings::default()) }
    }

    /// What the source of a region touches, in terms of what holds before it.
    fn original(&self, number: usize) -> Vec<Touch> {
        let inside = Self { in_region: true, ..*self };
        let mut all = Part::default();
        for stmt in &self.all.regions[number].region.statements {
            let next = inside.stmt(stmt, Position::Fixed);
            let rough = all.is_rough();
            all.add(if rough { next.perhaps() } else { next });
        }
        self.all.interest.settle(&mut all.doings);
        self.all.interest.touches(&all.doings.accesses, false)
    }

    pub(super) fn region_around(&self, stmt: &Stmt) -> Option<usize> {
        if self.in_region {
            return None;
        }
        let around = |k: &usize| stmt.range.is_within(self.all.regions[*k].region.range) && self.is_own(*k);
        (0..self.all.regions.len()).find(around)
    }

    pub(super) fn is_own(&self, region: usize) -> bool {
        let function = &self.ground().tree.functions[self.all.regions[region].region.function];
        std::ptr::eq(function, self.function)
    }
}

/// Returns an access of a region as it may happen at any time in it: what it reads has a place if that can be computed
/// wherever the region begins.
fn before_region(access: &Access) -> Access {
    let is_plain = access.place.as_ref().is_some_and(|place| !place.follows);
    if is_plain && !access.writes() { access.clone() } else { anywhere(access, None) }
}

/// Returns the array or pointer that the subscripts of an element apply to.
fn array_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Subscript { base, .. } => array_of(base),
        ExprKind::Binary(_, left, right) if expr.ctype.is_pointer_like() => {
            array_of(if matches!(left.ctype.kind, TypeKind::Pointer { .. } | TypeKind::Array { .. }) {
                left
            } else {
                right
            })
        }
        _ => expr.as_variable(),
    }
}
