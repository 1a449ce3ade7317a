//! Compiles and links the program for `--run`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Place, wrong_code};
use crate::job::Job;
use crate::part::{BUILD_FLAGS, NVCC_FLAGS, Part, libraries, linker_words};
use crate::plan::{Plan, Run};
use crate::process::{Kind, Processes, Whose, is_executable, is_writable};
use crate::stages::Stage;
use crate::stop::{Or, Stop};
use crate::tools::{Tools, is_unset};
use crate::words::joined;

/// The variable that gives the profiler the GPU that the translation was made for.
const TARGET: &str = "CUDASIM_TARGET";

/// The variable that names the program which says how long the GPU takes for what the profiler counted.
const TIME: &str = "CUDASIM_TIME";

/// The program that prices profiles. Without it, there are only counts.
const GPU_TIME: &str = "gpu-time";

/// The variable that names the folder in which cudasim keeps its runtime.
const CACHE: &str = "CUDASIM_CACHE";

/// Sets the environment variables for cudasim and the program.
pub fn introduce(processes: &mut Processes, tools: &Tools, plan: &Plan, run: &Run, place: &Place) {
    if let Some(tolerance) = &run.tolerance {
        processes.set("C2CUDA_TOLERANCE", tolerance);
    }
    if *place == Place::Profile && is_unset(TARGET) {
        let named = plan.chain.more.get(&Stage::Gpulocalizer).and_then(|words| target(words));
        processes.set(TARGET, named.unwrap_or_else(|| tools.root.join("targets/h200.json").into()));
    }
    if *place == Place::Profile && is_unset(TIME) && is_executable(&tools.path(GPU_TIME)) {
        processes.set(TIME, tools.path(GPU_TIME));
    }
    let folder = tools.root.join("target");
    if is_unset(CACHE) && is_writable(&folder) {
        processes.set(CACHE, folder.join("cudasim"));
    }
}

/// Returns the file of `--target FILE` among the arguments of gpulocalizer.
fn target(arguments: &[OsString]) -> Option<OsString> {
    let apart = arguments.windows(2).filter(|two| two[0] == "--target").map(|two| two[1].clone());
    let joined = arguments.iter().filter_map(|word| word.as_bytes().strip_prefix(b"--target="));
    apart.chain(joined.map(|file| OsStr::from_bytes(file).to_owned())).last()
}

/// Builds a program from translated parts and other files.
pub fn build(job: Job<'_>, run: &Run, place: &Place, parts: &[Part<'_>]) -> Or<PathBuf> {
    let mut compiler = Compilation { job, place, objects: Vec::new(), number: 0 };
    for part in parts {
        compiler.compile(part.compiler(), part.host_flags(None), part.host())?;
    }
    for other in &run.others {
        let words =
            job.plan.compilers.of_file(other).map(|compiler| compiler.words.clone()).unwrap_or_default();
        let mut flags = parts
            .iter()
            .find(|part| part.kernels().is_some())
            .map(|part| part.headers_beside(None))
            .unwrap_or_default();
        flags.extend(run.flags.language.iter().chain(&run.flags.others).cloned());
        compiler.compile(words, flags, other)?;
    }
    let program = job.work.join("a.out");
    let mut words = linker(job, run, place, parts)?;
    words.extend(["-o".into(), program.clone().into()]);
    words.extend(parts.iter().filter_map(Part::kernels).map(OsString::from));
    words.extend(compiler.objects);
    words.extend(libraries(parts));
    let status = job.processes.run(job.processes.command(words), building())?;
    if status.is_success() {
        Ok(program)
    } else {
        Err(Stop::failed("the generated program could not be built"))
    }
}

fn building() -> Kind<'static> {
    Kind { whose: Whose::Tool, what: Some("building") }
}

struct Compilation<'a> {
    job: Job<'a>,
    place: &'a Place,
    objects: Vec<OsString>,
    number: u32,
}

impl Compilation<'_> {
    /// Compiles a file. A file without a compiler is passed on to the linker.
    fn compile(&mut self, compiler: Vec<OsString>, flags: Vec<OsString>, file: &Path) -> Or<()> {
        if compiler.is_empty() {
            self.objects.push(file.into());
            return Ok(());
        }
        self.number += 1;
        let object = self.job.work.join(format!("{}.o", self.number));
        let name = compiler.join(OsStr::new(" "));
        let mut words = compiler;
        words.extend(BUILD_FLAGS.iter().map(OsString::from));
        words.extend(self.flags_for_checks(&words[0], &flags));
        words.extend(flags);
        words.extend(["-c".into(), file.into(), "-o".into(), object.clone().into()]);
        if !self.job.processes.run(self.job.processes.command(words), building())?.is_success() {
            let (name, file) = (name.display(), file.display());
            return Err(Stop::failed(format!("{name} could not compile '{file}'")));
        }
        self.objects.push(object.into());
        Ok(())
    }
}

impl Compilation<'_> {
    /// Returns the flags with which cudasim sees what host code reads and writes: GCC knows them, and they allow no
    /// other instrumentation.
    fn flags_for_checks(&self, compiler: &OsStr, flags: &[OsString]) -> Option<OsString> {
        let is_gcc = ["gcc", "g++"].into_iter().any(|name| compiler == name);
        let is_free = !flags.iter().any(|flag| flag.as_bytes().starts_with(b"-fsanitize"));
        let file = self.job.tools.root.join("cudasim/host-flags");
        (*self.place == Place::Check && is_gcc && is_free).then(|| joined("@", file))
    }
}

fn linker(job: Job<'_>, run: &Run, place: &Place, parts: &[Part<'_>]) -> Or<Vec<OsString>> {
    let mut words = match place {
        Place::Gpu(nvcc) => {
            for kernels in parts.iter().filter_map(Part::kernels) {
                wrong_code::refuse(job, nvcc, kernels)?;
            }
            let flags = NVCC_FLAGS.iter().map(OsString::from);
            return Ok([nvcc.into()].into_iter().chain(flags).chain(linker_words(parts, true)).collect());
        }
        _ => vec![job.tools.root.join("cudasim/cudasim-cc").into_os_string()],
    };
    words.extend(match place {
        Place::Check => Some("--coherence".into()),
        Place::Profile => Some("--profile".into()),
        _ => None,
    });
    words.push("-ffp-contract=off".into());
    words.extend(linker_words(parts, false));
    if *place == Place::Profile {
        words.extend(parts.iter().filter_map(|part| renamed(run, part)));
    }
    Ok(words)
}

/// Returns the flag that gives a generated file in profiles the name under which it is delivered.
fn renamed(run: &Run, part: &Part<'_>) -> Option<OsString> {
    let temporary = joined(part.kernels()?.parent()?, "/=");
    let folder = run.folder.as_ref().map(|folder| {
        let folder = folder.as_os_str().as_bytes();
        joined(OsStr::from_bytes(folder.strip_suffix(b"/").unwrap_or(folder)), "/")
    });
    Some(joined(joined("-ffile-prefix-map=", temporary), folder.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_that_of_gpulocalizer() {
        let words = |text: &[&str]| text.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(target(&words(&["--target", "a.json"])).unwrap(), "a.json");
        assert_eq!(target(&words(&["--residency=never", "--target=b.json"])).unwrap(), "b.json");
        assert_eq!(target(&words(&["--target"])), None);
    }
}
