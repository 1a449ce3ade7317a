//! Small scanned documents, written by hand, and what is generated from them.
//!
//! `UPDATE_GOLDEN=1 cargo test -p cudagen` writes the expected files, to be read before they are committed.

mod host_parts;

use std::path::Path;

use crate::{Target, run};
use scop::ast::expression::replace;
use scop::ast::tree::map_expressions;
use scop::ast::{AccessPlace, ArraySlice, AstExpr, AstOp, LoopProgram, Node, Unroll};
use scop::*;

fn name(name: &str) -> AstExpr {
    AstExpr::Name(name.to_owned())
}

fn int(value: i64) -> AstExpr {
    AstExpr::Int(value)
}

fn op(operator: AstOp, left: AstExpr, right: AstExpr) -> AstExpr {
    AstExpr::Op(operator, vec![left, right])
}

/// `16 * by + ty`
fn coordinate(block: &str, size: i64, thread: &str) -> AstExpr {
    op(AstOp::Add, op(AstOp::Mul, int(size), name(block)), name(thread))
}

/// `(size + width - 1) / width`
fn blocks(size: AstExpr, width: i64) -> AstExpr {
    op(AstOp::FloorDiv, op(AstOp::Add, size, int(width - 1)), int(width))
}

fn less(left: AstExpr, right: AstExpr) -> AstExpr {
    op(AstOp::Lt, left, right)
}

fn block(children: Vec<Node>) -> Node {
    Node::Block { children }
}

fn when(condition: AstExpr, then: Node) -> Node {
    Node::If { condition, then: Box::new(then), otherwise: None }
}

fn count(iterator: &str, end: AstExpr, body: Node) -> Node {
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

fn transfer(array: u32, to_device: bool) -> Node {
    Node::Transfer { array: ArrayId(array), to_device, part: None }
}

fn kernel(number: u32, extent: Vec<AstExpr>, body: Node) -> Node {
    Node::Kernel { kernel: KernelId(number), lower: vec![int(0); extent.len()], extent, body: Box::new(body) }
}

/// Each place: the access, its buffer, its index.
fn instance(statement: u32, iterators: Vec<AstExpr>, places: Vec<(u32, Option<u32>, Vec<AstExpr>)>) -> Node {
    let accesses = places.into_iter().map(|(access, buffer, index)| AccessPlace {
        access: AccessId(access),
        buffer: buffer.map(BufferId),
        index,
    });
    Node::Instance { statement: StatementId(statement), iterators, accesses: accesses.collect() }
}

fn slice(array: u32, extent: AstExpr, inner_extents: Vec<AstExpr>) -> ArraySlice {
    ArraySlice { array: ArrayId(array), lower: int(0), extent, inner_extents, boxes: None, packing: None }
}

fn array(id: u32, name: &str, element: CType, extents: &[&str]) -> Array {
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
        stay: None,
        read_in_stay: false,
        home: None,
        visible: true,
        declared_at: None,
    }
}

fn parameter(name: &str, ctype: CType) -> Parameter {
    Parameter { name: name.to_owned(), expression: name.to_owned(), ctype }
}

fn access(id: u32, array: u32, kind: AccessKind, relation: &str) -> Access {
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

fn expr(ctype: CType, kind: ExprKind) -> Box<Expr> {
    Box::new(Expr { ctype, kind })
}

fn read(access: u32, ctype: CType) -> Box<Expr> {
    expr(ctype, ExprKind::Read { access: AccessId(access), subscripts: Vec::new() })
}

fn binary(ctype: CType, operator: BinaryOp, left: Box<Expr>, right: Box<Expr>) -> Box<Expr> {
    expr(ctype, ExprKind::Binary { operator, left, right })
}

fn assign(access: u32, value: Expr, compound: Option<BinaryOp>) -> Vec<Step> {
    vec![Step::Assign { access: AccessId(access), subscripts: Vec::new(), value, compound }]
}

/// A loop of the source.
fn counted(number: u32, iterator: &str, ctype: CType, parent: Option<u32>) -> Loop {
    Loop { id: LoopId(number), iterator: iterator.to_owned(), ctype, parent: parent.map(LoopId), range: None }
}

/// The statement whose text stands in the source, and the loops around it.
fn statement(
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

fn range(source: &str, start: usize, end: usize) -> SourceRange {
    let line = source[..start].matches('\n').count() + 1;
    SourceRange { start: start as u32, end: end as u32, line: line as u32, column: 1 }
}

fn mapped(number: u32, grid: &[Axis], block: &[(Axis, u32)], statements: &[u32]) -> Kernel {
    let zero = || IslPwAff("{ [(0)] }".to_owned());
    let grid = grid.iter().map(|&axis| GridDimension { axis, lower: zero(), extent: zero() });
    Kernel {
        id: KernelId(number),
        statements: statements.iter().copied().map(StatementId).collect(),
        host_depth: 0,
        grid: grid.collect(),
        block: block.iter().map(|&(axis, size)| BlockDimension { axis, size }).collect(),
        tile_sizes: Vec::new(),
        reasons: Vec::new(),
    }
}

fn buffer(id: u32, name: &str, array: u32, memory: Memory, sizes: &[u32]) -> Buffer {
    Buffer {
        id: BufferId(id),
        name: name.to_owned(),
        array: ArrayId(array),
        memory,
        accesses: Vec::new(),
        places: Vec::new(),
        existing: None,
        depth: 0,
        index: IslMap(String::new()),
        sizes: sizes.to_vec(),
        layout: scop::Layout::default(),
        reuse: None,
        reason: String::new(),
    }
}

/// What differs between documents.
struct Document {
    name: &'static str,
    source: &'static str,
    parameters: Vec<Parameter>,
    context: &'static str,
    loops: Vec<Loop>,
    arrays: Vec<Array>,
    statements: Vec<Statement>,
    kernels: Vec<Kernel>,
    buffers: Vec<Buffer>,
    slices: Vec<ArraySlice>,
    body: Node,
}

impl Document {
    fn program(self) -> Program<Scanned> {
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
        let mapping =
            Mapping { tree: nothing.clone(), kernels: self.kernels, host: Vec::new(), answers: Vec::new() };
        let placed = KernelPlacement { kernel: KernelId(0), buffers: self.buffers, shared_bytes: 0 };
        let placement = Placement {
            tree: nothing.clone(),
            device: Vec::new(),
            kernels: vec![placed],
            answers: Vec::new(),
        };
        let analysed = Analysed { expansions: Expansions::default(), dependences };
        let ordered = Ordered { analysed, schedule: nothing, scheduled_by: None, fusion: None };
        let placed = Placed { scheduled: Scheduled { ordered, mapping }, placement };
        let ast = LoopProgram { arrays: self.slices, body: self.body };
        Program {
            functions: Vec::new(),
            format: FORMAT.to_owned(),
            version: VERSION,
            source: Source {
                path: format!("src/{}.c", self.name),
                language: "c".to_owned(),
                hash: hash_text(self.source.as_bytes()),
                regions: vec![region],
                stays: Vec::new(),
                lines: Vec::new(),
            },
            scops: vec![Scop::new(model, Scanned { placed, ast })],
        }
    }
}

const MATMUL: &str = "void matmul(int n, double *C, const double A[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[n * i + j] += A[i][k] * A[k][j];
#pragma endscop
}
";

/// Parameters, an array that may alias and whose subscripts are linear in the source, tiles in shared memory, barriers,
/// a sum in a register.
fn matmul() -> Document {
    let (row, column) = (coordinate("by", 16, "ty"), coordinate("bx", 16, "tx"));
    let inside = op(AstOp::And, less(row.clone(), name("n")), less(column.clone(), name("n")));
    let step = |k: AstExpr, thread: &str| op(AstOp::Add, op(AstOp::Mul, int(16), k), name(thread));
    let copy = |number: u32, element: Vec<AstExpr>, into_buffer| Node::Copy {
        buffer: BufferId(number),
        into_buffer,
        element,
        place: if number == 2 { vec![] } else { vec![name("ty"), name("tx")] },
    };
    let product = instance(
        0,
        vec![row.clone(), column.clone(), op(AstOp::Add, op(AstOp::Mul, int(16), name("c2")), name("c3"))],
        vec![
            (0, Some(2), vec![]),
            (1, Some(0), vec![name("ty"), name("c3")]),
            (2, Some(1), vec![name("c3"), name("tx")]),
            (3, Some(2), vec![]),
        ],
    );
    let rest = op(AstOp::Sub, name("n"), op(AstOp::Mul, int(16), name("c2")));
    let tile = block(vec![
        when(
            op(AstOp::And, less(row.clone(), name("n")), less(step(name("c2"), "tx"), name("n"))),
            copy(0, vec![row.clone(), step(name("c2"), "tx")], true),
        ),
        when(
            op(AstOp::And, less(step(name("c2"), "ty"), name("n")), less(column.clone(), name("n"))),
            copy(1, vec![step(name("c2"), "ty"), column.clone()], true),
        ),
        Node::Barrier,
        when(inside.clone(), count("c3", op(AstOp::Min, int(16), rest), product)),
        Node::Barrier,
    ]);
    let body = block(vec![
        when(inside.clone(), copy(2, vec![row.clone(), column.clone()], true)),
        count("c2", blocks(name("n"), 16), tile),
        when(inside, copy(2, vec![row, column], false)),
    ]);
    let accesses = vec![
        access(0, 0, AccessKind::Read, "[n] -> { S0[i, j, k] -> A0[i, j] }"),
        access(1, 1, AccessKind::Read, "[n] -> { S0[i, j, k] -> A1[i, k] }"),
        access(2, 1, AccessKind::Read, "[n] -> { S0[i, j, k] -> A1[k, j] }"),
        access(3, 0, AccessKind::Write, "[n] -> { S0[i, j, k] -> A0[i, j] }"),
    ];
    let double = CType::Double;
    let product = binary(double, BinaryOp::Mul, read(1, double), read(2, double));
    let steps = assign(3, *binary(double, BinaryOp::Add, read(0, double), product), Some(BinaryOp::Add));
    let domain = "[n] -> { S0[i, j, k] : 0 <= i, j, k < n }";
    let text = "C[n * i + j] += A[i][k] * A[k][j];";
    let mut c = array(0, "C", double, &["n", "n"]);
    c.may_alias = true;
    c.extents.iter_mut().for_each(|extent| extent.c = None);
    let mut a = array(1, "A", double, &["n", "n"]);
    a.constant = true;
    Document {
        name: "matmul",
        source: MATMUL,
        parameters: vec![parameter("n", CType::Int)],
        context: "[n] -> { : }",
        loops: vec![
            counted(0, "i", CType::Int, None),
            counted(1, "j", CType::Int, Some(0)),
            counted(2, "k", CType::Int, Some(1)),
        ],
        arrays: vec![c, a],
        statements: vec![statement(0, MATMUL, text, &[0, 1, 2], domain, accesses, steps)],
        kernels: vec![mapped(0, &[Axis::X, Axis::Y], &[(Axis::X, 16), (Axis::Y, 16)], &[0])],
        buffers: vec![
            buffer(0, "shared_A", 1, Memory::Shared, &[16, 16]),
            buffer(1, "shared_A", 1, Memory::Shared, &[16, 16]),
            buffer(2, "private_C", 0, Memory::Private, &[]),
        ],
        slices: vec![slice(0, name("n"), vec![name("n")]), slice(1, name("n"), vec![name("n")])],
        body: block(vec![
            transfer(0, true),
            transfer(1, true),
            kernel(0, vec![blocks(name("n"), 16), blocks(name("n"), 16)], body),
            transfer(0, false),
        ]),
    }
}

/// nvcc may see that a loop in a kernel ends at the smallest of two bounds, but not of three.
#[test]
fn ends_at_the_smallest_of_three_are_hidden() {
    let text = |end: &AstExpr| {
        let document = matmul();
        let rest = op(AstOp::Sub, name("n"), op(AstOp::Mul, int(16), name("c2")));
        let old = op(AstOp::Min, int(16), rest);
        let body = map_expressions(document.body, &|expr| replace(expr, &old, end));
        let program = Document { body, ..document }.program();
        run(program, MATMUL.as_bytes(), Target::Cuda, false).unwrap().value.kernels
    };
    let two = op(AstOp::Min, int(16), name("n"));
    let seen = text(&two);
    assert!(seen.contains("for (int c3 = 0; c3 < min(16, n); c3++)"), "{seen}");
    assert!(!seen.contains("cuda_bound"), "{seen}");
    let hidden = text(&op(AstOp::Min, two, name("bx")));
    assert!(
        hidden.contains(
            "for (int c3 = 0, cuda_end_c3 = cuda_bound(min(min(16, n), bx)); c3 < cuda_end_c3; c3++)"
        ),
        "{hidden}"
    );
    assert!(hidden.contains("static __device__ inline int cuda_bound(int bound)"), "{hidden}");
}

const SMOOTH: &str = "static float u[100], v[100];

float smooth(long steps, float weight)
{
    float first;
    long t;
    int i;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i < 100; i++)
            v[i] = u[i - 1] * weight;
        first = v[1] * 0.5f;
        for (i = 1; i < 100; i++)
            u[i] = v[i] + first + t;
    }
#pragma endscop
    return first;
}
";

/// Constant sizes and a `long` parameter, a loop on the host around two kernels and an instance on the host, a scalar
/// that the host writes and a kernel reads.
fn smooth() -> Document {
    let (float, index) = (CType::Float, coordinate("bx", 64, "tx"));
    let inside = op(AstOp::And, op(AstOp::Ge, index.clone(), int(1)), op(AstOp::Lt, index.clone(), int(100)));
    let before = op(AstOp::Add, index.clone(), int(-1));
    let first = instance(
        0,
        vec![name("c0"), index.clone()],
        vec![(0, None, vec![before]), (1, None, vec![]), (2, None, vec![index.clone()])],
    );
    let middle = instance(1, vec![name("c0")], vec![(3, None, vec![int(1)]), (4, None, vec![])]);
    let second = instance(
        2,
        vec![name("c0"), index.clone()],
        vec![(5, None, vec![index.clone()]), (6, None, vec![]), (7, None, vec![index])],
    );
    let step = block(vec![
        kernel(0, vec![int(2)], when(inside.clone(), first)),
        transfer(1, false),
        middle,
        kernel(1, vec![int(2)], when(inside, second)),
    ]);
    let product = binary(float, BinaryOp::Mul, read(0, float), read(1, float));
    let half = expr(float, ExprKind::Floating { value: "0.5".to_owned() });
    let time = expr(CType::Long, ExprKind::Iterator { dimension: 0 });
    let time = expr(float, ExprKind::Cast { implicit: true, operand: time });
    let sum = binary(float, BinaryOp::Add, read(5, float), read(6, float));
    let texts = ["v[i] = u[i - 1] * weight;", "first = v[1] * 0.5f;", "u[i] = v[i] + first + t;"];
    let domains = [
        "[steps] -> { S0[t, i] : 0 <= t < steps and 1 <= i < 100 }",
        "[steps] -> { S1[t] : 0 <= t < steps }",
        "[steps] -> { S2[t, i] : 0 <= t < steps and 1 <= i < 100 }",
    ];
    let accesses = [
        vec![
            access(0, 0, AccessKind::Read, "{ S0[t, i] -> A0[i - 1] }"),
            access(1, 2, AccessKind::Read, "{ S0[t, i] -> A2[] }"),
            access(2, 1, AccessKind::Write, "{ S0[t, i] -> A1[i] }"),
        ],
        vec![
            access(3, 1, AccessKind::Read, "{ S1[t] -> A1[1] }"),
            access(4, 3, AccessKind::Write, "{ S1[t] -> A3[] }"),
        ],
        vec![
            access(5, 1, AccessKind::Read, "{ S2[t, i] -> A1[i] }"),
            access(6, 3, AccessKind::Read, "{ S2[t, i] -> A3[] }"),
            access(7, 0, AccessKind::Write, "{ S2[t, i] -> A0[i] }"),
        ],
    ];
    let steps = [
        assign(2, *product, None),
        assign(4, *binary(float, BinaryOp::Mul, read(3, float), half), None),
        assign(7, *binary(float, BinaryOp::Add, sum, time), None),
    ];
    let loops: [&[u32]; 3] = [&[0, 1], &[0], &[0, 2]];
    let mut statements = Vec::new();
    for (number, (accesses, steps)) in accesses.into_iter().zip(steps).enumerate() {
        let (text, domain) = (texts[number], domains[number]);
        statements.push(statement(number as u32, SMOOTH, text, loops[number], domain, accesses, steps));
    }
    let block_size = [(Axis::X, 64)];
    Document {
        name: "smooth",
        source: SMOOTH,
        parameters: vec![parameter("steps", CType::Long)],
        context: "[steps] -> { : }",
        loops: vec![
            counted(0, "t", CType::Long, None),
            counted(1, "i", CType::Int, Some(0)),
            counted(2, "i", CType::Int, Some(0)),
        ],
        arrays: vec![
            array(0, "u", float, &["100"]),
            array(1, "v", float, &["100"]),
            array(2, "weight", float, &[]),
            array(3, "first", float, &[]),
        ],
        statements,
        kernels: vec![mapped(0, &[Axis::X], &block_size, &[0]), mapped(1, &[Axis::X], &block_size, &[2])],
        buffers: Vec::new(),
        slices: vec![slice(0, int(100), vec![]), slice(1, int(100), vec![])],
        body: block(vec![
            transfer(0, true),
            count("c0", name("steps"), step),
            transfer(0, false),
            transfer(1, false),
        ]),
    }
}

const FILL: &str = "static int a[10][10];
void fill(void)
{
    int i, j;
    #pragma scop
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++)
            a[i][j] = i;
    #pragma endscop
}
";

/// Nothing to check at run time, so the region becomes a plain call; a loop that runs once.
fn fill() -> Document {
    let write = instance(0, vec![name("ty"), name("c1")], vec![(0, None, vec![name("ty"), name("c1")])]);
    let body = Node::For {
        iterator: "c1".to_owned(),
        init: name("tx"),
        condition: int(1),
        increment: int(1),
        degenerate: true,
        unroll: Unroll::Compiler,
        body: Box::new(write),
    };
    let accesses = vec![access(0, 0, AccessKind::Write, "{ S0[i, j] -> A0[i, j] }")];
    let steps = assign(0, *expr(CType::Int, ExprKind::Iterator { dimension: 0 }), None);
    let domain = "{ S0[i, j] : 0 <= i, j < 10 }";
    Document {
        name: "fill",
        source: FILL,
        parameters: Vec::new(),
        context: "{ : }",
        loops: vec![counted(0, "i", CType::Int, None), counted(1, "j", CType::Int, Some(0))],
        arrays: vec![array(0, "a", CType::Int, &["10", "10"])],
        statements: vec![statement(0, FILL, "a[i][j] = i;", &[0, 1], domain, accesses, steps)],
        kernels: vec![mapped(0, &[], &[(Axis::X, 10), (Axis::Y, 10)], &[0])],
        buffers: Vec::new(),
        slices: vec![slice(0, int(10), vec![int(10)])],
        body: block(vec![kernel(0, vec![], body), transfer(0, false)]),
    }
}

#[track_caller]
fn assert_golden(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{file} is not as expected; UPDATE_GOLDEN=1 renews it");
}

#[test]
fn what_is_generated_is_as_expected() {
    for document in [matmul(), smooth(), fill()] {
        let (name, source) = (document.name, document.source);
        let generated = run(document.program(), source.as_bytes(), Target::Cuda, false).unwrap().value;
        assert_eq!(generated.name, name);
        assert_golden(&format!("{name}_host.c"), std::str::from_utf8(&generated.host).unwrap());
        assert_golden(&format!("{name}_gpu.cu"), &generated.kernels);
        assert_golden(&format!("{name}_gpu.h"), &generated.header);
    }
}

#[test]
fn a_source_that_changed_is_refused() {
    let error = run(fill().program(), b"int main(void) { return 0; }", Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0601");
}

#[test]
fn long_double_in_a_kernel_is_refused() {
    let mut document = fill();
    document.arrays[0].element = CType::LongDouble;
    let error = run(document.program(), FILL.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0602");
}

#[test]
fn loops_beyond_64_bits_are_refused() {
    let mut document = fill();
    document.body = count("c0", op(AstOp::Add, int(i64::MAX), int(i64::MAX)), document.body);
    let error = run(document.program(), FILL.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0603");
}

#[test]
fn too_much_shared_memory_is_refused() {
    let mut document = matmul();
    document.buffers[0].sizes = vec![512, 512];
    let error = run(document.program(), MATMUL.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0606");
}

#[test]
fn much_shared_memory_is_asked_for_at_the_launch() {
    let mut document = matmul();
    document.buffers[0].sizes = vec![128, 128];
    let kernels = run(document.program(), MATMUL.as_bytes(), Target::Cuda, false).unwrap().value.kernels;
    for words in [
        "extern __shared__ __align__(16) unsigned char shared_memory[];",
        "[128])shared_memory;",
        "cudaFuncAttributeMaxDynamicSharedMemorySize",
    ] {
        assert!(kernels.contains(words), "{words} is not in\n{kernels}");
    }
}

#[test]
fn a_program_without_kernels_stays_as_it_is() {
    let mut document = fill();
    document.body = block(Vec::new());
    let generated = run(document.program(), FILL.as_bytes(), Target::Cuda, false).unwrap().value;
    let expected = format!("#include \"fill_gpu.h\"\n#line 1 \"src/fill.c\"\n{FILL}");
    assert_eq!(generated.host, expected.into_bytes());
    assert!(!generated.kernels.contains("cuda_check"));
}

/// Whatever the generated code calls of a runtime library is known as such to the tool that reads C.
#[test]
fn the_functions_called_are_those_that_programs_may_not_define() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/print");
    let mut count = 0;
    for text in walk(&folder).iter().map(|path| std::fs::read_to_string(path).unwrap()) {
        for word in runtime_functions(&text).iter().filter(|word| *word != LAUNCHING_MACRO) {
            assert!(names::is_runtime_function(word), "{word}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

/// It calls `hipLaunchKernel`.
const LAUNCHING_MACRO: &str = "hipLaunchKernelGGL";

/// The functions of runtime libraries that a source of ours calls: `cudaMalloc(`, `gpuMalloc(` for that of each
/// language, `checked("Malloc", …` for the same.
fn runtime_functions(text: &str) -> Vec<String> {
    let prefixes = Target::ALL.map(Target::prefix);
    let mut found = Vec::new();
    for prefix in prefixes.iter().chain(&["gpu"]) {
        for (at, _) in text.match_indices(prefix) {
            let rest = &text[at..];
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length);
            let is_word = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let name = &word[prefix.len()..];
            let is_call = is_word && name.starts_with(char::is_uppercase) && behind.starts_with('(');
            match (is_call, *prefix) {
                (true, "gpu") => found.extend(prefixes.iter().map(|prefix| format!("{prefix}{name}"))),
                (true, _) => found.push(word.to_owned()),
                (false, _) => {}
            }
        }
    }
    for call in text.split("checked(\"").skip(1) {
        let name = call.split('"').next().unwrap();
        found.extend(prefixes.iter().map(|prefix| format!("{prefix}{name}")));
    }
    found
}

/// The printers alone know names of languages.
#[test]
fn no_other_file_has_names_of_cuda() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in walk(&folder) {
        let shown = path.strip_prefix(&folder).unwrap().display().to_string();
        if shown.starts_with("print") || shown.starts_with("tests") || shown.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let own = line.to_lowercase().replace("c2cuda", "").replace("cudagen", "");
            let literals = own.split('"').skip(1).step_by(2);
            let named = literals.filter(|literal| literal.contains("cuda") || literal.contains("<<<"));
            assert_eq!(named.count(), 0, "{shown}: {line}");
        }
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
