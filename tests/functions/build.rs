//! What the build scripts of scheduler and cloog-rs ask of the linker, for they ask it for themselves alone.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_map_intersect");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_basic_map_reduce_coefficients");
}
