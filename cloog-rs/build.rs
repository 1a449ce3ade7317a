//! Leads isl's calls of `isl_basic_map_reduce_coefficients` to `src/reduction.rs`, which says why.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_basic_map_reduce_coefficients");
}
