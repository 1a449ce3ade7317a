//! The table of the memory on the device, with a runtime library that only counts.

use std::path::Path;
use std::process::Command;

use super::*;

/// `tests/table/table.cpp` prints the expectations that fail.
#[test]
fn the_table_holds_what_regions_and_host_code_need() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/table");
    let scratch = std::env::temp_dir().join(format!("cudagen-table-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let includes = [
        "malloc.h",
        "pthread.h",
        "stddef.h",
        "stdio.h",
        "stdlib.h",
        "algorithm",
        "map",
        "mutex",
        "set",
        "utility",
        "vector",
    ];
    let includes: String = includes.iter().map(|header| format!("#include <{header}>\n")).collect();
    let text = format!("#pragma once\n#include \"fake_cuda.h\"\n{includes}{}", Target::Cuda.table());
    std::fs::write(scratch.join("table.h"), text).unwrap();
    // The checkers of memory and of threads exclude each other.
    for (number, checker) in ["-fsanitize=address,undefined", "-fsanitize=thread"].into_iter().enumerate() {
        let program = scratch.join(format!("table{number}"));
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++17", "-O0", "-g", "-Wall", "-Wextra", "-Werror", "-pthread", checker]);
        compiler.arg("-I").arg(&scratch).arg("-I").arg(&folder);
        compiler.arg(folder.join("table.cpp")).arg(folder.join("elsewhere.cpp")).arg("-o").arg(&program);
        let compiled = compiler.output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&program).env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        assert!(ran.status.success() && said.is_empty(), "{checker}: {}", String::from_utf8_lossy(&said));
    }
    std::fs::remove_dir_all(&scratch).unwrap();
}
