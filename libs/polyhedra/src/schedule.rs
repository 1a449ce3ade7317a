//! isl's scheduler, and what its trees need.

use std::os::raw::c_int;

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
}

/// The strategy of isl's scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strategy {
    /// Require that the outermost member of each band is parallel; where that is impossible, carry as many
    /// dependences as possible by a separate loop.
    pub outer_coincidence: bool,
    /// Do not fuse statements that do not depend on each other in a cycle.
    pub serialize: bool,
    /// Refuse loops that combine several loops, such as `n * i + j`. In rare cases isl then also refuses the only
    /// loops that carry a dependence.
    pub treat_coalescing: bool,
}

/// Computes a schedule with isl's Pluto-like algorithm.
///
/// # Errors
/// Returns an error for which [`Error::is_unschedulable`] holds if isl finds no schedule under this strategy, and
/// isl's error if isl fails otherwise.
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

/// Returns the same tree on another domain with the same statements. isl has no operation for this; the domain is
/// the first line of a tree's text.
pub fn on_domain(schedule: &Schedule, domain: UnionSet) -> Result<Schedule> {
    let text = schedule.text()?;
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    if !first.starts_with("domain:") {
        return Err(Error::bug(format!("the schedule tree begins with {first}")));
    }
    Schedule::parse(&format!("domain: \"{}\"\n{rest}", domain.text()?))
}

/// Makes `band_tile` number tiles 0, 1, 2, … and keep the values of the point loops.
pub fn set_tile_options() {
    let ctx = context().ptr;
    // SAFETY: the context is live.
    unsafe {
        isl_options_set_tile_scale_tile_loops(ctx, 0);
        isl_options_set_tile_shift_point_loops(ctx, 0);
    }
}
