//! The generated file as data: everything that the printers need.

use scop::{Residency, ResidencyId};

use crate::code::functions::UserFunction;
use crate::host::program::HostProgram;
use crate::model::complex::Complex;
use crate::model::residency::end_name;

/// The file with the functions of all regions.
#[derive(Debug, Clone)]
pub struct GpuFile {
    /// The name of the source that it was generated from.
    pub source: String,
    /// The name of the header with the prototypes.
    pub header: String,
    /// The user's functions that regions call.
    pub functions: Vec<UserFunction>,
    /// True if these functions call the C library.
    pub functions_call_library: bool,
    /// The definitions for complex numbers.
    pub complex: Complex,
    /// The regions.
    pub regions: Vec<HostProgram>,
    /// The functions that end residencies.
    pub ends: Vec<ResidencyEnd>,
}

/// A function that the source calls after the last region of a residency.
#[derive(Debug, Clone)]
pub struct ResidencyEnd {
    /// Its name.
    pub name: String,
    /// The residency.
    pub residency: ResidencyId,
    /// The line of the source where the residency begins.
    pub line: u32,
}

impl ResidencyEnd {
    /// Returns the function that ends a residency.
    pub fn of(residency: &Residency) -> Self {
        Self { name: end_name(residency), residency: residency.id, line: residency.range.line }
    }
}
