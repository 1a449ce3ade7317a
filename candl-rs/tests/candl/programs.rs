//! Correct loop programs, and the proof's messages about programs that differ from them in one place.

use scop::ast::Node;
use scop::{Certainty, IslPwQPolynomial, Layout, Memory, Numbering};

use crate::support::program::{
    Generated, all, copy_in, copy_out, each, either, from_device, launch, launch_from, named, part, run,
    specialised, step, to_device, when,
};
use crate::support::{Region, make_integer_sum, nest, statement};

/// The element of a thread, the condition that it exists, and the number of blocks for all elements.
const ROW: &str = "8 * bx + tx";
const INSIDE: &str = "n >= 8 * bx + tx + 1";
const BLOCKS: &str = "floordiv(n + 7, 8)";
const BARRIER: Node = Node::Barrier;

/// An access, its buffer if it uses one, and its index.
type Goes<'a> = (u32, Option<u32>, &'a [&'a str]);

/// Checks which codes the proof reports for some loop programs.
#[track_caller]
fn expect(generated: &Generated, programs: Vec<(&str, Node, &[&str])>) {
    for (what, body, codes) in programs {
        assert_eq!(generated.but(body).codes(), codes, "{what}");
    }
}

fn nothing() -> Node {
    all(Vec::new())
}

/// `for (i) B[i] = A[i];`
fn copying(body: Node) -> Generated {
    Generated::new(vec![nest("i", "0", "n", vec![statement("B[i] = A[i]")])], body)
}

fn copied(at: &str) -> Node {
    run(0, &[at], &[(0, None, &[at]), (1, None, &[at])])
}

fn with_transfers(work: Node) -> Node {
    all(vec![to_device(0), work, from_device(1)])
}

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

#[test]
fn all_threads_meet_a_barrier_or_none() {
    let with = |node| with_transfers(launch(BLOCKS, all(vec![node, when(INSIDE, copied(ROW))])));
    expect(
        &copying(nothing()),
        vec![
            ("all", with(BARRIER), &[]),
            ("all of some blocks", with(when("bx >= 1", BARRIER)), &[]),
            ("some", with(when("tx <= 3", BARRIER)), &["E0209"]),
            ("all under a condition", with(when("tx <= 7", BARRIER)), &[]),
            ("all but one", with(when("tx <= 6", BARRIER)), &["E0209"]),
            ("the others", with(either("tx <= 3", nothing(), BARRIER)), &["E0209"]),
            ("after some", with(all(vec![when("tx <= 3", nothing()), BARRIER])), &[]),
            ("as often as the thread says", with(each("k", "0", "k <= tx", BARRIER)), &["E0209"]),
            ("from the thread's number on", with(each("k", "tx", "k <= 7", BARRIER)), &["E0209"]),
            ("as often as the block says", with(each("k", "0", "k <= bx", BARRIER)), &[]),
            ("under another name", with(named("k", "tx", when("k <= 3", BARRIER))), &["E0209"]),
            ("all of the blocks that there are", with(when("8 * bx <= n - 1 or tx <= 3", BARRIER)), &[]),
        ],
    );
}

/// `for (i) B[i] = A[i + 1];` with the elements of a block, and one more, in shared memory.
fn shifting(sizes: &[u32]) -> Generated {
    let nests = vec![nest("i", "0", "n - 1", vec![statement("B[i] = A[i + 1]")])];
    let place = "[bx] -> { S0[i] -> B0[1 + i - 8bx] }";
    Generated::new(nests, nothing()).with_buffer(Memory::Shared, 0, sizes, &[(0, place)])
}

/// The steps of this kernel: each thread loads one element, one thread loads another, and each uses the next one.
fn bring() -> Node {
    when(INSIDE, copy_in(0, &["tx"], &[ROW]))
}

fn bring_last(thread: u32) -> Node {
    when(&format!("tx == {thread} and n >= 8 * bx + 9"), copy_in(0, &["8"], &["8 * bx + 8"]))
}

fn use_next() -> Node {
    let work = run(0, &[ROW], &[(0, Some(0), &["tx + 1"]), (1, None, &[ROW])]);
    when("n >= 8 * bx + tx + 2", work)
}

#[test]
fn threads_wait_for_what_others_bring() {
    let steps = |steps| with_transfers(launch(BLOCKS, all(steps)));
    let beside = || when(INSIDE, copy_in(0, &["tx + 1"], &[ROW]));
    expect(
        &shifting(&[9]),
        vec![
            ("a barrier", steps(vec![bring(), bring_last(0), BARRIER, use_next()]), &[]),
            ("another thread", steps(vec![bring(), bring_last(5), BARRIER, use_next()]), &[]),
            ("no barrier", steps(vec![bring(), bring_last(0), use_next()]), &["E0214"]),
            ("too early", steps(vec![BARRIER, bring(), bring_last(0), use_next()]), &["E0214"]),
            ("between the copies", steps(vec![bring(), BARRIER, bring_last(0), use_next()]), &["E0214"]),
            ("too little", steps(vec![bring(), BARRIER, use_next()]), &["E0211"]),
            ("too late", steps(vec![bring(), BARRIER, use_next(), bring_last(0)]), &["E0211", "E0214"]),
            ("beside", steps(vec![beside(), BARRIER, bring_last(0), BARRIER, use_next()]), &["E0213"]),
            (
                "past the array",
                steps(vec![copy_in(0, &["tx"], &[ROW]), bring_last(0), BARRIER, use_next()]),
                &["E0215"],
            ),
            (
                "in another launch",
                with_transfers(all(vec![
                    launch(BLOCKS, all(vec![bring(), bring_last(0), BARRIER, when("tx <= 3", use_next())])),
                    launch(BLOCKS, when("tx >= 4", use_next())),
                ])),
                &["E0211"],
            ),
        ],
    );
}

#[test]
fn places_are_in_the_memory_and_apart() {
    let body = || with_transfers(launch(BLOCKS, all(vec![bring(), bring_last(0), BARRIER, use_next()])));
    for (sizes, codes) in [(9, &[][..]), (8, &["E0218"]), (10, &[])] {
        assert_eq!(shifting(&[sizes]).but(body()).codes(), codes, "{sizes}");
    }
    // The place of an element that is never read may precede the first place.
    let nests = || vec![nest("i", "0", "n - 1", vec![statement("B[i] = A[i + 1]")])];
    let place = "[bx] -> { S0[i] -> B0[0, i - 8bx] }";
    for (sizes, from, codes) in
        [([1, 8], 1, &[][..]), ([1, 8], 0, &["E0218"]), ([1, 7], 1, &["E0218"]), ([2, 7], 1, &["E0218"])]
    {
        let bring = when(&format!("{INSIDE} and tx >= {from}"), copy_in(0, &["0", "tx - 1"], &[ROW]));
        let last = when("tx == 0 and n >= 8 * bx + 9", copy_in(0, &["0", "7"], &["8 * bx + 8"]));
        let work = run(0, &[ROW], &[(0, Some(0), &["0", "tx"]), (1, None, &[ROW])]);
        let steps = all(vec![bring, last, BARRIER, when("n >= 8 * bx + tx + 2", work)]);
        let generated = Generated::new(nests(), with_transfers(launch(BLOCKS, steps)));
        assert_eq!(
            generated.with_buffer(Memory::Shared, 0, &sizes, &[(0, place)]).codes(),
            codes,
            "{sizes:?} {from}"
        );
    }
    for (position, elements, codes) in [
        ("{ B0[x] -> (x) : 0 <= x <= 8 }", 9, &[][..]),
        ("{ B0[x] -> (2 * x) : 0 <= x <= 8 }", 17, &[]),
        ("{ B0[x] -> (8 - x) : 0 <= x <= 8 }", 9, &[]),
        ("{ B0[x] -> (x) : 0 <= x <= 8 }", 8, &["E0213"]),
        ("{ B0[x] -> (x - 1) : 0 <= x <= 8 }", 9, &["E0213"]),
        ("{ B0[x] -> floor((x)/2) : 0 <= x <= 8 }", 9, &["E0213"]),
        ("{ B0[x] -> (x) : 0 <= x <= 7 }", 9, &["E0218"]),
    ] {
        let mut generated = shifting(&[9]).but(body());
        let polynomial = |text: &str| IslPwQPolynomial(text.to_owned());
        let numbering = Numbering { position: polynomial(position), count: polynomial("{ 9 }") };
        generated.buffers[0].layout = Layout::Dense { numbering, elements };
        assert_eq!(generated.codes(), codes, "{position} {elements}");
    }
}

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

/// `for (i) A[i] = A[i] | D[i];` through a buffer.
fn updating(memory: Memory, sizes: &[u32]) -> Generated {
    let nests = vec![nest("i", "0", "n", vec![statement("A[i] = A[i] | D[i]")])];
    let place = if sizes.is_empty() { "{ S0[i] -> B0[] }" } else { "[bx] -> { S0[i] -> B0[i - 8bx] }" };
    Generated::new(nests, nothing()).with_buffer(memory, 0, sizes, &[(0, place), (2, place)])
}

/// The program for it: the steps run where an element exists.
fn update_steps(steps: Vec<Node>) -> Node {
    let inside = steps.into_iter().map(|step| if step == BARRIER { step } else { when(INSIDE, step) });
    let kernel = launch(BLOCKS, all(inside.collect()));
    all(vec![to_device(0), to_device(1), kernel, from_device(0)])
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

/// Threads that copy the same element to the array, or of which one loads an element that another copies to the
/// array, must wait for each other; blocks cannot wait.
#[test]
fn elements_that_several_copy_are_waited_for() {
    let bring = || copy_in(0, &["tx"], &[ROW]);
    let update = || run(0, &[ROW], &[(0, Some(0), &["tx"]), (1, None, &[ROW]), (2, Some(0), &["tx"])]);
    let take = || copy_out(0, &["tx"], &[ROW]);
    let take_before = || when("tx >= 1", copy_out(0, &["tx - 1"], &["8 * bx + tx - 1"]));
    let bring_from = |condition: &str, element: &str| {
        when(&format!("tx == 0 and {condition}"), copy_in(0, &["8"], &[element]))
    };
    expect(
        &updating(Memory::Shared, &[9]),
        vec![
            ("own elements", update_steps(vec![bring(), update(), take()]), &[]),
            (
                "others as well",
                update_steps(vec![bring(), update(), BARRIER, take(), take_before()]),
                &["E0214"],
            ),
            (
                "others later",
                update_steps(vec![bring(), update(), BARRIER, take(), BARRIER, take_before()]),
                &[],
            ),
            (
                "others without waiting",
                update_steps(vec![bring(), update(), take_before(), take()]),
                &["E0214"],
            ),
            (
                "brought before another takes them",
                update_steps(vec![bring(), bring_from("n >= 8 * bx + 2", "8 * bx + 1"), update(), take()]),
                &["E0214"],
            ),
            (
                "brought long before",
                update_steps(vec![
                    bring(),
                    bring_from("n >= 8 * bx + 2", "8 * bx + 1"),
                    update(),
                    BARRIER,
                    take(),
                ]),
                &[],
            ),
            (
                "brought after it was taken",
                update_steps(vec![bring(), update(), take(), bring_from("n >= 8 * bx + 2", "8 * bx + 1")]),
                &["E0214"],
            ),
            (
                "of the next block",
                update_steps(vec![bring(), bring_from("n >= 8 * bx + 9", "8 * bx + 8"), update(), take()]),
                &["E0219"],
            ),
            (
                "of the block before",
                update_steps(vec![bring(), bring_from("bx >= 1", "8 * bx - 1"), update(), take()]),
                &["E0219"],
            ),
        ],
    );
}

/// The same in registers, for copies by different threads without a dependence between them.
#[test]
fn elements_that_several_copy_to_registers_are_waited_for() {
    let bring = || copy_in(0, &["tx"], &[ROW]);
    let update = || run(0, &[ROW], &[(0, Some(0), &["tx"]), (1, None, &[ROW]), (2, Some(0), &["tx"])]);
    let take = || copy_out(0, &["tx"], &[ROW]);
    let bring_first = |of: &str| when(of, copy_in(0, &["8"], &["8 * bx"]));
    let take_first = |of: &str| when(of, copy_out(0, &["8"], &["8 * bx"]));
    let bring_next = || when("n >= 8 * bx + 9", copy_in(0, &["8"], &["8 * bx + 8"]));
    expect(
        &updating(Memory::Private, &[9]),
        vec![
            ("own elements", update_steps(vec![bring(), update(), take()]), &[]),
            ("another's", update_steps(vec![bring(), bring_first("tx >= 1"), update(), take()]), &["E0214"]),
            (
                "another's, long before",
                update_steps(vec![bring(), bring_first("tx >= 1"), update(), BARRIER, take()]),
                &[],
            ),
            (
                "an old value goes back",
                update_steps(vec![
                    bring(),
                    bring_first("tx == 1"),
                    update(),
                    BARRIER,
                    take(),
                    take_first("tx == 1"),
                ]),
                &["E0214"],
            ),
            ("of the next block", update_steps(vec![bring(), bring_next(), update(), take()]), &["E0219"]),
        ],
    );
}

/// `for (i) A[i] = D[i];`, where each thread copies out what another thread wrote.
#[test]
fn threads_wait_for_what_others_write() {
    let nests = vec![nest("i", "0", "n", vec![statement("A[i] = D[i]")])];
    let place = "[bx] -> { S0[i] -> B0[i - 8bx] }";
    let generated = Generated::new(nests, nothing()).with_buffer(Memory::Shared, 1, &[8], &[(1, place)]);
    let write = || when(INSIDE, run(0, &[ROW], &[(0, None, &[ROW]), (1, Some(0), &["tx"])]));
    let take = || when("n >= 8 * bx + 8 - tx", copy_out(0, &["7 - tx"], &["8 * bx + 7 - tx"]));
    let program = |steps| all(vec![to_device(0), launch(BLOCKS, all(steps)), from_device(1)]);
    expect(
        &generated,
        vec![
            ("a barrier", program(vec![write(), BARRIER, take()]), &[]),
            ("no barrier", program(vec![write(), take()]), &["E0214"]),
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

#[test]
fn the_device_holds_what_kernels_touch() {
    let body = || with_transfers(launch(BLOCKS, when(INSIDE, copied(ROW))));
    let slice = |lower: &str, extent: &str, array: usize| {
        let mut generated = copying(body());
        generated.slices[array].lower = lower.parse().unwrap();
        generated.slices[array].extent = extent.parse().unwrap();
        generated.codes()
    };
    for array in 0..2 {
        assert_eq!(slice("0", "n + 1", array), [""; 0]);
        assert_eq!(slice("-1", "n + 1", array), [""; 0]);
        assert_eq!(slice("0", "n - 1", array), ["E0215"]);
        assert_eq!(slice("1", "n", array), ["E0215"]);
    }
    // A may access does not restrict the parameters.
    let nests = || vec![nest("i", "0", "n", vec![statement("B[i] = A[i + 1]")])];
    let work = run(0, &[ROW], &[(0, None, &["8 * bx + tx + 1"]), (1, None, &[ROW])]);
    let shifted = with_transfers(launch(BLOCKS, when(INSIDE, work)));
    for (extent, codes) in [("n", &[][..]), ("n - 1", &["E0215"])] {
        let mut generated = Generated::new(nests(), shifted.clone());
        generated.access(0).certainty = Certainty::May;
        generated.slices[0].extent = "n + 1".parse().unwrap();
        generated.slices[1].extent = extent.parse().unwrap();
        assert_eq!(generated.codes(), codes, "{extent}");
    }
    let mut without = copying(body());
    without.slices.remove(0);
    assert_eq!(without.codes(), ["E0215"]);
    for (array, numbered, codes) in [
        (0, "[n] -> { A0[x] : 0 <= x < n }", &[][..]),
        (0, "[n] -> { A0[x] : 0 <= x < n - 1 }", &["E0215"]),
        (1, "[n] -> { A1[x] : 0 <= x < n }", &[]),
        (1, "[n] -> { A1[x] : 1 <= x < n }", &["E0215"]),
    ] {
        let mut generated = copying(body());
        generated.number(array, numbered);
        assert_eq!(generated.codes(), codes, "{numbered}");
    }
}

/// If an access happens only in some instances, the elements of the other instances do not count, and neither do
/// parameter values for which the source accesses memory outside the array.
#[test]
fn the_device_needs_what_is_touched_alone() {
    let body = || with_transfers(launch(BLOCKS, when(INSIDE, copied(ROW))));
    for (condition, codes) in [("i >= 1", &[][..]), ("i >= 0", &["E0215"])] {
        let mut generated = copying(body());
        generated.access(0).relation.0 = format!("[n] -> {{ S0[i] -> A0[i] : {condition} }}");
        generated.access(0).certainty = Certainty::May;
        (generated.slices[0].lower, generated.slices[0].extent) =
            ("1".parse().unwrap(), "n - 1".parse().unwrap());
        assert_eq!(generated.codes(), codes, "{condition}");
    }
    let nests = vec![nest("i", "0", "n", vec![statement("B[i] = A[n - 5]")])];
    let work = run(0, &[ROW], &[(0, None, &["n - 5"]), (1, None, &[ROW])]);
    let body = with_transfers(launch(BLOCKS, when(INSIDE, work)));
    let mut generated = Generated::new(nests, body);
    assert_eq!(generated.codes(), [""; 0]);
    generated.boxes(0, &[["n - 5", "min(n, 1)"]], &[]);
    assert_eq!(generated.codes(), [""; 0]);
    generated.access(0).certainty = Certainty::May;
    assert_eq!(generated.codes(), ["E0215"]);
    // For an access with computed subscripts, there is no index to compare.
    let nests = vec![nest("i", "0", "n", vec![statement("B[i] = A[?]")])];
    let body =
        with_transfers(launch(BLOCKS, when(INSIDE, run(0, &[ROW], &[(0, None, &[]), (1, None, &[ROW])]))));
    let mut generated = Generated::new(nests, body);
    generated.access(0).indirect = true;
    assert_eq!(generated.codes(), [""; 0]);
    // Numbered elements may have several subscripts.
    let nests = || vec![nest("i", "0", "n", vec![statement("B[i] = A[i, i]")])];
    let body = || {
        with_transfers(launch(
            BLOCKS,
            when(INSIDE, run(0, &[ROW], &[(0, None, &[ROW, ROW]), (1, None, &[ROW])])),
        ))
    };
    for (numbered, codes) in [
        ("[n] -> { A0[x, x] : 0 <= x < n }", &[][..]),
        ("[n] -> { A0[x, y] : 0 <= x < n and y = x and y < n - 1 }", &["E0215"]),
        ("[n] -> { A0[x, 0] : 0 <= x < n }", &["E0215"]),
    ] {
        let mut generated = Generated::new(nests(), body());
        generated.number(0, numbered);
        assert_eq!(generated.codes(), codes, "{numbered}");
    }
}

/// If an array has an origin, its subscripts count from there, on the host, on the device and in transfers.
#[test]
fn subscripts_count_from_the_origin() {
    let read = |index: &str| {
        with_transfers(launch(
            BLOCKS,
            when(INSIDE, run(0, &[ROW], &[(0, None, &[index]), (1, None, &[ROW])])),
        ))
    };
    let mut generated = copying(nothing());
    generated.count_from(0, &["{ [(1)] }"]);
    generated.slices[0].lower = "-1".parse().unwrap();
    expect(
        &generated,
        vec![
            ("from the origin", read("8 * bx + tx - 1"), &[]),
            ("from the first element", read(ROW), &["E0210"]),
        ],
    );
    let nests = vec![nest("i", "0", "n", vec![statement("B[i] = A[i]")]), statement("B[0] = A[0]")];
    let mut generated = Generated::new(nests, nothing());
    generated.count_from(1, &["{ [(1)] }"]);
    generated.slices[1].lower = "-1".parse().unwrap();
    let at = |index: &str| run(0, &[ROW], &[(0, None, &[ROW]), (1, None, &[index])]);
    let kernel = || launch(BLOCKS, when(INSIDE, at("8 * bx + tx - 1")));
    let host = || run(1, &[], &[(2, None, &["0"]), (3, None, &["-1"])]);
    let home = |lower: &str, extent: &str| {
        all(vec![to_device(0), kernel(), from_device(1), host(), part(1, false, &[lower], &[extent])])
    };
    expect(
        &generated,
        vec![
            ("what the host wrote", home("-1", "min(n, 1)"), &["E0220"]),
            ("all but what the host wrote", home("0", "n - 1"), &[]),
            ("nothing", home("-1", "0"), &[]),
        ],
    );
    // If there are other threads, nothing else is transferred back.
    let mut generated = copying(nothing());
    generated.count_from(1, &["{ [(1)] }"]);
    generated.slices[1].lower = "-1".parse().unwrap();
    generated.extracted.scops[0].model.arrays[1].concurrent = true;
    let body = with_transfers(launch(BLOCKS, when(INSIDE, at("8 * bx + tx - 1"))));
    expect(&generated, vec![("what is written", body, &[])]);
}

/// Scalars that kernels only read are arguments.
#[test]
fn scalars_that_are_written_are_on_the_device() {
    let nests = vec![nest("i", "0", "n", vec![statement("B[i] = s[]")])];
    let work = run(0, &[ROW], &[(0, None, &[]), (1, None, &[ROW])]);
    let kernel = launch(BLOCKS, when(INSIDE, work));
    let mut generated = Generated::new(nests, all(vec![kernel, from_device(1)]));
    assert_eq!(generated.codes(), ["E0216"]);
    generated.slices.remove(0);
    assert_eq!(generated.codes(), [""; 0]);
    let work = run(0, &[], &[(0, None, &["0"]), (1, None, &[])]);
    let body = with_transfers(launch("1", when("tx == 0", work)));
    let mut generated = Generated::new(vec![statement("s[] = A[0]")], body);
    assert_eq!(generated.codes(), [""; 0]);
    generated.slices.remove(1);
    assert_eq!(generated.codes(), ["E0215"]);
    // A kernel that copies a value out of a register writes it.
    let place = "{ S0[] -> B0[] }";
    let add = run(0, &[], &[(0, Some(0), &[]), (1, None, &["0"]), (2, Some(0), &[])]);
    let steps = all(vec![copy_in(0, &[], &[]), add, copy_out(0, &[], &[])]);
    let body = all(vec![to_device(0), to_device(1), launch("1", when("tx == 0", steps)), from_device(0)]);
    let mut generated = Generated::new(vec![statement("s[] = s[] | A[0]")], body).with_buffer(
        Memory::Private,
        0,
        &[],
        &[(0, place), (2, place)],
    );
    assert_eq!(generated.codes(), [""; 0]);
    generated.slices.remove(0);
    assert_eq!(generated.codes(), ["E0215"]);
    // A scalar that a kernel writes and the host reads is not an argument.
    let work = run(0, &[], &[(0, None, &["0"]), (1, None, &[])]);
    let host = run(1, &[], &[(2, None, &[]), (3, None, &["0"])]);
    let body = all(vec![to_device(0), launch("1", when("tx == 0", work)), host]);
    let mut generated = Generated::new(vec![statement("s[] = A[0]"), statement("B[0] = s[]")], body);
    assert_eq!(generated.codes(), ["E0216"]);
    generated.slices.remove(1);
    assert_eq!(generated.codes(), ["E0215", "E0216"]);
    // A scalar that the host writes before a launch is an argument of the launch.
    let nests = vec![statement("s[] = A[0]"), nest("i", "0", "n", vec![statement("B[i] = s[]")])];
    let host = run(0, &[], &[(0, None, &["0"]), (1, None, &[])]);
    let work = run(1, &[ROW], &[(2, None, &[]), (3, None, &[ROW])]);
    let body = all(vec![host, launch(BLOCKS, when(INSIDE, work)), from_device(2)]);
    let mut generated = Generated::new(nests, body);
    assert_eq!(generated.codes(), ["E0216"]);
    generated.slices.remove(1);
    assert_eq!(generated.codes(), [""; 0]);
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

/// Registers in which two threads hold the same element: it is undefined whose value is copied out last.
#[test]
fn elements_that_two_threads_write_are_in_no_registers() {
    let nests = || vec![nest("i", "0", "n", vec![statement("A[i] = D[i]"), statement("A[i] = E[i]")])];
    // The second write may not happen, so that the value of the first one counts.
    let live = |mut generated: Generated| {
        generated.access(3).certainty = Certainty::May;
        generated
    };
    let generated = live(Generated::new(nests(), nothing()))
        .with_buffer(Memory::Private, 1, &[], &[(1, "{ S0[i] -> B0[] }")])
        .with_buffer(Memory::Private, 1, &[], &[(3, "{ S1[i] -> B1[] }")]);
    let write = |number: u32, buffer, at: &str| {
        let access = 2 * number;
        run(number, &[at], &[(access, None, &[at]), (access + 1, Some(buffer), &[])])
    };
    let other = "8 * bx + 7 - tx";
    let own = |node| when(INSIDE, node);
    let mirrored = |node| when("n >= 8 * bx + 8 - tx", node);
    let one = live(Generated::new(nests(), nothing())).with_buffer(
        Memory::Private,
        1,
        &[2],
        &[(1, "{ S0[i] -> B0[0] }"), (3, "{ S1[i] -> B0[1] }")],
    );
    let program = |steps| {
        let there = vec![to_device(0), to_device(1), to_device(2)];
        all([there, vec![launch(BLOCKS, all(steps)), from_device(1)]].concat())
    };
    expect(
        &generated,
        vec![(
            "two buffers",
            program(vec![
                own(write(0, 0, ROW)),
                BARRIER,
                mirrored(copy_in(1, &[], &[other])),
                mirrored(write(1, 1, other)),
                own(copy_out(0, &[], &[ROW])),
                mirrored(copy_out(1, &[], &[other])),
            ]),
            &["E0217"],
        )],
    );
    let at = |number: u32, place: &str, at: &str| {
        let access = 2 * number;
        run(number, &[at], &[(access, None, &[at]), (access + 1, Some(0), &[place])])
    };
    expect(
        &one,
        vec![(
            "one buffer",
            program(vec![
                own(at(0, "0", ROW)),
                BARRIER,
                mirrored(copy_in(0, &["1"], &[other])),
                mirrored(at(1, "1", other)),
                own(copy_out(0, &["0"], &[ROW])),
                mirrored(copy_out(0, &["1"], &[other])),
            ]),
            &["E0212", "E0214", "E0217"],
        )],
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
