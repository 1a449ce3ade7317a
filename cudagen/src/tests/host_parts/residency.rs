//! Resident arrays.

use super::*;

/// A region in a residency: `a` is resident, `b` is copied for this region only.
fn in_residency(copied_back_after: Option<u32>, read_between: bool, on_host: &[Touch]) -> String {
    let mut arrays = vec![pointer(0, "a", true, false), pointer(1, "b", true, false)];
    arrays[0].residency = Some(ResidencyId(0));
    arrays[0].copied_back_after = copied_back_after.map(ResidencyId);
    arrays[0].read_between = read_between;
    let touches = [(0, WRITE, MUST, WHOLE[0]), (1, READ, MUST, WHOLE[1])];
    let mut program = document(arrays, &touches, on_host).program();
    let around = range(SOURCE, SOURCE.find("#pragma scop").unwrap(), SOURCE.find("\n}").unwrap());
    program.source.residencies = (0..2)
        .map(|id| Residency {
            id: ResidencyId(id),
            name: format!("f_residency{id}"),
            range: around,
            repeats: false,
        })
        .collect();
    program.scops[0].stage.placed.placement.device = vec![held(0, true)];
    generated(program)
}

#[test]
fn what_stays_is_reserved_and_the_rest_released() {
    let text = in_residency(None, false, &[]);
    for words in [
        "cuda_residency_release(b, dev_b_bytes);",
        "cuda_residency_reserve(0, a, dev_a_bytes);",
        "double *dev_a = (double *)cuda_residency_memory(a);",
        "cuda_check(cuda_residency_malloc(&dev_b, dev_b_bytes));",
        "cuda_residency_wrote(a, 0);",
        "cuda_residency_done();",
        "cuda_residency_end(-1); return 0;",
        "extern \"C\" void f_residency0_end(void) { cuda_residency_end(0); }",
        " f_residency0_end();",
    ] {
        says(&text, words);
    }
    never_says(&text, "f_residency1_end");
}

/// An array that is read between the regions is copied back at the end of another residency, or after the region.
#[test]
fn what_is_read_in_a_residency_comes_home_before() {
    let text = in_residency(Some(1), true, &[]);
    says(&text, "cuda_residency_wrote(a, 1);");
    says(&text, "f_residency1_end");
    says(&in_residency(None, true, &[]), "cuda_residency_wrote(a, -1);");
    says(&in_residency(Some(1), false, &[]), "cuda_residency_wrote(a, 0);");
}

/// Arrays that the host uses are not resident: the host reads them where C keeps them.
#[test]
fn what_the_host_uses_does_not_stay() {
    let text = in_residency(None, false, &[(0, READ, MUST, "[n, m] -> { S1[] -> A0[m] }")]);
    says(&text, "cuda_residency_release(a");
    never_says(&text, "cuda_residency_reserve(0, a");
}
