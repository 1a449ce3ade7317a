//! An order, mapped to the GPU and priced.

use polyhedra::{Result, Text};
use scop::{Dependences, Function, IslSchedule, Model};

use crate::constraints::Constraints;
use crate::cost::Pricing;
use crate::host_only::host_only;
use crate::order;
use crate::place::{Placed, place};
use crate::price::{Price, price};
use crate::wishes::Wishes;

/// The region whose orders are tried.
#[derive(Clone, Copy)]
pub struct Tried<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The functions of the program.
    pub functions: &'a [Function],
    /// The user's wishes.
    pub wishes: &'a Wishes<'a>,
    /// For what plans are priced.
    pub pricing: &'a Pricing,
}

/// An order that takes less than this many times the floor is not improved.
const GOOD_ENOUGH: f64 = 2.0;

impl Tried<'_> {
    /// True if an order that takes so many microseconds may be improved: it takes much longer than every order must, as
    /// far as that is known.
    pub fn is_slow(self, microseconds: f64) -> Result<bool> {
        let floor = self.pricing.floor(self.model, self.dependences)?;
        Ok(floor.is_none_or(|floor| microseconds >= GOOD_ENOUGH * floor.microseconds))
    }
}

/// The result of mapping an order to the GPU.
pub struct Trial {
    /// The tree with marks.
    pub tree: IslSchedule,
    /// The kernels, and what stays on the host.
    pub placed: Placed,
}

impl Trial {
    /// Maps an order. It is read from its text even if it was just found, so that both passes start from the same
    /// tree.
    pub fn new(tried: Tried<'_>, schedule: &IslSchedule) -> Result<Self> {
        let Tried { model, dependences, functions, wishes, pricing } = tried;
        let on_host = host_only(model, functions, &dependences.dead);
        let root = order::given(schedule, || Constraints::new(model, dependences))?;
        let (root, placed) = place(root, (model, dependences), wishes, pricing, on_host)?;
        Ok(Self { tree: IslSchedule(root.get_schedule()?.text()?), placed })
    }

    /// Returns what the mapping costs; nothing if it is too complicated for an estimate.
    pub fn price(&self, tried: Tried<'_>) -> Result<Option<Price>> {
        price(&self.placed, tried.model, tried.pricing)
    }
}
