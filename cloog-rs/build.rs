//! Leads isl's calls of two functions to `src/reduction.rs` and `src/quotients.rs`, which say why.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_basic_map_reduce_coefficients");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_set_remove_divs_involving_dims");
}
