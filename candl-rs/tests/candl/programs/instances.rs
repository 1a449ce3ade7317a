//! Which instances run, how often, and in which order.

use scop::Memory;

use super::{BARRIER, BLOCKS, INSIDE, ROW, copied, copying, expect, nothing, with_transfers};
use crate::support::program::{
    Generated, all, copy_in, copy_out, each, either, from_device, launch, launch_from, named, run,
    specialised, step, to_device, when,
};
use crate::support::{Region, make_integer_sum, nest, statement};

/// Sums of integers into one element: every thread adds to the element itself, never to a copy.
#[test]
fn updates_in_any_order_are_of_the_element_itself() {
    let sum = || vec![nest("i", "0", "n", vec![statement("s[] = s[] | A[i]")])];
    let mut generated = Generated::new(sum(), nothing());
    let around = |body| all(vec![to_device(0), to_device(1), body, from_device(0)]);
    let add = |buffer: Option<u32>| {
        let own: &[&str] = if buffer.is_some() { &["0"] } else { &[] };
        run(0, &[ROW], &[(0, buffer, own), (1, None, &[ROW]), (2, buffer, own)])
    };
    let in_blocks = |node| around(launch(BLOCKS, when(INSIDE, node)));
    // The order of floating-point sums is that of C.
    expect(&generated, vec![("by all threads", in_blocks(add(None)), &["E0202"])]);
    make_integer_sum(&mut generated.extracted);
    expect(
        &generated,
        vec![
            ("by all threads", in_blocks(add(None)), &[]),
            (
                "on the host",
                each(
                    "i",
                    "0",
                    "i <= n - 1",
                    run(0, &["i"], &[(0, None, &[]), (1, None, &["i"]), (2, None, &[])]),
                ),
                &[],
            ),
            (
                "not brought there",
                all(vec![to_device(1), launch(BLOCKS, when(INSIDE, add(None))), from_device(0)]),
                &["E0216"],
            ),
            (
                "not brought back",
                all(vec![to_device(0), to_device(1), launch(BLOCKS, when(INSIDE, add(None)))]),
                &["E0216"],
            ),
            ("twice", in_blocks(all(vec![add(None), add(None)])), &["E0204"]),
        ],
    );
    let places = [(0, "[n] -> { S0[i] -> [0] }"), (2, "[n] -> { S0[i] -> [0] }")];
    let apart = generated.with_buffer(Memory::Private, 0, &[1], &places);
    let copies = all(vec![copy_in(0, &["0"], &[]), add(Some(0)), copy_out(0, &["0"], &[])]);
    let codes = apart.but(in_blocks(copies)).codes();
    assert!(codes.contains(&"E0223".to_owned()), "{codes:?}");
}

/// A reader of the sum waits for all updates.
#[test]
fn readers_of_a_sum_wait_for_every_update() {
    let nests = vec![
        nest("i", "0", "n", vec![statement("s[] = s[] | A[i]")]),
        nest("i", "0", "n", vec![statement("B[i] = s[]")]),
    ];
    let mut generated = Generated::new(nests, nothing());
    make_integer_sum(&mut generated.extracted);
    let add = || run(0, &[ROW], &[(0, None, &[]), (1, None, &[ROW]), (2, None, &[])]);
    let read = || run(1, &[ROW], &[(3, None, &[]), (4, None, &[ROW])]);
    let around = |body| all(vec![to_device(0), to_device(1), body, from_device(0), from_device(2)]);
    let kernel = |node| launch(BLOCKS, when(INSIDE, node));
    let first_then = |first, second| around(all(vec![kernel(first), kernel(second)]));
    expect(
        &generated,
        vec![
            ("in kernels one after the other", first_then(add(), read()), &[]),
            ("before it", first_then(read(), add()), &["E0201"]),
            ("in one kernel", around(kernel(all(vec![add(), read()]))), &["E0202"]),
        ],
    );
}

#[test]
fn every_instance_runs_once() {
    let work = || copied(ROW);
    let in_kernel = |extent: &str, node| with_transfers(launch(extent, node));
    let (first, second) =
        ("n >= 8 * bx + tx + 1 and 9 >= 8 * bx + tx", "n >= 8 * bx + tx + 1 and 10 <= 8 * bx + tx");
    let of_one_thread = |node| in_kernel("1", when("tx == 0", node));
    let to_n = |from: &str, by| step("k", from, "k <= n - 1", by, copied("k"));
    expect(
        &copying(nothing()),
        vec![
            ("one for each thread", in_kernel(BLOCKS, when(INSIDE, work())), &[]),
            ("twice", in_kernel(BLOCKS, when(INSIDE, all(vec![work(), work()]))), &["E0204"]),
            ("one or the other", in_kernel(BLOCKS, when(INSIDE, either("tx <= 3", work(), work()))), &[]),
            (
                "one thread both",
                in_kernel(BLOCKS, when(INSIDE, all(vec![when("tx <= 4", work()), when("tx >= 4", work())]))),
                &["E0204"],
            ),
            (
                "one thread none",
                in_kernel(BLOCKS, when(INSIDE, all(vec![when("tx <= 2", work()), when("tx >= 4", work())]))),
                &["E0205"],
            ),
            (
                "one thread twice, with others between",
                in_kernel(
                    BLOCKS,
                    when(
                        INSIDE,
                        all(vec![when("tx <= 3", work()), when("tx >= 4", work()), when("tx <= 3", work())]),
                    ),
                ),
                &["E0204"],
            ),
            (
                "two launches",
                with_transfers(all(vec![
                    launch(BLOCKS, when(first, work())),
                    launch(BLOCKS, when(second, work())),
                ])),
                &[],
            ),
            ("a block is missing", in_kernel("floordiv(n, 8)", when(INSIDE, work())), &["E0205"]),
            ("a block more", in_kernel("floordiv(n + 15, 8)", when(INSIDE, work())), &[]),
            (
                "the first block is missing",
                with_transfers(launch_from("1", BLOCKS, when(INSIDE, work()))),
                &["E0205"],
            ),
            ("no instance", in_kernel(BLOCKS, work()), &["E0208"]),
            ("no instance in blocks that there are", in_kernel("n", when("tx == 0", copied("bx"))), &[]),
            ("no instance in the last block", in_kernel("n + 1", when("tx == 0", copied("bx"))), &["E0208"]),
            ("the last block is missing", in_kernel("n - 1", when("tx == 0", copied("bx"))), &["E0205"]),
            ("one after the other", of_one_thread(to_n("0", 1)), &[]),
            ("every second", of_one_thread(to_n("0", 2)), &["E0205"]),
            ("all but the first", of_one_thread(to_n("1", 1)), &["E0205"]),
            ("the even and the odd", of_one_thread(all(vec![to_n("0", 2), to_n("1", 2)])), &[]),
            ("every eighth for each thread", in_kernel("1", to_n("tx", 8)), &[]),
            ("every fourth for each thread", in_kernel("1", to_n("tx", 4)), &["E0204"]),
            ("under a name", in_kernel(BLOCKS, named("k", ROW, when("k <= n - 1", copied("k")))), &[]),
        ],
    );
    // A loop has to end at a bound, and C's division is integer division.
    let first_thread = |node| when("tx == 0", node);
    let of_pair = || when("exactdiv(tx, 2) == 0 and n >= tx + 1", copied("tx"));
    let of_first = |condition: &str, by| of_one_thread(step("k", "0", condition, by, copied("k")));
    expect(
        &copying(nothing()),
        vec![
            ("to a bound from above", of_first("k <= n - 1", 1), &[]),
            ("while it is above a bound", of_first("k <= n - 1 and k >= 0", 1), &["B0000"]),
            ("without a step", of_first("k <= n - 1", 0), &["B0000"]),
            ("halves", in_kernel("1", all(vec![of_pair(), first_thread(to_n("2", 1))])), &[]),
            (
                "halves and one of them",
                in_kernel("1", all(vec![of_pair(), first_thread(to_n("1", 1))])),
                &["E0204"],
            ),
        ],
    );
}

/// If a statement runs in two places, both are checked.
#[test]
fn each_leaf_of_a_statement_is_in_order() {
    let each_i = |text| nest("i", "0", "n", vec![statement(text)]);
    let generated = Generated::new(vec![each_i("B[i] = A[i]"), each_i("C[i] = B[i]")], nothing());
    let read = |k, part| {
        let one = run(1, &["i"], &[(2, None, &["i"]), (3, None, &["i"])]);
        when(&format!("k == {k}"), each("i", "0", "i <= n - 1", when(part, one)))
    };
    let write = |k, part| when(&format!("k == {k}"), each("i", "0", "i <= n - 1", when(part, copied("i"))));
    let program = |steps| each("k", "0", "k <= 1", all(steps));
    let (low, high, any) = ("i <= 4", "i >= 5", "i >= 0");
    expect(
        &generated,
        vec![
            ("after it", program(vec![read(1, low), write(0, any), read(0, high)]), &[]),
            ("one before it", program(vec![read(1, low), read(0, high), write(0, any)]), &["E0201"]),
            ("the other before it", program(vec![read(0, low), read(1, high), write(0, any)]), &["E0201"]),
            ("after both", program(vec![write(0, low), write(0, high), read(0, any)]), &[]),
            ("before one of them", program(vec![write(0, low), read(0, any), write(0, high)]), &["E0201"]),
        ],
    );
}

/// Dead statements may be left out, both in a loop program and in a tree.
#[test]
fn what_is_dead_may_be_left_out() {
    let body = vec![statement("B[i] = A[i]"), statement("t[i] = A[i]")];
    let program = with_transfers(launch(BLOCKS, when(INSIDE, copied(ROW))));
    for (dead_after, codes) in [(vec!["t"], &[][..]), (vec![], &["E0205"])] {
        let nests = vec![nest("i", "0", "n", body.clone())];
        let region = Region { nests, hidden: Vec::new(), dead_after };
        assert_eq!(Generated::of(&region, program.clone()).codes(), codes);
    }
    // A dead statement may also run, but not where it could overwrite something, because no dependence orders it.
    let unread = || run(1, &[ROW], &[(2, None, &[ROW]), (3, None, &[ROW])]);
    let both = with_transfers(launch(BLOCKS, when(INSIDE, all(vec![unread(), copied(ROW)]))));
    let nests = vec![nest("i", "0", "n", body)];
    let region = Region { nests, hidden: Vec::new(), dead_after: vec!["t"] };
    assert_eq!(Generated::of(&region, both).codes(), [""; 0]);
    let body = vec![statement("B[i] = A[i]"), statement("B[i] = A[i]")];
    let last = || run(1, &["i"], &[(2, None, &["i"]), (3, None, &["i"])]);
    let program = |steps| each("i", "0", "i <= n - 1", all(steps));
    expect(
        &Generated::new(vec![nest("i", "0", "n", body)], nothing()),
        vec![
            ("left out", program(vec![last()]), &[]),
            ("after the write that counts", program(vec![last(), copied("i")]), &["E0208"]),
        ],
    );
}

/// A nest that replaces another one under a guard does the same there, and all threads reach its barriers.
#[test]
fn specialised_nests_are_compared_with_the_general_ones() {
    let pair = |barrier: bool, guard: &str, index: &str| {
        let nest = |work| if barrier { all(vec![work, BARRIER]) } else { all(vec![work]) };
        with_transfers(launch(
            BLOCKS,
            specialised(guard, nest(copied(index)), nest(when(INSIDE, copied(ROW)))),
        ))
    };
    let (full, own) = ("n >= 8 * bx + 8", "n >= 8 * bx + tx + 1");
    expect(
        &copying(nothing()),
        vec![
            ("full", pair(false, full, ROW), &[]),
            ("nearly full", pair(false, "n >= 8 * bx + 7", ROW), &["E0222"]),
            ("the next one", pair(false, full, "8 * bx + 7 - tx"), &["E0222"]),
            ("each thread for itself", pair(false, own, ROW), &[]),
            ("full, with a barrier", pair(true, full, ROW), &[]),
            ("each thread for itself, with a barrier", pair(true, own, ROW), &["E0209"]),
        ],
    );
}

/// `for (i) A[i] = A[i - 1];`
#[test]
fn each_instance_follows_the_one_before() {
    let generated = Generated::new(vec![nest("i", "1", "n", vec![statement("A[i] = A[i - 1]")])], nothing());
    let at = |i: &str| run(0, &[i], &[(0, None, &[&format!("{i} - 1")]), (1, None, &[i])]);
    let back = || run(0, &["n - k"], &[(0, None, &["n - k - 1"]), (1, None, &["n - k"])]);
    let there_and_back = |work| all(vec![to_device(0), work, from_device(0)]);
    let each_k = |node| each("k", "1", "k <= n - 1", node);
    let one = |node| launch("1", when("tx == 0", node));
    let part = |from: &str, to: &str| one(each("k", from, to, at("k")));
    let (first, second) = (|| part("1", "k <= min(9, n - 1)"), || part("10", "k <= n - 1"));
    let inside = "n >= 8 * bx + tx + 1 and 8 * bx + tx >= 1";
    let at_row = || run(0, &[ROW], &[(0, None, &["8 * bx + tx - 1"]), (1, None, &[ROW])]);
    let waiting = |steps| there_and_back(launch("1", each("k", "1", "k <= n - 1", all(steps))));
    let turn = || when("posmod(k, 8) == tx", at("k"));
    expect(
        &generated,
        vec![
            ("on the host", each_k(at("k")), &[]),
            ("back on the host", each_k(back()), &["E0201"]),
            ("by one thread", there_and_back(one(each_k(at("k")))), &[]),
            ("back by one thread", there_and_back(one(each_k(back()))), &["E0201"]),
            ("by launches", there_and_back(each_k(one(at("k")))), &[]),
            ("by launches back", there_and_back(each_k(one(back()))), &["E0201"]),
            ("in two launches", there_and_back(all(vec![first(), second()])), &[]),
            ("in two launches back", there_and_back(all(vec![second(), first()])), &["E0201"]),
            ("by blocks", there_and_back(launch(BLOCKS, when(inside, at_row()))), &["E0202"]),
            (
                "by threads",
                there_and_back(launch("1", when(inside, when("bx == 0 and n <= 8", at_row())))),
                &["E0203", "E0205"],
            ),
            ("by threads in turn", waiting(vec![turn()]), &["E0203"]),
            ("by threads that wait", waiting(vec![turn(), BARRIER]), &[]),
            ("by threads that wait before", waiting(vec![BARRIER, turn()]), &[]),
            ("by threads that wait sometimes", waiting(vec![turn(), when("k >= 5", BARRIER)]), &["E0203"]),
        ],
    );
}
