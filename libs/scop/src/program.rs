//! The program and its stages.
//!
//! `Program<Extracted>` has the sections that clan-rs writes, `Program<Analysed>` also those of candl-rs, and
//! so on. A tool takes one stage and returns the next, so tools cannot be called in the wrong order. All stages
//! are written as the same kind of JSON document, to which each adds sections.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ast::LoopProgram;
use crate::wish::{AlgorithmKind, FusionKind};
use crate::{
    Dependences, Expansions, Function, IslSchedule, Mapping, MemoryObject, Model, Placement, Prevention,
    Procedure, ResidencyPlan, Source, Variant,
};

/// The value of the document's `format` field.
pub const FORMAT: &str = "c2cuda";

/// The value of the document's `version` field.
pub const VERSION: u32 = 2;

/// A C source file and what the tools found out about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(bound(deserialize = "S: Stage"))]
pub struct Program<S> {
    /// Always `c2cuda`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The source file.
    pub source: Source,
    /// The functions of the source file that statements call, each after the functions that it calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
    /// The memory of the program; `M0` comes first. Empty if the host code was not analysed: then nothing stays on the
    /// device between regions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryObject>,
    /// The code around the regions, in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host: Vec<Procedure>,
    /// What keeps memory from staying on the device between regions, as far as the code around the regions says that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prevented: Vec<Prevention>,
    /// What stays on the device between regions, if gpulocalizer ran and something does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residency: Option<ResidencyPlan>,
    /// The scops, one for every marked region, in the order of the text.
    pub scops: Vec<Scop<S>>,
}

/// A static control part.
///
/// In a document it consists of what clan-rs extracted and of the sections of later stages. Code that reads it
/// works with the model to which the [`Expansions`] have been applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Scop<S> {
    /// The region, with the expansions of the stage applied to its accesses.
    pub model: Model,
    /// The sections of later stages.
    pub stage: S,
    /// What clan-rs extracted, if expansions changed it.
    extracted: Option<Box<Model>>,
}

/// A scop in a document.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Scop")]
struct Written<M, S> {
    /// What clan-rs extracted.
    #[serde(flatten)]
    model: M,
    /// The sections of later stages.
    #[serde(flatten)]
    stage: S,
}

impl<S: Serialize> Serialize for Scop<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        Written { model: self.extracted(), stage: &self.stage }.serialize(serializer)
    }
}

impl<'de, S: Stage> Deserialize<'de> for Scop<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { model, stage } = Written::deserialize(deserializer)?;
        Ok(Self::new(model, stage))
    }
}

impl<S: JsonSchema> JsonSchema for Scop<S> {
    fn schema_name() -> Cow<'static, str> {
        Written::<Model, S>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Written::<Model, S>::json_schema(generator)
    }
}

impl<S> Scop<S> {
    /// Returns what clan-rs extracted.
    pub fn extracted(&self) -> &Model {
        self.extracted.as_deref().unwrap_or(&self.model)
    }

    /// Returns the model, and what clan-rs extracted if that is another one.
    pub(crate) fn models_mut(&mut self) -> impl Iterator<Item = &mut Model> {
        std::iter::once(&mut self.model).chain(self.extracted.as_deref_mut())
    }

    /// Separates the stage from the scop, so that the next stage can be added.
    pub fn apart(self) -> (Scop<()>, S) {
        let Self { model, stage, extracted } = self;
        (Scop { model, stage: (), extracted }, stage)
    }
}

impl<S: Stage> Scop<S> {
    /// Creates a scop from what clan-rs extracted and the sections of later stages.
    pub fn new(extracted: Model, stage: S) -> Self {
        match stage.expansions().filter(|expansions| !expansions.is_empty()) {
            Some(expansions) => {
                let model = expansions.applied_to(&extracted);
                Self { model, stage, extracted: Some(Box::new(extracted)) }
            }
            None => Self { model: extracted, stage, extracted: None },
        }
    }

    /// Replaces the order of the instances. If there are expansions, it is an order of the accesses with their copies,
    /// and the order of the source, in which they have none, is kept.
    pub fn reorder(&mut self, order: IslSchedule) {
        let expansions = self.stage.expansions_mut().filter(|expansions| !expansions.is_empty());
        if let Some(expansions) = expansions {
            expansions.order = Some(order.clone());
        }
        self.model.order = order;
    }
}

impl Scop<()> {
    /// Returns the scop at another stage, which must have the same expansions as the stage that was separated.
    pub fn with<S>(self, stage: S) -> Scop<S> {
        let Self { model, extracted, .. } = self;
        Scop { model, stage, extracted }
    }
}

/// The sections that a stage adds to a scop.
pub trait Stage: Clone + PartialEq + Serialize + DeserializeOwned + JsonSchema {
    /// The sections of a scop at this stage, besides the model, in the order in which they are written.
    const SECTIONS: &'static [Section];

    /// Returns the accesses to which candl-rs gave arrays of their own, if it ran.
    fn expansions(&self) -> Option<&Expansions> {
        None
    }

    /// Returns the same for modification.
    fn expansions_mut(&mut self) -> Option<&mut Expansions> {
        None
    }

    /// Returns the dependences, if candl-rs ran.
    fn dependences(&self) -> Option<&Dependences> {
        None
    }

    /// Returns the forms of the region among which scheduler chooses, until it has run.
    fn variants(&self) -> &[Variant] {
        &[]
    }

    /// True unless the stage has an order of a variant that does not exist.
    fn variant_exists(&self) -> bool {
        true
    }

    /// Returns the new order of the instances, if scheduler ran.
    fn schedule(&self) -> Option<&IslSchedule> {
        None
    }

    /// Returns the kernels, blocks and threads, if scheduler ran.
    fn mapping(&self) -> Option<&Mapping> {
        None
    }

    /// True if scheduler ran and the region has no kernels: it stays on the host.
    fn stays_on_host(&self) -> bool {
        self.mapping().is_some_and(|mapping| mapping.kernels.is_empty())
    }

    /// Returns the placement of the data, if gpulocalizer ran.
    fn placement(&self) -> Option<&Placement> {
        None
    }

    /// Returns the placement for modification.
    fn placement_mut(&mut self) -> Option<&mut Placement> {
        None
    }

    /// Returns the order of the generated program as far as it is known: the tree of the placement, of the
    /// mapping, or the schedule.
    fn tree(&self) -> Option<&IslSchedule> {
        self.placed().or_else(|| self.mapped()).or_else(|| self.schedule())
    }

    /// Returns the tree of the mapping, if scheduler ran.
    fn mapped(&self) -> Option<&IslSchedule> {
        self.mapping().map(|mapping| &mapping.tree)
    }

    /// Returns the tree of the placement, if gpulocalizer ran.
    fn placed(&self) -> Option<&IslSchedule> {
        self.placement().map(|placement| &placement.tree)
    }

    /// Returns the loop program, if cloog-rs ran.
    fn ast(&self) -> Option<&LoopProgram> {
        None
    }
}

/// A section of a scop and the tool that writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The key in the document.
    pub key: &'static str,
    /// The tool.
    pub writer: &'static str,
}

const DEPENDENCES: Section = Section { key: "dependences", writer: "candl-rs" };
const SCHEDULE: Section = Section { key: "schedule", writer: "scheduler" };
const MAPPING: Section = Section { key: "mapping", writer: "scheduler" };
const PLACEMENT: Section = Section { key: "placement", writer: "gpulocalizer" };
const AST: Section = Section { key: "ast", writer: "cloog-rs" };

/// The stage that clan-rs writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extracted {}

impl Stage for Extracted {
    const SECTIONS: &'static [Section] = &[];
}

/// The stage that candl-rs writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysed {
    /// The accesses to which candl-rs gave arrays of their own. Absent if there are none.
    #[serde(default, skip_serializing_if = "Expansions::is_empty")]
    pub expansions: Expansions,
    /// The dependences, live values and reductions.
    pub dependences: Dependences,
    /// Other forms of the region, of which scheduler may take one. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

impl Stage for Analysed {
    const SECTIONS: &'static [Section] = &[DEPENDENCES];

    fn expansions(&self) -> Option<&Expansions> {
        Some(&self.expansions)
    }

    fn expansions_mut(&mut self) -> Option<&mut Expansions> {
        Some(&mut self.expansions)
    }

    fn dependences(&self) -> Option<&Dependences> {
        Some(&self.dependences)
    }

    fn variants(&self) -> &[Variant] {
        &self.variants
    }
}

/// The stage that the first pass of scheduler writes, or another tool that computes an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ordered {
    /// What candl-rs found.
    #[serde(flatten)]
    pub analysed: Analysed,
    /// The new order of the instances, without reference to a GPU. Band members that are `coincident` are
    /// parallel loops, and bands that are `permutable` may be tiled.
    pub schedule: IslSchedule,
    /// How the order was found, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_by: Option<String>,
    /// The algorithm that found the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<AlgorithmKind>,
    /// The wish for fusion that led to the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fusion: Option<FusionKind>,
    /// The variant of the region that is ordered: its position among those of candl-rs. Absent if it is none of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<usize>,
}

impl Ordered {
    /// Returns the dependences of the variant that is ordered.
    pub fn respected(&self) -> &Dependences {
        self.taken().map_or(&self.analysed.dependences, |variant| &variant.dependences)
    }

    /// Returns the variant that is ordered, if it is one.
    pub fn taken(&self) -> Option<&Variant> {
        self.variant.and_then(|position| self.analysed.variants.get(position))
    }
}

impl Stage for Ordered {
    const SECTIONS: &'static [Section] = &[DEPENDENCES, SCHEDULE];

    fn expansions(&self) -> Option<&Expansions> {
        Some(self.taken().map_or(&self.analysed.expansions, |variant| &variant.expansions))
    }

    fn dependences(&self) -> Option<&Dependences> {
        Some(self.respected())
    }

    fn variant_exists(&self) -> bool {
        self.variant.is_none() || self.taken().is_some()
    }

    fn schedule(&self) -> Option<&IslSchedule> {
        Some(&self.schedule)
    }
}

/// The stage that scheduler writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scheduled {
    /// The new order.
    #[serde(flatten)]
    pub ordered: Ordered,
    /// Kernels, blocks and threads.
    pub mapping: Mapping,
}

impl Stage for Scheduled {
    const SECTIONS: &'static [Section] = &[DEPENDENCES, SCHEDULE, MAPPING];

    fn expansions(&self) -> Option<&Expansions> {
        self.ordered.expansions()
    }

    fn dependences(&self) -> Option<&Dependences> {
        self.ordered.dependences()
    }

    fn variant_exists(&self) -> bool {
        self.ordered.variant_exists()
    }

    fn schedule(&self) -> Option<&IslSchedule> {
        self.ordered.schedule()
    }

    fn mapping(&self) -> Option<&Mapping> {
        Some(&self.mapping)
    }
}

/// The stage that gpulocalizer writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Placed {
    /// What scheduler decided.
    #[serde(flatten)]
    pub scheduled: Scheduled,
    /// The placement of the data.
    pub placement: Placement,
}

impl Stage for Placed {
    const SECTIONS: &'static [Section] = &[DEPENDENCES, SCHEDULE, MAPPING, PLACEMENT];

    fn expansions(&self) -> Option<&Expansions> {
        self.scheduled.expansions()
    }

    fn dependences(&self) -> Option<&Dependences> {
        self.scheduled.dependences()
    }

    fn variant_exists(&self) -> bool {
        self.scheduled.variant_exists()
    }

    fn schedule(&self) -> Option<&IslSchedule> {
        self.scheduled.schedule()
    }

    fn mapping(&self) -> Option<&Mapping> {
        self.scheduled.mapping()
    }

    fn placement(&self) -> Option<&Placement> {
        Some(&self.placement)
    }

    fn placement_mut(&mut self) -> Option<&mut Placement> {
        Some(&mut self.placement)
    }
}

/// The stage that cloog-rs writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scanned {
    /// What gpulocalizer decided.
    #[serde(flatten)]
    pub placed: Placed,
    /// The loop program.
    pub ast: LoopProgram,
}

impl Stage for Scanned {
    const SECTIONS: &'static [Section] = &[DEPENDENCES, SCHEDULE, MAPPING, PLACEMENT, AST];

    fn expansions(&self) -> Option<&Expansions> {
        self.placed.expansions()
    }

    fn dependences(&self) -> Option<&Dependences> {
        self.placed.dependences()
    }

    fn variant_exists(&self) -> bool {
        self.placed.variant_exists()
    }

    fn schedule(&self) -> Option<&IslSchedule> {
        self.placed.schedule()
    }

    fn mapping(&self) -> Option<&Mapping> {
        self.placed.mapping()
    }

    fn placement(&self) -> Option<&Placement> {
        self.placed.placement()
    }

    fn placement_mut(&mut self) -> Option<&mut Placement> {
        self.placed.placement_mut()
    }

    fn ast(&self) -> Option<&LoopProgram> {
        Some(&self.ast)
    }
}

impl<S> Program<S> {
    /// Takes every scop to another stage by `step`, and returns the program or the first failure.
    pub fn try_map<T, E>(self, mut step: impl FnMut(Scop<S>) -> Result<Scop<T>, E>) -> Result<Program<T>, E> {
        let scops = self.scops.into_iter().map(&mut step).collect::<Result<_, E>>()?;
        Ok(Program {
            format: self.format,
            version: self.version,
            source: self.source,
            functions: self.functions,
            memory: self.memory,
            host: self.host,
            prevented: self.prevented,
            residency: self.residency,
            scops,
        })
    }
}
