//! The translator of C expressions, with what is known about the parameters of a region.

use std::collections::BTreeSet;

use polyhedra::{Set, Text};
use scop::{CType, Diagnostic, Parameter};

use crate::affine::point::Point;
use crate::c::ctree::VariableId;
use crate::errors::Result;
use crate::variables::environment::Environment;
use crate::variables::products::{self, Products};

/// How products of parameters are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Each product becomes a parameter of its own.
    Exact,
    /// Products are not affine, because a polynomial is wanted.
    Expand,
    /// As `Expand`, but nothing is proved: for a first look at an expression.
    Survey,
}

/// The translator of expressions.
pub struct Affine<'e, 't> {
    /// The roles of the variables.
    pub environment: &'e Environment<'t>,
    /// The values of the parameters that their types allow.
    pub ranges: Set,
    /// What has been assumed about the parameters.
    pub assumed: Set,
    /// The warnings about these assumptions.
    pub warnings: Vec<Diagnostic>,
    /// The parameters for which the region does anything; set once its pieces are known.
    pub active: Set,
    /// What the current expression is for, in words.
    pub role: &'static str,
    /// How products are treated.
    pub mode: Mode,
    /// The products of the region that may become parameters.
    pub known_products: Products,
    /// The products that have become parameters.
    pub products: Products,
    /// The iterators whose values from before the region are needed but are not parameters yet.
    pub wanted: BTreeSet<VariableId>,
    /// The numbers by which the conditions so far divide.
    pub divisors: BTreeSet<i64>,
    /// True once there are too many divisors.
    pub divides_too_often: bool,
}

impl<'e, 't> Affine<'e, 't> {
    /// Creates a translator that has assumed nothing.
    pub fn new(environment: &'e Environment<'t>, known_products: Products) -> Result<Self> {
        let mut affine = Self {
            environment,
            ranges: Set::parse("{ : }")?,
            assumed: Set::parse("{ : }")?,
            active: Set::parse("{ : false }")?,
            warnings: Vec::new(),
            role: "",
            mode: Mode::Exact,
            known_products,
            products: Products::new(),
            wanted: BTreeSet::new(),
            divisors: BTreeSet::new(),
            divides_too_often: false,
        };
        for (&id, name) in &environment.parameters {
            let ctype = environment.tree.variable(id).arithmetic().unwrap_or(CType::Int);
            affine.add_parameter(name, ctype)?;
        }
        Ok(affine)
    }

    /// Restricts a parameter to the values of its type.
    pub fn add_parameter(&mut self, name: &str, ctype: CType) -> Result<()> {
        let (least, largest) = ctype.range();
        let range = Set::parse(&format!("[{name}] -> {{ : {least} <= {name} <= {largest} }}"))?;
        self.ranges = self.ranges.copy()?.intersect(range)?;
        Ok(())
    }

    /// Makes a product a parameter.
    pub fn use_product(&mut self, key: products::Key, parameter: Parameter) -> Result<()> {
        if !self.products.contains_key(&key) {
            self.add_parameter(&parameter.name, parameter.ctype)?;
            self.products.insert(key, parameter);
        }
        Ok(())
    }

    /// Returns the instances of a point, under what is known and assumed about the parameters.
    pub fn instances(&self, point: &Point) -> Result<Set> {
        let known = self.ranges.copy()?.intersect(self.assumed.copy()?)?;
        Ok(point.domain.copy()?.intersect_params(known)?)
    }

    /// Returns the same instances, with the iterators restricted to the values of their types.
    pub fn known(&self, point: &Point) -> Result<Set> {
        let mut known = self.instances(point)?;
        for (position, &id) in point.loops.iter().enumerate() {
            let (least, largest) =
                self.environment.tree.variable(id).arithmetic().unwrap_or(CType::Int).range();
            let value = point.iterator(position as u32)?;
            known = known.intersect(value.copy()?.ge_set(point.constant(least)?)?)?;
            known = known.intersect(value.le_set(point.constant(largest)?)?)?;
        }
        Ok(known)
    }
}
