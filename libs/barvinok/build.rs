//! Generates the bindings to libbarvinok, as a table of functions that is filled when the library is opened.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=src/barvinok.h");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("bindings.rs");
    bindgen::Builder::default()
        .header("src/barvinok.h")
        .allowlist_function("isl_.*")
        .dynamic_library_name("Functions")
        .dynamic_link_require_all(true)
        .generate()
        .expect("bindgen needs libclang; `scripts/setup` installs it")
        .write_to_file(out)
        .expect("OUT_DIR is writable");
}
