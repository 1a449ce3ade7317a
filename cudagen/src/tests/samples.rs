//! Three small programs.

use super::document::*;
use scop::ast::{AstExpr, AstOp, Node, Unroll};
use scop::*;

pub const MATMUL: &str = "void matmul(int n, double *C, const double A[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[n * i + j] += A[i][k] * A[k][j];
#pragma endscop
}
";

/// Has parameters, an array that may alias and has linear subscripts in the source, tiles in shared memory, barriers,
/// and a sum in a register.
pub fn matmul() -> Document {
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
    let product = binary(double, BinaryOp::Mul, reading(1, double), reading(2, double));
    let steps = assign(3, *binary(double, BinaryOp::Add, reading(0, double), product), Some(BinaryOp::Add));
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

pub const SMOOTH: &str = "static float u[100], v[100];

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

/// Has constant sizes and a `long` parameter, a loop on the host around two kernels and a host instance, and a scalar
/// that the host writes and a kernel reads.
pub fn smooth() -> Document {
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
    let product = binary(float, BinaryOp::Mul, reading(0, float), reading(1, float));
    let half = expr(float, ExprKind::Floating { value: "0.5".to_owned() });
    let time = expr(CType::Long, ExprKind::Iterator { dimension: 0 });
    let time = expr(float, ExprKind::Cast { implicit: true, operand: time });
    let sum = binary(float, BinaryOp::Add, reading(5, float), reading(6, float));
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
        assign(4, *binary(float, BinaryOp::Mul, reading(3, float), half), None),
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

pub const FILL: &str = "static int a[10][10];
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

/// Has nothing to check at run time, so a plain call replaces the region, and a loop that runs once.
pub fn fill() -> Document {
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
