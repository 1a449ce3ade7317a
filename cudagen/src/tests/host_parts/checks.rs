//! The checks that host functions make before they do anything.

use scop::Threshold;

use super::*;

/// Arrays that may overlap are compared if one of the two is written; `restrict` arrays, if both are written.
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

/// Members of the same structures are interleaved and never overlap; members of different structures may overlap.
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

/// For an array that the host uses itself, everything that is used is compared, not only what the device holds.
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

/// Only a certain write shows that memory is writable. The host itself writes exactly where C writes.
#[test]
fn memory_that_is_not_certainly_written_may_be_constant() {
    let one = || vec![pointer(0, "a", true, false)];
    let touches = [(0, WRITE, MAY, WHOLE[0]), (0, READ, MUST, WHOLE[0])];
    says(&text(document(one(), &touches, &[])), "!cuda_writable(a, dev_a_bytes)");
    let some = "[n, m] -> { S0[i] -> A0[i] : m > 5 }";
    let touches = [(0, WRITE, MUST, some), (0, READ, MUST, WHOLE[0])];
    says(&text(document(one(), &touches, &[])), "if (m <= 5 && !cuda_writable(a, dev_a_bytes))");
    let several = "[n, m] -> { S0[i] -> A0[i] : m = 10 or m = 20 or m = 35 or m = 55 or m = 90 }";
    let touches = [(0, WRITE, MUST, several), (0, READ, MUST, WHOLE[0])];
    says(&text(document(one(), &touches, &[])), "if (!cuda_writable(a, dev_a_bytes))");
    let touches = [(0, WRITE, MUST, WHOLE[0])];
    never_says(&text(document(one(), &touches, &[])), "cuda_writable");
    let two = vec![pointer(0, "a", true, false), pointer(1, "b", false, true)];
    let on_host =
        [(1, WRITE, MAY, "[n, m] -> { S1[] -> A1[m] }"), (1, READ, MUST, "[n, m] -> { S1[] -> A1[m] }")];
    never_says(&text(document(two, &touches, &on_host)), "cuda_writable");
}

/// Conditions that the context implies are not checked, unless the context contains assumptions. These are checked
/// later, in expressions that must not overflow either.
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

/// What is compared with C runs on the device, whatever the sizes are.
#[test]
fn small_sizes_are_left_to_the_host() {
    let mut program =
        document(vec![pointer(0, "a", false, false)], &[(0, WRITE, MUST, WHOLE[0])], &[]).program();
    let host = IslSet("[n, m] -> { : n <= 100 and m <= 100 }".to_owned());
    let threshold = Threshold { host, reason: String::new() };
    program.scops[0].stage.placed.scheduled.mapping.threshold = Some(threshold);
    let compared = run(program.clone(), SOURCE.as_bytes(), Target::Cuda, true).unwrap().value.kernels;
    let text = generated(program);
    says(&text, "// For these sizes, the host is faster. if (n <= 100 && m <= 100) return 0;");
    assert!(text.find("n > 2140000000") < text.find("n <= 100"), "{text}");
    never_says(&compared, "n <= 100");
}

/// The range of a member of structures ends with the member of the last structure.
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

/// Expressions that only the host uses may need a smaller bound on parameters than the expressions in loops.
#[test]
fn parameters_are_small_enough_for_what_the_host_uses() {
    let arrays = vec![pointer(0, "a", true, false), pointer(1, "b", true, false)];
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut work = document(arrays, &touches, &[(1, READ, MUST, "[n, m] -> { S1[] -> A1[5m] }")]);
    work.context = "[n, m] -> { : 1 <= n < m }";
    says(&text(work), "m > 429000000");
}
