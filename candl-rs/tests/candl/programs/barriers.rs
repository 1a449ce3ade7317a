//! What threads wait for.

use scop::{Certainty, Memory};

use super::{
    BARRIER, BLOCKS, INSIDE, ROW, bring, bring_last, copied, copying, expect, nothing, shifting,
    update_steps, updating, use_next, with_transfers,
};
use crate::support::program::{
    Generated, all, copy_in, copy_out, each, either, from_device, launch, named, run, to_device, when,
};
use crate::support::{nest, statement};

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
