//! Redirects isl's calls of `isl_map_intersect` to `src/exactly.rs`, its calls of readers of texts in schedule trees to
//! `polyhedra/src/node_texts.rs`, its search for points and affine hulls to `polyhedra/src/vertex.rs` and
//! `polyhedra/src/affine_hull.rs`, and the division of rows to `polyhedra/src/rows.rs`; these files give the reasons.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed address, nothing has to be relocated when the tool starts, which takes a fifth of a millisecond.
    println!("cargo:rustc-link-arg-bins=-no-pie");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_map_intersect");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_set_affine_hull");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_basic_set_sample_vec");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_seq_gcd");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_seq_normalize");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_set_read_from_str");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_union_set_read_from_str");
    println!("cargo:rustc-link-arg=-Wl,--wrap=isl_union_map_read_from_str");
}
