//! Scanned documents, written by hand.

use scop::ast::{AccessPlace, ArraySlice, AstExpr, AstOp, LoopProgram, Node, Unroll};
use scop::*;

pub fn name(name: &str) -> AstExpr {
    AstExpr::Name(name.to_owned())
}

pub fn int(value: i64) -> AstExpr {
    AstExpr::Int(value)
}

pub fn op(operator: AstOp, left: AstExpr, right: AstExpr) -> AstExpr {
    AstExpr::Op(operator, vec![left, right])
}

/// `16 * by + ty`
pub fn coordinate(block: &str, size: i64, thread: &str) -> AstExpr {
    op(AstOp::Add, op(AstOp::Mul, int(size), name(block)), name(thread))
}

/// `(size + width - 1) / width`
pub fn blocks(size: AstExpr, width: i64) -> AstExpr {
    op(AstOp::FloorDiv, op(AstOp::Add, size, int(width - 1)), int(width))
}

pub fn less(left: AstExpr, right: AstExpr) -> AstExpr {
    op(AstOp::Lt, left, right)
}

pub fn block(children: Vec<Node>) -> Node {
    Node::Block { children }
}

pub fn when(condition: AstExpr, then: Node) -> Node {
    Node::If { condition, then: Box::new(then), otherwise: None }
}

pub fn count(iterator: &str, end: AstExpr, body: Node) -> Node {
    Node::For {
        iterator: iterator.to_owned(),
        init: int(0),
        condition: op(AstOp::Lt, name(iterator), end),
        increment: int(1),
        degenerate: false,
        unroll: Unroll::Compiler,
        body: Box::new(body),
    }
}

pub fn transfer(array: u32, to_device: bool) -> Node {
    Node::Transfer { array: ArrayId(array), to_device, part: None }
}

pub fn kernel(number: u32, extent: Vec<AstExpr>, body: Node) -> Node {
    Node::Kernel {
        ranked: None,
        kernel: KernelId(number),
        lower: vec![int(0); extent.len()],
        extent,
        body: Box::new(body),
    }
}

/// An instance with its accesses; each place is the access, its buffer and its index.
pub fn instance(
    statement: u32,
    iterators: Vec<AstExpr>,
    places: Vec<(u32, Option<u32>, Vec<AstExpr>)>,
) -> Node {
    let accesses = places.into_iter().map(|(access, buffer, index)| AccessPlace {
        access: AccessId(access),
        buffer: buffer.map(BufferId),
        index,
    });
    Node::Instance { statement: StatementId(statement), iterators, accesses: accesses.collect() }
}

pub fn slice(array: u32, extent: AstExpr, inner_extents: Vec<AstExpr>) -> ArraySlice {
    ArraySlice { array: ArrayId(array), lower: int(0), extent, inner_extents, boxes: None, packing: None }
}

pub fn array(id: u32, name: &str, element: CType, extents: &[&str]) -> Array {
    let extent = |text: &&str| {
        let parameters = if text.parse::<i64>().is_ok() { String::new() } else { format!("[{text}] -> ") };
        Extent { c: Some((*text).to_owned()), value: Some(IslPwAff(format!("{parameters}{{ [({text})] }}"))) }
    };
    Array {
        id: ArrayId(id),
        name: name.to_owned(),
        expression: name.to_owned(),
        element,
        storage: if extents.is_empty() { Storage::Scalar } else { Storage::Contiguous },
        extents: extents.iter().map(extent).collect(),
        scope_depth: 0,
        constant: false,
        enumeration: false,
        may_alias: false,
        restrict: false,
        dead_after: false,
        concurrent: false,
        expansion_of: None,
        memory: Vec::new(),
        apart: false,
        visible: true,
        declared_at: None,
    }
}

pub fn parameter(name: &str, ctype: CType) -> Parameter {
    Parameter { name: name.to_owned(), expression: name.to_owned(), ctype }
}

pub fn access(id: u32, array: u32, kind: AccessKind, relation: &str) -> Access {
    Access {
        id: AccessId(id),
        array: ArrayId(array),
        kind,
        certainty: Certainty::Must,
        indirect: false,
        in_both_branches: false,
        relation: IslMap(relation.to_owned()),
    }
}

pub fn expr(ctype: CType, kind: ExprKind) -> Box<Expr> {
    Box::new(Expr { ctype, kind })
}

pub fn reading(access: u32, ctype: CType) -> Box<Expr> {
    expr(ctype, ExprKind::Read { access: AccessId(access), subscripts: Vec::new() })
}

pub fn binary(ctype: CType, operator: BinaryOp, left: Box<Expr>, right: Box<Expr>) -> Box<Expr> {
    expr(ctype, ExprKind::Binary { operator, left, right })
}

pub fn assign(access: u32, value: Expr, compound: Option<BinaryOp>) -> Vec<Step> {
    vec![Step::Assign { access: AccessId(access), subscripts: Vec::new(), value, compound }]
}

/// A loop of the source.
pub fn counted(number: u32, iterator: &str, ctype: CType, parent: Option<u32>) -> Loop {
    Loop { id: LoopId(number), iterator: iterator.to_owned(), ctype, parent: parent.map(LoopId), range: None }
}

/// A statement with its text in the source, and the loops around it.
pub fn statement(
    id: u32,
    source: &str,
    text: &str,
    loops: &[u32],
    domain: &str,
    accesses: Vec<Access>,
    body: Vec<Step>,
) -> Statement {
    let start = source.find(text).unwrap();
    let range = range(source, start, start + text.len());
    let domain = IslSet(domain.to_owned());
    let loops = loops.iter().copied().map(LoopId).collect();
    Statement { id: StatementId(id), loops, domain, accesses, body, range, text: text.to_owned() }
}

pub fn range(source: &str, start: usize, end: usize) -> SourceRange {
    let line = source[..start].matches('\n').count() + 1;
    SourceRange { start: start as u32, end: end as u32, line: line as u32, column: 1 }
}

pub fn mapped(number: u32, grid: &[Axis], block: &[(Axis, u32)], statements: &[u32]) -> Kernel {
    let zero = || IslPwAff("{ [(0)] }".to_owned());
    let grid = grid.iter().map(|&axis| GridDimension { axis, lower: zero(), extent: zero() });
    Kernel {
        id: KernelId(number),
        statements: statements.iter().copied().map(StatementId).collect(),
        host_depth: 0,
        grid: grid.collect(),
        ranked: None,
        block: block.iter().map(|&(axis, size)| BlockDimension { axis, size }).collect(),
        shared_sums: Vec::new(),
        loading: None,
        ahead: false,
        priced: None,
        tile_sizes: Vec::new(),
        reasons: Vec::new(),
    }
}

pub fn buffer(id: u32, name: &str, array: u32, memory: Memory, sizes: &[u32]) -> Buffer {
    Buffer {
        id: BufferId(id),
        name: name.to_owned(),
        array: ArrayId(array),
        memory,
        accesses: Vec::new(),
        places: Vec::new(),
        existing: None,
        partial: None,
        in_order: false,
        depth: 0,
        index: IslMap(String::new()),
        sizes: sizes.to_vec(),
        layout: scop::Layout::default(),
        reuse: None,
        reason: String::new(),
    }
}

/// The parts that differ between documents.
pub struct Document {
    pub name: &'static str,
    pub source: &'static str,
    pub parameters: Vec<Parameter>,
    pub context: &'static str,
    pub loops: Vec<Loop>,
    pub arrays: Vec<Array>,
    pub statements: Vec<Statement>,
    pub kernels: Vec<Kernel>,
    pub buffers: Vec<Buffer>,
    pub slices: Vec<ArraySlice>,
    pub body: Node,
}

impl Document {
    pub fn program(self) -> Program<Scanned> {
        let start = self.source.find("#pragma scop").unwrap();
        let end = self.source.find("endscop").unwrap() + "endscop".len();
        let region = Region {
            function: self.name.to_owned(),
            range: range(self.source, start, end),
            last_line: None,
            macros: Vec::new(),
        };
        let nothing = IslSchedule(String::new());
        let model = Model {
            name: format!("{}_scop0", self.name),
            parameters: self.parameters,
            context: IslSet(self.context.to_owned()),
            assumptions: None,
            loops: self.loops,
            independent: Vec::new(),
            wishes: Vec::new(),
            arrays: self.arrays,
            statements: self.statements,
            order: nothing.clone(),
            extensions: Vec::new(),
        };
        let dependences = Dependences {
            flow: Vec::new(),
            anti: Vec::new(),
            output: Vec::new(),
            live_in: Vec::new(),
            live_out: Vec::new(),
            reductions: Vec::new(),
            dead: Vec::new(),
            waived: Vec::new(),
        };
        let mapping = Mapping {
            tree: nothing.clone(),
            kernels: self.kernels,
            host: Vec::new(),
            threshold: None,
            answers: Vec::new(),
        };
        let placed = KernelPlacement {
            kernel: KernelId(0),
            buffers: self.buffers,
            shared_bytes: 0,
            unlike_price: Vec::new(),
        };
        let placement = Placement {
            tree: nothing.clone(),
            device: Vec::new(),
            kernels: vec![placed],
            answers: Vec::new(),
        };
        let analysed = Analysed { expansions: Expansions::default(), dependences, variants: Vec::new() };
        let ordered = Ordered {
            analysed,
            schedule: nothing,
            scheduled_by: None,
            algorithm: None,
            fusion: None,
            variant: None,
        };
        let placed = Placed { scheduled: Scheduled { ordered, mapping }, placement };
        let ast = LoopProgram { arrays: self.slices, body: self.body };
        Program {
            functions: Vec::new(),
            memory: Vec::new(),
            host: Vec::new(),
            prevented: Vec::new(),
            residency: None,
            format: FORMAT.to_owned(),
            version: VERSION,
            source: Source {
                path: format!("src/{}.c", self.name),
                language: "c".to_owned(),
                hash: hash_text(self.source.as_bytes()),
                regions: vec![region],
                lines: Vec::new(),
            },
            scops: vec![Scop::new(model, Scanned { placed, ast })],
        }
    }
}
