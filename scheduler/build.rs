//! Redirects isl's calls of `isl_map_intersect` to `src/exactly.rs`, and its calls of readers of texts in schedule
//! trees to `polyhedra/src/node_texts.rs`; these files give the reasons.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_map_intersect");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_set_read_from_str");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_union_set_read_from_str");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_union_map_read_from_str");
}
