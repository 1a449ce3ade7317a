//! Redirects isl's calls of its readers of texts in schedule trees to `polyhedra/src/node_texts.rs`, which gives the
//! reason.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_set_read_from_str");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_union_set_read_from_str");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_union_map_read_from_str");
}
