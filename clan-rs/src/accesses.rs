//! Accesses: references to memory as relations from instances to elements.

use polyhedra::{DimType, Map, PwAff, Simplify, Text};
use scop::{Access, AccessId, AccessKind, ArrayId, Certainty, IslMap, SourceRange};

use crate::body::{Body, Site};
use crate::ctree::{self, VariableId};
use crate::errors::{ARRAY, Fault, OUT_OF_BOUNDS, Result};
use crate::point::Point;
use crate::reference::{Subscript, reference};

impl Body<'_, '_, '_> {
    /// The access of an element or a scalar; nothing if it was refused.
    pub fn access(&mut self, expr: &ctree::Expr, kind: AccessKind, site: &Site) -> Result<Option<AccessId>> {
        let reference = reference(expr);
        let Some((id, subscripts)) = self.faults.accept(reference) else { return Ok(None) };
        self.element(id, &subscripts, kind, expr.range, site)
    }

    /// The access of an element of a variable, given its subscripts.
    pub fn element(
        &mut self,
        id: VariableId,
        subscripts: &[Subscript],
        kind: AccessKind,
        range: SourceRange,
        site: &Site,
    ) -> Result<Option<AccessId>> {
        let array = self.arrays.of(self.affine, self.names, id);
        let Some(array) = self.faults.accept(array) else { return Ok(None) };
        let wanted = self.arrays.subscripts(array);
        if wanted != subscripts.len() {
            self.faults.push(wrong_depth(self.affine.environment.name(id), wanted, subscripts.len(), range));
            return Ok(None);
        }
        let mut indices = Vec::new();
        for loop_ in 0..self.arrays.scope_depth(array) {
            indices.push(Some(site.point.iterator(loop_)?));
        }
        for subscript in subscripts {
            let index = self.index(subscript, &site.point);
            indices.push(self.faults.accept(index));
        }
        let Some(indices) = indices.into_iter().collect::<Option<Vec<PwAff>>>() else { return Ok(None) };
        let relation = self.relation(array, indices, site)?;
        if site.certain && !self.may_be_within(array, &relation, site)? {
            self.faults.push(out_of_bounds(self.affine.environment.name(id), range));
        }
        Ok(Some(self.push_access(array, kind, &relation, site)?))
    }

    fn index(&mut self, subscript: &Subscript, point: &Point) -> Result<PwAff> {
        let mut sum = point.constant(0)?;
        for (negative, part) in &subscript.parts {
            let value = self.affine.value(part, point, "subscript")?;
            sum = if *negative { sum.sub(value)? } else { sum.add(value)? };
        }
        Ok(sum)
    }

    /// From the instances at a site to elements, in anonymous spaces.
    fn relation(&self, array: ArrayId, indices: Vec<PwAff>, site: &Site) -> Result<Map> {
        let mut relation = Map::from_domain(site.point.universe()?)?;
        for index in indices {
            relation = relation.flat_range_product(index.as_map()?)?;
        }
        if !site.certain {
            relation = relation.intersect_range(self.arrays.within(array)?)?;
        }
        Ok(relation)
    }

    /// True unless every instance is out of bounds for all values of the parameters.
    fn may_be_within(&self, array: ArrayId, relation: &Map, site: &Site) -> Result<bool> {
        let known = self.affine.known(&site.point)?;
        let touched = relation.copy()?.intersect_domain(known)?.range()?;
        if touched.is_empty()? {
            return Ok(true);
        }
        let outside = touched.copy()?.subtract(self.arrays.within(array)?)?;
        let always = touched.params()?.subtract(outside.params()?)?;
        Ok(!always.is_empty()?)
    }

    fn push_access(
        &mut self,
        array: ArrayId,
        kind: AccessKind,
        relation: &Map,
        site: &Site,
    ) -> Result<AccessId> {
        let id = AccessId(self.next_access);
        self.next_access += 1;
        let relation = self.restricted(relation.copy()?, site)?;
        let mut relation = relation
            .set_tuple_name(DimType::In, &self.statement.to_string())?
            .set_tuple_name(DimType::Out, &array.to_string())?;
        for (position, name) in self.dimensions.iter().enumerate() {
            relation = relation.set_dim_name(DimType::In, position as u32, name)?;
        }
        let certainty = if site.certain { Certainty::Must } else { Certainty::May };
        self.accesses.push(Access {
            id,
            array,
            kind,
            certainty,
            indirect: false,
            relation: IslMap(relation.text()?),
        });
        Ok(id)
    }

    /// The relation on the instances of the site alone, where these are not all of the statement.
    fn restricted(&self, relation: Map, site: &Site) -> Result<Map> {
        let guard = site.point.domain.copy()?.gist(self.domain.copy()?)?;
        let relation = relation.gist_domain(self.domain.copy()?)?;
        Ok(relation.intersect_domain(guard)?.simplified()?)
    }
}

fn wrong_depth(name: &str, wanted: usize, given: usize, range: SourceRange) -> Fault {
    let message = format!("`{name}` has {wanted} dimensions and is used with {given} subscripts");
    Fault::new(ARRAY, message, range, "this is not one element").with_help("access single elements")
}

fn out_of_bounds(name: &str, range: SourceRange) -> Fault {
    let message = format!("a subscript of `{name}` is out of bounds");
    Fault::new(OUT_OF_BOUNDS, message, range, "there are always elements here that do not exist").with_help(
        "keep every subscript within its own dimension; memory behind the end of a row is not the next row",
    )
}
