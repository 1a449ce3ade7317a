//! Programs that must print the same, bit for bit, as plain C and after translation.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use chain_tests::{Call, Golden, Scratch, driver, find_nvcc, gcc, gxx, root, tool};
use serde_json::Value;

use crate::counts::{self, Run};

/// Defines one test for each program of a folder, translated with the given options of the driver. `runs` lists the
/// macros for compilation and the arguments of each run, separated by `/`; some sizes fit the tiles, others do not.
/// `checked` is the same for a size that the checking simulator runs quickly. The other runs use the checking
/// simulator as well, except with `fast in`. `some of` a folder does not require a row for each of its programs.
/// `and` names a further check of the first translation of each program.
macro_rules! programs {
    (@tests $folder:expr, $options:expr, $simulator:ident, $more:expr;
        $($name:ident: runs $runs:expr, checked $checked:expr;)*) => {
        $(#[test]
        fn $name() {
            let program = crate::program::Program::new($folder, stringify!($name), &$options);
            program.run_in(crate::program::Simulator::$simulator).test(&$runs, $checked, &$more);
        })*
    };
    (some of $folder:literal, options $options:expr; $($rows:tt)*) => {
        crate::program::programs! { @tests $folder, $options, Checking, []; $($rows)* }
    };
    (in $folder:literal, options $options:expr; $($rows:tt)*) => {
        crate::program::programs! { @all $folder, $options, Checking, []; $($rows)* }
    };
    (fast in $folder:literal, options $options:expr, and $more:path; $($rows:tt)*) => {
        crate::program::programs! { @all $folder, $options, Fast, [$more]; $($rows)* }
    };
    (@all $folder:literal, $options:expr, $simulator:ident, $more:expr;
        $($name:ident: runs $runs:expr, checked $checked:expr;)*) => {
        crate::program::programs! {
            @tests $folder, $options, $simulator, $more;
            $($name: runs $runs, checked $checked;)*
        }

        #[test]
        fn none_is_left_out() {
            let tested = [$(stringify!($name)),*];
            let names = chain_tests::names_in(&chain_tests::root().join($folder));
            let programs = names.iter().filter_map(|name| crate::program::stem(name));
            let missing: Vec<_> = programs.filter(|name| !tested.contains(name)).collect();
            assert!(missing.is_empty(), "programs without a row in the table: {missing:?}");
        }
    };
}

pub(crate) use programs;

/// Returns the name of a program without the ending for its language.
pub fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".c").or_else(|| name.strip_suffix(".cpp"))
}

/// A program, and the folder in which it is translated and built.
pub struct Program {
    folder: &'static str,
    name: &'static str,
    options: &'static [&'static str],
    parts: Vec<PathBuf>,
    simulator: Simulator,
    scratch: Scratch,
}

/// The macros of a translation, and the arguments for running the program that is built from it.
pub type Runs = (&'static str, &'static str);

impl Program {
    /// Returns a program of a folder of the checkout.
    pub fn new(folder: &'static str, name: &'static str, options: &'static [&'static str]) -> Self {
        let (parts, simulator) = (Vec::new(), Simulator::Checking);
        Self { folder, name, options, parts, simulator, scratch: Scratch::new(name) }
    }

    /// Sets the simulator for the runs.
    pub fn run_in(mut self, simulator: Simulator) -> Self {
        self.simulator = simulator;
        self
    }

    /// Adds a C file that is not translated.
    pub fn with(mut self, part: &str) -> Self {
        self.parts.push(root().join(part));
        self
    }

    /// Translates the program, and runs it at every size. `more` are further checks of the first translation. All
    /// runs of a translation use one simulator, so that it is built once: nearly all of a test's time goes into
    /// building.
    pub fn test(&self, runs: &[Runs], checked: Runs, more: &[fn(&Build)]) {
        if let Some(folder) = std::env::var_os("C2CUDA_PROGRAMS_FOR_GPU") {
            return self.keep_for_gpu(Path::new(&folder), runs, checked);
        }
        let updates = std::env::var_os("UPDATE_GOLDEN").is_some();
        if updates && !self.options.is_empty() {
            return;
        }
        for (number, &(macros, arguments)) in runs.iter().enumerate() {
            let build = self.translate(&number.to_string(), macros);
            if number == 0 && self.options.is_empty() {
                build.check_outline(self.folder);
                build.check_counts(self.folder, arguments);
            }
            if updates {
                return;
            }
            if number == 0 {
                build.check_kernels();
                more.iter().for_each(|check| check(&build));
            }
            if number == 0 && self.options.is_empty() {
                build.check_schedule();
                build.check_with_nvcc();
            }
            build.compare(arguments, self.simulator);
            if macros == checked.0 {
                build.compare(checked.1, Simulator::Checking);
            }
        }
        if runs.iter().all(|(macros, _)| *macros != checked.0) {
            self.translate("checked", checked.0).compare(checked.1, Simulator::Checking);
        }
    }

    /// Writes the CUDA translations to the folder from which `tests/on-gpu` builds and runs them.
    fn keep_for_gpu(&self, folder: &Path, runs: &[Runs], checked: Runs) {
        if self.language() != Language::Cuda {
            return;
        }
        let mut sizes: Vec<(&str, Vec<&str>)> = Vec::new();
        for (macros, arguments) in runs.iter().copied().chain([checked]) {
            let more = arguments.split('/').map(str::trim);
            match sizes.iter_mut().find(|(known, _)| *known == macros) {
                Some((_, all)) => all.extend(more),
                None => sizes.push((macros, more.collect())),
            }
        }
        let test = std::thread::current().name().unwrap_or(self.name).to_owned();
        for (number, (macros, runs)) in sizes.into_iter().enumerate() {
            let build = self.translate(&number.to_string(), macros);
            let target = folder.join(format!("{}-{number}", test.replace("::", "-")));
            fs::create_dir_all(&target).unwrap();
            for name in [format!("{}_gpu.cu", self.name), format!("{}_gpu.h", self.name)] {
                fs::copy(build.folder.join(&name), target.join(&name)).unwrap();
            }
            let strict = build.host("strict");
            fs::copy(&strict, target.join(strict.file_name().unwrap())).unwrap();
            let parts: Vec<_> = self.parts.iter().map(|part| part.strip_prefix(root()).unwrap()).collect();
            let program = serde_json::json!({
                "test": test, "name": self.name, "language": build.ending, "source": build.source,
                "macros": build.macros, "parts": parts, "runs": runs,
            });
            fs::write(target.join("program.json"), program.to_string()).unwrap();
        }
    }

    fn language(&self) -> Language {
        if self.options.contains(&"--target=hip") { Language::Hip } else { Language::Cuda }
    }

    fn translate(&self, folder: &str, macros: &'static str) -> Build {
        let name = self.name;
        let path = format!("{}/{name}", self.folder);
        let ending = if root().join(format!("{path}.cpp")).exists() { "cpp" } else { "c" };
        let source = format!("{path}.{ending}");
        let macros: Vec<&str> = macros.split_whitespace().collect();
        let folder = self.scratch.at(folder);
        let call = driver()
            .args(&macros)
            .args(self.options)
            .args(["-q", "--keep"])
            .arg(&folder)
            .arg("-o")
            .arg(&folder);
        call.arg(&source).run().succeeded();
        let quickly = !self.options.is_empty();
        let language = self.language();
        let parts = self.parts.clone();
        let build = Build { name, ending, source, macros, parts, folder, quickly, language };
        build.check_host();
        build
    }
}

/// The way in which a program is built for the simulator.
#[derive(Debug, Clone, Copy)]
pub enum Simulator {
    /// As fast as it runs.
    Fast,
    /// Every memory access is checked, that of the host too. Small sizes run fast enough without the compiler's
    /// optimisations, which take half of the build time.
    Checking,
    /// The memory traffic of a GPU is counted.
    Counting,
}

impl Simulator {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Fast => &[],
            Self::Checking => &["--coherence", "-O0"],
            Self::Counting => &["--profile"],
        }
    }

    /// Returns the flag with which the simulator sees what host code reads and writes.
    fn flags_of_host(self) -> Option<String> {
        let file = root().join("cudasim/host-flags");
        matches!(self, Self::Checking).then(|| format!("@{}", file.display()))
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Fast => ".fast",
            Self::Checking => ".checking",
            Self::Counting => ".counting",
        }
    }
}

/// The language of the generated file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Cuda,
    Hip,
}

/// A translated program.
pub struct Build {
    /// The name, without an ending.
    pub name: &'static str,
    /// `c` or `cpp`.
    ending: &'static str,
    source: String,
    macros: Vec<&'static str>,
    parts: Vec<PathBuf>,
    folder: PathBuf,
    /// Whether C and C++ are compiled without optimisations, which do not pay off at small sizes.
    quickly: bool,
    language: Language,
}

impl Build {
    /// Returns a call of the compiler for the host part.
    fn compiler(&self) -> Call {
        let compiler = if self.ending == "cpp" { gxx() } else { gcc() };
        if self.quickly { compiler.args(["-O0", "-Wno-maybe-uninitialized"]) } else { compiler }
    }

    /// Returns the path of a part of the host code, in the language of the source.
    fn host(&self, part: &str) -> PathBuf {
        self.file(&format!("_{part}.{}", self.ending))
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.name))
    }

    /// Returns the path of the generated file with the kernels.
    fn kernels(&self) -> PathBuf {
        self.file(if self.language == Language::Hip { "_gpu.hip" } else { "_gpu.cu" })
    }

    /// Checks with candl-rs that the final order breaks no dependence.
    fn check_schedule(&self) {
        tool("candl-rs").arg("--check").arg(self.folder.join("4-gpulocalizer.json")).run().succeeded();
    }

    /// Compares the outline of the translation ([`crate::outline`]) with the expected one.
    fn check_outline(&self, folder: &str) {
        let [document, cuda] = ["5-cloog-rs.json".to_owned(), format!("{}_gpu.cu", self.name)]
            .map(|name| self.folder.join(name));
        let [document, cuda] = [document, cuda].map(|path| fs::read_to_string(path).unwrap());
        let expected = root().join("tests/golden/outlines").join(folder.trim_start_matches("tests/"));
        let mut golden = Golden::default();
        golden.compare(
            &expected.join(format!("{}.txt", self.name)),
            &crate::outline::outline(&document, &cuda),
        );
        golden.finish();
    }

    /// Compares what the simulator counts in the first two runs with the table of the folder ([`crate::counts`]).
    fn check_counts(&self, folder: &str, runs: &str) {
        let Some(table) = counts::table_of(folder) else { return };
        let listing = counts::listing_of(&Path::new(&self.source).with_extension(""), &self.kernels());
        let run = |arguments| {
            let profile = self.profile(str::split_whitespace(arguments).map(str::to_owned));
            let executed = |listing: &PathBuf| counts::executed(listing, &profile, &self.counts_file());
            Run { arguments, instructions: listing.as_ref().map(executed), profile }
        };
        let runs: Vec<Run<'_>> = runs.split('/').map(str::trim).take(2).map(run).collect();
        counts::compare(table, self.name, &runs);
    }

    /// Checks that there is a kernel: a translation that leaves everything to the CPU would give the correct result
    /// too.
    fn check_kernels(&self) {
        let kernels = fs::read_to_string(self.kernels()).unwrap();
        assert!(kernels.contains("__global__"), "{} has no kernel:\n{kernels}", self.name);
        if self.language == Language::Hip {
            self.check_hip(&kernels);
        }
    }

    /// Checks that the HIP code is C++ that uses only names declared in `tests/hip/declared`, and none of CUDA's.
    fn check_hip(&self, kernels: &str) {
        for words in ["<<<", "cudaM", "cuda_check", "__CUDACC__"] {
            assert!(!kernels.contains(words), "{} has {words}:\n{kernels}", self.name);
        }
        let warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-parameter"];
        let call = gxx().args(["-std=c++17", "-fsyntax-only", "-x", "c++", "-D__HIPCC__"]).args(warnings);
        call.arg("-I").arg(root().join("tests/hip/declared")).arg(self.kernels()).run().succeeded();
    }

    /// Returns the generated file and the flags for cudasim, which maps HIP's names to CUDA's with
    /// `tests/hip/simulated`.
    fn for_simulator(&self) -> Vec<PathBuf> {
        if self.language == Language::Cuda {
            return vec![self.kernels()];
        }
        let copy = self.file("_gpu_hip.cu");
        fs::copy(self.kernels(), &copy).unwrap();
        vec!["-D__HIPCC__".into(), "-I".into(), root().join("tests/hip/simulated"), copy]
    }

    /// Checks that the host part is the source with calls instead of regions, and that the compiler has no warnings
    /// about it.
    fn check_host(&self) {
        let source = fs::read_to_string(root().join(&self.source)).unwrap();
        let host = fs::read_to_string(self.host("host")).unwrap();
        let include = format!("#include \"{}_gpu.h\"\n", self.name);
        assert!(host.contains(&include), "the header is not included:\n{host}");
        assert!(keeps_outside(&source, &host), "text outside of regions changed:\n{host}");
        let strict = self.host("strict");
        fs::write(&strict, without_fallback(&host)).unwrap();
        let headers = root().join(&self.source);
        let warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"];
        let call =
            self.compiler().arg("-iquote").arg(headers.parent().unwrap()).args(warnings).args(&self.macros);
        call.arg("-c").arg(strict).arg("-o").arg(self.file("_host.o")).run().succeeded();
    }

    fn check_with_nvcc(&self) {
        let Some(nvcc) = find_nvcc() else {
            eprintln!("nvcc is not installed: {} was not compiled with it", self.name);
            return;
        };
        let flags = ["-O2", "-arch=sm_90", "-Werror", "all-warnings", "-c", "-o", "/dev/null"];
        Call::new(nvcc).args(flags).arg(self.file("_gpu.cu")).run().succeeded();
    }

    /// Builds the program for a simulator, and compares its output with that of the plain program.
    fn compare(&self, runs: &str, simulator: Simulator) {
        let (original, translated) = (self.original(), self.file(simulator.ending()));
        self.build_translated(&translated, simulator);
        for arguments in runs.split('/').map(str::split_whitespace) {
            let expected = Call::new(&original).args(arguments.clone()).run().succeeded();
            let actual = Call::new(&translated).args(arguments).run().succeeded();
            assert_eq!(actual.stdout, expected.stdout, "{} {:?} differs from C", actual.shown, self.macros);
            assert_eq!(actual.stderr, "", "{} {:?}", actual.shown, self.macros);
        }
    }

    /// Returns the simulator's counts for a run.
    pub fn counts(&self, arguments: &[u64]) -> Value {
        self.profile(arguments.iter().map(u64::to_string))
    }

    fn profile(&self, arguments: impl IntoIterator<Item = String>) -> Value {
        let executable = self.file(Simulator::Counting.ending());
        self.build_translated(&executable, Simulator::Counting);
        let counts = self.counts_file();
        let call = Call::new(executable).args(arguments);
        call.with("CUDASIM_PROFILE", &counts).run().succeeded();
        serde_json::from_str(&fs::read_to_string(counts).unwrap()).unwrap()
    }

    /// Returns where the simulator writes what it counts.
    fn counts_file(&self) -> PathBuf {
        self.file("_counts.json")
    }

    /// Returns the program without translation, which all its tests share.
    fn original(&self) -> PathBuf {
        static BUILT: Mutex<BTreeMap<String, Arc<OnceLock<PathBuf>>>> = Mutex::new(BTreeMap::new());
        let name = [&[self.source.as_str()], &self.macros[..]].concat().join(" ").replace(['/', ' '], "-");
        let built = BUILT.lock().unwrap().entry(name.clone()).or_default().clone();
        let build = || {
            let folder = root().join("target/originals");
            fs::create_dir_all(&folder).unwrap();
            let (new, executable) =
                (folder.join(format!("{}-{name}", std::process::id())), folder.join(&name));
            let compiler = if self.ending == "cpp" { gxx() } else { gcc() };
            let call = compiler.args(&self.macros).arg(&self.source).args(&self.parts);
            call.arg("-o").arg(&new).arg("-lm").run().succeeded();
            fs::rename(&new, &executable).unwrap();
            executable
        };
        built.get_or_init(build).clone()
    }

    fn build_translated(&self, executable: &Path, simulator: Simulator) {
        if !executable.exists() {
            Call::new(root().join("cudasim/cudasim-cc"))
                .with("CUDASIM_CACHE", root().join("target/cudasim"))
                .args(simulator.flags())
                .args(self.for_simulator())
                .args(self.host_objects(simulator))
                .args(["-o".into(), executable.to_owned()])
                .run()
                .succeeded();
        }
    }

    /// Compiles the host part, unless `check_host` has, and the parts that are not translated.
    fn host_objects(&self, simulator: Simulator) -> Vec<PathBuf> {
        let watched = simulator.flags_of_host();
        let host = self.file(if watched.is_some() { "_watched.o" } else { "_host.o" });
        if watched.is_some() {
            let headers = root().join(&self.source);
            let call =
                self.compiler().arg("-w").arg("-iquote").arg(headers.parent().unwrap()).args(&self.macros);
            call.args(&watched).arg("-c").arg(self.host("strict")).arg("-o").arg(&host).run().succeeded();
        }
        let object = |part: &PathBuf| {
            let object =
                self.file(&format!("_{}{}.o", part.file_stem().unwrap().display(), simulator.ending()));
            let call = gcc().args(&self.macros).args(&watched);
            call.arg("-c").arg(part).arg("-o").arg(&object).run().succeeded();
            object
        };
        [host].into_iter().chain(self.parts.iter().map(object)).collect()
    }
}

/// True if `host` contains, in order, all text of `source` outside of regions. Calls about what stays on the device do
/// not count, nor do blanks and punctuation, which such calls add.
fn keeps_outside(source: &str, host: &str) -> bool {
    let without_numbers: String =
        host.split_inclusive('\n').filter(|line| !line.starts_with("#line ")).collect();
    let host = words_only(&without_calls(&without_numbers));
    let mut outside: Vec<String> = texts_outside(source).into_iter().map(words_only).collect();
    let last = outside.pop().unwrap_or_default();
    let rest = outside.iter().try_fold(&*host, |rest, text| rest.split_once(&**text).map(|(_, rest)| rest));
    rest.is_some_and(|rest| rest.ends_with(&last))
}

fn words_only(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !"{}(),;".contains(*c)).collect()
}

/// Returns the host part without the calls that cudagen adds for what stays on the device.
fn without_calls(host: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut kept = String::new();
    let mut rest = host;
    while let Some(at) = rest.find("_host_") {
        let start = rest[..at].rfind(|c| !is_word(c)).map_or(0, |before| before + 1);
        let name = rest[start..].find(|c| !is_word(c)).map_or(rest.len(), |length| start + length);
        kept.push_str(&rest[..start]);
        let arguments = &rest[name..];
        if rest[start..name].contains("_host_depth_") && !arguments.starts_with('(') {
            // A variable for the calls that an exception leaves out: `long depth; depth = …;`.
            kept.truncate(kept.strip_suffix("long ").map_or(kept.len(), str::len));
            rest = arguments.strip_prefix(" =").unwrap_or(arguments);
            continue;
        }
        if !arguments.starts_with('(') {
            kept.push_str(&rest[start..name]);
            rest = arguments;
            continue;
        }
        let mut depth = 0;
        let end = arguments.char_indices().find(|&(_, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        rest = end.map_or("", |(end, _)| &arguments[end + 1..]);
    }
    kept + rest
}

fn texts_outside(source: &str) -> Vec<&str> {
    let parts = source.split("#pragma scop");
    parts.map(|part| part.split_once("#pragma endscop").map_or(part, |(_, outside)| outside)).collect()
}

/// Makes the host part crash where it would run the original region because the device declines the work.
fn without_fallback(host: &str) -> String {
    let parts: Vec<String> = host
        .split('!')
        .map(|part| {
            let is_call = part.split('(').next().is_some_and(|name| name.contains("_scop"));
            if is_call { part.replacen('{', "{ __builtin_trap();", 1) } else { part.to_owned() }
        })
        .collect();
    parts.join("!")
}
