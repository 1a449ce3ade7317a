//! The files that make one executable of several translated programs of one language; `support/packed.c` runs it.
//!
//! The generated CUDA files have helpers of the same names, so each stands in a namespace of its own, after the
//! headers that any of them includes.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use crate::program::Program;
use crate::setting::Language;
use crate::source::SUPPORT;

/// So many programs are built together: that saves most of the compilers' time for headers.
pub const PACK: u64 = 12;

/// Writes what all packs share.
pub fn write_support(folder: &Path) -> io::Result<()> {
    let header = format!("#pragma once\n{SUPPORT}");
    fs::write(folder.join("support.h"), header)?;
    fs::write(folder.join("counted.h"), include_str!("../support/counted.h"))?;
    fs::write(folder.join("packed.h"), include_str!("../support/packed.h"))?;
    fs::write(folder.join("packed.c"), include_str!("../support/packed.c"))
}

/// The language of the programs of a pack.
pub fn language(programs: &[&Program]) -> Language {
    programs.first().map_or(Language::C, |program| program.setting.language)
}

/// Writes the originals, the translations and the kernels.
pub fn write(folder: &Path, programs: &[&Program]) -> io::Result<()> {
    write_originals(folder, programs)?;
    let ending = language(programs).ending();
    let mut host = String::from("#include \"support.h\"\n#include \"packed.h\"\n");
    let mut headers = BTreeSet::new();
    let mut kernels = String::new();
    for program in programs {
        let number = program.number;
        let header = fs::read_to_string(folder.join(format!("p{number}_gpu.h")))?;
        let _ = writeln!(host, "#include \"p{number}_gpu.h\"");
        for call in calls(&header) {
            let _ = writeln!(host, "#define {call}(...) counted({call}(__VA_ARGS__))");
        }
        let _ = writeln!(host, "#include \"p{number}_host.{ending}\"");
        let cuda = fs::read_to_string(folder.join(format!("p{number}_gpu.cu")))?;
        headers.extend(cuda.lines().filter(|line| line.starts_with("#include <")).map(str::to_owned));
        let _ = writeln!(kernels, "namespace program{number} {{\n#include \"p{number}_gpu.cu\"\n}}");
    }
    host += &list("translations", programs);
    fs::write(folder.join(format!("translations.{ending}")), host)?;
    let headers: String = headers.into_iter().map(|line| line + "\n").collect();
    fs::write(folder.join("packed_gpu.cu"), headers + &kernels)
}

/// Writes the originals.
pub fn write_originals(folder: &Path, programs: &[&Program]) -> io::Result<()> {
    let ending = language(programs).ending();
    let mut text = String::from("#include \"support.h\"\n#include \"packed.h\"\n");
    for program in programs {
        let _ = writeln!(text, "#include \"p{}.{ending}\"", program.number);
    }
    text += &list("originals", programs);
    fs::write(folder.join(format!("originals.{ending}")), text)
}

/// The functions that a generated header declares for regions.
pub fn calls(header: &str) -> impl Iterator<Item = &str> {
    header.match_indices("int ").filter_map(|(start, word)| {
        let (name, _) = header[start + word.len()..].split_once('(')?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (is_name && name.contains("_scop")).then_some(name)
    })
}

fn list(name: &str, programs: &[&Program]) -> String {
    let rows: String =
        programs.iter().map(|program| format!("    {{{0}, program{0}}},\n", program.number)).collect();
    format!("extern const struct program {name}[] = {{\n{rows}    {{0, NULL}},\n}};\n")
}
