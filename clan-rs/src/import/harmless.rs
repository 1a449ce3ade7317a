//! The attributes that change nothing the translation rests on, whatever they say to a compiler.
//!
//! What is on none of these lists counts as changing the meaning of its declaration.

use crate::c::ctree::Attribute;

/// What kind of declaration an attribute belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A variable or parameter.
    Variable,
    /// A function.
    Function,
    /// A type, or a member of a structure.
    Type,
}

/// Pragmas that do to names what attributes do.
pub const PRAGMAS: [&str; 3] = ["weak", "redefine_extname", STORAGE_ORDER];
/// The one of them that is about all structures after it.
pub const STORAGE_ORDER: &str = "scalar_storage_order";

/// Those that guide warnings, placement in memory, and what a debugger or linker shows. Sizes and places of members
/// are clang's.
const ANYWHERE: &[&str] = &[
    "aligned",
    "alignas",
    "annotate",
    "deprecated",
    "externally_visible",
    "maybe_unused",
    "nodebug",
    "no_reorder",
    "retain",
    "unavailable",
    "unused",
    "used",
    "visibility",
    "warn_if_not_aligned",
    "mode",
];

const OF_VARIABLES: &[&str] = &[
    "carries_dependency",
    "common",
    "constinit",
    "guarded_by",
    "nocommon",
    "noescape",
    "nonnull",
    "nonstring",
    "pt_guarded_by",
    "require_constant_initialization",
    "tls_model",
    "uninitialized",
    "access",
    "warn_unused",
    "type_tag_for_datatype",
];

const OF_TYPES: &[&str] = &[
    "counted_by",
    "designated_init",
    "enum_extensibility",
    "final",
    "flag_enum",
    "no_unique_address",
    "nodiscard",
    "nonstring",
    "packed",
    "transparent_union",
    "warn_unused",
    "warn_unused_result",
];

const OF_FUNCTIONS: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "carries_dependency",
    "cdecl",
    "cf_check",
    "cold",
    "const",
    "diagnose_if",
    "disable_tail_calls",
    "error",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "final",
    "flatten",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "hot",
    "leaf",
    "malloc",
    "minsize",
    "ms_abi",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "noclone",
    "nocf_check",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonnull_if_nonzero",
    "noplt",
    "noreturn",
    "nothrow",
    "not_tail_called",
    "null_terminated_string_arg",
    "optimize",
    "optnone",
    "override",
    "patchable_function_entry",
    "pure",
    "regparm",
    "reproducible",
    "returns_nonnull",
    "section",
    "sentinel",
    "stack_protect",
    "stdcall",
    "sysv_abi",
    "tainted_args",
    "target",
    "target_clones",
    "unsequenced",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

/// Those of a function that matter to none of its callers.
const IN_CALLS: &[&str] = &["constructor", "destructor"];

/// Those by which a function may be replaced or be called by other names, which is nothing to the regions in it.
const AROUND_REGIONS: &[&str] = &["asm", "symver", "weak", "#pragma weak", "#pragma redefine_extname"];

/// True for an attribute that changes nothing about a declaration of a kind.
pub fn is_harmless(kind: Kind, name: &str) -> bool {
    let own = match kind {
        Kind::Variable => OF_VARIABLES,
        Kind::Function => OF_FUNCTIONS,
        Kind::Type => OF_TYPES,
    };
    ANYWHERE.contains(&name) || own.contains(&name)
}

/// True for an attribute of a function that changes nothing about calls.
pub fn in_calls(attribute: &Attribute) -> bool {
    IN_CALLS.contains(&attribute.name.as_str())
}

/// True for an attribute of a function that changes nothing about the regions in it.
pub fn around_regions(attribute: &Attribute) -> bool {
    AROUND_REGIONS.contains(&attribute.name.as_str())
}
