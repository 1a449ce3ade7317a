//! The two files of a translation that are compiled, and with what.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command_line::Language;
use crate::files::{File, is_same_place};
use crate::job::{Job, Translated};
use crate::plan::Source;
use crate::stop::{Or, Stop};

/// nvcc would fuse multiplications and additions by itself, which rounds otherwise than C.
pub const NVCC_FLAGS: [&str; 3] = ["-O2", "-arch=native", "-fmad=false"];

/// So would hipcc.
pub const HIPCC_FLAGS: [&str; 3] = ["-O2", "--offload-arch=native", "-ffp-contract=off"];

/// With these --run compiles the host part.
pub const BUILD_FLAGS: [&str; 2] = ["-O2", "-ffp-contract=off"];

/// What a translation adds to a program.
#[derive(Debug)]
pub struct Part<'a> {
    /// The file that was translated.
    pub source: &'a Source,
    host: &'a File,
    kernels: &'a File,
    compiler: Vec<OsString>,
    /// The language of the part for the GPU.
    pub language: Language,
}

impl<'a> Part<'a> {
    /// The two files among those that were generated.
    pub fn new(job: Job<'_>, translated: &Translated<'a>, files: &'a [File]) -> Or<Self> {
        let find = |end: &str| {
            let found = files.iter().find(|file| contains(&file.name, end));
            found.ok_or_else(|| {
                Stop::failed(format!("stage cudagen wrote no file NAME{end}: nothing can be built"))
            })
        };
        let language = job.plan.chain.language;
        let (host, kernels) = (find("_host.")?, find(language.ending())?);
        let of_file = |file: &Path| job.plan.compilers.of_file(file);
        let of_source = translated.source.compiler.as_ref();
        // A compiler of a project's own counts for the host part as well; else its name says what compiles it.
        let own = of_source.filter(|compiler| of_file(&translated.source.input) != Some(*compiler));
        let compiler = own.or_else(|| of_file(Path::new(&host.name)));
        let compiler = compiler.map(|compiler| compiler.words.clone()).unwrap_or_default();
        Ok(Self { source: translated.source, host, kernels, compiler, language })
    }

    /// The name of the host part.
    pub fn host_name(&self) -> &OsStr {
        &self.host.name
    }

    /// The host part.
    pub fn host(&self) -> &Path {
        &self.host.path
    }

    /// The name of the part for the GPU.
    pub fn kernels_name(&self) -> &OsStr {
        &self.kernels.name
    }

    /// The part for the GPU.
    pub fn kernels(&self) -> &Path {
        &self.kernels.path
    }

    /// The name of the program.
    pub fn name(&self) -> &OsStr {
        let name = self.kernels.name.as_bytes();
        OsStr::from_bytes(name.strip_suffix(self.language.ending().as_bytes()).unwrap_or(name))
    }

    /// The words that call the compiler of the host part.
    pub fn compiler(&self) -> Vec<OsString> {
        self.compiler.clone()
    }

    /// The flags with which the host part is compiled that is written into a folder, or into a temporary one.
    pub fn host_flags(&self, written: Option<&Path>) -> Vec<OsString> {
        let flags = &self.source.flags;
        [self.headers_beside(written), flags.language.clone(), flags.others.clone()].concat()
    }

    /// The folder of the source is where it finds its own headers, unless the host part is there as well.
    pub fn headers_beside(&self, written: Option<&Path>) -> Vec<OsString> {
        let mut flags = Vec::new();
        if let Some(source) = &self.source.c_file {
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

    /// What linkers need of the flags as well.
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

/// What linkers need of the flags of all parts, each once; nvcc hands it to the compiler of the host.
pub fn linker_words(parts: &[Part<'_>], for_nvcc: bool) -> Vec<OsString> {
    let flags = merged(parts.iter().map(|part| part.linker_flags().cloned().collect()));
    let prefix = if for_nvcc { "-Xcompiler=" } else { "" };
    flags.into_iter().map(|flag| crate::words::joined(prefix, flag)).collect()
}

/// The libraries of all parts.
pub fn libraries(parts: &[Part<'_>]) -> Vec<OsString> {
    merged(parts.iter().map(|part| part.source.flags.libraries.clone()))
}

/// The words of the first, and what the others have besides: the order of libraries counts.
fn merged(lists: impl Iterator<Item = Vec<OsString>>) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    for words in lists {
        let known = all.clone();
        all.extend(words.into_iter().filter(|word| !known.contains(word)));
    }
    all
}
