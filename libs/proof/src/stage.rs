//! The sections of a document that are checked: as many as there are.

use schemars::JsonSchema;
use scop::ast::LoopProgram;
use scop::{
    Dependences, Expansions, IslSchedule, Kernel, Mapping, Model, Ordered, Placement, Scop, Section, Stage,
};
use serde::{Deserialize, Serialize};

/// A document with a schedule, and perhaps what the tools after it add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checkable {
    #[serde(flatten)]
    ordered: Ordered,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mapping: Option<Mapping>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    placement: Option<Placement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ast: Option<LoopProgram>,
}

impl Stage for Checkable {
    const SECTIONS: &'static [Section] = Ordered::SECTIONS;

    fn expansions(&self) -> Option<&Expansions> {
        self.ordered.expansions()
    }

    fn dependences(&self) -> Option<&Dependences> {
        self.ordered.dependences()
    }

    fn variant_exists(&self) -> bool {
        self.ordered.variant_exists()
    }

    /// Returns nothing if there is a mapping: the mapped tree is checked instead.
    fn schedule(&self) -> Option<&IslSchedule> {
        self.ordered.schedule().filter(|_| self.mapping.is_none())
    }

    fn mapping(&self) -> Option<&Mapping> {
        self.mapping.as_ref()
    }

    /// Returns nothing if there is a loop program, which is checked instead: reading trees takes time.
    fn mapped(&self) -> Option<&IslSchedule> {
        self.mapping.as_ref().map(|mapping| &mapping.tree).filter(|_| self.ast.is_none())
    }

    /// Returns nothing if there is a loop program, as [`Checkable::mapped`] does.
    fn placed(&self) -> Option<&IslSchedule> {
        self.placement.as_ref().map(|placement| &placement.tree).filter(|_| self.ast.is_none())
    }

    fn placement(&self) -> Option<&Placement> {
        self.placement.as_ref()
    }

    fn placement_mut(&mut self) -> Option<&mut Placement> {
        self.placement.as_mut()
    }

    fn ast(&self) -> Option<&LoopProgram> {
        self.ast.as_ref()
    }
}

/// The sections of a scop that the check reads.
pub struct Sections<'a> {
    /// What clan-rs extracted.
    pub extracted: &'a Model,
    /// The expansions of candl-rs.
    pub expansions: Option<&'a Expansions>,
    /// What clan-rs extracted, with the expansions applied.
    pub model: &'a Model,
    /// The dependences that must be respected.
    pub dependences: &'a Dependences,
    /// The kernels; none where only an order is checked.
    pub kernels: &'a [Kernel],
    /// The order of the generated program.
    pub order: Order<'a>,
}

/// The order of the generated program.
#[derive(Clone, Copy)]
pub enum Order<'a> {
    /// The order of a schedule tree.
    Tree(&'a IslSchedule),
    /// The order of a loop program, which finds its data where the placement says.
    Program(&'a Placement, &'a LoopProgram),
}

impl<'a> Sections<'a> {
    /// Returns the sections of a scop, if it has a schedule.
    pub fn of<S: Stage>(scop: &'a Scop<S>) -> Option<Self> {
        Some(Self {
            extracted: scop.extracted(),
            expansions: scop.stage.expansions(),
            model: &scop.model,
            dependences: scop.stage.dependences()?,
            kernels: scop.stage.mapping().map_or(&[], |mapping| &mapping.kernels),
            order: match scop.stage.placement().zip(scop.stage.ast()) {
                Some((placement, program)) => Order::Program(placement, program),
                None => Order::Tree(scop.stage.tree()?),
            },
        })
    }
}
