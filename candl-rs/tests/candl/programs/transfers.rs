//! What is transferred between host and device, and when.

use scop::ast::Node;
use scop::{Certainty, Memory};

use super::{BLOCKS, INSIDE, ROW, copied, copying, expect, nothing, with_transfers};
use crate::support::program::{
    Generated, all, copy_in, copy_out, each, from_device, launch, launch_from, part, run, to_device, when,
};
use crate::support::{nest, statement};

#[test]
fn values_cross_between_host_and_device() {
    let kernel = || launch(BLOCKS, when(INSIDE, copied(ROW)));
    let (to, from) = (|| to_device(0), || from_device(1));
    expect(
        &copying(nothing()),
        vec![
            ("there and back", all(vec![to(), kernel(), from()]), &[]),
            ("not there", all(vec![kernel(), from()]), &["E0216"]),
            ("not back", all(vec![to(), kernel()]), &["E0216"]),
            ("there too late", all(vec![kernel(), to(), from()]), &["E0216"]),
            ("back too early", all(vec![to(), from(), kernel()]), &["E0216"]),
            ("there sometimes", all(vec![when("n >= 5", to()), kernel(), from()]), &["E0216"]),
            ("back sometimes", all(vec![to(), kernel(), when("n >= 5", from())]), &["E0216"]),
            (
                "there where it matters",
                all(vec![when("n >= 1", to()), kernel(), when("n >= 1", from())]),
                &[],
            ),
            ("the wrong array", all(vec![to_device(1), kernel(), from()]), &["E0216"]),
            ("old values over new ones", all(vec![to(), kernel(), to_device(1), from()]), &["E0220"]),
            ("old values first", all(vec![to_device(1), to(), kernel(), from()]), &[]),
            (
                "another element",
                all(vec![
                    to(),
                    launch(
                        BLOCKS,
                        when(INSIDE, run(0, &[ROW], &[(0, None, &["8 * bx"]), (1, None, &[ROW])])),
                    ),
                    from(),
                ]),
                &["E0210"],
            ),
        ],
    );
}

/// `for (i) B[i] = A[i];` in a kernel, `for (i) C[i] = B[i];` on the host.
#[test]
fn values_come_home_before_the_host_reads_them() {
    let each_i = |text| nest("i", "0", "n", vec![statement(text)]);
    let generated = Generated::new(vec![each_i("B[i] = A[i]"), each_i("C[i] = B[i]")], nothing());
    let kernel = || launch(BLOCKS, when(INSIDE, copied(ROW)));
    let one = || run(1, &["i"], &[(2, None, &["i"]), (3, None, &["i"])]);
    let host = |node| each("i", "0", "i <= n - 1", node);
    let (to, from) = (|| to_device(0), || from_device(1));
    let of = |lower: &str, extent: &str| part(1, false, &[lower], &[extent]);
    let with = |part| all(vec![to(), kernel(), part, host(one()), from()]);
    let in_loop = |steps| all(vec![to(), kernel(), host(all(steps)), from()]);
    expect(
        &generated,
        vec![
            ("before", all(vec![to(), kernel(), from(), host(one())]), &[]),
            ("after", all(vec![to(), kernel(), host(one()), from()]), &["E0216"]),
            ("sometimes", with(when("n >= 5", from())), &["E0216"]),
            ("all of it", with(of("0", "n")), &[]),
            ("all but the last", with(of("0", "n - 1")), &["E0216"]),
            ("all but the first", with(of("1", "n - 1")), &["E0216"]),
            ("one too many", with(of("0", "n + 1")), &["E0215"]),
            ("one before the first", with(of("-1", "n + 1")), &["E0215"]),
            ("all of it, sometimes", with(when("n >= 5", of("0", "n"))), &["E0216"]),
            ("the other way", with(part(1, true, &["0"], &["n"])), &["E0216", "E0220"]),
            ("another array", with(part(0, false, &["0"], &["n"])), &["E0216"]),
            ("one at a time", in_loop(vec![of("i", "1"), one()]), &[]),
            ("one at a time, later", in_loop(vec![one(), of("i", "1")]), &["E0216"]),
            ("the one before", in_loop(vec![when("i >= 1", of("i - 1", "1")), one()]), &["E0216"]),
            (
                "the part before the kernel",
                all(vec![to(), of("0", "n"), kernel(), host(one()), from()]),
                &["E0216"],
            ),
        ],
    );
}

/// `for (i) B[i] = A[i];` on the host, `for (i) C[i] = B[i];` in a kernel.
#[test]
fn values_go_there_before_a_kernel_reads_them() {
    let each_i = |text| nest("i", "0", "n", vec![statement(text)]);
    let generated = Generated::new(vec![each_i("B[i] = A[i]"), each_i("C[i] = B[i]")], nothing());
    let host = || each("i", "0", "i <= n - 1", copied("i"));
    let one = run(1, &[ROW], &[(2, None, &[ROW]), (3, None, &[ROW])]);
    let kernel = || launch(BLOCKS, when(INSIDE, one.clone()));
    let home = || from_device(2);
    let of = |lower: &str, extent: &str| part(1, true, &[lower], &[extent]);
    expect(
        &generated,
        vec![
            ("after", all(vec![host(), to_device(1), kernel(), home()]), &[]),
            ("before", all(vec![to_device(1), host(), kernel(), home()]), &["E0216"]),
            ("all of it", all(vec![host(), of("0", "n"), kernel(), home()]), &[]),
            ("all but the last", all(vec![host(), of("0", "n - 1"), kernel(), home()]), &["E0216"]),
            ("all of it before", all(vec![of("0", "n"), host(), kernel(), home()]), &["E0216"]),
            ("all of it too late", all(vec![host(), kernel(), of("0", "n"), home()]), &["E0216"]),
        ],
    );
}

/// `for (i) B[i] = A[i];` in a kernel, then `B[0] = A[0];` on the host.
#[test]
fn what_the_host_wrote_is_not_overwritten() {
    let nests = vec![nest("i", "0", "n", vec![statement("B[i] = A[i]")]), statement("B[0] = A[0]")];
    let kernel = || launch(BLOCKS, when(INSIDE, copied(ROW)));
    let host = || run(1, &[], &[(2, None, &["0"]), (3, None, &["0"])]);
    let (to, from) = (|| to_device(0), || from_device(1));
    let but_first = || part(1, false, &["1"], &["n - 1"]);
    let generated = Generated::new(nests, nothing());
    expect(
        &generated,
        vec![
            ("before", all(vec![to(), kernel(), from(), host()]), &[]),
            ("after", all(vec![to(), kernel(), host(), from()]), &["E0220"]),
            ("twice", all(vec![to(), kernel(), from(), host(), from()]), &["E0220"]),
            ("twice, but for what is newer", all(vec![to(), kernel(), from(), host(), but_first()]), &[]),
            ("there and back", all(vec![to(), kernel(), from(), host(), to_device(1), from()]), &[]),
        ],
    );
    // Of boxes and numbered elements, only those that are transferred back are overwritten.
    let twice = || all(vec![to(), kernel(), from(), host(), from()]);
    for (first, extent, codes) in [("0", "n", &["E0220"][..]), ("1", "n - 1", &[])] {
        let mut boxed = generated.but(twice());
        boxed.boxes(1, &[], &[[first, extent]]);
        assert_eq!(boxed.codes(), codes, "{first}");
        let mut packed = generated.but(twice());
        packed.pack_from_device(1, first);
        assert_eq!(packed.codes(), codes, "{first}");
    }
    // Likewise, a transfer to the device must not overwrite elements to be transferred back.
    let back = || all(vec![to(), kernel(), to_device(1), from(), host()]);
    for (extent, codes) in [("0", &[][..]), ("1", &["E0220"])] {
        let mut boxed = generated.but(back());
        boxed.boxes(1, &[["0", extent]], &[["0", "n"]]);
        boxed.extracted.scops[0].model.context.0 = "[n] -> { : 1 <= n <= 100 }".to_owned();
        assert_eq!(boxed.codes(), codes, "{extent}");
    }
    let mut packed = generated.but(back());
    packed.pack_from_device(1, "0");
    assert_eq!(packed.codes(), [""; 0]);
}

/// After a may write on one side, the value there may be old; after one on the other side, it may be newer.
#[test]
fn writes_that_may_happen_hide_nothing_and_may_be_newer() {
    let each_i = |text| nest("i", "0", "n", vec![statement(text)]);
    // `B` is A1 in both programs.
    let host = || each("i", "0", "i <= n - 1", copied("i"));
    let kernel_of =
        |statement, at: u32| run(statement, &[ROW], &[(at, None, &[ROW]), (at + 1, None, &[ROW])]);
    let home = || from_device(1);
    // Only the host writes the first element.
    let nests = vec![each_i("B[i] = A[i]"), nest("i", "1", "n", vec![statement("B[i] = D[i]")])];
    let mut after_host = Generated::new(nests, nothing());
    after_host.boxes(1, &[["0", "n"]], &[["1", "n - 1"]]);
    let but_first = || when("8 * bx + tx >= 1", kernel_of(1, 2));
    let work = || launch(BLOCKS, when(INSIDE, but_first()));
    let certain = || all(vec![host(), to_device(2), work(), home()]);
    let there = || all(vec![host(), to_device(1), to_device(2), work(), home()]);
    expect(&after_host, vec![("certain", certain(), &[]), ("certain, and there", there(), &[])]);
    after_host.access(3).certainty = Certainty::May;
    expect(
        &after_host,
        vec![("perhaps", certain(), &["E0216", "E0220"]), ("perhaps, and there", there(), &[])],
    );
    let mut before_host = Generated::new(vec![each_i("B[i] = A[i]"), each_i("B[i] = D[i]")], nothing());
    before_host.access(3).certainty = Certainty::May;
    let host = || {
        let one = run(1, &["i"], &[(2, None, &["i"]), (3, None, &["i"])]);
        each("i", "0", "i <= n - 1", one)
    };
    expect(
        &before_host,
        vec![
            (
                "once",
                all(vec![to_device(0), launch(BLOCKS, when(INSIDE, kernel_of(0, 0))), home(), host()]),
                &[],
            ),
            (
                "twice",
                all(vec![
                    to_device(0),
                    launch(BLOCKS, when(INSIDE, kernel_of(0, 0))),
                    home(),
                    host(),
                    home(),
                ]),
                &["E0220"],
            ),
        ],
    );
}

/// `for (t) { C[t] = A[t]; B[t] = A[t]; }` with the first statement in a kernel and the second on the host: a
/// transfer back in a loop comes after the host's write of the previous iteration.
#[test]
fn transfers_in_loops_follow_earlier_iterations() {
    let body = vec![statement("C[t] = A[t]"), statement("B[t] = A[t]")];
    let generated = Generated::new(vec![nest("t", "0", "n", body)], nothing());
    let kernel = || launch("1", when("tx == 0", run(0, &["t"], &[(0, None, &["t"]), (1, None, &["t"])])));
    let host = || run(1, &["t"], &[(2, None, &["t"]), (3, None, &["t"])]);
    let program =
        |steps: Vec<Node>| all(vec![to_device(0), each("t", "0", "t <= n - 1", all(steps)), from_device(1)]);
    expect(
        &generated,
        vec![
            ("nothing else", program(vec![kernel(), host()]), &[]),
            ("old values", program(vec![from_device(2), kernel(), host()]), &["E0220"]),
            ("old values before", all(vec![from_device(2), program(vec![kernel(), host()])]), &[]),
        ],
    );
}

/// `for (t) { C[t] = B[0]; B[0] = A[t]; }` with the first statement on the host, which reads what the kernel of the
/// previous iteration wrote.
#[test]
fn parts_come_home_in_the_loop_of_the_kernel() {
    let body = vec![statement("C[t] = B[0]"), statement("B[0] = A[t]")];
    let generated = Generated::new(vec![nest("t", "0", "n", body)], nothing());
    let host = || run(0, &["t"], &[(0, None, &["0"]), (1, None, &["t"])]);
    let kernel = || launch("1", when("tx == 0", run(1, &["t"], &[(2, None, &["t"]), (3, None, &["0"])])));
    let first = || part(0, false, &["0"], &["1"]);
    let each_t = |steps| each("t", "0", "t <= n - 1", all(steps));
    let program =
        |steps: Vec<Node>| all([vec![to_device(0), to_device(2)], steps, vec![from_device(0)]].concat());
    expect(
        &generated,
        vec![
            ("in the loop", program(vec![each_t(vec![first(), host(), kernel()])]), &[]),
            (
                "before the loop",
                program(vec![when("n >= 1", first()), each_t(vec![host(), kernel()])]),
                &["E0216"],
            ),
            ("never", program(vec![each_t(vec![host(), kernel()])]), &["E0216"]),
        ],
    );
}

/// Values that a launch writes to the array are loaded by later launches, each through a buffer.
#[test]
fn values_go_from_launch_to_launch_through_the_array() {
    let nests =
        || vec![nest("t", "0", "n", vec![nest("i", "0", "n", vec![statement("A[i] = A[i] | D[i]")])])];
    let place = "{ S0[t, i] -> B0[] }";
    let generated = Generated::new(nests(), nothing()).with_buffer(Memory::Private, 0, &[], &[(0, place)]);
    let add = run(0, &["t", ROW], &[(0, Some(0), &[]), (1, None, &[ROW]), (2, None, &[ROW])]);
    let steps = || when(INSIDE, all(vec![copy_in(0, &[], &[ROW]), add.clone()]));
    let each_t = |node| each("t", "0", "t <= n - 1", node);
    let program = |work| all(vec![to_device(0), to_device(1), work, from_device(0)]);
    expect(
        &generated,
        vec![
            ("in launches", program(each_t(launch(BLOCKS, steps()))), &[]),
            ("in one launch", program(launch(BLOCKS, each_t(steps()))), &["E0217"]),
        ],
    );
    // Blocks of different launches may copy the same element.
    let places = [(0, "{ S0[t, i] -> B0[0] }"), (2, "{ S0[t, i] -> B0[0] }")];
    let shared = Generated::new(nests(), nothing()).with_buffer(Memory::Shared, 0, &[1], &places);
    let add = run(0, &["t", "bx - t"], &[(0, Some(0), &["0"]), (1, None, &["bx - t"]), (2, Some(0), &["0"])]);
    let steps = vec![copy_in(0, &["0"], &["bx - t"]), add, copy_out(0, &["0"], &["bx - t"])];
    let launches = each_t(launch_from("t", "n", when("tx == 0", all(steps))));
    expect(&shared, vec![("by other blocks", program(launches), &[])]);
}

/// Parts must be within the array in all dimensions, and so must copies.
#[test]
fn inner_dimensions_are_bounded_as_well() {
    let nests = vec![nest("i", "0", "n", vec![nest("j", "0", "n", vec![statement("B[i, j] = A[i, j]")])])];
    let place = "{ S0[i, j] -> B0[] }";
    let direct = || run(0, &[ROW, "j"], &[(0, None, &[ROW, "j"]), (1, None, &[ROW, "j"])]);
    let each_j =
        |last: &str, node| launch(BLOCKS, when(INSIDE, each("j", "0", &format!("j <= {last}"), node)));
    let of = |lower: [&str; 2], extent: [&str; 2]| {
        all(vec![part(0, true, &lower, &extent), to_device(0), each_j("n - 1", direct()), from_device(1)])
    };
    expect(
        &Generated::new(nests.clone(), nothing()),
        vec![
            ("all", of(["0", "0"], ["n", "n"]), &[]),
            ("a column too many", of(["0", "0"], ["n", "n + 1"]), &["E0215"]),
            ("a column before the first", of(["0", "-1"], ["n", "n"]), &["E0215"]),
            ("a row too many", of(["1", "0"], ["n", "n"]), &["E0215"]),
            (
                "another column",
                with_transfers(each_j(
                    "n - 1",
                    run(0, &[ROW, "j"], &[(0, None, &[ROW, "j + 1"]), (1, None, &[ROW, "j"])]),
                )),
                &["E0210"],
            ),
        ],
    );
    let buffered = Generated::new(nests, nothing()).with_buffer(Memory::Private, 0, &[], &[(0, place)]);
    let work = || run(0, &[ROW, "j"], &[(0, Some(0), &[]), (1, None, &[ROW, "j"])]);
    let steps = |last: &str, guard: &str| {
        with_transfers(each_j(last, all(vec![copy_in(0, &[], &[ROW, "j"]), when(guard, work())])))
    };
    expect(
        &buffered,
        vec![
            ("each column", steps("n - 1", "n >= 1"), &[]),
            ("a column too many", steps("n", "j <= n - 1"), &["E0215"]),
        ],
    );
}

/// Another thread may change elements that the region does not use.
#[test]
fn nothing_else_comes_home_where_there_are_threads() {
    let nests = vec![nest("i", "1", "n", vec![statement("B[i] = A[i]")])];
    let inside = "n >= 8 * bx + tx + 1 and 8 * bx + tx >= 1";
    let body = with_transfers(launch(BLOCKS, when(inside, copied(ROW))));
    let mut generated = Generated::new(nests, all(vec![to_device(1), body]));
    assert_eq!(generated.codes(), [""; 0]);
    generated.extracted.scops[0].model.arrays[1].concurrent = true;
    assert_eq!(generated.codes(), ["E0220"]);
    generated.boxes(1, &[], &[["1", "n - 1"]]);
    assert_eq!(generated.codes(), [""; 0]);
    generated.access(1).certainty = Certainty::May;
    generated.boxes(1, &[["1", "n - 1"]], &[["1", "n - 1"]]);
    assert_eq!(generated.codes(), ["E0220"]);
    // An array of the region is invisible to other threads.
    generated.extracted.scops[0].model.arrays[1].visible = false;
    assert_eq!(generated.codes(), [""; 0]);
}

#[test]
fn boxes_have_what_is_needed_and_nothing_without_a_value() {
    let body = || with_transfers(launch(BLOCKS, when(INSIDE, copied(ROW))));
    for (array, to, from, codes) in [
        (1, &[][..], &[["0", "n"]][..], &[][..]),
        (1, &[], &[["0", "min(n, 1)"], ["1", "n - 1"]], &[]),
        (1, &[], &[["0", "n - 1"]], &["E0216"]),
        (1, &[], &[["1", "n - 1"]], &["E0216"]),
        (1, &[], &[["0", "n + 1"]], &["E0215", "E0216"]),
        (1, &[], &[["-1", "n + 1"]], &["E0215", "E0216"]),
        (1, &[], &[], &["E0216"]),
        (0, &[["0", "n"]], &[], &[]),
        (0, &[["0", "n - 1"]], &[], &["E0216"]),
        (0, &[["0", "n + 1"]], &[], &["E0215"]),
        (0, &[["0", "min(n, 1)"], ["2", "n - 2"]], &[], &["E0216"]),
    ] {
        let mut generated = copying(body());
        generated.boxes(array, to, from);
        assert_eq!(generated.codes(), codes, "{array} {to:?} {from:?}");
    }
    let inside = "n >= 8 * bx + tx + 1 and 8 * bx + tx >= 1";
    for (certainty, to, codes) in [
        (Certainty::Must, &[][..], &["E0216"][..]),
        (Certainty::Must, &[["0", "min(n, 1)"]], &[]),
        (Certainty::May, &[["0", "min(n, 1)"]], &["E0216"]),
        (Certainty::May, &[["0", "n"]], &[]),
    ] {
        let nests = vec![nest("i", "1", "n", vec![statement("B[i] = A[i]")])];
        let work = with_transfers(launch(BLOCKS, when(inside, copied(ROW))));
        let mut generated = Generated::new(nests, all(vec![to_device(1), work]));
        generated.access(1).certainty = certainty;
        generated.boxes(1, to, &[["0", "n"]]);
        assert_eq!(generated.codes(), codes, "{certainty:?} {to:?}");
    }
    // An element that is not transferred, or that the host writes, has no value on the device.
    let nests = || vec![nest("i", "1", "n", vec![statement("B[i] = A[i]")]), statement("B[0] = A[0]")];
    let host = || run(1, &[], &[(2, None, &["0"]), (3, None, &["0"])]);
    let kernel = || launch(BLOCKS, when(inside, copied(ROW)));
    for (transfer, first, codes) in [
        (to_device(1), "0", &[][..]),
        (when("n >= 5", to_device(1)), "0", &["E0216"]),
        (nothing(), "0", &["E0216"]),
        (nothing(), "1", &[]),
    ] {
        let body = all(vec![to_device(0), transfer, kernel(), from_device(1), host()]);
        let mut generated = Generated::new(nests(), body);
        let extent = if first == "0" { "n" } else { "n - 1" };
        generated.boxes(1, &[["0", "min(n, 1)"]], &[[first, extent]]);
        assert_eq!(generated.codes(), codes, "{first}");
    }
    // A transfer that does not happen moves no box.
    let mut sometimes = copying(all(vec![
        when("n >= 5", to_device(0)),
        launch(BLOCKS, when(INSIDE, copied(ROW))),
        from_device(1),
    ]));
    sometimes.boxes(0, &[["0", "n"]], &[]);
    assert_eq!(sometimes.codes(), ["E0216"]);
}
