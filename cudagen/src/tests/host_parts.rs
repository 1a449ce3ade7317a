//! What host functions ask, launch and copy, in documents of one kernel and perhaps a statement on the host.

use super::*;

const SOURCE: &str = "void f(int n, int m)
{
#pragma scop
    x;
#pragma endscop
}
";

/// What an instance touches: an array, how, whether it certainly does, and which elements.
type Touch = (u32, AccessKind, Certainty, &'static str);

const READ: AccessKind = AccessKind::Read;
const WRITE: AccessKind = AccessKind::Write;
const MUST: Certainty = Certainty::Must;
const MAY: Certainty = Certainty::May;

fn row() -> AstExpr {
    coordinate("bx", 32, "tx")
}

fn pointer(id: u32, name: &str, may_alias: bool, restrict: bool) -> Array {
    let mut array = array(id, name, CType::Double, &["n"]);
    (array.may_alias, array.restrict) = (may_alias, restrict);
    array.extents[0] = Extent { c: None, value: None };
    array
}

/// Accesses from a number on; the first that writes is given a one.
fn touching(
    id: u32,
    first: u32,
    loops: &[u32],
    domain: &str,
    touches: &[Touch],
    arrays: &[Array],
) -> Statement {
    let numbered = (first..).zip(touches);
    let accesses = numbered.clone().map(|(number, &(array, kind, certainty, relation))| Access {
        certainty,
        ..access(number, array, kind, relation)
    });
    let mut steps = Vec::new();
    if let Some((number, touch)) = numbered.clone().find(|(_, touch)| touch.1 == WRITE) {
        let one = |ctype: CType| ExprKind::Floating { value: "1.0".to_owned() }.into_expr(ctype);
        steps = assign(number, one(arrays[touch.0 as usize].element), None);
    }
    statement(id, SOURCE, "x;", loops, domain, accesses.collect(), steps)
}

trait IntoExpr {
    fn into_expr(self, ctype: CType) -> Expr;
}

impl IntoExpr for ExprKind {
    fn into_expr(self, ctype: CType) -> Expr {
        Expr { ctype, kind: self }
    }
}

/// `S0[i]` with `0 <= i < n` in a kernel, and `S1[]` on the host behind it; the first array comes home.
fn document(arrays: Vec<Array>, in_kernel: &[Touch], on_host: &[Touch]) -> Document {
    let index = |touch: &Touch, index: AstExpr| match arrays[touch.0 as usize].extents.len() {
        0 => vec![],
        1 => vec![index],
        rank => std::iter::once(index).chain(vec![int(0); rank - 1]).collect(),
    };
    let places = |first: usize, touches: &[Touch], at: AstExpr| {
        let place = |(k, touch): (usize, &Touch)| ((first + k) as u32, None, index(touch, at.clone()));
        touches.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    let work = instance(0, vec![row()], places(0, in_kernel, row()));
    let domain = "[n, m] -> { S0[i] : 0 <= i < n }";
    let mut statements = vec![touching(0, 0, &[0], domain, in_kernel, &arrays)];
    let mut body =
        vec![kernel(0, vec![blocks(name("n"), 32)], when(less(row(), name("n")), work)), transfer(0, false)];
    if !on_host.is_empty() {
        let first = in_kernel.len();
        statements.push(touching(1, first as u32, &[], "[n, m] -> { S1[] }", on_host, &arrays));
        body.push(instance(1, vec![], places(first, on_host, name("m"))));
    }
    let is_used = |id: u32| in_kernel.iter().any(|touch| touch.0 == id);
    let sliced = arrays.iter().filter(|array| !array.extents.is_empty() && is_used(array.id.0));
    let slices = sliced.map(|array| slice(array.id.0, name("n"), vec![int(9); array.extents.len() - 1]));
    Document {
        name: "f",
        source: SOURCE,
        parameters: vec![parameter("n", CType::Int), parameter("m", CType::Int)],
        context: "[n, m] -> { : n >= 0 and m >= 0 }",
        slices: slices.collect(),
        loops: vec![counted(0, "i", CType::Int, None)],
        arrays,
        statements,
        kernels: vec![mapped(0, &[Axis::X], &[(Axis::X, 32)], &[0])],
        buffers: Vec::new(),
        body: block(body),
    }
}

const WHOLE: [&str; 4] = [
    "[n, m] -> { S0[i] -> A0[i] }",
    "[n, m] -> { S0[i] -> A1[i] }",
    "[n, m] -> { S0[i] -> A2[i] }",
    "[n, m] -> { S0[i] -> A3[i] }",
];

/// Where lines are broken does not matter here.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn generated(program: Program<Scanned>) -> String {
    let generated = run(program, SOURCE.as_bytes(), Target::Cuda, false).unwrap().value;
    in_one_line(&(generated.kernels + std::str::from_utf8(&generated.host).unwrap()))
}

fn text(document: Document) -> String {
    generated(document.program())
}

#[track_caller]
fn says(text: &str, words: &str) {
    assert!(text.contains(words), "{words:?} is not in\n{text}");
}

#[track_caller]
fn never_says(text: &str, words: &str) {
    assert!(!text.contains(words), "{words:?} is in\n{text}");
}

/// What is asked is whether one of two arrays is written that may overlap; of `restrict` arrays, whether both are.
#[test]
fn pointers_that_may_overlap_are_compared() {
    for (a, b, written, asked) in [
        ((false, false), (false, false), true, false),
        ((true, false), (true, false), false, true),
        ((true, false), (false, false), false, true),
        ((false, false), (true, false), false, true),
        ((false, true), (false, true), false, false),
        ((false, true), (false, true), true, true),
        ((false, true), (false, false), true, true),
        ((false, false), (false, true), false, false),
    ] {
        let arrays = vec![pointer(0, "a", a.0, a.1), pointer(1, "b", b.0, b.1)];
        let kind = if written { WRITE } else { READ };
        let text = text(document(arrays, &[(0, WRITE, MUST, WHOLE[0]), (1, kind, MUST, WHOLE[1])], &[]));
        let found = text.contains("cuda_overlap(a, dev_a_bytes, b, dev_b_bytes)");
        assert_eq!(found, asked, "{a:?} {b:?} {written}\n{text}");
    }
}

#[test]
fn each_pair_is_compared() {
    let mut scalar = array(3, "s", CType::Double, &[]);
    scalar.may_alias = true;
    let mut arrays: Vec<Array> =
        (0..3).zip(["a", "b", "c"]).map(|(id, name)| pointer(id, name, true, false)).collect();
    arrays.push(scalar);
    let read = |id: u32| (id, READ, MUST, WHOLE[id as usize]);
    let touches =
        [(0, WRITE, MUST, WHOLE[0]), read(1), read(2), (3, READ, MUST, "[n, m] -> { S0[i] -> A3[] }")];
    let text = text(document(arrays, &touches, &[]));
    for other in ["b, dev_b_bytes", "c, dev_c_bytes", "s, sizeof(double)"] {
        says(&text, &format!("cuda_overlap(a, dev_a_bytes, {other})"));
    }
    never_says(&text, "cuda_overlap(b,");
    never_says(&text, "cuda_overlap(c,");
}

/// Members of the same structures lie between one another; those of others may overlap.
#[test]
fn members_of_the_same_structures_are_not_compared() {
    let member = |id: u32, name: &str, base: &str| Array {
        storage: Storage::Member {
            structures: 1,
            stride: 24,
            base: base.to_owned(),
            member: format!(".{name}"),
        },
        expression: format!("{base}[0].{name}"),
        ..pointer(id, name, true, false)
    };
    for (base, asked) in [("p", false), ("q", true)] {
        let arrays = vec![member(0, "x", "p"), member(1, "y", base)];
        let text = text(document(arrays, &[(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])], &[]));
        assert_eq!(text.contains("cuda_overlap(x"), asked, "{text}");
    }
}

/// Of an array that the host uses itself, all that it uses is compared, and not only what the device holds.
#[test]
fn what_the_host_uses_is_compared() {
    let arrays = vec![pointer(0, "a", true, false), pointer(1, "b", true, false)];
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut document = document(arrays, &touches, &[(1, READ, MUST, "[n, m] -> { S1[] -> A1[m] }")]);
    document.context = "[n, m] -> { : 1 <= n < m }";
    says(&text(document), "cuda_overlap(a, dev_a_bytes, b, sizeof(double) * (m + 1))");
}

#[test]
fn pointers_that_are_not_certainly_followed_may_be_null() {
    let some = "[n, m] -> { S0[i] -> A0[i] : m > 0 }";
    for (alias, restrict, touches, asked) in [
        (true, false, vec![(0, WRITE, MUST, WHOLE[0])], false),
        (true, false, vec![(0, WRITE, MAY, WHOLE[0])], true),
        (false, true, vec![(0, WRITE, MAY, WHOLE[0])], true),
        (false, false, vec![(0, WRITE, MAY, WHOLE[0])], false),
        (true, false, vec![(0, WRITE, MAY, WHOLE[0]), (0, READ, MUST, some)], true),
        (true, false, vec![(0, WRITE, MAY, WHOLE[0]), (0, READ, MUST, WHOLE[0])], false),
    ] {
        let text = text(document(vec![pointer(0, "a", alias, restrict)], &touches, &[]));
        assert_eq!(text.contains("if (a == NULL)"), asked, "{touches:?}\n{text}");
    }
}

/// Only a write says that memory may be written. What the host may write, it writes as C does.
#[test]
fn memory_that_is_not_certainly_written_may_be_constant() {
    let one = || vec![pointer(0, "a", true, false)];
    let touches = [(0, WRITE, MAY, WHOLE[0]), (0, READ, MUST, WHOLE[0])];
    says(&text(document(one(), &touches, &[])), "!cuda_writable(a, dev_a_bytes)");
    let touches = [(0, WRITE, MUST, WHOLE[0])];
    never_says(&text(document(one(), &touches, &[])), "cuda_writable");
    let two = vec![pointer(0, "a", true, false), pointer(1, "b", false, true)];
    let on_host =
        [(1, WRITE, MAY, "[n, m] -> { S1[] -> A1[m] }"), (1, READ, MUST, "[n, m] -> { S1[] -> A1[m] }")];
    never_says(&text(document(two, &touches, &on_host)), "cuda_writable");
}

/// What the context says is not asked, unless it rests on assumptions, which are asked in expressions that must not
/// overflow either.
#[test]
fn parameters_are_asked_for_their_size() {
    let plain = || document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
    let context = |context| Document { context, ..plain() };
    let anything = text(context("[n, m] -> { : }"));
    says(&anything, "if (n < -2140000000 || n > 2140000000)");
    says(&text(context("[n, m] -> { : n >= 0 }")), "if (n > 2140000000)");
    never_says(&text(context("[n, m] -> { : 0 <= n <= 1000 }")), "Index expressions");
    let mut program = context("[n, m] -> { : 0 <= n and 5 n <= m }").program();
    program.scops[0].model.assumptions = Some(IslSet("[n, m] -> { : 5 n <= m }".to_owned()));
    let assumed = generated(program);
    says(&assumed, "n < -429000000 || n > 429000000 || m < -");
    says(&assumed, "if (!(");
    assert!(assumed.find("429000000") < assumed.find("if (!("), "{assumed}");
}

/// Integers of the source that are long are counted in `long`, and so is what would overflow soon.
#[test]
fn integers_are_as_long_as_they_need_to_be() {
    let plain = || document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
    says(&text(plain()), "const int bx");
    let mut long = plain();
    long.parameters[0].ctype = CType::Long;
    says(&text(long), "const long bx");
    let mut long = plain();
    long.loops[0].ctype = CType::Long;
    says(&text(long), "const long bx");
    let mut square = plain();
    square.body = count("c0", op(AstOp::Mul, name("n"), name("n")), square.body);
    says(&text(square), "for (long c0");
}

/// Along y and z CUDA starts 65535 blocks at once; along x as many as an `int` counts.
#[test]
fn large_grids_are_launched_in_parts() {
    let launches = |context: &'static str, lower: AstExpr, ctype: CType| {
        let mut document = document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
        document.context = context;
        document.parameters[0].ctype = ctype;
        document.kernels[0] = mapped(0, &[Axis::X, Axis::Y], &[(Axis::X, 32)], &[0]);
        let at = op(AstOp::Add, op(AstOp::Mul, int(32), name("by")), name("tx"));
        let body =
            when(op(AstOp::Eq, name("bx"), int(0)), instance(0, vec![at.clone()], vec![(0, None, vec![at])]));
        let launch = Node::Kernel {
            kernel: KernelId(0),
            lower: vec![int(0), lower],
            extent: vec![name("n"), name("n")],
            body: Box::new(body),
        };
        document.body = block(vec![when(op(AstOp::Le, name("n"), int(65535)), launch.clone()), launch]);
        text(document)
    };
    let small = "<<<dim3(n, n), 32>>>";
    let part = "for (long cuda_first_y = 0, cuda_blocks_y = n; cuda_first_y < cuda_blocks_y; cuda_first_y += 65535) {";
    let large = "<<<dim3(n, min(cuda_blocks_y - cuda_first_y, 65535L)), 32>>>";
    let text = launches("[n, m] -> { : 1 <= n <= 65536 }", int(0), CType::Int);
    says(&text, &format!("f_scop0_kernel0{small}(dev_a);"));
    says(&text, part);
    says(&text, &format!("f_scop0_kernel1{large}(cuda_first_y, dev_a);"));
    let text = launches("[n, m] -> { : 1 <= n <= 65535 }", name("m"), CType::Int);
    assert_eq!(text.matches(small).count(), 2, "{text}");
    never_says(&text, "cuda_first_y");
    let text = launches("[n, m] -> { : n >= 1 }", name("m"), CType::Int);
    says(&text, "(m, dev_a);");
    says(&text, "(m + cuda_first_y, dev_a);");
    never_says(&text, "cuda_first_x");
    says(&launches("[n, m] -> { : n >= 1 }", int(0), CType::Long), "cuda_first_x += 2147483647");
}

/// A condition holds where it was asked, not in the other branch.
#[test]
fn the_other_branch_asks_for_itself() {
    let mut document = document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
    let Node::Block { children } = &document.body else { unreachable!() };
    let launch = || Box::new(children[0].clone());
    let condition = op(AstOp::Ge, name("n"), int(1));
    document.body = Node::If { condition, then: launch(), otherwise: Some(launch()) };
    assert_eq!(text(document).matches("if ((n + 31) >> 5 > 0)").count(), 1);
}

/// Rows of rows are copied by a function that stands in the text then.
#[test]
fn parts_of_three_dimensions_are_copied_in_one_call() {
    let mut a = array(0, "a", CType::Double, &["n", "7", "9"]);
    a.extents[0] = Extent { c: None, value: None };
    let mut document = document(vec![a], &[(0, WRITE, MUST, "[n, m] -> { S0[i] -> A0[i, 0, 0] }")], &[]);
    document.slices[0].inner_extents = vec![int(7), int(9)];
    let part = ElementBox { lower: vec![int(1), int(2), int(3)], extent: vec![int(4), int(5), int(6)] };
    let Node::Block { children } = &mut document.body else { unreachable!() };
    children.push(Node::Transfer { array: ArrayId(0), to_device: false, part: Some(part) });
    let text = text(document);
    says(&text, "static void cuda_copy_box(");
    says(&text, "cuda_copy_box(a + (ptrdiff_t)(7 + 2) * 9 + 3, dev_a + (ptrdiff_t)(7 + 2) * 9 + 3, ");
    says(&text, "sizeof(double) * 9, 7, sizeof(double) * 6, 5, 4, cudaMemcpyDeviceToHost);");
}

/// Whatever is transferred has memory on the device.
#[test]
fn what_is_transferred_is_held() {
    let arrays = vec![pointer(0, "a", false, false), pointer(1, "b", false, false)];
    let on_host = [(1, READ, MUST, "[n, m] -> { S1[] -> A1[m] }")];
    let mut document = document(arrays, &[(0, WRITE, MUST, WHOLE[0])], &on_host);
    document.slices.push(slice(1, name("n"), vec![]));
    let Node::Block { children } = &mut document.body else { unreachable!() };
    children.push(transfer(1, true));
    says(&text(document), "cudaMalloc(&dev_b, dev_b_bytes)");
}

/// Positions of a constant number of elements fit `int` up to 2^31.
#[test]
fn positions_in_large_arrays_are_long() {
    for (rows, long) in [("65535", false), ("65536", true)] {
        let a = array(0, "a", CType::Char, &[rows, "32768"]);
        let mut document = document(vec![a], &[(0, WRITE, MUST, "[n, m] -> { S0[i] -> A0[i, 0] }")], &[]);
        document.slices = vec![slice(0, int(rows.parse().unwrap()), vec![int(32768)])];
        let text = text(document);
        assert_eq!(text.contains("a[(ptrdiff_t)i * 32768]"), long, "{text}");
        assert_eq!(text.contains("a[i * 32768]"), !long, "{text}");
    }
}

/// In constant memory an array begins with its slice, and one region at a time fills it.
#[test]
fn constant_memory_begins_with_the_slice() {
    let arrays = vec![pointer(0, "a", false, false), array(1, "w", CType::Double, &["9"])];
    let mut work = document(arrays, &[(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])], &[]);
    work.slices[1] = ArraySlice { lower: int(3), ..slice(1, int(6), vec![]) };
    // The statement reads what it adds.
    let double = CType::Double;
    work.statements[0].body =
        assign(0, *binary(double, BinaryOp::Add, read(1, double), read(1, double)), None);
    let Node::Block { children } = &mut work.body else { unreachable!() };
    children.insert(0, transfer(1, true));
    let mut program = work.program();
    program.scops[0].stage.placed.placement.device =
        vec![DeviceArray { memory: DeviceMemory::Constant, ..held(1, false) }];
    let text = generated(program);
    says(&text, "cuda_constants.f_scop0.w[i - 3]");
    says(&text, "cudaMemcpyToSymbol(cuda_constants, w + 3, ");
    says(&text, "cuda_constants_held(cuda_constants_lock);");
}

fn held(array: u32, stays: bool) -> DeviceArray {
    let number = |text: &str| IslPwAff(text.to_owned());
    let nothing = || IslSet("[n, m] -> { }".to_owned());
    DeviceArray {
        array: ArrayId(array),
        lower: number("[n, m] -> { [(0)] }"),
        extent: number("[n, m] -> { [(n)] }"),
        inner_extents: Vec::new(),
        origin: Vec::new(),
        numbering: None,
        numbered: None,
        boxes: None,
        parts: Vec::new(),
        memory: DeviceMemory::Global,
        stays,
        copy_in: nothing(),
        copy_out: nothing(),
        reason: String::new(),
    }
}

/// A region in a stay: `a` stays, `b` is copied for the region alone.
fn in_stay(home: Option<u32>, read_in_stay: bool, on_host: &[Touch]) -> String {
    let mut arrays = vec![pointer(0, "a", true, false), pointer(1, "b", true, false)];
    arrays[0].stay = Some(StayId(0));
    arrays[0].home = home.map(StayId);
    arrays[0].read_in_stay = read_in_stay;
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut program = document(arrays, &touches, on_host).program();
    let around = range(SOURCE, SOURCE.find("#pragma scop").unwrap(), SOURCE.find("\n}").unwrap());
    program.source.stays = (0..2)
        .map(|id| Stay { id: StayId(id), name: format!("f_stay{id}"), range: around, repeats: false })
        .collect();
    program.scops[0].stage.placed.placement.device = vec![held(0, true)];
    generated(program)
}

#[test]
fn what_stays_is_reserved_and_the_rest_released() {
    let text = in_stay(None, false, &[]);
    for words in [
        "cuda_stay_release(b, dev_b_bytes);",
        "cuda_stay_reserve(0, a, dev_a_bytes);",
        "double *dev_a = (double *)cuda_stay_memory(a);",
        "cuda_check(cuda_stay_malloc(&dev_b, dev_b_bytes));",
        "cuda_stay_wrote(a, 0);",
        "cuda_stay_done();",
        "cuda_stay_end(-1); return 0;",
        "extern \"C\" void f_stay0_end(void) { cuda_stay_end(0); }",
        " f_stay0_end();",
    ] {
        says(&text, words);
    }
    never_says(&text, "f_stay1_end");
}

/// What is read in the stay comes home at the end of another one, or behind the region.
#[test]
fn what_is_read_in_a_stay_comes_home_before() {
    let text = in_stay(Some(1), true, &[]);
    says(&text, "cuda_stay_wrote(a, 1);");
    says(&text, "f_stay1_end");
    says(&in_stay(None, true, &[]), "cuda_stay_wrote(a, -1);");
    says(&in_stay(Some(1), false, &[]), "cuda_stay_wrote(a, 0);");
}

/// The host finds its arrays where C has them.
#[test]
fn what_the_host_uses_does_not_stay() {
    let text = in_stay(None, false, &[(0, READ, MUST, "[n, m] -> { S1[] -> A0[m] }")]);
    says(&text, "cuda_stay_release(a");
    never_says(&text, "cuda_stay_reserve(0, a");
}

/// Elements that are numbered lie in one piece of memory, where each array begins at a multiple of its elements' size.
#[test]
fn packed_arrays_are_aligned() {
    let mut arrays = vec![array(0, "d", CType::Double, &["n"]), array(1, "f", CType::Float, &["n"])];
    arrays.push(array(2, "g", CType::Float, &["n"]));
    let touches = [
        (0, WRITE, MUST, WHOLE[0]),
        (0, READ, MUST, WHOLE[0]),
        (1, READ, MUST, WHOLE[1]),
        (2, READ, MUST, WHOLE[2]),
    ];
    let mut work = document(arrays, &touches, &[]);
    let all = || Box::new(count("c0", name("n"), Node::Element { index: vec![name("c0")] }));
    let nothing = || Box::new(block(Vec::new()));
    for (slice, back) in work.slices.iter_mut().zip([true, false, false]) {
        slice.packing = Some(scop::ast::Packing {
            subscripts: vec!["e0".to_owned()],
            position: name("e0"),
            count: name("n"),
            to_device: all(),
            from_device: if back { all() } else { nothing() },
        });
    }
    let Node::Block { children } = &mut work.body else { unreachable!() };
    children.splice(0..0, (0..3).map(|id| transfer(id, true)));
    let text = text(work);
    for words in [
        "float *dev_f = (float *)dev_packed;",
        "float *dev_g = (float *)(dev_packed + dev_f_bytes);",
        "double *dev_d = (double *)(dev_packed + (dev_f_bytes + dev_g_bytes + 15) / 16 * 16);",
        "cuda_check(cudaMemcpy(dev_f, packed_f, dev_f_bytes + dev_g_bytes, cudaMemcpyHostToDevice));",
        "cuda_check(cudaMemcpy(dev_d, packed_d, dev_d_bytes, cudaMemcpyHostToDevice));",
        "cuda_check(cudaMemcpy(packed_d, dev_d, dev_d_bytes, cudaMemcpyDeviceToHost));",
    ] {
        says(&text, words);
    }
}

/// Memory of the region's own has the elements before its slice as well, and is given back.
#[test]
fn memory_of_the_region_begins_at_zero() {
    let mut own = array(1, "t", CType::Double, &["n"]);
    own.visible = false;
    let arrays = vec![pointer(0, "a", false, false), own];
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, WRITE, MUST, WHOLE[1])];
    let mut work = document(arrays, &touches, &[(1, READ, MUST, "[n, m] -> { S1[] -> A1[m] }")]);
    work.slices[1] = ArraySlice { lower: int(3), ..slice(1, name("n"), vec![]) };
    let text = text(work);
    says(&text, "double *t = (double *)cuda_host_memory(sizeof(double) * (3 + n));");
    says(&text, " free(t);");
}

/// What is computed in between counts as well.
#[test]
fn intermediate_long_double_is_refused() {
    let mut work = document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
    let one = ExprKind::Floating { value: "1.0".to_owned() };
    let wide = expr(CType::LongDouble, ExprKind::Cast { implicit: false, operand: expr(CType::Double, one) });
    work.statements[0].body = assign(
        0,
        Expr { ctype: CType::Double, kind: ExprKind::Cast { implicit: true, operand: wide } },
        None,
    );
    let error = run(work.program(), SOURCE.as_bytes(), Target::Cuda, false).unwrap_err();
    assert_eq!(error.0[0].code, "E0602");
}

/// Parts of shared memory begin where any type may, and rows of buffers are as long as their layout says.
#[test]
fn buffers_are_aligned_and_padded() {
    let mut large = matmul();
    large.buffers[0].sizes = vec![127, 129];
    for buffer in &mut large.buffers[..2] {
        buffer.layout = Layout::Ring { padding: 2 };
    }
    let text = run(large.program(), MATMUL.as_bytes(), Target::Cuda, false).unwrap().value.kernels;
    says(&text, "(double (*)[131])shared_memory;");
    says(&text, "(double (*)[18])(shared_memory + 133104);");
    let mut odd = matmul();
    odd.buffers[0].sizes = vec![127, 129];
    let text = run(odd.program(), MATMUL.as_bytes(), Target::Cuda, false).unwrap().value.kernels;
    says(&text, "(shared_memory + 131072);");
}

/// With `--verify`, all that the region may write is compared: scalars, and what the host writes of an array.
#[test]
fn all_that_is_written_is_compared() {
    let arrays = vec![pointer(0, "a", true, false), array(1, "s", CType::Double, &[])];
    let on_host =
        [(1, WRITE, MUST, "[n, m] -> { S1[] -> A1[] }"), (0, WRITE, MUST, "[n, m] -> { S1[] -> A0[m] }")];
    let work = document(arrays, &[(0, WRITE, MUST, WHOLE[0])], &on_host);
    let text = run(work.program(), SOURCE.as_bytes(), Target::Cuda, true).unwrap().value.kernels;
    assert_eq!(text.matches("_region.range(phase, {\"a\"").count(), 2, "{text}");
    assert_eq!(text.matches("_region.range(phase, {\"s\"").count(), 1, "{text}");
}

/// A scalar whose pointer C does not certainly follow is read only where there is one.
#[test]
fn pointers_to_scalars_are_guarded() {
    for (certainty, guarded) in [(MAY, true), (MUST, false)] {
        let mut s = array(1, "s", CType::Double, &[]);
        (s.expression, s.may_alias) = ("p->s".to_owned(), true);
        let double = CType::Double;
        let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, certainty, "[n, m] -> { S0[i] -> A1[] }")];
        let mut work = document(vec![pointer(0, "a", false, false), s], &touches, &[]);
        work.context = "[n, m] -> { : n >= 1 and m >= 0 }";
        work.statements[0].body = assign(0, *read(1, double), None);
        let text = text(work);
        assert_eq!(text.contains("s ? *s : 0"), guarded, "{text}");
        assert_eq!(text.contains("p ? "), guarded, "{text}");
    }
}

/// A document of which an array of these inner extents goes to the device in one part more.
fn with_part(inner: &[i64], lower: &[AstExpr], extent: &[AstExpr]) -> String {
    let extents: Vec<String> = inner.iter().map(i64::to_string).collect();
    let extents: Vec<&str> = std::iter::once("n").chain(extents.iter().map(String::as_str)).collect();
    let mut a = array(0, "a", CType::Double, &extents);
    a.extents[0] = Extent { c: None, value: None };
    let relation = match inner.len() {
        1 => "[n, m] -> { S0[i] -> A0[i, 0] }",
        2 => "[n, m] -> { S0[i] -> A0[i, 0, 0] }",
        _ => "[n, m] -> { S0[i] -> A0[i, 0, 0, 0] }",
    };
    let mut document = document(vec![a], &[(0, WRITE, MUST, relation)], &[]);
    document.slices[0].inner_extents = inner.iter().map(|&extent| int(extent)).collect();
    let part = ElementBox { lower: lower.to_vec(), extent: extent.to_vec() };
    let Node::Block { children } = &mut document.body else { unreachable!() };
    children.insert(0, Node::Transfer { array: ArrayId(0), to_device: true, part: Some(part) });
    text(document)
}

/// Dimensions that a box has whole are one with those before them, and those with one index are in the address.
#[test]
fn boxes_are_copied_row_by_row() {
    let numbers = |numbers: &[i64]| numbers.iter().map(|&number| int(number)).collect::<Vec<_>>();
    let at = "a + (ptrdiff_t)(7 + 2) * 9";
    for (inner, lower, extent, call) in [
        (
            &[7, 9][..],
            &[1, 0, 0][..],
            &[4, 7, 9][..],
            "cudaMemcpy(dev_a + (ptrdiff_t)7 * 9, a + (ptrdiff_t)7 * 9, sizeof(double) * 4 * 7 * 9, ",
        ),
        (&[7, 9], &[1, 2, 0], &[1, 3, 9], "cudaMemcpy(dev_AT, AT, sizeof(double) * 3 * 9, "),
        (
            &[7, 9],
            &[1, 2, 0],
            &[4, 3, 9],
            "cudaMemcpy2D(dev_AT, sizeof(double) * 7 * 9, AT, sizeof(double) * 7 * 9, sizeof(double) * 3 * 9, 4, ",
        ),
        (
            &[7, 9],
            &[1, 2, 1],
            &[4, 1, 8],
            "cudaMemcpy2D(dev_AT + 1, sizeof(double) * 7 * 9, AT + 1, sizeof(double) * 7 * 9, sizeof(double) * 8, 4, ",
        ),
        (
            &[7, 9],
            &[1, 2, 1],
            &[1, 5, 8],
            "cudaMemcpy2D(dev_AT + 1, sizeof(double) * 9, AT + 1, sizeof(double) * 9, sizeof(double) * 8, 5, ",
        ),
        (
            &[7, 9],
            &[1, 0, 0],
            &[4, 7, 8],
            "cuda_copy_box(dev_a + (ptrdiff_t)7 * 9, a + (ptrdiff_t)7 * 9, sizeof(double) * 9, 7, sizeof(double) * 8, 7, 4, ",
        ),
        (
            &[7, 9],
            &[1, 0, 0],
            &[4, 6, 9],
            "cudaMemcpy2D(dev_a + (ptrdiff_t)7 * 9, sizeof(double) * 7 * 9, a + (ptrdiff_t)7 * 9, sizeof(double) * 7 * 9, sizeof(double) * 6 * 9, 4, ",
        ),
        (
            &[5, 7, 9],
            &[0, 0, 0, 4],
            &[4, 1, 3, 2],
            "cuda_copy_box(dev_a + 4, a + 4, sizeof(double) * 9, 5 * 7, sizeof(double) * 2, 3, 4, ",
        ),
    ] {
        let text = with_part(inner, &numbers(lower), &numbers(extent));
        let call = call.replace("AT", at);
        says(&text, &format!("{call}cudaMemcpyHostToDevice)"));
        let is_box = call.starts_with("cuda_copy_box");
        assert_eq!(text.contains("static void cuda_copy_box("), is_box, "{text}");
    }
}

/// A box that there is under a condition alone, or that may be empty, is copied where it has elements.
#[test]
fn boxes_without_elements_are_not_copied() {
    let large = op(AstOp::Ge, name("n"), int(5));
    let select = |then, otherwise| AstExpr::Op(AstOp::Select, vec![large.clone(), then, otherwise]);
    let copied = |extent| with_part(&[9], &[int(0), int(0)], &[extent, int(9)]);
    says(
        &copied(select(int(4), int(0))),
        "if (n >= 5) cuda_check(cudaMemcpy(dev_a, a, sizeof(double) * 4 * 9, ",
    );
    says(
        &copied(select(int(0), int(4))),
        "if (n < 5) cuda_check(cudaMemcpy(dev_a, a, sizeof(double) * 4 * 9, ",
    );
    says(&copied(name("m")), "if (m > 0) cuda_check(cudaMemcpy(dev_a, a, sizeof(double) * m * 9, ");
    says(
        &copied(select(name("n"), int(0))),
        "if (n >= 5) cuda_check(cudaMemcpy(dev_a, a, sizeof(double) * n * 9, ",
    );
    let unknown = select(op(AstOp::Sub, name("n"), int(7)), int(0));
    says(
        &copied(unknown),
        "if (n >= 5 && n - 7 > 0) { cuda_check(cudaMemcpy(dev_a, a, sizeof(double) * (n - 7) * 9, ",
    );
    says(&copied(int(4)), "; cuda_check(cudaMemcpy(dev_a, a, sizeof(double) * 4 * 9, ");
}

/// C and C++ pass complex numbers in different ways.
#[test]
fn complex_numbers_are_passed_by_address() {
    for (element, by_address) in [(CType::DoubleComplex, true), (CType::Double, false)] {
        let s = array(1, "s", element, &[]);
        let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, "[n, m] -> { S0[i] -> A1[] }")];
        let mut a = pointer(0, "a", false, false);
        a.element = element;
        let mut work = document(vec![a, s], &touches, &[]);
        work.statements[0].body = assign(0, *read(1, element), None);
        let text = text(work);
        assert_eq!(text.contains(" *s)"), by_address, "{text}");
        assert_eq!(text.contains("&s)"), by_address, "{text}");
    }
}

/// A pointer that C follows for a parameter leads somewhere, and so does one that it certainly follows; what a
/// member's address takes is its structure.
#[test]
fn pointers_that_are_followed_are_not_guarded() {
    let scalar = |context: &'static str, certainty, n: &str| {
        let mut s = array(1, "s", CType::Double, &[]);
        (s.expression, s.may_alias) = ("p->s".to_owned(), true);
        let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, certainty, "[n, m] -> { S0[i] -> A1[] }")];
        let mut work = document(vec![pointer(0, "a", false, false), s], &touches, &[]);
        work.context = context;
        work.parameters[0].expression = n.to_owned();
        work.statements[0].body = assign(0, *read(1, CType::Double), None);
        text(work).contains("p ? ")
    };
    let (some, any) = ("[n, m] -> { : n >= 1 and m >= 0 }", "[n, m] -> { : n >= 0 and m >= 0 }");
    assert!(scalar(some, MAY, "n"));
    assert!(!scalar(some, MAY, "p->n"));
    assert!(scalar(some, MAY, "q->n"));
    assert!(!scalar(some, MUST, "n"));
    assert!(scalar(any, MUST, "n"));
    for (may_alias, guarded) in [(true, true), (false, false)] {
        let mut x = pointer(0, "x", may_alias, false);
        x.storage =
            Storage::Member { structures: 1, stride: 24, base: "p".to_owned(), member: ".x".to_owned() };
        x.expression = "p[0].x".to_owned();
        let text = text(document(vec![x], &[(0, WRITE, MAY, WHOLE[0])], &[]));
        assert_eq!(text.contains("p ? &p[0].x : "), guarded, "{text}");
    }
}

/// Of an array whose rows the source does not declare, what is touched is counted from its beginning, and of one that
/// it declares all is.
#[test]
fn large_arrays_are_counted_from_their_first_element() {
    for (declared, lower, rows, long) in [
        (None, 65535, 1, true),
        (None, 65534, 1, false),
        (Some("65536"), 0, 1, true),
        (Some("65535"), 0, 1, false),
    ] {
        let mut a = array(0, "a", CType::Char, &["65536", "32768"]);
        let value = declared.map(|rows| IslPwAff(format!("{{ [({rows})] }}")));
        a.extents[0] = Extent { c: None, value };
        let mut work = document(vec![a], &[(0, WRITE, MUST, "[n, m] -> { S0[i] -> A0[i, 0] }")], &[]);
        work.slices = vec![ArraySlice { lower: int(lower), ..slice(0, int(rows), vec![int(32768)]) }];
        let text = text(work);
        assert_eq!(text.contains("a[(ptrdiff_t)i * 32768]"), long, "{declared:?} {lower}\n{text}");
    }
}

/// Memory whose rows the source does not declare may end with the last element that is touched, counted from the
/// first row that the device holds.
#[test]
fn memory_ends_with_the_last_element() {
    let bytes = |c: Option<&str>| {
        let mut a = array(0, "a", CType::Double, &["n", "9"]);
        a.extents.iter_mut().for_each(|extent| extent.c = c.map(str::to_owned));
        let mut work = document(vec![a], &[(0, WRITE, MUST, "[n, m] -> { S0[i] -> A0[i + 4, 2] }")], &[]);
        work.context = "[n, m] -> { : n >= 1 and m >= 0 }";
        work.slices[0].lower = int(4);
        let mut program = work.program();
        let four = IslPwAff("{ [(4)] }".to_owned());
        program.scops[0].stage.placed.placement.device = vec![DeviceArray { lower: four, ..held(0, false) }];
        generated(program)
    };
    let undeclared = bytes(None);
    says(&undeclared, "const size_t dev_a_bytes = sizeof(double) * n * 9;");
    let last = "sizeof(double) * ((ptrdiff_t)(n - 1) * 9 + 2 + 1)";
    says(
        &undeclared,
        &format!("dev_a_copied = dev_a_bytes == 0 ? 0 : {last} < dev_a_bytes ? {last} : dev_a_bytes;"),
    );
    says(&undeclared, "dev_a, dev_a_copied, cudaMemcpyDeviceToHost");
    never_says(&bytes(Some("9")), "dev_a_copied");
}

/// Members of structures reach from the first structure's to the end of the last one's.
#[test]
fn members_reach_to_the_end_of_the_last_one() {
    let member = |id: u32, name: &str, base: &str| Array {
        storage: Storage::Member {
            structures: 1,
            stride: 24,
            base: base.to_owned(),
            member: format!(".{name}"),
        },
        expression: format!("{base}[0].{name}"),
        ..pointer(id, name, true, false)
    };
    let arrays = || vec![member(0, "x", "p"), member(1, "y", "q")];
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut work = document(arrays(), &touches, &[]);
    work.slices[1].extent = int(5);
    let varying = text(work);
    says(
        &varying,
        "cuda_overlap(x, (n) > 0 ? 24 * ((size_t)(n) - 1) + sizeof(double) : 0, y, (size_t)24 * 4 + sizeof(double))",
    );
    let mut work = document(arrays(), &touches, &[]);
    work.slices[1].extent = int(1);
    says(&text(work), ", y, sizeof(double))");
}

/// What the host uses may need a smaller bound on parameters than anything that is computed in loops.
#[test]
fn parameters_are_small_enough_for_what_the_host_uses() {
    let arrays = vec![pointer(0, "a", true, false), pointer(1, "b", true, false)];
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut work = document(arrays, &touches, &[(1, READ, MUST, "[n, m] -> { S1[] -> A1[5m] }")]);
    work.context = "[n, m] -> { : 1 <= n < m }";
    says(&text(work), "m > 429000000");
}

/// An extent that nothing computes with keeps its own type.
#[test]
fn extents_are_as_long_as_the_source_says() {
    for (ctype, long) in [(CType::Long, true), (CType::Int, false), (CType::UInt, true)] {
        let mut a = array(0, "a", CType::Double, &["n", "m"]);
        a.extents[0] = Extent { c: None, value: None };
        let mut work = document(vec![a], &[(0, WRITE, MUST, "[n, m] -> { S0[i] -> A0[i, 0] }")], &[]);
        work.parameters[1].ctype = ctype;
        work.slices[0].inner_extents = vec![name("m")];
        let text = text(work);
        says(&text, "const int bx");
        assert_eq!(text.contains("long m"), long, "{text}");
    }
}

/// Packed arrays that lie one behind the other move together, but only those that move.
#[test]
fn packed_arrays_move_together_if_nothing_lies_between() {
    let moved = |types: [CType; 3], ids: &[u32]| {
        let names = ["f", "g", "h"];
        let arrays = (0..3).map(|id| array(id, names[id as usize], types[id as usize], &["n"])).collect();
        let mut touches = vec![(0, WRITE, MUST, WHOLE[0])];
        touches.extend((0..3).map(|id| (id, READ, MUST, WHOLE[id as usize])));
        let mut work = document(arrays, &touches, &[]);
        let all = || Box::new(count("c0", name("n"), Node::Element { index: vec![name("c0")] }));
        for slice in &mut work.slices {
            slice.packing = Some(scop::ast::Packing {
                subscripts: vec!["e0".to_owned()],
                position: name("e0"),
                count: op(AstOp::Mul, int(3), name("m")),
                to_device: all(),
                from_device: all(),
            });
        }
        let Node::Block { children } = &mut work.body else { unreachable!() };
        children.splice(0..0, ids.iter().map(|&id| transfer(id, true)));
        text(work)
    };
    use CType::{Double, Float};
    let floats = [Float; 3];
    let copy = |array: &str, size: &str| {
        format!("cudaMemcpy(dev_{array}, packed_{array}, {size}, cudaMemcpyHostToDevice)")
    };
    says(&moved(floats, &[0, 1, 2]), &copy("f", "dev_f_bytes + dev_g_bytes + dev_h_bytes"));
    let text = moved(floats, &[0, 2]);
    says(&text, &copy("f", "dev_f_bytes"));
    says(&text, &copy("h", "dev_h_bytes"));
    says(&text, "dev_f_bytes = sizeof(float) * f_scop0_count_f(m);");
    // Larger elements come first, so that nothing is lost between them.
    let text = moved([Float, Double, Float], &[0, 1, 2]);
    says(&text, &copy("g", "dev_g_bytes + dev_f_bytes + dev_h_bytes"));
    never_says(&text, "/ 16 * 16");
}

/// With `--verify`, a pointer that may be null has no elements, whatever it is declared as.
#[test]
fn pointers_that_may_be_null_are_compared_with_nothing() {
    for (may_alias, restrict, asked) in [(true, false, true), (false, true, true), (false, false, false)] {
        let work = document(vec![pointer(0, "a", may_alias, restrict)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
        let text = run(work.program(), SOURCE.as_bytes(), Target::Cuda, true).unwrap().value.kernels;
        assert_eq!(in_one_line(&text).contains("a == NULL ? 0 : 1"), asked, "{text}");
    }
}
