//! Grids whose blocks are numbered.

use chain_tests::{Scratch, driver};

use crate::program::{Program, Simulator};

const NUMBERED: &[&str] = &["--scheduler-options=--tile-sizes 10,5,10 --grid ranked"];

/// Every block finds its coordinates, whatever expressions bound them.
#[test]
fn numbered_blocks_find_their_tiles() {
    let program = Program::new("tests/programs/grids", "band", NUMBERED);
    program.run_in(Simulator::Checking).test(&[("", "1 / 17 / 64")], ("", "17"), &[]);
}

/// What is printed is the search whose steps prices and predictions count: each step halves what is left and asks once
/// for the number of blocks before the middle; and a rank is looked for among the values of a coordinate only as far as
/// the ones before it leave it.
#[test]
fn searches_halve_what_is_left() {
    let scratch = Scratch::new("searches");
    let translated = driver().arg("-q").args(NUMBERED).arg("-o").arg(scratch.at("out"));
    translated.arg("tests/programs/grids/band.c").run().succeeded();
    let text = scratch.read("out/band_gpu.cu");
    let search = |own: &str, parameters: &str, arguments: &str, (first, last): (&str, &str)| {
        format!(
            "_{own}(long cuda_rank, {parameters})\n{{\n    long {own} = {first};\n    \
             for (long cuda_end = {last}; cuda_end > {own};) {{\n        \
             const long cuda_middle = cuda_end - (cuda_end - {own}) / 2;\n        \
             if (KERNEL_before_{own}({arguments}) <= cuda_rank)\n            {own} = cuda_middle;\n        \
             else\n            cuda_end = cuda_middle - 1;\n    }}\n    return {own};\n}}\n",
        )
    };
    let kernel = "band_fill_3dc8b8_scop0_kernel0";
    for expected in [
        search("bz", "long n", "cuda_middle, n", ("0", "(n - 1) / 5")),
        search("by", "long bz, long n", "bz, cuda_middle, n", ("max(0L, ((bz + 1) >> 1) - 1)", "bz >> 1")),
    ] {
        let expected = format!("static __device__ long {kernel}{}", expected.replace("KERNEL", kernel));
        assert!(text.contains(&expected), "{expected}\nis not in\n{text}");
    }
    let rest = format!("{kernel}_by(cuda_rank\n        - {kernel}_before_bz(bz, n), bz, n);");
    assert!(text.contains(&rest), "{rest}\nis not in\n{text}");
}
