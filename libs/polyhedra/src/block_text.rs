//! Schedule trees as text.

use std::ffi::CStr;
use std::os::raw::{c_char, c_int};

use isl_rs::Schedule;
use libc::uintptr_t;

use crate::{Error, Result, context};

unsafe extern "C" {
    fn isl_printer_to_str(ctx: uintptr_t) -> uintptr_t;
    fn isl_printer_set_yaml_style(printer: uintptr_t, style: c_int) -> uintptr_t;
    fn isl_printer_print_schedule(printer: uintptr_t, schedule: uintptr_t) -> uintptr_t;
    fn isl_printer_get_str(printer: uintptr_t) -> *mut c_char;
    fn isl_printer_free(printer: uintptr_t) -> uintptr_t;
}

/// `ISL_YAML_STYLE_BLOCK`
const BLOCK_STYLE: c_int = 0;

/// Returns a schedule tree in YAML's block style.
pub fn block_text(schedule: &Schedule) -> Result<String> {
    // SAFETY: the context and the schedule are live; isl returns a newly allocated string, which we free.
    unsafe {
        let printer = isl_printer_set_yaml_style(isl_printer_to_str(context().ptr), BLOCK_STYLE);
        let printer = isl_printer_print_schedule(printer, schedule.ptr);
        let text = isl_printer_get_str(printer);
        isl_printer_free(printer);
        if text.is_null() {
            return Err(Error::new("isl could not print a schedule tree"));
        }
        let owned = CStr::from_ptr(text).to_string_lossy().trim_end().to_owned();
        libc::free(text.cast());
        Ok(owned)
    }
}
