//! A scop prepared for code generation: the parts of the document by id, and what is derived from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;

use polyhedra::{Set, Text};
use scop::ast::tree::walk;
use scop::ast::{AstExpr, Node};
use scop::{
    ArrayId, Buffer, BufferId, CType, Dependences, DeviceMemory, Diagnostic, Diagnostics, Kernel, KernelId,
    Mapping, Model, Region, ResidencyPlan, Scanned, Scop, Source, Statement, StatementId, c_text, from_isl,
};

use crate::model::data::{self, Data, Datum};
use crate::model::facts::Facts;
use crate::model::integers::{self, Integers};
use crate::model::positions::Positions;
use crate::program::names::Names;

/// A buffer and its name.
#[derive(Debug, Clone)]
pub struct NamedBuffer<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// Its name, unique in the scop.
    pub name: String,
    /// The positions of its places, if it is dense.
    pub positions: Option<Positions>,
    /// The name of the position function; empty without positions.
    pub function: String,
}

/// The names of the generated variables, types and functions of an array on the device.
#[derive(Debug, Clone)]
pub struct DeviceNames {
    /// The pointer, or the variable of an argument by value.
    pub pointer: String,
    /// The type of an argument by value, or of the structure of all the scop's variables in constant memory.
    pub constant_type: String,
    /// The size in bytes.
    pub bytes: String,
    /// The number of bytes that are copied; the same name as `bytes` if all are copied.
    pub copied: String,
    /// The function that gives the number of an element, if elements are numbered.
    pub position: String,
    /// The function that gives how many elements there are, if elements are numbered.
    pub count: String,
    /// The staging buffer on the host, if elements are numbered.
    pub staging: String,
}

/// The names of the memory that all packed arrays share.
#[derive(Debug, Clone)]
pub struct PackedNames {
    /// On the device.
    pub device: String,
    /// On the host.
    pub host: String,
}

/// A scop, with everything that code generation needs.
#[derive(Debug)]
pub struct View<'a> {
    /// What clan-rs extracted.
    pub model: &'a Model,
    /// What candl-rs found.
    pub dependences: &'a Dependences,
    /// The place of the scop in the source.
    pub region: &'a Region,
    /// The source of the program.
    pub source: &'a Source,
    /// The kernels of the mapping.
    pub kernels: &'a [Kernel],
    /// The buffers of all kernels.
    pub buffers: BTreeMap<BufferId, NamedBuffer<'a>>,
    /// The arrays and scalars that statements use.
    pub data: Data<'a>,
    /// The names of what belongs to each array on the device.
    pub device: BTreeMap<ArrayId, DeviceNames>,
    /// The names of the memory that packed arrays share.
    pub packed: PackedNames,
    /// The name of the variable in constant memory, of which each region has a part.
    pub constants: String,
    /// The plan for memory that stays on the device between regions, if there is one.
    pub residency: Option<&'a ResidencyPlan>,
    /// The name of the variable that lists the region's parts of such memory.
    pub resident: String,
    /// The loop program with the names of the source.
    pub body: Node,
    /// The types of integers.
    pub integers: Integers,
    /// The facts about the parameters.
    pub facts: Facts,
    /// The assumptions about the parameters, which must be checked at run time.
    pub assumed: Option<AstExpr>,
    /// The condition on the parameters under which the host is faster.
    pub faster_on_host: Option<AstExpr>,
    /// All names in use.
    pub names: Names,
}

/// Creates the view of a scop.
///
/// # Errors
///
/// Refuses a scop that needs an integer wider than 64 bits, or whose sets isl cannot read.
pub fn new<'a>(
    scop: &'a Scop<Scanned>,
    body: Node,
    region: &'a Region,
    (source, residency): (&'a Source, Option<&'a ResidencyPlan>),
    mut names: Names,
) -> Result<View<'a>, Diagnostics> {
    let mapping = &scop.stage.placed.scheduled.mapping;
    let fault = |error| Diagnostics::from(source.failure("cudagen", &scop.model.name, Some(region), &error));
    let data = data::collect(scop, &body).map_err(fault)?;
    let assumed = assumed(&scop.model).map_err(fault)?;
    let faster_on_host = faster_on_host(mapping).map_err(fault)?;
    let everything = with_packing(&body, &data);
    let integers = integers::choose(&scop.model, &mapping.kernels, &everything, &data, assumed.as_ref())
        .map_err(fault)?
        .ok_or_else(|| too_large(source, region))?;
    let placement = &scop.stage.placed.placement;
    let buffers = placement.kernels.iter().flat_map(|kernel| &kernel.buffers);
    let buffers = buffers.map(|buffer| Ok((buffer.id, named(buffer, &scop.model, &mut names)?)));
    let buffers = buffers.collect::<polyhedra::Result<_>>().map_err(fault)?;
    let device = device_names(&scop.model.name, &data, &mut names);
    let packed = PackedNames { device: names.fresh("dev_packed"), host: names.fresh("packed") };
    let constants = names.own("constants");
    Ok(View {
        model: &scop.model,
        dependences: scop.stage.placed.scheduled.ordered.respected(),
        region,
        source,
        kernels: &mapping.kernels,
        buffers,
        data,
        device,
        packed,
        constants,
        residency,
        resident: names.fresh("resident"),
        body,
        integers,
        facts: Facts::new(&scop.model.context),
        assumed,
        faster_on_host,
        names,
    })
}

/// Returns the assumptions as a condition on the parameters.
fn assumed(model: &Model) -> polyhedra::Result<Option<AstExpr>> {
    let Some(assumptions) = &model.assumptions else { return Ok(None) };
    let everything = Set::parse("{ : }")?;
    from_isl::condition_on_parameters(&everything, Set::parse(&assumptions.0)?).map(Some)
}

/// Returns the threshold between host and device as a condition on the parameters.
fn faster_on_host(mapping: &Mapping) -> polyhedra::Result<Option<AstExpr>> {
    let Some(threshold) = &mapping.threshold else { return Ok(None) };
    let everything = Set::parse("{ : }")?;
    from_isl::condition_on_parameters(&everything, Set::parse(&threshold.host.0)?).map(Some)
}

fn named<'a>(buffer: &'a Buffer, model: &Model, names: &mut Names) -> polyhedra::Result<NamedBuffer<'a>> {
    let positions = Positions::of(buffer)?;
    let name = names.fresh(&buffer.name);
    let function = if positions.is_some() {
        names.fresh(&format!("{}_{name}_position", model.name))
    } else {
        String::new()
    };
    Ok(NamedBuffer { buffer, name, positions, function })
}

/// Returns the loop program together with the loops that pack and unpack arrays.
fn with_packing(body: &Node, data: &Data<'_>) -> Node {
    let packings = data.values().filter_map(Datum::packing);
    let loops = packings.flat_map(|packing| [&*packing.to_device, &*packing.from_device]);
    Node::Block { children: std::iter::once(body).chain(loops).cloned().collect() }
}

fn device_names(function: &str, data: &Data<'_>, names: &mut Names) -> BTreeMap<ArrayId, DeviceNames> {
    let mut device = BTreeMap::new();
    let constants = names.fresh(&format!("{function}_constants"));
    for datum in data.values() {
        let what = if datum.memory == DeviceMemory::Argument { "arg" } else { "dev" };
        let pointer = names.fresh(&format!("{what}_{}", datum.array.name));
        let constant_type = match datum.memory {
            DeviceMemory::Global => String::new(),
            DeviceMemory::Argument => names.fresh(&format!("{function}_{}", datum.array.name)),
            DeviceMemory::Constant => constants.clone(),
        };
        let bytes = names.fresh(&format!("dev_{}_bytes", datum.array.name));
        let copied = match datum.last {
            Some(_) => names.fresh(&format!("dev_{}_copied", datum.array.name)),
            None => bytes.clone(),
        };
        let mut named = |what: &str| match datum.packing() {
            Some(_) => names.fresh(&format!("{what}_{}", datum.array.name)),
            None => String::new(),
        };
        let (position, count) = (named(&format!("{function}_at")), named(&format!("{function}_count")));
        let staging = named("packed");
        let names = DeviceNames { pointer, constant_type, bytes, copied, position, count, staging };
        device.insert(datum.array.id, names);
    }
    device
}

fn too_large(source: &Source, region: &Region) -> Diagnostics {
    Diagnostic::error("E0603", "the loops of this region count beyond 64 bits")
        .at(&source.path, region.range, "some bound or index does not fit")
        .with_help("use smaller constants in bounds and subscripts")
        .into()
}

impl<'a> View<'a> {
    /// Returns the file name of the source.
    pub fn file(&self) -> &'a str {
        Path::new(&self.source.path).file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Returns an array or scalar that the statements use.
    ///
    /// # Errors
    /// Reports a bug if the view has none with this id.
    pub fn datum(&self, array: ArrayId) -> Result<&Datum<'a>, Diagnostics> {
        self.data.get(&array).ok_or_else(|| missing(array))
    }

    /// Returns the names of what belongs to an array on the device.
    ///
    /// # Errors
    /// Reports a bug if the array has none.
    pub fn device_names(&self, array: ArrayId) -> Result<&DeviceNames, Diagnostics> {
        self.device.get(&array).ok_or_else(|| missing(array))
    }

    /// Returns a buffer.
    ///
    /// # Errors
    /// Reports a bug if there is none with this id.
    pub fn buffer(&self, buffer: BufferId) -> Result<&NamedBuffer<'a>, Diagnostics> {
        self.buffers.get(&buffer).ok_or_else(|| missing(buffer))
    }

    /// Returns the type of a buffer's elements.
    ///
    /// # Errors
    /// Reports a bug if its array is missing.
    pub fn element_of(&self, named: &NamedBuffer<'_>) -> Result<CType, Diagnostics> {
        Ok(self.datum(named.buffer.array)?.array.element)
    }

    /// Returns a kernel of the mapping.
    ///
    /// # Errors
    /// Reports a bug if there is none with this id.
    pub fn kernel(&self, kernel: KernelId) -> Result<&'a Kernel, Diagnostics> {
        self.kernels.get(kernel.index()).ok_or_else(|| missing(kernel))
    }

    /// Returns a statement.
    ///
    /// # Errors
    /// Reports a bug if there is none with this id.
    pub fn statement(&self, statement: StatementId) -> Result<&'a Statement, Diagnostics> {
        self.model.statements.get(statement.index()).ok_or_else(|| missing(statement))
    }

    /// Returns the statements that a part of the loop program executes.
    ///
    /// # Errors
    /// Reports a bug if one of them is missing.
    pub fn statements(&self, node: &Node) -> Result<Vec<&'a Statement>, Diagnostics> {
        let mut found = BTreeSet::new();
        walk(node, &mut |inner| {
            if let Node::Instance { statement, .. } = inner {
                found.insert(*statement);
            }
        });
        found.into_iter().map(|id| self.statement(id)).collect()
    }

    /// True if a statement calls a function.
    pub fn calls_functions(&self) -> bool {
        self.model.statements.iter().any(|statement| c_text::calls(&statement.body, |_| true))
    }
}

/// The verifier rejects such documents, so this is never the user's fault.
fn missing(id: impl Display) -> Diagnostics {
    Diagnostic::bug("cudagen", format!("the document names {id}, which it does not have")).into()
}
