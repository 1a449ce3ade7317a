//! Where elements lie in buffers and on the device, and which of them exist there.

use scop::{Certainty, IslPwQPolynomial, Layout, Memory, Numbering};

use super::{
    BARRIER, BLOCKS, INSIDE, ROW, bring, bring_last, copied, copying, expect, nothing, shifting, use_next,
    with_transfers,
};
use crate::support::program::{
    Generated, all, copy_in, copy_out, from_device, launch, part, run, to_device, when,
};
use crate::support::{nest, statement};

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
