//! Compilers that miscompile kernels.
//!
//! For GPUs of compute capability 9.0 and 10.x, ptxas of CUDA 12.5 to 13.3 compiles `max(max(a, -b), c)` to one
//! instruction and drops the sign of `b`. The loops that cudagen prints avoid such expressions, but statements may
//! contain them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::job::Job;
use crate::part::NVCC_FLAGS;
use crate::process::{Kind, Whose};
use crate::stop::{Or, Stop};

/// Refuses kernels that an nvcc would miscompile.
pub fn refuse(job: Job<'_>, nvcc: &Path, kernels: &Path) -> Or<()> {
    let asked = job.processes.command([nvcc.as_os_str(), "--version".as_ref()]);
    let said = job.processes.output(asked, &job.work.join("nvcc.txt"))?;
    let Some((major, minor)) = said.as_deref().and_then(release) else { return Ok(()) };
    if !(major == 12 && minor >= 5 || major == 13 && minor <= 3) {
        return Ok(());
    }
    let ptx = job.work.join("kernels.ptx");
    let mut words: Vec<OsString> = vec![nvcc.into()];
    words.extend(NVCC_FLAGS.iter().map(OsString::from));
    words.extend(["-ptx".into(), "-o".into(), ptx.clone().into(), kernels.into()]);
    let mut command = job.processes.command(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // Errors of the compiler are reported when the program is built.
    let compiled = job.processes.run(command, Kind { whose: Whose::Tool, what: Some("nvcc") })?.is_success();
    let text = fs::read(&ptx).map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
    if !compiled || !loses_a_sign(&text) {
        return Ok(());
    }
    let (nvcc, name) = (nvcc.display(), kernels.file_name().unwrap_or_default().display());
    Err(Stop::failed(format!(
        "'{nvcc}' is from CUDA {major}.{minor}, which would miscompile {name}: in max(max(a, -b), c) it drops the sign \
         of b. Put a newer one first on PATH ('scripts/setup --with-nvcc' puts one into target/tools/nvcc/bin)"
    )))
}

/// Returns the version in `release 13.0,`.
fn release(text: &str) -> Option<(u32, u32)> {
    text.split("release ").skip(1).find_map(|text| {
        let (major, rest) = text.split_once('.')?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        Some((major.parse().ok()?, rest[..end].parse().ok()?))
    })
}

/// The instruction that computed the value of a register.
#[derive(Debug, Clone, Copy)]
enum Made<'a> {
    Negated,
    /// `max.s32` or `min.s32` of two registers.
    OfTwo(&'a str, [&'a str; 2]),
}

/// True if PTX code for an affected GPU computes the minimum or maximum of three signed integers, one of which is
/// negated.
fn loses_a_sign(text: &str) -> bool {
    if !text.lines().any(is_affected_target) {
        return false;
    }
    let text = text.replace([',', ';'], " ");
    let mut made: HashMap<&str, Made<'_>> = HashMap::new();
    for line in text.lines() {
        if line.contains(".entry") || line.contains(".func") {
            made.clear();
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["neg.s32", target, ..] | ["sub.s32", target, "0", ..] => {
                made.insert(target, Made::Negated);
            }
            [operation @ ("max.s32" | "min.s32"), target, one, other, ..] => {
                let negated = |register: &str| matches!(made.get(register), Some(Made::Negated));
                let of_three = |inner: &str, third: &str| match made.get(inner) {
                    Some(Made::OfTwo(same, two)) if *same == operation => {
                        negated(two[0]) || negated(two[1]) || negated(third)
                    }
                    _ => false,
                };
                if of_three(one, other) || of_three(other, one) {
                    return true;
                }
                made.insert(target, Made::OfTwo(operation, [one, other]));
            }
            _ => {}
        }
    }
    false
}

fn is_affected_target(line: &str) -> bool {
    let Some(target) = line.strip_prefix(".target sm_") else { return false };
    let ten = target.strip_prefix("10").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    target.starts_with("90") || ten
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_of_which_one_is_negated_are_found() {
        let of_three = "neg.s32 %r3, %r1;\n max.s32 %r4, %r2, %r3;\n max.s32 %r5, %r7, %r4;\n";
        let subtracted = of_three.replace("neg.s32 %r3, %r1", "sub.s32 %r3, 0, %r1");
        let third = "neg.s32 %r3, %r1;\n min.s32 %r4, %r2, %r6;\n min.s32 %r5, %r4, %r3;\n";
        let of_two = of_three.replace("max.s32 %r5", "min.s32 %r5");
        let apart = of_three.replace("max.s32 %r5", ".visible .entry b()\n max.s32 %r5");
        for (target, body, lost) in [
            ("sm_90", of_three, true),
            ("sm_90a", of_three, true),
            ("sm_100", &subtracted, true),
            ("sm_103", third, true),
            ("sm_80", of_three, false),
            ("sm_90", &of_two, false),
            ("sm_90", &apart, false),
        ] {
            let text = format!(".target {target}\n.visible .entry a()\n{body}");
            assert_eq!(loses_a_sign(&text), lost, "{text}");
        }
    }

    #[test]
    fn releases_are_read() {
        assert_eq!(release("Cuda compilation tools, release 13.0, V13.0.88"), Some((13, 0)));
        assert_eq!(release("gcc 12"), None);
    }
}
