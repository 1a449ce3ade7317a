//! What the device holds between regions, as the functions keep it that generated programs bring along.

use chain_tests::{Call, Scratch, driver, root};

const TWO_REGIONS: &str = "void twice(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += 1.0;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= 2.0;
#pragma endscop
}
";

/// A region that reserved an array need not have used it. If the next one sets a part, the rest keeps the values of the host.
#[test]
fn a_part_of_memory_without_values_is_set() {
    let scratch = Scratch::new("part");
    scratch.write("twice.c", TWO_REGIONS);
    driver().within(scratch.path()).args(["-q", "twice.c"]).run().succeeded();
    let source = "#include \"twice_gpu.cu\"
#include <cstdio>
int main()
{
    double a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, part[3] = {10, 11, 12};
    cuda_stay_reserve(0, a, sizeof a);
    cuda_stay_done();
    cuda_stay_reserve(0, a + 2, sizeof part);
    cuda_check(cudaMemcpy(cuda_stay_memory(a + 2), part, sizeof part, cudaMemcpyHostToDevice));
    cuda_stay_wrote(a + 2, 0);
    cuda_stay_done();
    cuda_stay_end(0);
    for (double value : a)
        printf(\"%g \", value);
}
";
    scratch.write("part.cu", source);
    Call::new(root().join("cudasim/cudasim-cc"))
        .with("CUDASIM_CACHE", root().join("target/cudasim"))
        .within(scratch.path())
        .args(["--check", "-w", "part.cu", "-o", "part"])
        .run()
        .succeeded();
    let printed = Call::new(scratch.at("part")).run().succeeded().stdout;
    assert_eq!(printed, "0 1 10 11 12 5 6 7 ");
}
