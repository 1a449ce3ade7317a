//! The generated file as data: everything that the printers need.

use crate::code::functions::UserFunction;
use crate::host::calls::HostCall;
use crate::host::program::HostProgram;
use crate::model::complex::Complex;

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
    /// The memory that stays on the device between regions, if there is any.
    pub residency: Option<FileResidency>,
}

/// What a file contributes to the table of the memory on the device.
#[derive(Debug, Clone)]
pub struct FileResidency {
    /// The number of its classes of memory.
    pub classes: usize,
    /// True if code of its source may run while the program ends.
    pub runs_at_exit: bool,
    /// True if code of other files may hold memory on the device that this file uses.
    pub is_held: bool,
    /// The functions that its source calls, with their names.
    pub calls: Vec<(HostCall, String)>,
}
