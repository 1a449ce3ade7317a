//! Loop programs for regions, described in a few lines.

use std::collections::BTreeSet;

use scop::ast::{AccessPlace, ArraySlice, AstExpr, LoopProgram, Node, Packing, Unroll};
use scop::{
    Access, AccessId, ArrayId, Axis, BlockDimension, Boxes, Buffer, BufferId, DeviceArray, DeviceMemory,
    ElementBox, Extracted, GridDimension, IslMap, IslPwAff, IslSchedule, IslSet, Kernel, KernelId,
    KernelPlacement, Layout, Mapping, Memory, Ordered, Placed, Placement, Program, Scanned, Scheduled,
    StatementId,
};

use super::nest::Region;
use super::{extracted, nest};

/// The number of threads in a block.
pub const THREADS: u32 = 8;

/// A region with its loop program. Kernels have blocks `bx` of eight threads `tx`.
pub struct Generated {
    /// The document that clan-rs would write for the region.
    pub extracted: Program<Extracted>,
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// The slices that the device holds: at first, all of every array.
    pub slices: Vec<ArraySlice>,
    /// The placement of arrays.
    pub device: Vec<DeviceArray>,
    /// The loop program.
    pub body: Node,
}

impl Generated {
    /// Creates a region from some nests, with a loop program.
    pub fn new(nests: Vec<nest::Nest>, body: Node) -> Self {
        Self::of(&Region::new(nests), body)
    }

    /// Creates a loop program for a region.
    pub fn of(region: &Region, body: Node) -> Self {
        let extracted = extracted(region);
        let slices = extracted.scops[0].model.arrays.iter().map(|array| {
            let dimensions = array.extents.len();
            ArraySlice {
                array: array.id,
                lower: AstExpr::Int(0),
                extent: if dimensions == 0 { AstExpr::Int(1) } else { name("n") },
                inner_extents: vec![name("n"); dimensions.saturating_sub(1)],
                boxes: None,
                packing: None,
            }
        });
        let slices = slices.collect();
        Self { extracted, buffers: Vec::new(), slices, device: Vec::new(), body }
    }

    /// Returns a copy with another loop program.
    pub fn but(&self, body: Node) -> Self {
        let Self { extracted, buffers, slices, device, .. } = self;
        let (extracted, buffers) = (extracted.clone(), buffers.clone());
        Self { extracted, buffers, slices: slices.clone(), device: device.clone(), body }
    }

    /// Adds a buffer for some accesses, each with its places.
    pub fn with_buffer(mut self, memory: Memory, array: u32, sizes: &[u32], places: &[(u32, &str)]) -> Self {
        let id = BufferId(self.buffers.len() as u32);
        self.buffers.push(Buffer {
            id,
            name: format!("buffer{}", id.0),
            array: ArrayId(array),
            memory,
            accesses: places.iter().map(|(access, _)| AccessId(*access)).collect(),
            places: places.iter().map(|(_, place)| IslMap((*place).to_owned())).collect(),
            depth: 0,
            index: IslMap("{ }".to_owned()),
            sizes: sizes.to_vec(),
            layout: Layout::default(),
            existing: None,
            partial: None,
            in_order: false,
            reuse: None,
            reason: String::new(),
        });
        self
    }

    /// Returns an access of the region.
    pub fn access(&mut self, id: u32) -> &mut Access {
        let statements = self.extracted.scops[0].model.statements.iter_mut();
        let mut accesses = statements.flat_map(|statement| &mut statement.accesses);
        accesses.find(|access| access.id == AccessId(id)).unwrap()
    }

    /// Sets the boxes of an array that are transferred in each direction.
    pub fn boxes(&mut self, array: u32, to_device: &[[&str; 2]], from_device: &[[&str; 2]]) {
        let all = |boxes: &[[&str; 2]]| {
            boxes.iter().map(|[lower, extent]| element_box(&[lower], &[extent])).collect()
        };
        let boxes = Boxes { to_device: all(to_device), from_device: all(from_device) };
        self.slices.iter_mut().find(|slice| slice.array == ArrayId(array)).unwrap().boxes = Some(boxes);
    }

    /// Transfers packed elements of an array from the device, starting with the element `first`.
    pub fn pack_from_device(&mut self, array: u32, first: &str) {
        let element = Node::Element { index: vec![name("c")] };
        let slice = self.slices.iter_mut().find(|slice| slice.array == ArrayId(array)).unwrap();
        slice.packing = Some(Packing {
            subscripts: vec!["e0".to_owned()],
            position: name("e0"),
            count: name("n"),
            to_device: Box::new(all(Vec::new())),
            from_device: Box::new(each("c", first, "c <= n - 1", element)),
        });
    }

    /// Restricts the elements of an array on the device to the given ones, which are numbered.
    pub fn number(&mut self, array: u32, numbered: &str) {
        self.place(array, &[], Some(numbered));
    }

    /// Sets the element from which the subscripts of an array count.
    pub fn count_from(&mut self, array: u32, origin: &[&str]) {
        self.place(array, origin, None);
    }

    fn place(&mut self, array: u32, origin: &[&str], numbered: Option<&str>) {
        let number = |text: &str| IslPwAff(text.to_owned());
        self.device.push(DeviceArray {
            array: ArrayId(array),
            lower: number("{ [(0)] }"),
            extent: number("[n] -> { [(n)] }"),
            inner_extents: Vec::new(),
            origin: origin.iter().map(|text| number(text)).collect(),
            numbering: None,
            numbered: numbered.map(|text| IslSet(text.to_owned())),
            boxes: None,
            parts: Vec::new(),
            memory: DeviceMemory::Global,
            resident: None,
            copy_in: IslSet("{ }".to_owned()),
            copy_out: IslSet("{ }".to_owned()),
            reason: String::new(),
        });
    }

    /// Returns the codes of the proof's messages.
    pub fn codes(&self) -> Vec<String> {
        let analysed = candl_rs::run(self.extracted.clone()).unwrap().value;
        let program: Program<Scanned> = analysed
            .try_map(|scop| {
                let statements = scop.model.statements.iter().map(|statement| statement.id).collect();
                let schedule = scop.model.order.clone();
                let (scop, analysed) = scop.apart();
                let ordered = Ordered {
                    analysed,
                    schedule,
                    scheduled_by: None,
                    algorithm: None,
                    fusion: None,
                    variant: None,
                };
                let nothing = || IslSchedule(String::new());
                let mapping = Mapping {
                    threshold: None,
                    tree: nothing(),
                    host: Vec::new(),
                    kernels: vec![kernel_of(statements)],
                    answers: Vec::new(),
                };
                let buffers = self.buffers.clone();
                let kernel = KernelPlacement {
                    kernel: KernelId(0),
                    buffers,
                    shared_bytes: 0,
                    unlike_price: Vec::new(),
                };
                let placement = Placement {
                    tree: nothing(),
                    device: self.device.clone(),
                    kernels: vec![kernel],
                    answers: Vec::new(),
                };
                let placed = Placed { scheduled: Scheduled { ordered, mapping }, placement };
                let ast = LoopProgram { arrays: self.slices.clone(), body: self.body.clone() };
                Ok::<_, String>(scop.with(Scanned { placed, ast }))
            })
            .unwrap();
        let findings = proof::check(candl_rs::NAME, &program);
        let messages = findings.refuted.into_iter().chain(findings.undecided.into_values());
        let codes: BTreeSet<String> = messages.map(|message| message.code).collect();
        codes.into_iter().collect()
    }
}

fn kernel_of(statements: Vec<StatementId>) -> Kernel {
    let number = |text: &str| IslPwAff(text.to_owned());
    Kernel {
        id: KernelId(0),
        statements,
        host_depth: 0,
        grid: vec![GridDimension {
            axis: Axis::X,
            lower: number("{ [(0)] }"),
            extent: number("[n] -> { [(n)] }"),
        }],
        ranked: None,
        block: vec![BlockDimension { axis: Axis::X, size: THREADS }],
        shared_sums: Vec::new(),
        loading: None,
        ahead: false,
        priced: None,
        tile_sizes: Vec::new(),
        reasons: Vec::new(),
    }
}

fn name(name: &str) -> AstExpr {
    AstExpr::Name(name.to_owned())
}

fn expr(text: &str) -> AstExpr {
    text.parse().unwrap()
}

fn exprs(texts: &[&str]) -> Vec<AstExpr> {
    texts.iter().map(|text| expr(text)).collect()
}

fn element_box(lower: &[&str], extent: &[&str]) -> ElementBox<AstExpr> {
    ElementBox { lower: exprs(lower), extent: exprs(extent) }
}

/// Returns a sequence of nodes.
pub fn all(children: Vec<Node>) -> Node {
    Node::Block { children }
}

/// Returns `if (condition) then`.
pub fn when(condition: &str, then: Node) -> Node {
    Node::If { condition: expr(condition), then: Box::new(then), otherwise: None }
}

/// Returns `if (condition) then else otherwise`.
pub fn either(condition: &str, then: Node, otherwise: Node) -> Node {
    Node::If { condition: expr(condition), then: Box::new(then), otherwise: Some(Box::new(otherwise)) }
}

/// Returns `if (guard) specialised else general`, where both parts do the same.
pub fn specialised(guard: &str, specialised: Node, general: Node) -> Node {
    Node::Specialised { guard: expr(guard), specialised: Box::new(specialised), general: Box::new(general) }
}

/// Returns `for (iterator = init; condition; iterator += step) body`.
pub fn step(iterator: &str, init: &str, condition: &str, step: i64, body: Node) -> Node {
    Node::For {
        iterator: iterator.to_owned(),
        init: expr(init),
        condition: expr(condition),
        increment: AstExpr::Int(step),
        degenerate: false,
        unroll: Unroll::Compiler,
        body: Box::new(body),
    }
}

/// Returns `for (iterator = init; condition; iterator++) body`.
pub fn each(iterator: &str, init: &str, condition: &str, body: Node) -> Node {
    step(iterator, init, condition, 1, body)
}

/// Gives a value a name in the body.
pub fn named(iterator: &str, value: &str, body: Node) -> Node {
    Node::For {
        iterator: iterator.to_owned(),
        init: expr(value),
        condition: AstExpr::Int(1),
        increment: AstExpr::Int(1),
        degenerate: true,
        unroll: Unroll::Compiler,
        body: Box::new(body),
    }
}

/// Launches the given number of blocks.
pub fn launch(extent: &str, body: Node) -> Node {
    launch_from("0", extent, body)
}

/// Launches blocks starting from `lower`.
pub fn launch_from(lower: &str, extent: &str, body: Node) -> Node {
    Node::Kernel {
        ranked: None,
        kernel: KernelId(0),
        lower: exprs(&[lower]),
        extent: exprs(&[extent]),
        body: Box::new(body),
    }
}

/// Runs an instance; each access has an index and possibly a buffer.
pub fn run(statement: u32, iterators: &[&str], places: &[(u32, Option<u32>, &[&str])]) -> Node {
    let accesses = places.iter().map(|(access, buffer, index)| AccessPlace {
        access: AccessId(*access),
        buffer: buffer.map(BufferId),
        index: exprs(index),
    });
    let (statement, iterators) = (StatementId(statement), exprs(iterators));
    Node::Instance { statement, iterators, accesses: accesses.collect() }
}

/// Copies an element to a place of a buffer.
pub fn copy_in(buffer: u32, place: &[&str], element: &[&str]) -> Node {
    Node::Copy { buffer: BufferId(buffer), into_buffer: true, element: exprs(element), place: exprs(place) }
}

/// Copies an element from a place of a buffer.
pub fn copy_out(buffer: u32, place: &[&str], element: &[&str]) -> Node {
    Node::Copy { buffer: BufferId(buffer), into_buffer: false, element: exprs(element), place: exprs(place) }
}

/// Transfers an array to the device.
pub fn to_device(array: u32) -> Node {
    Node::Transfer { array: ArrayId(array), to_device: true, part: None }
}

/// Transfers an array from the device.
pub fn from_device(array: u32) -> Node {
    Node::Transfer { array: ArrayId(array), to_device: false, part: None }
}

/// Transfers a part of an array: for each dimension, the first index and the number of indices.
pub fn part(array: u32, to_device: bool, lower: &[&str], extent: &[&str]) -> Node {
    Node::Transfer { array: ArrayId(array), to_device, part: Some(element_box(lower, extent)) }
}
