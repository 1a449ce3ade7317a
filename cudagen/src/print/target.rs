//! The languages to choose from.

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
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Cuda, Self::Hip];

    fn language(self) -> &'static dyn Language {
        match self {
            Self::Cuda => &Cuda,
            Self::Hip => &Hip,
        }
    }

    /// How the names begin that generated files have for their own use and for the runtime library.
    pub fn prefix(self) -> &'static str {
        self.language().prefix()
    }

    /// The macro that compilers of the language define.
    pub fn compiler(self) -> &'static str {
        self.language().compiler()
    }

    /// What the name of the generated file ends in.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Cuda => "cu",
            Self::Hip => "hip",
        }
    }

    /// The text of the generated file.
    pub fn text(self, file: &GpuFile) -> String {
        source::text(file, self.language())
    }
}
