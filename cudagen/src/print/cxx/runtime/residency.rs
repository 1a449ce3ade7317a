//! The table of the memory that the device holds between regions (`host/residency.rs`).
//!
//! It is one table for a program, even if several generated files belong to it: inline functions of a namespace define
//! it, and the linker keeps one of each. A later version that changes anything here needs another namespace.
//!
//! A piece is a contiguous part of the host's memory of which a device holds a copy. The pieces of a device do not
//! overlap. For each byte of a piece, one side has the newer value, or both agree. Two lists of ranges say so; no byte
//! is in both. If several devices hold a byte, at most one of them has a newer value than the host; all others then
//! consider the host's value the newer one, which they get only after it has been copied back.
//!
//! A region that runs holds its pieces: they neither move nor leave. A region of another thread that needs a larger
//! piece waits for it before it holds anything itself, so no two regions wait for each other.
//!
//! The parts: `table`, which all others need; `regions`; `host_code`; `held`.

mod held;
mod host_code;
mod regions;
mod table;

use std::collections::BTreeSet;

use crate::host::calls::HostCall;
use crate::host::file::{FileResidency, GpuFile};
use crate::host::operation::{HostOp, ResidencyOp};
use crate::print::cxx::runtime::residency::held::{API, DATA, HOLDS};
use crate::print::cxx::runtime::residency::host_code::{
    EXCEPTIONS, FORGET, FREES, INTERVALS, OVERWRITES, READS, READS_CLASS, RELEASE, WRITES, WRITES_CLASS,
};
use crate::print::cxx::runtime::residency::regions::REGIONS;
use crate::print::cxx::runtime::residency::table::TABLE;

/// Returns the definitions that a file needs.
pub fn text(residency: &FileResidency, file: &GpuFile) -> String {
    let mut functions: BTreeSet<&str> = residency.calls.iter().flat_map(|(call, _)| of_call(*call)).collect();
    functions.extend([READS, WRITES, HOLDS].into_iter().filter(|_| residency.is_held));
    let bodies = file.regions.iter().flat_map(|region| &region.body);
    bodies.for_each(|stmt| stmt.visit(&mut |op| functions.extend(of_operation(op))));
    let functions: String = FUNCTIONS.iter().filter(|text| functions.contains(*text)).copied().collect();
    let classes = format!(
        "\nnamespace gpu_residency = c2cuda_residency_v2;\n\n\
         // The addresses of these bytes stand for the classes of memory of this file.\n\
         [[maybe_unused]] static char gpu_classes[{}];\n",
        residency.classes
    );
    let api = if residency.is_held { API } else { "" };
    let at_exit = if residency.runs_at_exit { AT_EXIT } else { "" };
    [TABLE, REGIONS, &functions, END, &classes, api, at_exit].concat()
}

/// Returns the definitions that any file may need.
#[cfg(test)]
pub fn all() -> String {
    [TABLE, REGIONS, &FUNCTIONS.concat(), END, "\nnamespace gpu_residency = c2cuda_residency_v2;\n", API]
        .concat()
}

/// The definitions that only some files need.
const FUNCTIONS: [&str; 12] = [
    READS,
    WRITES,
    OVERWRITES,
    READS_CLASS,
    WRITES_CLASS,
    FREES,
    FORGET,
    RELEASE,
    INTERVALS,
    EXCEPTIONS,
    HOLDS,
    DATA,
];

/// Returns the definitions of the functions that a host function calls, apart from those of [`REGIONS`].
fn of_operation(op: &HostOp) -> Vec<&'static str> {
    let of_one = |op: &ResidencyOp| match op {
        ResidencyOp::Reads(_) => Some(READS),
        ResidencyOp::Writes(_) => Some(WRITES),
        ResidencyOp::ReadsClass(_) => Some(READS_CLASS),
        ResidencyOp::WritesClass(_) => Some(WRITES_CLASS),
        _ => None,
    };
    match op {
        HostOp::Residency(op) => of_one(op).into_iter().collect(),
        HostOp::Decline { before, .. } => before.iter().filter_map(of_one).collect(),
        _ => Vec::new(),
    }
}

/// Returns the definitions for a function that code outside of regions calls.
fn of_call(call: HostCall) -> Vec<&'static str> {
    vec![match call {
        HostCall::Begin | HostCall::End | HostCall::Leave | HostCall::Back => INTERVALS,
        HostCall::Mark | HostCall::Caught => EXCEPTIONS,
        HostCall::BeginData | HostCall::Hold | HostCall::HoldClass | HostCall::EndData => {
            return vec![HOLDS, DATA];
        }
        HostCall::Reads => READS,
        HostCall::Writes => WRITES,
        HostCall::Overwrites => OVERWRITES,
        HostCall::ReadsClass => READS_CLASS,
        HostCall::WritesClass => WRITES_CLASS,
        HostCall::Frees => FREES,
        HostCall::Forget => FORGET,
        HostCall::Release => RELEASE,
    }]
}

/// For files with code that may run while the program ends.
const AT_EXIT: &str = "
// Code of this file may run when the program ends, and needs the newest values.
[[maybe_unused]] static const bool gpu_copies_back = gpu_residency::table().copies_back_at_exit = true;
";

/// The end of the namespace.
const END: &str = "\n} // namespace c2cuda_residency_v2\n";
