//! Elements that data chooses: `a[index[i]]`.
//!
//! The body computes the subscripts, and the relation has all elements that may be meant: in dimensions with an affine subscript that
//! one, in the others whatever the array has. So its length must be known there.

use polyhedra::{Map, PwAff, Set, Text};
use scop::{AccessKind, ArrayId, BinaryOp, CType, Certainty, Expr, ExprKind};

use crate::accesses::Element;
use crate::body::{Body, Site, number};
use crate::conversions::cast;
use crate::ctree::{self, VariableId};
use crate::errors::{Fault, Result};
use crate::reference::Subscript;

/// An element that data chooses.
pub struct Target<'s, 't> {
    /// The variable.
    pub id: VariableId,
    /// Its array.
    pub array: ArrayId,
    /// What is done to it.
    pub kind: AccessKind,
    /// The indices that are affine, those for loops among them; nothing for the others.
    pub indices: Vec<Option<PwAff>>,
    /// The subscripts, all of them.
    pub subscripts: &'s [Subscript<'t>],
}

impl<'t> Body<'_, '_, 't> {
    /// The access of an element, some of whose subscripts depend on data. `causes` says why they are not affine.
    pub fn indirect(
        &mut self,
        target: Target<'_, 't>,
        causes: Vec<Fault>,
        site: &Site,
    ) -> Result<Option<Element>> {
        let loops = self.arrays.scope_depth(target.array) as usize;
        let Some(elements) = self.candidates(&target, loops)? else {
            let faults = causes.into_iter().map(|cause| self.unknown_length(target.id, cause));
            let faults: Vec<Fault> = faults.collect();
            faults.into_iter().for_each(|fault| self.faults.push(fault));
            self.tell_about_loop();
            return Ok(None);
        };
        let mut subscripts = (0..loops).map(|loop_| Some(self.iterator(loop_, site))).collect::<Vec<_>>();
        for subscript in target.subscripts {
            subscripts.push(self.subscript_value(subscript, site)?);
        }
        let Some(subscripts) = subscripts.into_iter().collect::<Option<Vec<Expr>>>() else { return Ok(None) };
        let mut relation = Map::from_domain(site.point.universe()?)?;
        for index in target.indices {
            let next = match index {
                Some(index) => index.as_map()?,
                None => Map::from_domain_and_range(site.point.universe()?, Set::parse("{ [x] }")?)?,
            };
            relation = relation.flat_range_product(next)?;
        }
        let relation = relation.intersect_range(elements)?;
        let access = self.push_access(target.array, target.kind, Certainty::May, &relation, site)?;
        if let Some(access) = self.accesses.last_mut() {
            access.indirect = true;
        }
        Ok(Some((access, subscripts)))
    }

    /// The elements that may be meant; nothing if their number is not known.
    fn candidates(&self, target: &Target, loops: usize) -> Result<Option<Set>> {
        if target.indices.get(loops).is_none_or(Option::is_some) {
            return Ok(Some(self.arrays.within(target.array)?));
        }
        self.arrays.all_within(target.array)
    }

    fn iterator(&self, position: usize, site: &Site) -> Expr {
        let variable = self.affine.environment.tree.variable(site.point.loops[position]);
        let ctype = variable.arithmetic().unwrap_or(CType::Int);
        Expr { ctype, kind: ExprKind::Iterator { dimension: position as u32 } }
    }

    fn subscript_value(&mut self, subscript: &Subscript<'t>, site: &Site) -> Result<Option<Expr>> {
        let parts = subscript.parts.iter().rev().filter(|(_, part)| !is_zero(part));
        let (minus, plus): (Vec<_>, Vec<_>) = parts.partition(|(negative, _)| *negative);
        let mut sum = None;
        for (operator, part) in plus
            .iter()
            .map(|(_, part)| (BinaryOp::Add, part))
            .chain(minus.iter().map(|(_, part)| (BinaryOp::Sub, part)))
        {
            let Some(value) = self.value(part, site)? else { return Ok(None) };
            sum = Some(match (sum, operator) {
                (None, BinaryOp::Add) => value,
                (sum, operator) => moved(operator, sum.unwrap_or_else(|| number(0)), value),
            });
        }
        Ok(Some(sum.unwrap_or_else(|| number(0))))
    }

    fn unknown_length(&self, id: VariableId, cause: Fault) -> Fault {
        let name = self.affine.environment.name(id);
        let mut diagnostic = *cause.0;
        diagnostic.message = format!("{}, and the length of `{name}` is not known", diagnostic.message);
        let declare = format!("declare the length: `{name}[n]` as a parameter, or an array of its own");
        let help = diagnostic.help.map_or(declare.clone(), |help| format!("{declare}; or {help}"));
        diagnostic.help = Some(help);
        Fault(Box::new(diagnostic))
    }

    /// Subscripts with the counter of a loop that is steps would be affine if the loop were none.
    fn tell_about_loop(&mut self) {
        let opaque = &self.affine.environment.opaque;
        let reason = self.loops_on_data.iter().rev().find_map(|stmt| opaque.reason(stmt));
        if let Some(reason) = reason {
            self.faults.push(reason.clone());
        }
    }
}

/// Pointers are moved by a `long` number of elements.
fn moved(operator: BinaryOp, left: Expr, right: Expr) -> Expr {
    let (left, right) = (cast(left, CType::Long).into(), cast(right, CType::Long).into());
    Expr { ctype: CType::Long, kind: ExprKind::Binary { operator, left, right } }
}

fn is_zero(expr: &ctree::Expr) -> bool {
    matches!(expr.kind, ctree::ExprKind::Integer(0))
}
