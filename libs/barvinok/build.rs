//! Generates the bindings to libbarvinok, as a table of functions that is filled when the library is opened.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=src/barvinok.h");
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("bindings.rs");
    bindgen::Builder::default()
        .header("src/barvinok.h")
        .allowlist_function("isl_.*|__gmp_set_memory_functions")
        .dynamic_library_name("Functions")
        .dynamic_link_require_all(true)
        .generate()?
        .write_to_file(out)?;
    Ok(())
}
