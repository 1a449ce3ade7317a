//! AST generation, which isl-rs does not bind.
//!
//! [`generate`] turns a schedule tree into isl's AST. It calls a visitor at every statement instance and after every
//! mark, with a [`Build`] for that place of the AST. The visitor computes what it needs (subscripts, launch sizes)
//! and returns a number that is stored in the AST: [`annotation`].

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_void};

use isl_rs::{ASTExpr, ASTNode, Id, PwAff, PwMultiAff, Schedule, Set, UnionMap};
use libc::uintptr_t;

use crate::error::last_error;
use crate::{Error, Result, context};

type AtDomain = unsafe extern "C" fn(uintptr_t, uintptr_t, *mut c_void) -> uintptr_t;
type BeforeMark = unsafe extern "C" fn(uintptr_t, uintptr_t, *mut c_void) -> c_int;
type AfterMark = unsafe extern "C" fn(uintptr_t, uintptr_t, *mut c_void) -> uintptr_t;

unsafe extern "C" {
    fn isl_ast_build_from_context(set: uintptr_t) -> uintptr_t;
    fn isl_ast_build_free(build: uintptr_t) -> uintptr_t;
    fn isl_ast_build_set_at_each_domain(build: uintptr_t, call: AtDomain, user: *mut c_void) -> uintptr_t;
    fn isl_ast_build_set_before_each_mark(build: uintptr_t, call: BeforeMark, user: *mut c_void)
    -> uintptr_t;
    fn isl_ast_build_set_after_each_mark(build: uintptr_t, call: AfterMark, user: *mut c_void) -> uintptr_t;
    fn isl_ast_build_node_from_schedule(build: uintptr_t, schedule: uintptr_t) -> uintptr_t;
    fn isl_ast_build_get_schedule(build: uintptr_t) -> uintptr_t;
    fn isl_ast_build_access_from_pw_multi_aff(build: uintptr_t, pma: uintptr_t) -> uintptr_t;
    fn isl_ast_build_expr_from_pw_aff(build: uintptr_t, pa: uintptr_t) -> uintptr_t;
    fn isl_ast_build_expr_from_set(build: uintptr_t, set: uintptr_t) -> uintptr_t;
    fn isl_ast_node_get_type(node: uintptr_t) -> c_int;
    fn isl_ast_node_mark_get_id(node: uintptr_t) -> uintptr_t;
    fn isl_ast_node_set_annotation(node: uintptr_t, id: uintptr_t) -> uintptr_t;
    fn isl_ast_node_get_annotation(node: uintptr_t) -> uintptr_t;
    fn isl_ast_node_user_get_expr(node: uintptr_t) -> uintptr_t;
    fn isl_id_alloc(ctx: uintptr_t, name: *const c_char, user: *mut c_void) -> uintptr_t;
    fn isl_id_get_name(id: uintptr_t) -> *const c_char;
    fn isl_id_free(id: uintptr_t) -> uintptr_t;
    fn isl_options_set_ast_build_atomic_upper_bound(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_ast_build_prefer_pdiv(ctx: uintptr_t, value: c_int) -> c_int;
    fn isl_options_set_ast_build_detect_min_max(ctx: uintptr_t, value: c_int) -> c_int;
}

/// isl's state at one place of the AST that it is building. It is valid only during a callback.
pub struct Build {
    pointer: uintptr_t,
}

impl Build {
    /// Returns the relation from the statement instances at this place to the schedule dimensions generated so far.
    pub fn schedule(&self) -> Result<UnionMap> {
        // SAFETY: the build is live during the callback; the result is a new reference.
        let ptr = unsafe { isl_ast_build_get_schedule(self.pointer) };
        check(ptr)?;
        Ok(UnionMap { ptr, should_free_on_drop: true })
    }

    /// Returns `name(e1, e2, …)` or `name[e1][e2]…` for a function on the schedule dimensions; the operands after
    /// the first are the values of its components.
    pub fn access(&self, function: PwMultiAff) -> Result<ASTExpr> {
        let function = std::mem::ManuallyDrop::new(function);
        // SAFETY: the build is live during the callback; isl takes ownership of the function.
        let ptr = unsafe { isl_ast_build_access_from_pw_multi_aff(self.pointer, function.ptr) };
        check(ptr)?;
        Ok(ASTExpr { ptr, should_free_on_drop: true })
    }

    /// Returns the condition that the schedule dimensions are in a set, without what holds at this place anyway.
    pub fn condition(&self, set: Set) -> Result<ASTExpr> {
        let set = std::mem::ManuallyDrop::new(set);
        // SAFETY: as in `access`.
        let ptr = unsafe { isl_ast_build_expr_from_set(self.pointer, set.ptr) };
        check(ptr)?;
        Ok(ASTExpr { ptr, should_free_on_drop: true })
    }

    /// Returns the value of a function on the schedule dimensions (or on the parameters alone).
    pub fn expression(&self, function: PwAff) -> Result<ASTExpr> {
        let function = std::mem::ManuallyDrop::new(function);
        // SAFETY: as in `access`.
        let ptr = unsafe { isl_ast_build_expr_from_pw_aff(self.pointer, function.ptr) };
        check(ptr)?;
        Ok(ASTExpr { ptr, should_free_on_drop: true })
    }
}

/// The callbacks of [`generate`].
pub trait Visitor {
    /// Called for each statement instance; `call` is `S0(e1, e2, …)` with the values of its iterators. The returned
    /// number becomes the [`annotation`] of the user node.
    fn instance(&mut self, call: ASTExpr, build: &Build) -> Result<usize>;

    /// Called before the AST below a mark is generated.
    fn enter(&mut self, _mark: &str) {}

    /// Called after each mark; the returned number becomes the annotation of the mark node.
    fn mark(&mut self, name: &str, build: &Build) -> Result<usize>;
}

struct Caller<'a> {
    visitor: &'a mut dyn Visitor,
    failure: Option<Error>,
}

/// Generates the AST of a schedule tree; `parameters` contains what is known about the parameters.
pub fn generate(schedule: Schedule, parameters: Set, visitor: &mut dyn Visitor) -> Result<ASTNode> {
    set_options();
    let parameters = in_the_order_of(&schedule, parameters)?;
    let mut caller = Caller { visitor, failure: None };
    let user = (&raw mut caller).cast::<c_void>();
    let parameters = std::mem::ManuallyDrop::new(parameters);
    let schedule = std::mem::ManuallyDrop::new(schedule);
    // SAFETY: isl takes ownership of the set and the schedule; `caller` outlives the only call that uses it.
    let ptr = unsafe {
        let build = isl_ast_build_from_context(parameters.ptr);
        let build = isl_ast_build_set_at_each_domain(build, at_domain, user);
        let build = isl_ast_build_set_before_each_mark(build, before_mark, user);
        let build = isl_ast_build_set_after_each_mark(build, after_mark, user);
        let node = isl_ast_build_node_from_schedule(build, schedule.ptr);
        isl_ast_build_free(build);
        node
    };
    if let Some(failure) = caller.failure {
        context().reset_error();
        return Err(failure);
    }
    check(ptr)?;
    Ok(ASTNode { ptr, should_free_on_drop: true })
}

/// Puts the parameters into the order that they have in a schedule. isl 0.27 compares the conditions of the parts of
/// a sequence parameter by parameter, without comparing names, and takes `m > 0` for `n > 0` if the domain has the
/// parameters in another order.
fn in_the_order_of(schedule: &Schedule, parameters: Set) -> Result<Set> {
    Ok(parameters.align_params(schedule.get_domain()?.get_space()?)?)
}

/// Requests one condition for each loop, C's `/` and `%` where the operands allow them, `min` and `max` instead of
/// `?:`.
fn set_options() {
    let ctx = context().ptr;
    // SAFETY: the context is live.
    unsafe {
        isl_options_set_ast_build_atomic_upper_bound(ctx, 1);
        isl_options_set_ast_build_prefer_pdiv(ctx, 1);
        isl_options_set_ast_build_detect_min_max(ctx, 1);
    }
}

unsafe extern "C" fn at_domain(node: uintptr_t, build: uintptr_t, user: *mut c_void) -> uintptr_t {
    // SAFETY: `user` is the `Caller` that `generate` passed; the node is live, and its expression is a new reference.
    let (caller, call) = unsafe { (&mut *user.cast::<Caller>(), isl_ast_node_user_get_expr(node)) };
    let call = ASTExpr { ptr: call, should_free_on_drop: true };
    let number = caller.visitor.instance(call, &Build { pointer: build });
    annotate(node, number, caller)
}

unsafe extern "C" fn before_mark(mark: uintptr_t, _build: uintptr_t, user: *mut c_void) -> c_int {
    // SAFETY: as in `at_domain`; isl keeps the id, which has a name.
    let (caller, name) =
        unsafe { (&mut *user.cast::<Caller>(), CStr::from_ptr(isl_id_get_name(mark)).to_string_lossy()) };
    caller.visitor.enter(&name);
    0
}

unsafe extern "C" fn after_mark(node: uintptr_t, build: uintptr_t, user: *mut c_void) -> uintptr_t {
    // SAFETY: as in `at_domain`; the id of the mark is a new reference with a name.
    let (caller, name) = unsafe {
        let id = isl_ast_node_mark_get_id(node);
        let name = CStr::from_ptr(isl_id_get_name(id)).to_string_lossy().into_owned();
        isl_id_free(id);
        (&mut *user.cast::<Caller>(), name)
    };
    let number = caller.visitor.mark(&name, &Build { pointer: build });
    annotate(node, number, caller)
}

/// Stores the number in the node, or records the failure.
fn annotate(node: uintptr_t, number: Result<usize>, caller: &mut Caller) -> uintptr_t {
    let text = match number {
        Ok(number) => number.to_string(),
        Err(error) => {
            caller.failure.get_or_insert(error);
            String::from("0")
        }
    };
    let Ok(text) = CString::new(text) else { return node };
    // SAFETY: the context and the node are live; isl copies the text and takes ownership of the id.
    unsafe {
        isl_ast_node_set_annotation(node, isl_id_alloc(context().ptr, text.as_ptr(), std::ptr::null_mut()))
    }
}

/// Returns the number that the visitor returned for a user or mark node.
pub fn annotation(node: &ASTNode) -> Option<usize> {
    // SAFETY: the node is live; a null annotation means none.
    unsafe {
        let ptr = isl_ast_node_get_annotation(node.ptr);
        if ptr == 0 {
            return None;
        }
        let id = Id { ptr, should_free_on_drop: true };
        CStr::from_ptr(isl_id_get_name(id.ptr)).to_str().ok()?.parse().ok()
    }
}

/// The kinds of AST node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A loop.
    For,
    /// A condition.
    If,
    /// A list of nodes.
    Block,
    /// A mark around a node.
    Mark,
    /// A statement instance.
    User,
}

/// Returns the kind of a node. (isl-rs 0.3.1 numbers the kinds from 0, isl from 1.)
pub fn kind(node: &ASTNode) -> Result<NodeKind> {
    // SAFETY: the node is live.
    match unsafe { isl_ast_node_get_type(node.ptr) } {
        1 => Ok(NodeKind::For),
        2 => Ok(NodeKind::If),
        3 => Ok(NodeKind::Block),
        4 => Ok(NodeKind::Mark),
        5 => Ok(NodeKind::User),
        other => Err(Error::new(format!("isl gave an AST node of unknown kind {other}"))),
    }
}

/// Checks a pointer that isl returned: null means failure, and isl has recorded the reason.
fn check(pointer: uintptr_t) -> Result<()> {
    if pointer != 0 {
        return Ok(());
    }
    Err(last_error())
}

/// Returns the value of a function of the parameters alone, for parameters in `parameters`.
///
/// isl assumes that both have the same parameters in the same order.
pub fn parameter_expression(parameters: Set, function: PwAff) -> Result<ASTExpr> {
    let function = function.align_params(parameters.get_space()?)?;
    let parameters = parameters.align_params(function.get_space()?)?;
    outside_of_loops(parameters, |build| build.expression(function))
}

/// Returns the condition that the parameters are in a set, for parameters in `parameters`.
pub fn parameter_condition(parameters: Set, set: Set) -> Result<ASTExpr> {
    let set = set.align_params(parameters.get_space()?)?;
    let parameters = parameters.align_params(set.get_space()?)?;
    outside_of_loops(parameters, |build| build.condition(set))
}

fn outside_of_loops<T>(parameters: Set, make: impl FnOnce(&Build) -> Result<T>) -> Result<T> {
    set_options();
    let parameters = std::mem::ManuallyDrop::new(parameters);
    // SAFETY: isl takes ownership of the set; the build is live until it is freed below.
    let build = Build { pointer: unsafe { isl_ast_build_from_context(parameters.ptr) } };
    check(build.pointer)?;
    let made = make(&build);
    // SAFETY: nothing refers to the build any more.
    unsafe { isl_ast_build_free(build.pointer) };
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DimType, Text};

    /// Records the instances and marks for which it is called.
    #[derive(Default)]
    struct Recorder {
        seen: Vec<String>,
        fail: bool,
    }

    impl Visitor for Recorder {
        fn instance(&mut self, call: ASTExpr, build: &Build) -> Result<usize> {
            if self.fail {
                return Err(Error::new("enough"));
            }
            let name = call.op_get_arg(0)?.id_get_id()?.get_name()?.to_owned();
            assert_eq!(crate::maps_of(&build.schedule()?)?[0].get_tuple_name(DimType::In)?, name);
            self.seen.push(name);
            Ok(self.seen.len() - 1)
        }

        fn enter(&mut self, mark: &str) {
            self.seen.push(format!("below {mark}"));
        }

        fn mark(&mut self, name: &str, _build: &Build) -> Result<usize> {
            self.seen.push(name.to_owned());
            Ok(self.seen.len() - 1)
        }
    }

    fn schedule() -> Schedule {
        let text = "domain: \"[n] -> { S0[i] : 0 <= i < n }\"\nchild:\n  mark: \"role\"\n  child:\n    schedule: \"[{ S0[i] -> [(i)] }]\"\n";
        Schedule::parse(text).unwrap()
    }

    #[test]
    fn annotations_lead_back_to_what_the_visitor_saw() {
        let mut recorder = Recorder::default();
        let root = generate(schedule(), Set::parse("[n] -> { : n > 0 }").unwrap(), &mut recorder).unwrap();
        assert_eq!(recorder.seen, ["below role", "S0", "role"]);
        assert_eq!(kind(&root).unwrap(), NodeKind::Mark);
        assert_eq!(annotation(&root), Some(2));
        let body = root.mark_get_node().unwrap().for_get_body().unwrap();
        assert_eq!((kind(&body).unwrap(), annotation(&body)), (NodeKind::User, Some(1)));
    }

    /// Functions and conditions may have parameters that the context lacks, lack some that it has, and have them in
    /// another order.
    #[test]
    fn values_of_parameters_do_not_depend_on_the_context_s_list() {
        let function = "[i] -> { [(0)] : i >= 0; [(-3 + (3 + i) mod 4)] : i < 0 }";
        let value = |parameters: &str, function: &str| {
            let function = PwAff::parse(function).unwrap();
            parameter_expression(Set::parse(parameters).unwrap(), function)
                .unwrap()
                .to_C_str()
                .unwrap()
                .to_owned()
        };
        let alone = value("[i] -> { : }", function);
        assert_eq!(value("[n, i] -> { : }", function), alone);
        assert_eq!(value("{ : }", function), alone);
        assert_eq!(value("[n, m] -> { : n > 7 }", "[m, n] -> { [(n - 2m)] }"), "n - 2 * m");
        let holds = |parameters: &str, set: &str| {
            let (parameters, set) = (Set::parse(parameters).unwrap(), Set::parse(set).unwrap());
            parameter_condition(parameters, set).unwrap().to_C_str().unwrap().to_owned()
        };
        let set = "[i] -> { : i >= 0 and i mod 3 = 1 or i < -5 }";
        assert_eq!(holds("[n, i] -> { : }", set), holds("[i] -> { : }", set));
    }

    /// The domain has its parameters in another order than the context; the conditions of the parts of a sequence
    /// are the same nevertheless.
    #[test]
    fn parameters_may_be_in_any_order() {
        let text = r#"domain: "[m, n] -> { S1[i] : 0 <= i < n; S2[i, j] : 0 <= i < m and 0 <= j < n; S3[i] : 0 <= i < m }"
child:
  sequence:
  - filter: "[m, n] -> { S1[i] }"
    child:
      guard: "[m, n] -> { [] : n > 0 }"
      child:
        schedule: "[m, n] -> [{ S1[i] -> [(i)] }]"
  - filter: "[m, n] -> { S2[i, j]; S3[i] }"
    child:
      extension: "[m, n] -> { [] -> before[] : m > 0 and n > 0; [] -> behind[] : m > 0 }"
      child:
        sequence:
        - filter: "[m, n] -> { before[] }"
        - filter: "[m, n] -> { S2[i, j]; S3[i] }"
          child:
            schedule: "[m, n] -> [{ S3[i] -> [(i)]; S2[i, j] -> [(i)] }]"
            child:
              sequence:
              - filter: "[m, n] -> { S2[i, j] }"
                child:
                  schedule: "[m, n] -> [{ S2[i, j] -> [(j)] }]"
              - filter: "[m, n] -> { S3[i] }"
        - filter: "[m, n] -> { behind[] }"
"#;
        let program = |parameters: &str| {
            let parameters = Set::parse(parameters).unwrap();
            let root = generate(Schedule::parse(text).unwrap(), parameters, &mut Recorder::default());
            root.unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(program("[n, m] -> { : }"), program("[m, n] -> { : }"));
    }

    #[test]
    fn a_visitor_that_fails_makes_generation_fail() {
        let mut recorder = Recorder { fail: true, ..Recorder::default() };
        let failure = generate(schedule(), Set::parse("{ : }").unwrap(), &mut recorder).err().unwrap();
        assert_eq!(failure.to_string(), "enough");
    }
}
