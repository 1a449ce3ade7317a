//! The target languages.

use clap::ValueEnum;

use crate::host::file::GpuFile;
use crate::print::cuda::Cuda;
use crate::print::cxx::language::Language;
use crate::print::cxx::source;
use crate::print::hip::Hip;

/// A language in which kernels and host functions are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// CUDA C++, for nvcc
    #[default]
    Cuda,
    /// HIP C++, for hipcc
    Hip,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 2] = [Self::Cuda, Self::Hip];

    fn language(self) -> &'static dyn Language {
        match self {
            Self::Cuda => &Cuda,
            Self::Hip => &Hip,
        }
    }

    /// Returns the prefix of the names of the runtime library and of the generated file's own functions.
    pub fn prefix(self) -> &'static str {
        self.language().prefix()
    }

    /// Returns the macro that compilers of the language define.
    pub fn compiler(self) -> &'static str {
        self.language().compiler()
    }

    /// Returns the extension of the generated file.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Cuda => "cu",
            Self::Hip => "hip",
        }
    }

    /// Returns the text of the table of the memory that the device holds between regions, with all its functions.
    #[cfg(test)]
    pub fn table(self) -> String {
        self.language().spelled(&crate::print::cxx::runtime::residency::all())
    }

    /// Returns the text of the generated file.
    pub fn text(self, file: &GpuFile) -> String {
        source::text(file, self.language())
    }
}
