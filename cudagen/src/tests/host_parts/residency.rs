//! Arrays that stay on the device.

use super::*;

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

/// What is read in the stay comes home at the end of another one, or after the region.
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
