//! isl's scheduler and what its trees need.

use std::ffi::CStr;
use std::os::raw::{c_char, c_int};

use isl_rs::{Schedule, ScheduleConstraints, UnionSet};
use libc::uintptr_t;

use crate::{Error, Result, Text, context};

unsafe extern "C" {
    fn isl_options_set_schedule_outer_coincidence(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_schedule_maximize_band_depth(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_schedule_maximize_coincidence(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_schedule_serialize_sccs(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_schedule_whole_component(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_schedule_max_coefficient(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_schedule_treat_coalescing(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_tile_scale_tile_loops(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_tile_shift_point_loops(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_printer_to_str(ctx: uintptr_t) -> uintptr_t;
    fn isl_printer_set_yaml_style(printer: uintptr_t, style: c_int) -> uintptr_t;
    fn isl_printer_print_schedule(printer: uintptr_t, schedule: uintptr_t) -> uintptr_t;
    fn isl_printer_get_str(printer: uintptr_t) -> *mut c_char;
    fn isl_printer_free(printer: uintptr_t) -> uintptr_t;
}

/// What isl's scheduler should look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strategy {
    /// Insist that the outermost member of each band is parallel, and carry as many dependences as possible by a loop
    /// of its own where that is not possible.
    pub outer_coincidence: bool,
    /// Do not fuse statements that do not depend on each other in a cycle.
    pub serialize: bool,
    /// Refuse loops that make one of several, such as `n * i + j`. In rare cases isl refuses the only loops that
    /// carry a dependence with them.
    pub treat_coalescing: bool,
}

/// Computes a schedule with isl's Pluto-like algorithm.
///
/// # Errors
/// One for which [`Error::is_unschedulable`] holds, if isl finds no schedule under this strategy; any other failure of
/// isl.
pub fn compute(constraints: ScheduleConstraints, strategy: Strategy) -> Result<Schedule> {
    let ctx = context().ptr;
    // SAFETY: the context is live.
    unsafe {
        isl_options_set_schedule_outer_coincidence(ctx, c_int::from(strategy.outer_coincidence));
        isl_options_set_schedule_maximize_band_depth(ctx, 1);
        isl_options_set_schedule_maximize_coincidence(ctx, 1);
        isl_options_set_schedule_serialize_sccs(ctx, c_int::from(strategy.serialize));
        isl_options_set_schedule_whole_component(ctx, 0);
        isl_options_set_schedule_max_coefficient(ctx, 20);
        isl_options_set_schedule_treat_coalescing(ctx, c_int::from(strategy.treat_coalescing));
    }
    Ok(constraints.compute_schedule()?)
}

/// The same tree on another domain with the same statements. isl has no operation for that; the domain is the first
/// line of a tree's text.
pub fn on_domain(schedule: &Schedule, domain: UnionSet) -> Result<Schedule> {
    let text = schedule.text()?;
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    if !first.starts_with("domain:") {
        return Err(Error::bug(format!("the schedule tree begins with {first}")));
    }
    Schedule::parse(&format!("domain: \"{}\"\n{rest}", domain.text()?))
}

/// Makes `band_tile` number tiles by 0, 1, 2, … and keep the point loops' values as they were.
pub fn set_tile_options() {
    let ctx = context().ptr;
    // SAFETY: the context is live.
    unsafe {
        isl_options_set_tile_scale_tile_loops(ctx, 0);
        isl_options_set_tile_shift_point_loops(ctx, 0);
    }
}

/// `ISL_YAML_STYLE_BLOCK`
const BLOCK_STYLE: c_int = 0;

/// A schedule tree in YAML's block style.
pub fn block_text(schedule: &Schedule) -> Result<String> {
    // SAFETY: the context and the schedule are live; isl returns a string of its own, which we free.
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
