//! Where an expression is evaluated.

use scop::{AccessId, Expr};

use crate::affine::point::Point;
use crate::errors::Result;

/// Where an expression is evaluated.
pub struct Site {
    /// The instances that evaluate it, or of which some evaluate it.
    pub point: Point,
    /// False if only some of the instances evaluate it, and it is not known which.
    pub certain: bool,
    /// True if the instances that evaluate it are those that take the branch of an `if` on data around it.
    pub in_branch: bool,
}

impl Site {
    /// Creates a site where all instances at a point evaluate something.
    pub fn certain(point: Point) -> Self {
        Self { point, certain: true, in_branch: false }
    }

    /// Creates a site where some instances at a point evaluate something.
    pub fn uncertain(point: Point) -> Self {
        Self { point, certain: false, in_branch: false }
    }

    /// Creates a site where the instances at a point that take a branch of an `if` on data evaluate something.
    pub fn branch(point: Point) -> Self {
        Self { point, certain: false, in_branch: true }
    }

    /// Returns the same site for a part of its instances, with the same certainty.
    pub fn at(&self, point: Point) -> Self {
        Self { point, certain: self.certain, in_branch: self.in_branch }
    }

    /// Returns a copy.
    pub fn copy(&self) -> Result<Self> {
        Ok(self.at(self.point.copy()?))
    }
}

/// The access to an element, and the subscripts that the body computes, if any.
pub type Element = (AccessId, Vec<Expr>);
