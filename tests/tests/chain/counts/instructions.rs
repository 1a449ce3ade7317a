//! The instructions that warps execute: those that nvcc makes of the generated CUDA, as often as gpu-sass finds out
//! that they run.
//!
//! Another version of nvcc makes other instructions, so only the one that `scripts/setup` pins counts. Listings of its
//! code are kept in `target/listings`, a file for each program, until the generated CUDA changes.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chain_tests::{Call, root, tool};
use serde_json::Value;

const FLAGS: [&str; 5] = ["-O2", "-fmad=false", "-lineinfo", "-cubin", "-arch=sm_90"];

/// The GPU that has this architecture.
const TARGET: &str = "targets/h100.json";

/// The compiler with its disassemblers, and the versions of all three.
struct Compiler {
    tools: PathBuf,
    versions: String,
}

impl Compiler {
    /// Returns the compiler, if `scripts/setup --with-nvcc` has installed the version that it pins today.
    fn pinned() -> Option<&'static Self> {
        static FOUND: OnceLock<Option<Compiler>> = OnceLock::new();
        let find = || {
            let folder = root().join("target/tools/nvcc");
            let versions = fs::read_to_string(folder.join("stamp")).ok()?;
            let pins = fs::read_to_string(root().join("scripts/setup")).unwrap();
            let is_pinned =
                versions.split_whitespace().all(|pin| pins.lines().any(|line| line.trim() == pin));
            is_pinned.then(|| Self { tools: folder.join("bin"), versions })
        };
        FOUND.get_or_init(find).as_ref()
    }

    fn call(&self, tool: &str) -> Call {
        Call::new(self.tools.join(tool))
    }

    /// Compiles a generated file, and returns the listing as gpu-sass reads it.
    fn listing(&self, kernels: &Path) -> String {
        let cubin = kernels.with_extension("cubin");
        self.call("nvcc").args(FLAGS).arg(kernels).arg("-o").arg(&cubin).run().succeeded();
        let resources = self.call("cuobjdump").arg("-res-usage").arg(&cubin).run().succeeded().stdout;
        resources + &self.call("nvdisasm").args(["-gi", "-c"]).arg(&cubin).run().succeeded().stdout
    }
}

/// Returns the file with the listing of a generated file, which includes only its own header. Nothing without the
/// compiler, which is said.
pub fn listing_of(program: &Path, kernels: &Path) -> Option<PathBuf> {
    let Some(compiler) = Compiler::pinned() else {
        eprintln!(
            "{}: instructions are not compared: target/tools/nvcc is not the nvcc that scripts/setup --with-nvcc \
             installs",
            program.display()
        );
        return None;
    };
    let folder = root().join("target/listings").join(program);
    let listing = folder.join(format!("{:016x}.sass", key(compiler, kernels)));
    if !listing.exists() {
        let new = folder.with_extension(format!("{}.new", std::process::id()));
        let text = compiler.listing(kernels);
        // Earlier listings of the program are of no use any more.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(&new, text).unwrap();
        fs::rename(new, &listing).unwrap();
    }
    Some(listing)
}

/// Returns a number for all that a listing depends on.
fn key(compiler: &Compiler, kernels: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&compiler.versions, FLAGS, kernels.file_name()).hash(&mut hasher);
    for file in [kernels.to_owned(), kernels.with_extension("h")] {
        fs::read_to_string(file).unwrap().hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns what the kernels of a profile execute, as gpu-sass says it: an object for each kernel. The profile is also
/// in a file.
pub fn executed(listing: &Path, profile: &Value, file: &Path) -> Vec<Value> {
    if profile["kernels"].as_array().is_some_and(Vec::is_empty) {
        return Vec::new();
    }
    let call = tool("gpu-sass").arg("--cubin-listing").arg(listing).arg("--profile").arg(file);
    let said = call.arg("--target").arg(root().join(TARGET)).arg("--json").run().succeeded();
    assert_eq!(said.stderr, "", "{}", said.shown);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Returns the figures of a kernel: all instructions; registers of a thread, and instructions that spill them; then the
/// instructions by class, and accesses to memory also by the bytes of a lane. Figures that are 0 are left out.
pub fn figures(kernel: &Value) -> Vec<(String, u64)> {
    let number = |value: &Value| value.as_u64().unwrap();
    let object = |value: &Value| -> BTreeMap<String, Value> {
        value.as_object().unwrap().iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    let instructions = &kernel["instructions"];
    let mut figures = vec![
        ("all".to_owned(), number(&instructions["all"])),
        ("registers".to_owned(), number(&kernel["registers"])),
        ("spills".to_owned(), number(&kernel["spills"])),
    ];
    for (class, count) in object(&instructions["classes"]) {
        let name = class.replace('_', " ");
        match instructions["widths"].get(&class) {
            Some(widths) => {
                let mut widths: Vec<(u64, u64)> = object(widths)
                    .iter()
                    .map(|(width, count)| (width.parse().unwrap(), number(count)))
                    .collect();
                widths.sort_unstable();
                figures.extend(widths.iter().map(|(width, count)| (format!("{name} of {width}"), *count)));
            }
            None => figures.push((name, number(&count))),
        }
    }
    figures.retain(|(_, value)| *value > 0);
    figures
}
