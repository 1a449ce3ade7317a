//! The two generated files of a translation that are compiled, and the compiler and flags for them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command_line::Language;
use crate::files::{File, is_same_place};
use crate::job::{Job, Translated};
use crate::plan::Source;
use crate::stop::{Or, Stop};

/// The flags for nvcc. By default it fuses multiplications and additions, which rounds differently than C does.
pub const NVCC_FLAGS: [&str; 3] = ["-O2", "-arch=native", "-fmad=false"];

/// The flags for hipcc, which would also fuse multiplications and additions.
pub const HIPCC_FLAGS: [&str; 3] = ["-O2", "--offload-arch=native", "-ffp-contract=off"];

/// The flags with which `--run` compiles the host part.
pub const BUILD_FLAGS: [&str; 2] = ["-O2", "-ffp-contract=off"];

/// The files that a translation adds to a program.
#[derive(Debug)]
pub struct Part<'a> {
    /// The source file that was translated.
    pub source: &'a Source,
    /// The host part and the GPU part; absent for a file that is compiled as it is.
    generated: Option<(&'a File, &'a File)>,
    compiler: Vec<OsString>,
    /// The language of the GPU part.
    pub language: Language,
}

impl<'a> Part<'a> {
    /// Finds the two files among the generated files.
    pub fn new(job: Job<'_>, translated: &Translated<'a>, files: &'a [File]) -> Or<Self> {
        let language = job.plan.chain.language;
        let of_file = |file: &Path| job.plan.compilers.of_file(file);
        let source = translated.source;
        if translated.is_plain {
            let compiler = source.compiler.as_ref().or_else(|| of_file(&source.input));
            let compiler = compiler.map(|compiler| compiler.words.clone()).unwrap_or_default();
            return Ok(Self { source, generated: None, compiler, language });
        }
        let find = |end: &str| {
            let found = files.iter().find(|file| contains(&file.name, end));
            found.ok_or_else(|| {
                Stop::failed(format!("stage cudagen wrote no file NAME{end}: nothing can be built"))
            })
        };
        let (host, kernels) = (find("_host.")?, find(language.ending())?);
        let of_source = translated.source.compiler.as_ref();
        // If the project has a compiler of its own, it compiles the host part too. Otherwise the host part's name
        // decides.
        let own = of_source.filter(|compiler| of_file(&translated.source.input) != Some(*compiler));
        let compiler = own.or_else(|| of_file(Path::new(&host.name)));
        let compiler = compiler.map(|compiler| compiler.words.clone()).unwrap_or_default();
        Ok(Self { source, generated: Some((host, kernels)), compiler, language })
    }

    /// Returns the file name of the host part; nothing for a file that is compiled as it is.
    pub fn host_name(&self) -> Option<&OsStr> {
        self.generated.map(|(host, _)| host.name.as_os_str())
    }

    /// Returns the path of the host part, or of the file itself.
    pub fn host(&self) -> &Path {
        self.generated.map_or(&self.source.input, |(host, _)| &host.path)
    }

    /// Returns the file name of the GPU part, if there is one.
    pub fn kernels_name(&self) -> Option<&OsStr> {
        self.generated.map(|(_, kernels)| kernels.name.as_os_str())
    }

    /// Returns the path of the GPU part, if there is one.
    pub fn kernels(&self) -> Option<&Path> {
        self.generated.map(|(_, kernels)| kernels.path.as_path())
    }

    /// Returns the name of the program: the file name of the GPU part without its end.
    pub fn name(&self) -> &OsStr {
        let Some(name) = self.kernels_name().map(OsStr::as_bytes) else {
            return self.source.input.file_stem().unwrap_or(OsStr::new("a.out"));
        };
        OsStr::from_bytes(name.strip_suffix(self.language.ending().as_bytes()).unwrap_or(name))
    }

    /// Returns the words of the command that compiles the host part.
    pub fn compiler(&self) -> Vec<OsString> {
        self.compiler.clone()
    }

    /// Returns the flags with which the host part is compiled; `written` is its folder, or `None` for a temporary
    /// one.
    pub fn host_flags(&self, written: Option<&Path>) -> Vec<OsString> {
        let flags = &self.source.flags;
        [self.headers_beside(written), flags.language.clone(), flags.others.clone()].concat()
    }

    /// Returns the flags for finding the source's own headers in its folder, unless the host part is in the same
    /// folder.
    pub fn headers_beside(&self, written: Option<&Path>) -> Vec<OsString> {
        let mut flags = Vec::new();
        if let Some(source) = self.source.c_file.as_ref().filter(|_| self.generated.is_some()) {
            let folder = match source.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
                _ => PathBuf::from("."),
            };
            if written.is_none_or(|written| !is_same_place(&folder, written)) {
                flags.extend(["-iquote".into(), folder.into_os_string()]);
            }
        }
        flags
    }

    /// Returns the flags that the linker needs too.
    fn linker_flags(&self) -> impl Iterator<Item = &OsString> {
        let all = self.compiler.iter().skip(1).chain(&self.source.flags.others);
        all.filter(|flag| {
            let flag = flag.as_bytes();
            flag.starts_with(b"-fopenmp")
                || flag.starts_with(b"-fsanitize=")
                || flag == b"-pthread"
                || flag == b"-m64"
        })
    }
}

fn contains(name: &OsStr, middle: &str) -> bool {
    name.as_bytes().windows(middle.len()).any(|window| window == middle.as_bytes())
}

/// Returns the flags of all parts that the linker needs, each once. nvcc gets them as flags for the host compiler.
pub fn linker_words(parts: &[Part<'_>], for_nvcc: bool) -> Vec<OsString> {
    let flags = merged(parts.iter().map(|part| part.linker_flags().cloned().collect()));
    let prefix = if for_nvcc { "-Xcompiler=" } else { "" };
    flags.into_iter().map(|flag| crate::words::joined(prefix, flag)).collect()
}

/// Returns the libraries of all parts.
pub fn libraries(parts: &[Part<'_>]) -> Vec<OsString> {
    merged(parts.iter().map(|part| part.source.flags.libraries.clone()))
}

/// Returns the words of the first list, then the words of each other list that are not yet there. The order is kept,
/// because the order of libraries matters.
fn merged(lists: impl Iterator<Item = Vec<OsString>>) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    for words in lists {
        let known = all.clone();
        all.extend(words.into_iter().filter(|word| !known.contains(word)));
    }
    all
}
