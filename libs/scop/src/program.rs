//! The program and its stages.
//!
//! `Program<Extracted>` has the sections that clan-rs writes, `Program<Analysed>` those of candl-rs as well, and so
//! on: a tool that takes one stage and returns the next cannot be called in the wrong order. Written out, all of them
//! are the same JSON document, which grows.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ast::LoopProgram;
use crate::wish::FusionKind;
use crate::{Dependences, Expansions, Function, IslSchedule, Mapping, Model, Placement, Source};

/// The value of the document's `format` field.
pub const FORMAT: &str = "c2cuda";

/// The value of the document's `version` field.
pub const VERSION: u32 = 2;

/// A C source file on its way through the tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(bound(deserialize = "S: Stage"))]
pub struct Program<S> {
    /// Always `c2cuda`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The source file.
    pub source: Source,
    /// The functions of the source file that statements call, each after those that it calls itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
    /// One for every marked region, in the order of the text.
    pub scops: Vec<Scop<S>>,
}

/// A static control part.
///
/// In a document it is what clan-rs extracted, and the sections of later stages beside it. Whoever reads it works with
/// the [`Expansions`] applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Scop<S> {
    /// The region, whose accesses go where the expansions of the stage say.
    pub model: Model,
    /// What later stages added.
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
    /// What later stages added.
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
    /// What clan-rs extracted.
    pub fn extracted(&self) -> &Model {
        self.extracted.as_deref().unwrap_or(&self.model)
    }

    /// Takes the stage off, so that the next one can be put on.
    pub fn apart(self) -> (Scop<()>, S) {
        let Self { model, stage, extracted } = self;
        (Scop { model, stage: (), extracted }, stage)
    }
}

impl<S: Stage> Scop<S> {
    /// A scop of what clan-rs extracted and what later stages added.
    pub fn new(extracted: Model, stage: S) -> Self {
        match stage.expansions().filter(|expansions| !expansions.is_empty()) {
            Some(expansions) => {
                let model = expansions.applied_to(&extracted);
                Self { model, stage, extracted: Some(Box::new(extracted)) }
            }
            None => Self { model: extracted, stage, extracted: None },
        }
    }
}

impl Scop<()> {
    /// The scop at another stage, whose expansions are those of the stage that was taken off.
    pub fn with<S>(self, stage: S) -> Scop<S> {
        let Self { model, extracted, .. } = self;
        Scop { model, stage, extracted }
    }
}

/// What a stage adds to a scop.
pub trait Stage: Clone + PartialEq + Serialize + DeserializeOwned + JsonSchema {
    /// The sections that a scop of this stage has, besides the model, in the order in which they are written.
    const SECTIONS: &'static [Section];

    /// The accesses to which candl-rs gave arrays of their own, if it ran.
    fn expansions(&self) -> Option<&Expansions> {
        None
    }

    /// What candl-rs found, if it ran.
    fn dependences(&self) -> Option<&Dependences> {
        None
    }

    /// The new order of the instances, if scheduler ran.
    fn schedule(&self) -> Option<&IslSchedule> {
        None
    }

    /// Kernels, blocks and threads, if scheduler ran.
    fn mapping(&self) -> Option<&Mapping> {
        None
    }

    /// Where the data is, if gpulocalizer ran.
    fn placement(&self) -> Option<&Placement> {
        None
    }

    /// The same, to be changed.
    fn placement_mut(&mut self) -> Option<&mut Placement> {
        None
    }

    /// The order of the generated program as far as it is known: the schedule, or what the mapping or the placement
    /// made of it.
    fn tree(&self) -> Option<&IslSchedule> {
        self.placed().or_else(|| self.mapped()).or_else(|| self.schedule())
    }

    /// The tree of the mapping, if scheduler ran.
    fn mapped(&self) -> Option<&IslSchedule> {
        self.mapping().map(|mapping| &mapping.tree)
    }

    /// The tree of the placement, if gpulocalizer ran.
    fn placed(&self) -> Option<&IslSchedule> {
        self.placement().map(|placement| &placement.tree)
    }

    /// The loop program, if cloog-rs ran.
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

/// Written by clan-rs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extracted {}

impl Stage for Extracted {
    const SECTIONS: &'static [Section] = &[];
}

/// Written by candl-rs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysed {
    /// The accesses that go to arrays of their own. Absent if there are none.
    #[serde(default, skip_serializing_if = "Expansions::is_empty")]
    pub expansions: Expansions,
    /// What must stay in order.
    pub dependences: Dependences,
}

impl Stage for Analysed {
    const SECTIONS: &'static [Section] = &[DEPENDENCES];

    fn expansions(&self) -> Option<&Expansions> {
        Some(&self.expansions)
    }

    fn dependences(&self) -> Option<&Dependences> {
        Some(&self.dependences)
    }
}

/// Written by the first pass of scheduler, or by another tool that finds an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ordered {
    /// What candl-rs found.
    #[serde(flatten)]
    pub analysed: Analysed,
    /// The new order of the instances, which says nothing of a GPU. Members of bands that are `coincident` are parallel
    /// loops, and bands that are `permutable` may be tiled.
    pub schedule: IslSchedule,
    /// How it was found, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_by: Option<String>,
    /// The wish for fusion that it was found by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fusion: Option<FusionKind>,
}

impl Stage for Ordered {
    const SECTIONS: &'static [Section] = &[DEPENDENCES, SCHEDULE];

    fn expansions(&self) -> Option<&Expansions> {
        self.analysed.expansions()
    }

    fn dependences(&self) -> Option<&Dependences> {
        self.analysed.dependences()
    }

    fn schedule(&self) -> Option<&IslSchedule> {
        Some(&self.schedule)
    }
}

/// Written by scheduler.
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

    fn schedule(&self) -> Option<&IslSchedule> {
        self.ordered.schedule()
    }

    fn mapping(&self) -> Option<&Mapping> {
        Some(&self.mapping)
    }
}

/// Written by gpulocalizer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Placed {
    /// What scheduler decided.
    #[serde(flatten)]
    pub scheduled: Scheduled,
    /// Where the data is.
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

/// Written by cloog-rs.
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
    /// The same program with every scop taken to another stage by `step`, or the first failure.
    pub fn try_map<T, E>(self, mut step: impl FnMut(Scop<S>) -> Result<Scop<T>, E>) -> Result<Program<T>, E> {
        let scops = self.scops.into_iter().map(&mut step).collect::<Result<_, E>>()?;
        Ok(Program {
            format: self.format,
            version: self.version,
            source: self.source,
            functions: self.functions,
            scops,
        })
    }
}
