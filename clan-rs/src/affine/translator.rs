//! The translator of C expressions, and what it knows of the parameters of a region.

use std::collections::BTreeSet;

use polyhedra::{Set, Text};
use scop::{CType, Diagnostic, Parameter};

use crate::affine::point::Point;
use crate::c::ctree::VariableId;
use crate::errors::Result;
use crate::variables::environment::Environment;
use crate::variables::products::{self, Products};

/// What becomes of products of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Each is a parameter of its own.
    Exact,
    /// They are not affine, as where a polynomial is wanted.
    Expand,
    /// The same, and nothing is proved: for a first look at an expression.
    Survey,
}

/// The translator of expressions.
pub struct Affine<'e, 't> {
    /// What the variables are.
    pub environment: &'e Environment<'t>,
    /// What the types of the parameters say of their values.
    pub ranges: Set,
    /// What was assumed of the parameters on the way.
    pub assumed: Set,
    /// What to say about it.
    pub warnings: Vec<Diagnostic>,
    /// The parameters for which the region does anything, once its pieces are known.
    pub active: Set,
    /// What the expression at hand is for, in words.
    pub role: &'static str,
    /// What becomes of products.
    pub mode: Mode,
    /// The products of the region that may stand in the place of parameters.
    pub known_products: Products,
    /// Those that do.
    pub products: Products,
    /// The iterators whose values from before the region are needed, and are no parameters yet.
    pub wanted: BTreeSet<VariableId>,
    /// The numbers by which the conditions so far divide.
    pub divisors: BTreeSet<i64>,
    /// True once it turns out that these are too many.
    pub divides_too_often: bool,
}

impl<'e, 't> Affine<'e, 't> {
    /// A translator that has assumed nothing.
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

    /// Makes the values of a parameter's type known.
    pub fn add_parameter(&mut self, name: &str, ctype: CType) -> Result<()> {
        let (least, largest) = ctype.range();
        let range = Set::parse(&format!("[{name}] -> {{ : {least} <= {name} <= {largest} }}"))?;
        self.ranges = self.ranges.copy()?.intersect(range)?;
        Ok(())
    }

    /// Makes a parameter of a product.
    pub fn use_product(&mut self, key: products::Key, parameter: Parameter) -> Result<()> {
        if !self.products.contains_key(&key) {
            self.add_parameter(&parameter.name, parameter.ctype)?;
            self.products.insert(key, parameter);
        }
        Ok(())
    }

    /// The instances of a point, under what is known and assumed of the parameters.
    pub fn instances(&self, point: &Point) -> Result<Set> {
        let known = self.ranges.copy()?.intersect(self.assumed.copy()?)?;
        Ok(point.domain.copy()?.intersect_params(known)?)
    }

    /// The same, where the values of iterators are within their types as well.
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
