//! Assignments inside expressions.
//!
//! *before → after*: `a[i] = b[i] = n++;` becomes `t = n; n = t + 1; b[i] = t; a[i] = t;`, where `t` is a temporary.
//! C leaves open when such an assignment happens within its expression, and forbids any other use of the variable
//! there, so it may happen first. But it must always happen: in the branches of `?:`, after `&&` and `||`, and in the
//! heads of loops on data it is refused.

use scop::{Expr, ExprKind, Step};

use crate::body::refusals::{not_a_number, refuse};
use crate::body::site::Site;
use crate::body::translator::Body;
use crate::c::assignments::{is_effect, is_plain};
use crate::c::conversions::cast;
use crate::c::ctree;
use crate::errors::Result;

impl<'t> Body<'_, '_, 't> {
    /// Returns the value of an assignment or a comma expression, whose effect is added to the pending steps.
    pub fn effect(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<Option<ExprKind>> {
        if let ctree::ExprKind::Comma(first, second) = &expr.kind {
            self.discard(first, site)?;
            return Ok(self.value(second, site)?.map(|value| value.kind));
        }
        if self.without_effect > 0 {
            self.region.faults.push(refuse(expr));
            return Ok(None);
        }
        match &expr.kind {
            ctree::ExprKind::Increment { postfix: true, target, .. } => self.before(expr, target, site),
            ctree::ExprKind::Increment { target, .. } | ctree::ExprKind::Assign { target, .. } => {
                let value = self.new_value(expr, site)?.map(|(value, _)| value);
                self.stored(target, value, site)
            }
            _ => Ok(None),
        }
    }

    /// Translates an operand of a comma whose value is not used.
    fn discard(&mut self, expr: &'t ctree::Expr, site: &Site) -> Result<()> {
        match &expr.kind {
            ctree::ExprKind::Comma(first, second) => {
                self.discard(first, site)?;
                self.discard(second, site)
            }
            _ if !is_effect(expr) && is_plain(expr) => Ok(()),
            _ if !is_effect(expr) => self.value(expr, site).map(drop),
            _ if self.without_effect > 0 => {
                self.region.faults.push(refuse(expr));
                Ok(())
            }
            _ => {
                let step = self.assignment(expr, site)?;
                self.pending.extend(step);
                Ok(())
            }
        }
    }

    /// Adds `target = value` to the pending steps, and returns the value that the target then has.
    fn stored(
        &mut self,
        target: &'t ctree::Expr,
        value: Option<Expr>,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let Some(value) = value else { return Ok(None) };
        let kept = match (&value.kind, target.ctype.arithmetic()) {
            (ExprKind::Local { .. }, Some(ctype)) if value.ctype == ctype => Some(value),
            _ => self.kept(target, value),
        };
        let Some(kept) = kept else { return Ok(None) };
        let step = self.store(target, kept.clone(), None, site)?;
        self.pending.extend(step);
        Ok(Some(kept.kind))
    }

    /// Adds `target++` to the pending steps, and returns the value that the target had before.
    fn before(
        &mut self,
        expr: &'t ctree::Expr,
        target: &'t ctree::Expr,
        site: &Site,
    ) -> Result<Option<ExprKind>> {
        let Some(old) = self.pure_value(target, site)? else { return Ok(None) };
        let Some(kept) = self.kept(target, old) else { return Ok(None) };
        let step = self.assignment(expr, site)?;
        self.pending.extend(step);
        Ok(Some(kept.kind))
    }

    /// Defines a temporary with a value that is converted to the type of a target.
    fn kept(&mut self, target: &'t ctree::Expr, value: Expr) -> Option<Expr> {
        let Some(ctype) = target.ctype.arithmetic() else {
            self.region.faults.push(not_a_number(target));
            return None;
        };
        let (local, name) = self.new_local("value");
        self.pending.push(Step::Define { local, name, ctype, value: Some(cast(value, ctype)) });
        Some(Expr { ctype, kind: ExprKind::Local { local } })
    }
}
