//! An order, mapped to the GPU and priced.

use polyhedra::{Result, ScheduleNode, Text};
use scop::{Dependences, Function, IslSchedule, Model};

use crate::constraints::Constraints;
use crate::cost::{Assumed, Places, Price, price};
use crate::host_only::host_only;
use crate::options::Priced;
use crate::order;
use crate::place::{Placed, place};
use crate::wishes::Wishes;

/// The region whose orders are tried.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The functions of the program.
    pub functions: &'a [Function],
    /// The user's wishes.
    pub wishes: &'a Wishes<'a>,
}

/// The result of mapping an order to the GPU.
pub struct Trial {
    /// The tree with marks.
    pub tree: IslSchedule,
    /// The kernels, and what stays on the host.
    pub placed: Placed,
    root: ScheduleNode,
}

impl Trial {
    /// Maps an order. It is read from its text even if it was just found, so that both passes start from the same
    /// tree.
    pub fn new(subject: Subject<'_>, schedule: &IslSchedule) -> Result<Self> {
        let Subject { model, dependences, functions, wishes } = subject;
        let on_host = host_only(model, functions, &dependences.dead);
        let root = order::given(schedule, || Constraints::new(model, dependences))?;
        let (root, placed) = place(root, model, wishes, on_host)?;
        Ok(Self { tree: IslSchedule(root.get_schedule()?.text()?), placed, root })
    }

    /// Returns what the mapping costs.
    pub fn price(&self, model: &Model, priced: &Priced) -> Result<Price> {
        let assumed = Assumed::new(model, &priced.sizes)?;
        price(&self.root, &self.placed, model, &Places::new(model, &assumed)?, &priced.gpu)
    }
}
