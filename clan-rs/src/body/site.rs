//! Where an expression is evaluated.

use scop::{AccessId, Expr};

use crate::affine::point::Point;
use crate::errors::Result;

/// Where an expression is evaluated.
pub struct Site {
    /// The instances that evaluate it, or some of which do.
    pub point: Point,
    /// False where only some of the instances evaluate it, and it is not known which.
    pub certain: bool,
    /// True if those evaluate it that take the branch of an `if` on data around.
    pub in_branch: bool,
}

impl Site {
    /// Where all instances at a point evaluate something.
    pub fn certain(point: Point) -> Self {
        Self { point, certain: true, in_branch: false }
    }

    /// Where some instances at a point evaluate something.
    pub fn uncertain(point: Point) -> Self {
        Self { point, certain: false, in_branch: false }
    }

    /// Where those instances at a point evaluate something that take a branch of an `if` on data.
    pub fn branch(point: Point) -> Self {
        Self { point, certain: false, in_branch: true }
    }

    /// The same site, and as certain, for a part of its instances.
    pub fn at(&self, point: Point) -> Self {
        Self { point, certain: self.certain, in_branch: self.in_branch }
    }

    /// The same site.
    pub fn copy(&self) -> Result<Self> {
        Ok(self.at(self.point.copy()?))
    }
}

/// The access to an element, and the subscripts that the body computes, if it does.
pub type Element = (AccessId, Vec<Expr>);
