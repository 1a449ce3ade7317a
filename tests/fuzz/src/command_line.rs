//! What the command line may say.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::pack::PACK;
use crate::setting::Language;

/// The languages that programs are drawn in.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Languages {
    C,
    #[value(name = "c++")]
    Cxx,
    Both,
}

impl Languages {
    /// The language of the program of this number. Programs that are built together have one language.
    pub fn of(self, number: u64) -> Language {
        match self {
            Self::Both if number / PACK % 4 != 3 => Language::C,
            Self::C => Language::C,
            Self::Cxx | Self::Both => Language::Cxx,
        }
    }
}

/// Translates random programs, runs them on the checking simulator, and compares the results with the original.
///
/// Two kinds of programs are drawn: two thirds have one function with regions, and every byte that it computes is
/// compared; a third are whole programs whose arrays may stay on the device between regions of several functions, and
/// what they print is compared.
///
/// A program that a tool refuses is counted by its message. One that fails (a tool ends with a bug or not in time, the
/// translation does not compile, the simulator finds something, the results differ) is made smaller and kept.
/// Exit status: 0 if none failed, 1 if one did, 2 if the work could not be done.
#[derive(Debug, Parser)]
#[command(name = "fuzz", version)]
pub struct Arguments {
    /// How many programs
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub count: u64,
    /// What the programs are drawn from: the same seed gives the same programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The number of the first program
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub first: u64,
    /// This program alone
    #[arg(long, value_name = "K", conflicts_with_all = ["count", "first"])]
    pub only: Option<u64>,
    /// The language of the programs: `both` means that a quarter is C++
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t = Languages::Both)]
    pub lang: Languages,
    /// Draw only whole programs, with regions in several functions
    #[arg(long)]
    pub residency: bool,
    /// Draw only programs that have one function with regions
    #[arg(long, conflicts_with = "residency")]
    pub regions: bool,
    /// Print the program and its options, and do nothing else
    #[arg(long, requires = "only")]
    pub print: bool,
    /// Say which programs are refused
    #[arg(long)]
    pub refused: bool,
    /// How many programs are worked on at once [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Where failures are kept, each in a folder of its own
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    pub keep: PathBuf,
    /// Translate nothing; run the originals with gcc's sanitizers, which find faults of the generator
    #[arg(long)]
    pub check_originals: bool,
    /// How many smaller programs are tried for each failure
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub attempts: usize,
    /// How many seconds of a processor any process may use
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub limit: u32,
}

impl Arguments {
    /// True if the program of this number is a whole program (`residency.rs`). Programs that are built together are of
    /// one kind.
    pub fn is_residency(&self, number: u64) -> bool {
        self.residency || !self.regions && number / PACK % 3 == 2
    }
}
