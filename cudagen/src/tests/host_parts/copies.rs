//! What is copied, and its place in memory.

use super::*;

/// Three-dimensional boxes are copied by a function, which is then part of the text.
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

/// Every array that is transferred has memory on the device.
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

/// In constant memory, an array begins with its slice, and one region at a time fills it.
#[test]
fn constant_memory_begins_with_the_slice() {
    let arrays = vec![pointer(0, "a", false, false), array(1, "w", CType::Double, &["9"])];
    let mut work = document(arrays, &[(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])], &[]);
    work.slices[1] = ArraySlice { lower: int(3), ..slice(1, int(6), vec![]) };
    // The statement reads what it adds.
    let double = CType::Double;
    work.statements[0].body =
        assign(0, *binary(double, BinaryOp::Add, reading(1, double), reading(1, double)), None);
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

/// Packed arrays share one piece of memory, in which each array begins at a multiple of its elements' size.
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

/// Memory of an array local to the region includes the elements before its slice, and is freed.
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

/// Generates a document in which one more part of an array with these inner extents is copied to the device.
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

/// Whole dimensions of a box are merged with those before them; those with one index are in the address.
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

/// A box that exists only under a condition, or that may be empty, is copied only if it has elements.
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

/// Packed arrays that are adjacent in memory are copied together, but only those that are transferred.
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
    // Larger elements come first, so that no space is lost between arrays.
    let text = moved([Float, Double, Float], &[0, 1, 2]);
    says(&text, &copy("g", "dev_g_bytes + dev_f_bytes + dev_h_bytes"));
    never_says(&text, "/ 16 * 16");
}
