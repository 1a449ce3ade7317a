//! Accesses: references to memory as relations from instances to elements.

use polyhedra::{Map, PwAff};
use scop::{AccessId, AccessKind, ArrayId, Certainty, SourceRange};

use crate::affine::point::Point;
use crate::body::indirect::Target;
use crate::body::site::{Element, Site};
use crate::body::translator::Body;
use crate::c::ctree::{self, VariableId};
use crate::errors::{ARRAY, Fault, OUT_OF_BOUNDS, Result};
use crate::memory::reference::{Subscript, reference};
use crate::regions::opaque::steps_avoid;

impl<'t> Body<'_, '_, 't> {
    /// Returns the access of an element or a scalar; nothing if it was refused.
    pub fn access(
        &mut self,
        expr: &'t ctree::Expr,
        kind: AccessKind,
        site: &Site,
    ) -> Result<Option<Element>> {
        let reference = reference(expr);
        if self.is_of_function() {
            let fault = match reference {
                Ok((id, _)) => self.not_own(self.region.affine.environment.name(id), expr.range),
                Err(fault) => fault,
            };
            self.region.faults.push(fault);
            return Ok(None);
        }
        let Some((id, subscripts)) = self.region.faults.accept(reference) else { return Ok(None) };
        self.element(id, &subscripts, kind, expr.range, site)
    }

    /// Returns the access of an element of a variable, given its subscripts.
    pub fn element(
        &mut self,
        id: VariableId,
        subscripts: &[Subscript<'t>],
        kind: AccessKind,
        range: SourceRange,
        site: &Site,
    ) -> Result<Option<Element>> {
        if self.is_of_function() {
            self.region.faults.push(self.not_own(self.region.affine.environment.name(id), range));
            return Ok(None);
        }
        let array = self.region.arrays.of(self.region.affine, self.region.names, id);
        let Some(array) = self.region.faults.accept(array) else { return Ok(None) };
        let wanted =
            if self.region.arrays.view(id).is_some() { 1 } else { self.region.arrays.subscripts(array) };
        if wanted != subscripts.len() {
            self.region.faults.push(wrong_depth(
                self.region.affine.environment.name(id),
                wanted,
                subscripts.len(),
                range,
            ));
            return Ok(None);
        }
        let mut indices = Vec::new();
        for loop_ in 0..self.region.arrays.scope_depth(array) {
            indices.push(Some(site.point.iterator(loop_)?));
        }
        let mut causes = Vec::new();
        if let (Some(view), [subscript]) = (self.region.arrays.view(id), subscripts) {
            let found = self.region.affine.indices(view, subscript, &site.point, range);
            let Some(found) = self.region.faults.accept(found) else { return Ok(None) };
            indices.extend(found.into_iter().map(Some));
        } else {
            for subscript in subscripts {
                match self.index(subscript, &site.point) {
                    Ok(index) => indices.push(Some(index)),
                    Err(fault) if self.is_computable(subscript, &fault) => {
                        indices.push(None);
                        causes.push(fault);
                    }
                    Err(fault) => {
                        self.region.faults.push(fault);
                        return Ok(None);
                    }
                }
            }
        }
        if !causes.is_empty() {
            let target = Target { id, array, kind, indices, subscripts };
            return self.indirect(target, causes, site);
        }
        let indices: Vec<PwAff> = indices.into_iter().flatten().collect();
        let relation = self.relation(array, indices, site)?;
        if site.certain && !self.may_be_within(array, &relation, site)? {
            self.never_happens(id, range, site)?;
        }
        let certainty = if site.certain { Certainty::Must } else { Certainty::May };
        let access = self.push_access(array, kind, certainty, &relation, site)?;
        if site.in_branch {
            self.in_branch.push(access);
        }
        Ok(Some((access, Vec::new())))
    }

    /// Returns the write access of an element, at constant indices, of an array that the region declares; nothing if
    /// the array was refused.
    pub fn element_at(&mut self, id: VariableId, indices: &[u64], site: &Site) -> Result<Option<AccessId>> {
        let array = self.region.arrays.of(self.region.affine, self.region.names, id);
        let Some(array) = self.region.faults.accept(array) else { return Ok(None) };
        let mut all = Vec::new();
        for loop_ in 0..self.region.arrays.scope_depth(array) {
            all.push(site.point.iterator(loop_)?);
        }
        for &index in indices {
            all.push(site.point.constant(index.into())?);
        }
        let relation = self.relation(array, all, site)?;
        let certainty = if site.certain { Certainty::Must } else { Certainty::May };
        self.push_access(array, AccessKind::Write, certainty, &relation, site).map(Some)
    }

    fn index(&mut self, subscript: &Subscript, point: &Point) -> Result<PwAff> {
        self.region.affine.attempt(|affine| {
            let mut sum = point.constant(0)?;
            for (negative, part) in &subscript.parts {
                let value = affine.value(part, point, "subscript")?;
                sum = if *negative { sum.sub(value)? } else { sum.add(value)? };
            }
            Ok(sum)
        })
    }

    /// True if steps can compute a subscript that was refused. If it uses temporaries, any fault allows this, because
    /// they may be iterators elsewhere.
    fn is_computable(&self, subscript: &Subscript, fault: &Fault) -> bool {
        let is_local =
            |expr: &ctree::Expr| expr.as_variable().is_some_and(|id| self.locals.contains_key(&id));
        let mut uses_locals = false;
        for (_, part) in &subscript.parts {
            part.walk(&mut |inner| uses_locals |= is_local(inner));
        }
        uses_locals || steps_avoid(fault)
    }

    /// Returns the relation from the instances at a site to elements, in anonymous spaces.
    fn relation(&self, array: ArrayId, indices: Vec<PwAff>, site: &Site) -> Result<Map> {
        let mut relation = Map::from_domain(site.point.universe()?)?;
        for index in indices {
            relation = relation.flat_range_product(index.as_map()?)?;
        }
        if !site.certain {
            relation = relation.intersect_range(self.region.arrays.within(array)?)?;
        }
        Ok(relation)
    }

    /// True unless every instance is out of bounds for all values of the parameters.
    fn may_be_within(&self, array: ArrayId, relation: &Map, site: &Site) -> Result<bool> {
        let known = self.region.affine.known(&site.point)?;
        let touched = relation.copy()?.intersect_domain(known)?.range()?;
        if touched.is_empty()? {
            return Ok(true);
        }
        let outside = touched.copy()?.subtract(self.region.arrays.within(array)?)?;
        let always = touched.params()?.subtract(outside.params()?)?;
        Ok(!always.is_empty()?)
    }

    /// Handles an access that is out of bounds at every instance. If the region still does something without these
    /// instances, they are assumed not to exist, because the program would be wrong; declarations with constant
    /// lengths and loops with variable bounds have such instances. Otherwise the region is refused.
    fn never_happens(&mut self, id: VariableId, range: SourceRange, site: &Site) -> Result<()> {
        let excluded = self.region.affine.known(&site.point)?.params()?;
        let others = self.region.affine.active.copy()?.subtract(excluded.copy()?)?;
        let name = self.region.affine.environment.name(id);
        if others.is_empty()? {
            self.region.faults.push(out_of_bounds(name, range));
            return Ok(());
        }
        let label = format!("otherwise this is outside of `{name}`");
        let help = "nothing needs to be done if this is never executed; otherwise correct the subscript or the loop \
                    bounds";
        self.region.affine.assume(excluded.copy()?.complement()?, excluded, range, label, help)
    }
}

fn wrong_depth(name: &str, wanted: usize, given: usize, range: SourceRange) -> Fault {
    let message = format!("`{name}` has {wanted} dimensions but is used with {given} subscripts");
    Fault::new(ARRAY, message, range, "this is not one element").with_help("access single elements")
}

fn out_of_bounds(name: &str, range: SourceRange) -> Fault {
    let message = format!("a subscript of `{name}` is out of bounds");
    Fault::new(OUT_OF_BOUNDS, message, range, "this always accesses elements that do not exist").with_help(
        "keep every subscript within its own dimension; memory past the end of a row is not the next row",
    )
}
