//! Conditions on data around loops, kept in variables that the translation adds.
//!
//! *before → after*:
//!
//! ```text
//! if (a[i] > 0) { A; if (b[i]) B; else C; }   →   f = a[i] > 0; if (f) A; g = f && b[i]; if (g) B; if (f && !g) C;
//! ```
//!
//! There is one such variable for each iteration of the loops around the `if`, as if the variable were declared
//! there.

use polyhedra::Map;
use scop::{
    AccessId, AccessKind, Array, ArrayId, BinaryOp, CType, Certainty, Expr, ExprKind, Extent, Step, Storage,
    UnaryOp,
};

use crate::affine::point::Point;
use crate::body::site::Site;
use crate::body::translator::Body;
use crate::c::conversions::cast;
use crate::c::ctree;
use crate::control::runs::{FlagId, Guard};
use crate::errors::Result;

impl<'t> Body<'_, '_, 't> {
    /// Returns the steps that store whether a condition and the conditions around it hold.
    pub fn keep(
        &mut self,
        flag: FlagId,
        condition: &'t ctree::Expr,
        guards: &[Guard],
        point: &Point,
    ) -> Result<Vec<Step>> {
        let site = Site::certain(point.copy()?);
        let around = self.guard(guards, &site)?;
        let value = match around {
            None => self.truth(condition, &site)?,
            Some(_) => self.pure_truth(condition, &Site::uncertain(site.point.copy()?))?,
        };
        let Some(value) = value else { return Ok(Vec::new()) };
        let array = self.new_flag(flag, point.depth());
        let access = self.flag_access(array, AccessKind::Write, &site)?;
        let value = cast(and(around, value), CType::Bool);
        let mut steps = std::mem::take(&mut self.pending);
        steps.push(Step::Assign { access, subscripts: Vec::new(), value, compound: None });
        Ok(steps)
    }

    /// Returns whether some kept conditions have the required values; nothing if there are no conditions.
    pub fn guard(&mut self, guards: &[Guard], site: &Site) -> Result<Option<Expr>> {
        let mut all = None;
        for guard in guards {
            let Some(&array) = self.region.flags.get(&guard.flag) else {
                // The fault of the condition has been reported.
                continue;
            };
            let site = match all {
                None => site.copy()?,
                Some(_) => Site::uncertain(site.point.copy()?),
            };
            let access = self.flag_access(array, AccessKind::Read, &site)?;
            let flag = ExprKind::Read { access, subscripts: Vec::new() };
            all = Some(and(all, signed(Expr { ctype: CType::Bool, kind: flag }, guard.holds)));
        }
        Ok(all)
    }

    fn new_flag(&mut self, flag: FlagId, depth: u32) -> ArrayId {
        let id = ArrayId(self.region.arrays.arrays.len() as u32);
        self.region.arrays.arrays.push(Array {
            id,
            name: self.region.names.unused("holds"),
            expression: String::new(),
            element: CType::Bool,
            storage: Storage::Scalar,
            extents: (0..depth).map(|_| Extent { c: None, value: None }).collect(),
            scope_depth: depth,
            constant: false,
            enumeration: false,
            may_alias: false,
            restrict: false,
            visible: false,
            dead_after: false,
            concurrent: false,
            expansion_of: None,
            memory: Vec::new(),
            apart: false,
            declared_at: None,
        });
        self.region.flags.insert(flag, id);
        id
    }

    /// Returns the access to the variable of the current iteration.
    fn flag_access(&mut self, array: ArrayId, kind: AccessKind, site: &Site) -> Result<AccessId> {
        let mut relation = Map::from_domain(site.point.universe()?)?;
        for loop_ in 0..self.region.arrays.scope_depth(array) {
            relation = relation.flat_range_product(site.point.iterator(loop_)?.as_map()?)?;
        }
        let certainty = if site.certain { Certainty::Must } else { Certainty::May };
        self.push_access(array, kind, certainty, &relation, site)
    }

    /// Returns the value of an expression that must have no effects, because it is not always evaluated.
    pub fn pure_value(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<Expr>> {
        self.without_effect += 1;
        let value = self.value(expr, site);
        self.without_effect -= 1;
        value
    }

    /// Returns the same for an expression of which it only matters whether it is zero.
    pub fn pure_truth(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<Expr>> {
        self.compared_with_zero = Some(expr.without_casts());
        self.pure_value(expr, site)
    }
}

fn and(left: Option<Expr>, right: Expr) -> Expr {
    match left {
        None => right,
        Some(left) => {
            let kind = ExprKind::Binary { operator: BinaryOp::And, left: left.into(), right: right.into() };
            Expr { ctype: CType::Int, kind }
        }
    }
}

fn signed(flag: Expr, holds: bool) -> Expr {
    if holds {
        return flag;
    }
    Expr { ctype: CType::Int, kind: ExprKind::Unary { operator: UnaryOp::Not, operand: flag.into() } }
}
