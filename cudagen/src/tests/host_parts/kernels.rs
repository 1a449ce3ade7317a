//! The integer types of kernels, and how kernels are launched.

use super::*;

/// Index expressions are `long` if the source's integers are, or if `int` would overflow too soon.
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

/// CUDA starts at most 65535 blocks in one launch along y and z, and at most the largest `int` along x.
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
            ranked: None,
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

/// A condition holds in its own branch, but not in the other one.
#[test]
fn the_other_branch_asks_for_itself() {
    let mut document = document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]);
    let Node::Block { children } = &document.body else { unreachable!() };
    let launch = || Box::new(children[0].clone());
    let condition = op(AstOp::Ge, name("n"), int(1));
    document.body = Node::If { condition, then: launch(), otherwise: Some(launch()) };
    assert_eq!(text(document).matches("if ((n + 31) >> 5 > 0)").count(), 1);
}

/// Positions fit in `int` if the number of elements is constant and below 2^31.
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

/// Intermediate values are checked as well.
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

/// Parts of shared memory are aligned for every type, and rows of buffers are as long as their layout says.
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

/// Elements of an array whose rows the source does not declare count from its beginning to the last one that is
/// touched. For an array whose rows it declares, all elements count.
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

/// An extent that no computation uses keeps its own type.
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
