//! What goes through buffers in registers and shared memory.

use scop::ast::Node;
use scop::{Certainty, Memory};

use super::{BARRIER, BLOCKS, INSIDE, ROW, expect, nothing, update_steps, updating, with_transfers};
use crate::support::program::{
    Generated, all, copy_in, copy_out, each, from_device, launch, run, to_device, when,
};
use crate::support::{Region, nest, statement};

/// An access, its buffer if it uses one, and its index.
type Goes<'a> = (u32, Option<u32>, &'a [&'a str]);

/// `for (i) for (k) C[i][k] = A[i];` with `A[i]` loaded once for all `k`.
#[test]
fn what_was_brought_stays_for_later_iterations() {
    let nests = vec![nest("i", "0", "n", vec![nest("k", "0", "n", vec![statement("C[i, k] = A[i]")])])];
    let place = "[bx] -> { S0[i, k] -> B0[i - 8bx] }";
    let generated = Generated::new(nests, nothing()).with_buffer(Memory::Shared, 0, &[8], &[(0, place)]);
    let each_k = |steps| each("k", "0", "k <= n - 1", steps);
    let steps = |steps| with_transfers(launch(BLOCKS, each_k(all(steps))));
    let bring = |when_: &str| when(&format!("{when_} and {INSIDE}"), copy_in(0, &["tx"], &[ROW]));
    let used = || {
        let work = run(0, &[ROW, "k"], &[(0, Some(0), &["tx"]), (1, None, &[ROW, "k"])]);
        when(INSIDE, work)
    };
    let (some, others) = ("k == 0 and tx <= 3", "k == 0 and tx >= 4");
    let launches = |when| with_transfers(each_k(launch(BLOCKS, all(vec![bring(when), used()]))));
    expect(
        &generated,
        vec![
            ("at first", steps(vec![bring("k == 0"), used()]), &[]),
            (
                "before the loop",
                with_transfers(launch(BLOCKS, all(vec![bring("n >= 1"), each_k(used())]))),
                &[],
            ),
            ("always", steps(vec![bring("k >= 0"), used()]), &[]),
            ("later", steps(vec![bring("k == 1"), used()]), &["E0211"]),
            ("after its use", steps(vec![used(), bring("k == 0")]), &["E0211"]),
            ("by some threads", steps(vec![bring(some), used()]), &["E0211"]),
            ("by some threads and others", steps(vec![bring(some), bring(others), used()]), &[]),
            ("by some threads too late", steps(vec![bring(some), used(), bring(others)]), &["E0211"]),
            ("by each launch", launches("k >= 0"), &[]),
            ("by the first launch", launches("k == 0"), &["E0211"]),
            (
                "in a loop of its own",
                steps(vec![each("l", "0", "l <= 1", bring("k == 0 and l == 1")), used()]),
                &[],
            ),
            (
                "some of it in the loop that uses it, too late",
                steps(vec![
                    bring(some),
                    each(
                        "l",
                        "0",
                        "l <= 1",
                        all(vec![bring("k == 0 and l == 1 and tx >= 4"), when("l == 0", used())]),
                    ),
                ]),
                &["E0211"],
            ),
        ],
    );
    // A register is loaded in the same iteration.
    let nests = vec![nest("i", "0", "n", vec![nest("k", "0", "n", vec![statement("C[i, k] = A[i]")])])];
    let generated = Generated::new(nests, nothing()).with_buffer(
        Memory::Private,
        0,
        &[1],
        &[(0, "{ S0[i, k] -> B0[0] }")],
    );
    let bring = |at: &str| when(&format!("{at} and {INSIDE}"), copy_in(0, &["0"], &[ROW]));
    let work = || when(INSIDE, run(0, &[ROW, "k"], &[(0, Some(0), &["0"]), (1, None, &[ROW, "k"])]));
    expect(
        &generated,
        vec![
            ("a register, always", steps(vec![bring("k >= 0"), work()]), &[]),
            ("a register, later", steps(vec![bring("k == 1"), work()]), &["E0211"]),
        ],
    );
}

/// Where other statements write to the buffer, a loaded value may be overwritten.
#[test]
fn what_was_brought_does_not_stay_where_others_write() {
    let each_i = |text| nest("i", "0", "n", vec![statement(text)]);
    let nests = vec![each_i("C[0, i] = A[0, i]"), each_i("A[1, i] = D[i]"), each_i("C[1, i] = A[0, i]")];
    let place = |number| format!("[bx] -> {{ S{number}[i] -> B0[i - 8bx] }}");
    let places = [place(0), place(1), place(2)];
    let places: Vec<(u32, &str)> = [0, 3, 4].into_iter().zip(places.iter().map(String::as_str)).collect();
    let generated = Generated::new(nests, nothing()).with_buffer(Memory::Shared, 0, &[8], &places);
    let at = |k, node| when(&format!("k == {k} and {INSIDE}"), node);
    let bring = || copy_in(0, &["tx"], &["0", ROW]);
    let first = || run(0, &[ROW], &[(0, Some(0), &["tx"]), (1, None, &["0", ROW])]);
    let write = || {
        let write = run(1, &[ROW], &[(2, None, &[ROW]), (3, Some(0), &["tx"])]);
        all(vec![write, copy_out(0, &["tx"], &["1", ROW])])
    };
    let second = || run(2, &[ROW], &[(4, Some(0), &["tx"]), (5, None, &["1", ROW])]);
    let program = |steps| {
        let kernel = launch(BLOCKS, each("k", "0", "k <= 2", all(steps)));
        all(vec![to_device(0), to_device(1), to_device(2), kernel, from_device(0), from_device(1)])
    };
    expect(
        &generated,
        vec![
            (
                "brought again",
                program(vec![
                    at(0, bring()),
                    at(2, bring()),
                    at(0, first()),
                    at(1, write()),
                    at(2, second()),
                ]),
                &[],
            ),
            (
                "brought once",
                program(vec![at(0, bring()), at(0, first()), at(1, write()), at(2, second())]),
                &["E0211"],
            ),
        ],
    );
}

#[test]
fn what_is_written_leaves_its_buffer() {
    let bring = || copy_in(0, &[], &[ROW]);
    let take = || copy_out(0, &[], &[ROW]);
    let update = || run(0, &[ROW], &[(0, Some(0), &[]), (1, None, &[ROW]), (2, Some(0), &[])]);
    let past = || run(0, &[ROW], &[(0, None, &[ROW]), (1, None, &[ROW]), (2, Some(0), &[])]);
    expect(
        &updating(Memory::Private, &[]),
        vec![
            ("in and out", update_steps(vec![bring(), update(), take()]), &[]),
            ("not in", update_steps(vec![update(), take()]), &["E0211"]),
            (
                "in under a condition",
                update_steps(vec![when("n >= 1", all(vec![bring(), update()])), take()]),
                &[],
            ),
            ("some in", update_steps(vec![when("tx >= 1", bring()), update(), take()]), &["E0211"]),
            ("not out", update_steps(vec![bring(), update()]), &["E0212"]),
            ("some out", update_steps(vec![bring(), update(), when("tx >= 1", take())]), &["E0212"]),
            ("out too early", update_steps(vec![bring(), take(), update()]), &["E0212"]),
            ("out of nothing", update_steps(vec![take(), bring(), update(), take()]), &["E0211"]),
            ("past the buffer", update_steps(vec![bring(), past(), take()]), &["E0217"]),
        ],
    );
}

/// `for (i) for (k) A[i] = A[i] | D[k];` through a register: an older value must not be loaded over a newer one.
#[test]
fn nothing_is_brought_over_a_newer_value() {
    let nests = vec![nest("i", "0", "n", vec![nest("k", "0", "n", vec![statement("A[i] = A[i] | D[k]")])])];
    let place = "{ S0[i, k] -> B0[] }";
    let generated =
        Generated::new(nests, nothing()).with_buffer(Memory::Private, 0, &[], &[(0, place), (2, place)]);
    let (bring, take) = (|| copy_in(0, &[], &[ROW]), || copy_out(0, &[], &[ROW]));
    let add = || run(0, &[ROW, "k"], &[(0, Some(0), &[]), (1, None, &["k"]), (2, Some(0), &[])]);
    let each_k = |steps| each("k", "0", "k <= n - 1", all(steps));
    expect(
        &generated,
        vec![
            ("around the loop", update_steps(vec![bring(), each_k(vec![add()]), take()]), &[]),
            ("in the loop", update_steps(vec![each_k(vec![bring(), add(), take()])]), &[]),
            ("taken in the loop", update_steps(vec![bring(), each_k(vec![add(), take()])]), &[]),
            ("brought in the loop", update_steps(vec![each_k(vec![bring(), add()]), take()]), &["E0212"]),
            ("taken and brought", update_steps(vec![bring(), each_k(vec![add(), take(), bring()])]), &[]),
            (
                "brought and taken",
                update_steps(vec![bring(), each_k(vec![add(), bring(), take()])]),
                &["E0212"],
            ),
            ("never taken", update_steps(vec![bring(), each_k(vec![add()])]), &["E0212"]),
            ("never brought", update_steps(vec![each_k(vec![add(), take()])]), &["E0211"]),
        ],
    );
}

/// After a may write, the value in the buffer is uncertain.
#[test]
fn what_may_be_written_has_to_be_brought() {
    let nests = vec![nest("i", "0", "n", vec![statement("A[i] = D[i]")])];
    let place = "{ S0[i] -> B0[] }";
    let mut generated = Generated::new(nests, nothing()).with_buffer(Memory::Private, 1, &[], &[(1, place)]);
    let write = || run(0, &[ROW], &[(0, None, &[ROW]), (1, Some(0), &[])]);
    let (bring, take) = (|| copy_in(0, &[], &[ROW]), || copy_out(0, &[], &[ROW]));
    let program = |steps| {
        let kernel = launch(BLOCKS, when(INSIDE, all(steps)));
        all(vec![to_device(0), to_device(1), kernel, from_device(1)])
    };
    expect(
        &generated,
        vec![
            ("certain", program(vec![write(), take()]), &[]),
            ("brought over it", program(vec![write(), bring(), take()]), &["E0212"]),
            (
                "brought over it in a loop",
                program(vec![write(), each("k", "0", "k <= 1", all(vec![when("k >= 1", take()), bring()]))]),
                &["E0212"],
            ),
        ],
    );
    generated.access(1).certainty = Certainty::May;
    expect(
        &generated,
        vec![
            ("perhaps", program(vec![write(), take()]), &["E0211"]),
            ("perhaps, and brought", program(vec![bring(), write(), take()]), &[]),
        ],
    );
}

/// `for (i) A[i] = D[i]; for (i) { if (…) A[i] = E[i]; C[i] = A[i]; }`: the value that is read may come from the
/// first loop, which another kernel runs, even though the buffer is used by the second loop.
#[test]
fn a_write_that_may_not_happen_hides_no_other() {
    let second = vec![statement("A[i] = E[i]"), statement("C[i] = A[i]")];
    let nests = vec![nest("i", "0", "n", vec![statement("A[i] = D[i]")]), nest("i", "0", "n", second)];
    let region = Region { nests, hidden: vec!["A"], dead_after: Vec::new() };
    let places = [(3, "{ S1[i] -> B0[] }"), (4, "{ S2[i] -> B0[] }")];
    let generated = || Generated::of(&region, nothing()).with_buffer(Memory::Private, 1, &[], &places);
    let fill = || launch(BLOCKS, when(INSIDE, run(0, &[ROW], &[(0, None, &[ROW]), (1, None, &[ROW])])));
    let work = |brought: Vec<Node>| {
        let write = run(1, &[ROW], &[(2, None, &[ROW]), (3, Some(0), &[])]);
        let read = run(2, &[ROW], &[(4, Some(0), &[]), (5, None, &[ROW])]);
        launch(BLOCKS, when(INSIDE, all([brought, vec![write, read]].concat())))
    };
    let program = |launches| all([vec![to_device(0), to_device(2)], launches, vec![from_device(3)]].concat());
    let mut may = generated();
    may.access(3).certainty = Certainty::May;
    expect(
        &may,
        vec![
            ("brought", program(vec![fill(), work(vec![copy_in(0, &[], &[ROW])])]), &[]),
            ("not brought", program(vec![fill(), work(Vec::new())]), &["E0211"]),
        ],
    );
    // A certain write hides the first loop, which is not needed then.
    expect(&generated(), vec![("certain", program(vec![work(Vec::new())]), &[])]);
}

/// `for (i) { A[i] = D[i]; for (k) C[i][k] = A[i]; }`; `A` is not needed after it.
#[test]
fn a_value_stays_until_something_is_brought() {
    let body = vec![statement("A[i] = D[i]"), nest("k", "0", "n", vec![statement("C[i, k] = A[i]")])];
    let region = Region { nests: vec![nest("i", "0", "n", body)], hidden: vec!["A"], dead_after: Vec::new() };
    let places = [(1, "{ S0[i] -> B0[] }"), (2, "{ S1[i, k] -> B0[] }")];
    let generated = Generated::of(&region, nothing()).with_buffer(Memory::Private, 1, &[], &places);
    let write = || run(0, &[ROW], &[(0, None, &[ROW]), (1, Some(0), &[])]);
    let read = || run(1, &[ROW, "k"], &[(2, Some(0), &[]), (3, None, &[ROW, "k"])]);
    let bring = || copy_in(0, &[], &[ROW]);
    let program = |steps| {
        let kernel =
            launch(BLOCKS, when(INSIDE, all(vec![write(), each("k", "0", "k <= n - 1", all(steps))])));
        all(vec![to_device(0), kernel, from_device(2)])
    };
    expect(
        &generated,
        vec![
            ("it stays", program(vec![read()]), &[]),
            ("brought before it is read", program(vec![bring(), read()]), &["E0212"]),
            ("brought after it is read", program(vec![read(), bring()]), &["E0211", "E0212"]),
        ],
    );
}

/// `for (i) { for (k) A[i] = A[i] | D[k]; C[i] = A[i]; }`; `A` is not needed after it.
#[test]
fn a_sum_is_not_brought_again() {
    let sum = nest("k", "0", "n", vec![statement("A[i] = A[i] | D[k]")]);
    let nests = vec![nest("i", "0", "n", vec![sum, statement("C[i] = A[i]")])];
    let region = Region { nests, hidden: Vec::new(), dead_after: vec!["A"] };
    let (sum, read) = ("{ S0[i, k] -> B0[] }", "{ S1[i] -> B0[] }");
    let places = [(0, sum), (2, sum), (3, read)];
    let generated = Generated::of(&region, nothing()).with_buffer(Memory::Private, 0, &[], &places);
    let add = || run(0, &[ROW, "k"], &[(0, Some(0), &[]), (1, None, &["k"]), (2, Some(0), &[])]);
    let read = || run(1, &[ROW], &[(3, Some(0), &[]), (4, None, &[ROW])]);
    let bring = || copy_in(0, &[], &[ROW]);
    let each_k = |steps| each("k", "0", "k <= n - 1", all(steps));
    let program = |steps| {
        let kernel = launch(BLOCKS, when(INSIDE, all(steps)));
        all(vec![to_device(0), to_device(1), kernel, from_device(2)])
    };
    expect(
        &generated,
        vec![
            ("before", program(vec![bring(), each_k(vec![add()]), read()]), &[]),
            ("in each step", program(vec![each_k(vec![bring(), add()]), read()]), &["E0212"]),
        ],
    );
}

/// A place that is used for several elements in turn holds only the last one.
#[test]
fn a_place_holds_the_last_element_written() {
    let each_i = |text| nest("i", "0", "n", vec![statement(text)]);
    let nests = vec![each_i("A[0, i] = D[i]"), each_i("A[1, i] = D[i]"), each_i("C[i] = A[0, i] | A[1, i]")];
    let region = Region { nests, hidden: vec!["A"], dead_after: Vec::new() };
    let places = [(1, "{ S0[i] -> B0[] }"), (3, "{ S1[i] -> B0[] }"), (4, "{ S2[i] -> B0[] }")];
    let generated = Generated::of(&region, nothing()).with_buffer(Memory::Private, 1, &[], &places);
    let write =
        |statement, access| run(statement, &[ROW], &[(access, None, &[ROW]), (access + 1, Some(0), &[])]);
    let at = |k, node| when(&format!("k == {k}"), node);
    let read = run(2, &[ROW], &[(4, Some(0), &[]), (5, None, &["1", ROW]), (6, None, &[ROW])]);
    let steps = vec![at(0, write(0, 0)), at(1, write(1, 2)), at(2, read)];
    let kernel = launch(BLOCKS, when(INSIDE, each("k", "0", "k <= 2", all(steps))));
    let body = all(vec![to_device(0), kernel, from_device(2)]);
    assert_eq!(generated.but(body).codes(), ["E0211", "E0212", "E0217"]);
}

/// `for (i) { A[i] = D[i]; C[i] = A[i]; }`, and the reverse order.
#[test]
fn an_element_has_one_route_in_a_launch() {
    let program = |steps: Vec<Node>| {
        let kernel = launch(BLOCKS, when(INSIDE, all(steps)));
        all(vec![to_device(0), to_device(1), kernel, from_device(0), from_device(1), from_device(2)])
    };
    let places = |first, second| [(first, "{ S0[i] -> B0[] }"), (second, "{ S1[i] -> B0[] }")];
    let flow_nests = || vec![nest("i", "0", "n", vec![statement("A[i] = D[i]"), statement("C[i] = A[i]")])];
    let flow = Generated::new(flow_nests(), nothing()).with_buffer(Memory::Private, 1, &[], &places(1, 2));
    let write = |buffer, index| run(0, &[ROW], &[(0, None, &[ROW]), (1, buffer, index)]);
    let read = |buffer, index| run(1, &[ROW], &[(2, buffer, index), (3, None, &[ROW])]);
    let take = || copy_out(0, &[], &[ROW]);
    expect(
        &flow,
        vec![
            ("the array", program(vec![write(None, &[ROW]), read(None, &[ROW])]), &[]),
            ("the buffer", program(vec![write(Some(0), &[]), read(Some(0), &[]), take()]), &[]),
            ("both", program(vec![write(Some(0), &[]), take(), read(None, &[ROW])]), &["E0217"]),
            (
                "one after the other",
                program(vec![write(None, &[ROW]), copy_in(0, &[], &[ROW]), read(Some(0), &[])]),
                &["E0217"],
            ),
        ],
    );
    let launches = |first, second| {
        let launches = all(vec![launch(BLOCKS, when(INSIDE, first)), launch(BLOCKS, when(INSIDE, second))]);
        all(vec![to_device(0), launches, from_device(1), from_device(2)])
    };
    let through = || all(vec![write(Some(0), &[]), take()]);
    expect(
        &flow,
        vec![
            ("in two launches", launches(through(), read(None, &[ROW])), &[]),
            ("in two launches, not taken", launches(write(Some(0), &[]), read(None, &[ROW])), &["E0212"]),
        ],
    );
    let two = Generated::new(flow_nests(), nothing())
        .with_buffer(Memory::Private, 1, &[], &[(1, "{ S0[i] -> B0[] }")])
        .with_buffer(Memory::Private, 1, &[], &[(2, "{ S1[i] -> B1[] }")]);
    let bring = || copy_in(1, &[], &[ROW]);
    expect(
        &two,
        vec![
            (
                "two buffers",
                program(vec![write(Some(0), &[]), take(), bring(), read(Some(1), &[])]),
                &["E0217"],
            ),
            (
                "two buffers, not taken",
                program(vec![write(Some(0), &[]), bring(), read(Some(1), &[])]),
                &["E0212", "E0217"],
            ),
            ("two buffers in two launches", launches(through(), all(vec![bring(), read(Some(1), &[])])), &[]),
        ],
    );
    // If a value is not needed after the region, it only has to reach its readers.
    let nests = || vec![nest("i", "0", "n", vec![statement("A[i] = D[i]"), statement("C[i] = A[i]")])];
    let region = Region { nests: nests(), hidden: vec!["A"], dead_after: Vec::new() };
    let hidden = Generated::of(&region, nothing()).with_buffer(Memory::Private, 1, &[], &places(1, 2));
    let kernel =
        |steps: Vec<Node>| all(vec![to_device(0), launch(BLOCKS, when(INSIDE, all(steps))), from_device(2)]);
    let other = "8 * bx + 7 - tx";
    let by_another =
        when("n >= 8 * bx + 8 - tx", run(1, &[other], &[(2, Some(0), &[]), (3, None, &[other])]));
    expect(
        &hidden,
        vec![
            ("kept", kernel(vec![write(Some(0), &[]), read(Some(0), &[])]), &[]),
            (
                "brought over it",
                kernel(vec![write(Some(0), &[]), copy_in(0, &[], &[ROW]), read(Some(0), &[])]),
                &["E0212"],
            ),
            (
                "taken and brought",
                kernel(vec![write(Some(0), &[]), take(), copy_in(0, &[], &[ROW]), read(Some(0), &[])]),
                &[],
            ),
            (
                "read by another thread",
                all(vec![
                    to_device(0),
                    launch(BLOCKS, all(vec![when(INSIDE, write(Some(0), &[])), BARRIER, by_another])),
                    from_device(2),
                ]),
                &["E0211", "E0212", "E0213", "E0217"],
            ),
        ],
    );
    let nests = vec![nest("i", "0", "n", vec![statement("C[i] = A[i]"), statement("A[i] = D[i]")])];
    let anti = Generated::new(nests, nothing()).with_buffer(Memory::Private, 0, &[], &places(0, 3));
    let read = |buffer, index| run(0, &[ROW], &[(0, buffer, index), (1, None, &[ROW])]);
    let write = || run(1, &[ROW], &[(2, None, &[ROW]), (3, Some(0), &[])]);
    let program = |steps: Vec<Node>| {
        let kernel = launch(BLOCKS, when(INSIDE, all(steps)));
        all(vec![to_device(0), to_device(2), kernel, from_device(0), from_device(1)])
    };
    expect(
        &anti,
        vec![
            ("read before", program(vec![copy_in(0, &[], &[ROW]), read(Some(0), &[]), write(), take()]), &[]),
            ("read before, past it", program(vec![read(None, &[ROW]), write(), take()]), &["E0217"]),
        ],
    );
}

/// Elements that a launch only reads may go past the buffer of those that it writes.
#[test]
fn what_is_only_read_goes_another_way() {
    let of = |text: &str| {
        let nests = vec![nest("i", "0", "n", vec![statement(text)])];
        let places = [(1, "{ S0[i] -> B0[0] }")];
        Generated::new(nests, nothing()).with_buffer(Memory::Private, 0, &[1], &places)
    };
    let program = |read: &[&str]| {
        let work = run(0, &[ROW], &[(0, None, read), (1, Some(0), &["0"])]);
        let steps = launch(BLOCKS, when(INSIDE, all(vec![work, copy_out(0, &["0"], &["1", ROW])])));
        all(vec![to_device(0), steps, from_device(0)])
    };
    let next = format!("{ROW} + 1");
    expect(&of("A[1, i] = A[0, i]"), vec![("another row", program(&["0", ROW]), &[])]);
    let found = of("A[1, i] = A[1, 1 + i]").but(program(&["1", &next])).codes();
    assert!(found.iter().any(|code| code == "E0217"), "{found:?}");
}

/// `for (i) { T[i] = A[i]; C[i] = T[i]; }` as one statement, where `T` is hidden: an instance finds what it wrote
/// at the same place. What it reads before that need not be there.
#[test]
fn an_instance_finds_what_it_wrote() {
    let of = |text: &str, sizes: &[u32], places: &[(u32, &str)]| {
        let nests = vec![nest("i", "0", "n", vec![statement(text)])];
        let region = Region { nests, hidden: vec!["T"], dead_after: Vec::new() };
        Generated::of(&region, nothing()).with_buffer(Memory::Private, 1, sizes, places)
    };
    let program = |work| {
        let steps = launch(BLOCKS, when(INSIDE, work));
        all(vec![to_device(0), steps, from_device(2)])
    };
    let (first, second) = ("{ S0[i] -> B0[0] }", "{ S0[i] -> B0[1] }");
    let work = |written: (Option<u32>, &[&str]), read: (Option<u32>, &[&str])| {
        let accesses =
            [(0, None, &[ROW][..]), (1, written.0, written.1), (2, read.0, read.1), (3, None, &[ROW])];
        program(run(0, &[ROW], &accesses))
    };
    let text = "T[i] = A[i]; C[i] = T[i]";
    expect(
        &of(text, &[2], &[(1, first), (2, first)]),
        vec![
            ("in the buffer", work((Some(0), &["0"]), (Some(0), &["0"])), &[]),
            ("in the array", work((None, &[ROW]), (None, &[ROW])), &[]),
            ("read past the buffer", work((Some(0), &["0"]), (None, &[ROW])), &["E0217"]),
            ("written past the buffer", work((None, &[ROW]), (Some(0), &["0"])), &["E0211", "E0217"]),
        ],
    );
    // What it reads before writing has no value in C, and needs none.
    let others: [(&str, &[Goes<'_>]); 3] = [
        (
            "C[i] = T[i] | T[i]; T[i] = A[i]",
            &[
                (0, Some(0), &["0"]),
                (1, Some(0), &["0"]),
                (2, None, &[ROW]),
                (3, None, &[ROW]),
                (4, Some(0), &["0"]),
            ],
        ),
        (
            "C[i] = A[i]; C[i] = T[i]; T[i] = A[i]",
            &[
                (0, None, &[ROW]),
                (1, None, &[ROW]),
                (2, Some(0), &["0"]),
                (3, None, &[ROW]),
                (4, None, &[ROW]),
                (5, Some(0), &["0"]),
            ],
        ),
        (
            "T[i, 0] = A[i]; C[i] = T[i, 1]",
            &[(0, None, &[ROW]), (1, Some(0), &["0"]), (2, Some(0), &["1"]), (3, None, &[ROW])],
        ),
    ];
    for (text, accesses) in others {
        let nests = vec![nest("i", "0", "n", vec![statement(text)])];
        let region = Region { nests, hidden: vec!["T"], dead_after: Vec::new() };
        let array = |name: &str| {
            let arrays = &crate::support::extracted(&region).scops[0].model.arrays;
            arrays.iter().position(|array| array.name.ends_with(name)).unwrap() as u32
        };
        let places: Vec<(u32, &str)> = accesses
            .iter()
            .filter(|(_, buffer, _)| buffer.is_some())
            .map(|(access, _, index)| (*access, if index[0] == "0" { first } else { second }))
            .collect();
        let body = all(vec![
            to_device(array("A")),
            launch(BLOCKS, when(INSIDE, run(0, &[ROW], accesses))),
            from_device(array("C")),
        ]);
        let generated = Generated::of(&region, body).with_buffer(Memory::Private, array("T"), &[2], &places);
        assert_eq!(generated.codes(), [""; 0], "{text}");
    }
    let apart = of(text, &[2], &[(1, first), (2, second)]);
    expect(&apart, vec![("at another place", work((Some(0), &["0"]), (Some(0), &["1"])), &["E0213"])]);
}

/// A value that a dependence passes is available to the access at its end, and to no other.
#[test]
fn a_value_is_there_for_the_access_that_it_is_of() {
    let body = vec![statement("A[i, 0] = D[i]"), statement("C[i] = A[i, 0] | A[i, 1]")];
    let places = [(1, "{ S0[i] -> B0[0] }"), (2, "{ S1[i] -> B0[0] }"), (3, "{ S1[i] -> B0[1] }")];
    let mut generated = Generated::new(vec![nest("i", "0", "n", body)], nothing()).with_buffer(
        Memory::Private,
        1,
        &[2],
        &places,
    );
    generated.extracted.scops[0].model.context.0 = "[n] -> { : 2 <= n <= 100 }".to_owned();
    let program = |bring: &[&str]| {
        let brought = bring.iter().map(|column| copy_in(0, &[column], &[ROW, column]));
        let write = run(0, &[ROW], &[(0, None, &[ROW]), (1, Some(0), &["0"])]);
        let read = run(1, &[ROW], &[(2, Some(0), &["0"]), (3, Some(0), &["1"]), (4, None, &[ROW])]);
        let steps = brought.chain([write, read, copy_out(0, &["0"], &[ROW, "0"])]).collect();
        let kernel = launch(BLOCKS, when(INSIDE, all(steps)));
        all(vec![to_device(0), to_device(1), kernel, from_device(1), from_device(2)])
    };
    expect(&generated, vec![("both", program(&["1"]), &[]), ("one", program(&[]), &["E0211"])]);
}

/// Threads of a block pass a value through shared memory, even if the value never leaves it.
#[test]
fn a_value_stays_in_shared_memory() {
    let body = vec![statement("T[i] = A[i]"), statement("C[i] = T[i]")];
    let region = Region { nests: vec![nest("i", "0", "n", body)], hidden: vec!["T"], dead_after: Vec::new() };
    let place = |number| format!("[bx] -> {{ S{number}[i] -> B0[i - 8bx] }}");
    let generated = Generated::of(&region, nothing()).with_buffer(
        Memory::Shared,
        1,
        &[8],
        &[(1, &place(0)), (2, &place(1))],
    );
    let other = "8 * bx + 7 - tx";
    let write = || when(INSIDE, run(0, &[ROW], &[(0, None, &[ROW]), (1, Some(0), &["tx"])]));
    let read = || {
        let work = run(1, &[other], &[(2, Some(0), &["7 - tx"]), (3, None, &[other])]);
        when("n >= 8 * bx + 8 - tx", work)
    };
    let program = |steps| all(vec![to_device(0), launch(BLOCKS, all(steps)), from_device(2)]);
    expect(
        &generated,
        vec![
            ("a barrier", program(vec![write(), BARRIER, read()]), &[]),
            ("no barrier", program(vec![write(), read()]), &["E0203", "E0214"]),
        ],
    );
}

/// The same for consecutive statements.
#[test]
fn a_value_is_read_from_the_place_that_it_was_written_to() {
    let body = vec![statement("T[i] = A[i]"), statement("C[i] = T[i]")];
    let region = Region { nests: vec![nest("i", "0", "n", body)], hidden: vec!["T"], dead_after: Vec::new() };
    for (place, codes) in [("0", &[][..]), ("1", &["E0213"])] {
        let read = format!("{{ S1[i] -> B0[{place}] }}");
        for memory in [Memory::Private, Memory::Shared] {
            let (sizes, first) = match memory {
                Memory::Private => (&[2][..], "{ S0[i] -> B0[0] }".to_owned()),
                Memory::Shared => (&[2, 8][..], "[bx] -> { S0[i] -> B0[0, i - 8bx] }".to_owned()),
            };
            let read = match memory {
                Memory::Private => read.clone(),
                Memory::Shared => format!("[bx] -> {{ S1[i] -> B0[{place}, i - 8bx] }}"),
            };
            let at = |place: &'static str| match memory {
                Memory::Private => vec![place],
                Memory::Shared => vec![place, "tx"],
            };
            let generated =
                Generated::of(&region, nothing()).with_buffer(memory, 1, sizes, &[(1, &first), (2, &read)]);
            let write = run(0, &[ROW], &[(0, None, &[ROW]), (1, Some(0), &at("0"))]);
            let read = run(1, &[ROW], &[(2, Some(0), &at(place)), (3, None, &[ROW])]);
            let steps = launch(BLOCKS, when(INSIDE, all(vec![write, read])));
            let body = all(vec![to_device(0), steps, from_device(2)]);
            assert_eq!(generated.but(body).codes(), codes, "{place} {memory:?}");
        }
    }
}

/// `for (i) for (k) C[i][k] = A[k];`, where one thread brings the next element while all use the one before.
#[test]
fn the_next_tile_comes_to_another_place() {
    let with = |place: &str| {
        let body = vec![nest("k", "0", "n", vec![statement("C[i, k] = A[k]")])];
        let place = format!("{{ S0[i, k] -> B0[{place}] }}");
        Generated::new(vec![nest("i", "0", "n", body)], nothing()).with_buffer(
            Memory::Shared,
            0,
            &[2],
            &[(0, &place)],
        )
    };
    let bring = |place: &str, element: &str| {
        let exists = format!("tx == 7 and {element} >= 0 and {element} <= n - 1");
        when(&exists, copy_in(0, &[place], &[element]))
    };
    let used = |place: &str| {
        let work = run(0, &[ROW, "k"], &[(0, Some(0), &[place]), (1, None, &[ROW, "k"])]);
        when("k >= 0", when(INSIDE, work))
    };
    let ahead = || bring("posmod(k + 1, 2)", "k + 1");
    let barrier = || when("k <= n - 2", BARRIER);
    let program = |steps| {
        let kernel = launch(BLOCKS, each("k", "-1", "k <= n - 1", all(steps)));
        all(vec![to_device(0), kernel, from_device(1)])
    };
    let half = || used("posmod(k, 2)");
    expect(
        &with("k - 2*floor(k/2)"),
        vec![
            ("ahead", program(vec![ahead(), half(), barrier()]), &[]),
            ("ahead, after the use", program(vec![half(), ahead(), barrier()]), &[]),
            ("without a barrier", program(vec![ahead(), half()]), &["E0214"]),
            ("with a barrier between", program(vec![ahead(), barrier(), half()]), &["E0214"]),
            ("not ahead", program(vec![bring("posmod(k, 2)", "k"), half(), barrier()]), &["E0214"]),
            ("from the second on", program(vec![when("k >= 0", ahead()), half(), barrier()]), &["E0211"]),
            (
                "too far ahead",
                program(vec![bring("posmod(k + 2, 2)", "k + 2"), half(), barrier()]),
                &["E0211", "E0213", "E0214"],
            ),
        ],
    );
    let one = program(vec![bring("0", "k + 1"), used("0"), barrier()]);
    expect(&with("0"), vec![("to the same place", one, &["E0213", "E0214"])]);
}
