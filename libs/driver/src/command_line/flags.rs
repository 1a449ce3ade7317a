//! Checks the flags of C compilers that do not go to clan-rs.
//!
//! A flag is accepted if it cannot change the meaning of a program: it chooses how code is optimised, debugged,
//! hardened or linked, or which warnings are given. All other flags are refused, including unknown ones: the regions
//! would be read without them, but the rest of the program would be compiled with them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Why a flag is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objection {
    /// The flag may change the meaning of a program.
    Meaning(String),
    /// The driver does not know the flag.
    Unknown,
}

/// Refuses a flag that may change the meaning of a program.
pub fn judge(flag: &OsStr) -> Result<(), Objection> {
    let flag = String::from_utf8_lossy(flag.as_bytes());
    let flag = flag.as_ref();
    if let Some(why) = other_meaning(flag) {
        return Err(Objection::Meaning(format!("{flag} {why}")));
    }
    let known = match (flag.strip_prefix("-f"), flag.strip_prefix("-m")) {
        (Some(option), _) => is_harmless(option),
        (_, Some(option)) => is_of_machine(option),
        _ if among(flag, COMMON) => return Ok(()),
        _ => return Err(Objection::Unknown),
    };
    if known {
        return Ok(());
    }
    Err(Objection::Meaning(format!(
        "{flag} is not known to leave the meaning of a program unchanged: leave it out, or use it only for files that \
         are not translated"
    )))
}

/// Checks whether an option is in a list of patterns, separated by spaces. A star at the end of a pattern matches
/// anything.
fn among(option: &str, allowed: &str) -> bool {
    allowed.split_ascii_whitespace().any(|pattern| match pattern.strip_suffix('*') {
        Some(beginning) => option.starts_with(beginning),
        None => option == pattern,
    })
}

/// Returns why a flag changes the meaning of a program, if it is known to.
fn other_meaning(flag: &str) -> Option<&'static str> {
    let charset = flag.starts_with("-f").then(|| flag.split_once("-charset=")).flatten();
    if among(flag, TYPES) || is_other_order(flag) || (flag.starts_with("-f") && flag.ends_with("char8_t")) {
        Some("changes types, but not those on the device")
    } else if among(flag, OVERFLOW) {
        Some("defines what signed overflow does, but the translation assumes that there is none")
    } else if among(flag, ALIASING) {
        Some(
            "lets objects of different types share memory, but the translation assumes that they do not: use memcpy or \
             unions for that and leave the flag out, or use it only for files that are not translated",
        )
    } else if among(flag, NUMBERS) || (flag.starts_with("-mfpmath=") && flag.contains("387")) {
        Some("changes the results of floating-point computations, but not those on the device")
    } else if charset.is_some_and(|(_, name)| !name.eq_ignore_ascii_case("utf-8")) {
        Some("changes how characters are encoded, but not on the device")
    } else {
        None
    }
}

fn is_other_order(flag: &str) -> bool {
    flag.strip_prefix("-fsso-struct=").is_some_and(|order| !order.is_empty() && !order.starts_with('n'))
}

/// True for `-f` options that leave the meaning unchanged, with or without `no-` and with any value, and for other
/// `-f` options that only state the compiler's default.
fn is_harmless(option: &str) -> bool {
    if option.contains("-charset=") || among(option, DEFAULTS) {
        return true;
    }
    let option = option.strip_prefix("no-").unwrap_or(option);
    let option = option.split_once('=').map_or(option, |(name, _)| name);
    [OPTIMISATION, GENERATION, MESSAGES].into_iter().any(|allowed| among(option, allowed))
}

/// True for `-m` options that only say which instructions exist, and how they are chosen and hardened.
fn is_of_machine(option: &str) -> bool {
    let positive = option.strip_prefix("no-").unwrap_or(option);
    among(option, MACHINE_AS_WRITTEN) || among(option, "sse sse2") || among(positive, MACHINE)
}

const COMMON: &str = "\
    -O* -g* -w -W* -pedantic* -pipe -pthread -L* -l* -static -static-lib* -pie -no-pie -s -rdynamic";

const TYPES: &str = "\
    -funsigned-char -fno-signed-char -fpack-struct* -fshort-enums -fshort-wchar -mms-bitfields -m32 -mx32 -m16 \
    -mlong-double* -m96bit-long-double -malign-double";

const OVERFLOW: &str = "-fwrapv* -ftrapv -fno-strict-overflow";

const ALIASING: &str = "-fno-strict-aliasing -fno-ipa-strict-aliasing";

const NUMBERS: &str = "\
    -fsingle-precision-constant -frounding-math -fsignaling-nans -ffloat-store -mpc3* -mpc6* -mpc8* -msoft-float";

/// Options with `-f` that state the default.
const DEFAULTS: &str = "\
    signed-char no-unsigned-char no-pack-struct no-short-enums no-short-wchar sso-struct=native no-wrapv* no-trapv \
    strict-overflow strict-aliasing no-rounding-math no-signaling-nans no-float-store no-single-precision-constant \
    no-strict-enums extended-identifiers no-ms-extensions no-freestanding hosted";

/// Options with `-f` that choose how code is optimised.
const OPTIMISATION: &str = "\
    aggressive-loop-optimizations align-* allocation-dce allow-store-data-races associative-math \
    auto-inc-dec bit-tests branch-* caller-saves code-hoisting combine-stack-adjustments compare-elim \
    conserve-stack cprop-registers crossjumping cse-* cx-* dce defer-pop delayed-branch \
    delete-dead-exceptions delete-null-pointer-checks devirtualize* dse early-inlining excess-precision \
    expensive-optimizations fast-math finite-loops finite-math-only fold-simple-inlines forward-propagate \
    fp-contract fp-int-builtin-inexact function-cse gcse* graphite* guess-branch-probability \
    hoist-adjacent-loads if-conversion* indirect-inlining inline* ipa-* ira-* isolate-erroneous-paths-* \
    ivopts jump-tables keep-gc-roots-live lifetime-dse limit-function-alignment live-patching \
    live-range-shrinkage loop-* lra-remat math-errno modulo-sched* move-loop-* nothrow-opt \
    omit-frame-pointer omit-leaf-frame-pointer optimize-sibling-calls optimize-strlen partial-inlining \
    peel-loops peephole* predictive-commoning prefetch-loop-arrays printf-return-value profile* \
    reciprocal-math ree rename-registers reorder-* rerun-cse-after-loop reschedule-modulo-scheduled-loops \
    sched-* sched2-* schedule-* section-anchors sel-sched-* selective-scheduling* semantic-interposition \
    shrink-wrap* signed-zeros simd-cost-model slp-vectorize split-ivs-in-unroller split-loops split-paths \
    split-wide-types* ssa-backprop ssa-phiopt stdarg-opt store-merging strict-volatile-bitfields \
    thread-jumps toplevel-reorder tracer trapping-math tree-* unconstrained-commons unroll-* \
    unsafe-math-optimizations unswitch-loops variable-expansion-in-unroller vect-cost-model vectorize \
    version-loops-for-strides vpt web whole-program lto* fat-lto-objects use-linker-plugin auto-profile \
    test-coverage builtin* gnu-unique";

/// Options with `-f` that choose how code is generated, hardened and linked.
const GENERATION: &str = "\
    PIC PIE pic pie plt common data-sections function-sections exceptions rtti asynchronous-unwind-tables \
    unwind-tables stack-* sanitize* split-stack cf-protection harden* zero-call-used-regs \
    trivial-auto-var-init strict-flex-arrays visibility* instrument-functions* patchable-function-entry \
    ident verbose-asm record-gcc-switches tls-model use-ld threadsafe-statics openmp* use-cxa-atexit \
    use-cxa-get-exception-ptr keep-inline-functions keep-static-functions keep-static-consts integrated-as \
    sized-deallocation aligned-new elide-constructors enforce-eh-specs weak abi-version abi-compat-version \
    coverage-*";

/// Options with `-f` for messages and debugging.
const MESSAGES: &str = "\
    diagnostics-* color-diagnostics caret-diagnostics message-length max-errors error-limit show-column \
    spell-checking analyzer analyzer-* var-tracking* debug-* dump-* opt-info* save-optimization-record \
    time-report mem-report stack-usage callgraph-info eliminate-unused-debug-* file-prefix-map \
    macro-prefix-map standalone-debug random-seed working-directory track-macro-expansion tabstop permissive \
    template-* constexpr-* pch-preprocess compare-debug*";

/// Options with `-m` that choose instructions and their layout, exactly as written here.
const MACHINE_AS_WRITTEN: &str = "\
    arch=* tune=* cpu=* tune-ctrl=* cmodel=* 64 branch-cost=* large-data-threshold=* function-return=* \
    stack-protector-guard* tls-dialect=* veclibabi=* fpmath=sse prefer-vector-width=* memcpy-strategy=* \
    memset-strategy=* stringop-strategy=* move-max=* store-max=* harden-sls=* preferred-stack-boundary=* \
    incoming-stack-boundary=* instrument-return=* fentry-* no-ms-bitfields no-align-double no-sse4*";

/// Options with `-m` that choose instructions and their layout, with or without `no-`.
const MACHINE: &str = "\
    avx* bmi bmi2 fma fma4 f16c aes lzcnt abm popcnt pclmul movbe rdrnd rdseed adx sha gfni vaes vpclmulqdq \
    xsave* fxsr fsgsbase prfchw prefetchwt1 rtm hle cx16 sahf amx-* crc32 clflushopt clwb clzero xop tbm lwp \
    pku shstk sgx rdpid waitpkg serialize ptwrite mwaitx movdir* uintr widekl kl sse3 ssse3 sse4 sse4.1 \
    sse4.2 sse4a sse2avx 3dnow* mmx red-zone stackrealign vzeroupper recip* fentry nop-mcount record-mcount \
    cld push-args stv cet-switch accumulate-outgoing-args inline-all-stringops inline-stringops-dynamically \
    align-stringops prefer-avx128 omit-leaf-frame-pointer tls-direct-seg-refs indirect-branch* \
    force-indirect-call direct-extern-access manual-endbr relax-cmpxchg-loop avx256-split-unaligned-* \
    8bit-idiv mitigate-rop stack-arg-probe";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_judged_by_what_they_mean() {
        for flag in [
            "-O3",
            "-Wall",
            "-ffast-math",
            "-fno-inline",
            "-flto=auto",
            "-mavx2",
            "-mno-avx512f",
            "-msse2",
            "-march=native",
            "-fexec-charset=UTF-8",
            "-fno-wrapv",
            "-fsso-struct=native",
            "-static-libgcc",
        ] {
            assert_eq!(judge(OsStr::new(flag)), Ok(()), "{flag}");
        }
        for flag in [
            "-funsigned-char",
            "-fwrapv",
            "-m32",
            "-mno-sse",
            "-fnot-known",
            "-mnot-known",
            "-fpack-struct=2",
            "-fsso-struct=big-endian",
            "-fexec-charset=IBM1047",
            "-mfpmath=sse,387",
            "-fno-char8_t",
            "-mpc64",
        ] {
            assert!(matches!(judge(OsStr::new(flag)), Err(Objection::Meaning(_))), "{flag}");
        }
        for flag in ["-Z", "-nostdinc", "-keep", "-xc", "-p"] {
            assert_eq!(judge(OsStr::new(flag)), Err(Objection::Unknown), "{flag}");
        }
    }
}
