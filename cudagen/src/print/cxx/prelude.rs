//! The top of the generated file: includes, the check of runtime library calls, and helper functions.

use std::collections::BTreeSet;

use scop::c_text::Helper;
use scop::{CType, ReductionOp};

use crate::code::partial;
use crate::code::stmt::Stmt;
use crate::host::file::GpuFile;
use crate::host::operation::{Condition, CopyForm, HostOp};
use crate::host::program::HostProgram;
use crate::model::comments::one_line;
use crate::print::cxx::complex;
use crate::print::cxx::language::Language;
use crate::print::cxx::runtime::{comparison, helpers, residency};

/// What the functions of a file need from the prelude.
#[derive(Debug, Clone, Default)]
struct Needs {
    /// The types for which `floord` is called.
    floord: BTreeSet<&'static str>,
    /// The host calls `min` or `max`.
    extremes: bool,
    /// A loop in a kernel runs to the minimum of several bounds.
    bounds: bool,
    /// The threads of a warp add to one element.
    warp_sums: bool,
    /// The threads of a warp combine their values by these operators.
    shared_sums: BTreeSet<(ReductionOp, bool)>,
    /// Address ranges are checked for overlap.
    overlap: bool,
    /// Memory is checked for being writable.
    writable: bool,
    /// The host allocates host memory.
    host_memory: bool,
    /// Boxes of three dimensions are copied.
    box_copies: bool,
    /// Memory stays on the device between regions.
    residency: bool,
    /// Regions share constant memory.
    constants: bool,
    /// The host calls `memcpy`.
    memory_copies: bool,
    /// Mathematical functions are called.
    math: bool,
    /// Regions are compared with their translations.
    verification: bool,
}

impl Needs {
    fn of(file: &GpuFile) -> Self {
        let math = !file.functions.is_empty() && file.functions_call_library;
        let math = math || file.complex.calls_library();
        let mut needs = Self { math, residency: file.residency.is_some(), ..Self::default() };
        file.regions.iter().for_each(|region| needs.region(region));
        needs
    }

    fn region(&mut self, region: &HostProgram) {
        let HostProgram { kernels, verification, numberings, .. } = region;
        self.math |= region.calls_functions;
        self.constants |= region.constants.is_some();
        self.memory_copies |= !region.structures.is_empty();
        self.verification |= verification.is_some();
        self.bounds |= kernels.iter().any(|kernel| kernel.has_bounded_loops());
        self.warp_sums |= kernels.iter().any(|kernel| kernel.warp_sums);
        self.shared_sums.extend(kernels.iter().flat_map(|kernel| &kernel.shared_sums));
        self.math |= kernels.iter().any(|kernel| kernel.calls_library);
        self.extremes |= [Helper::Min, Helper::Max].iter().any(|helper| region.helpers.contains(helper));
        let functions = numberings.iter().flat_map(|one| [&one.position, &one.count]);
        functions.for_each(|function| self.floord(&function.helpers, CType::Long));
        self.floord(&region.helpers, region.index);
        kernels.iter().for_each(|kernel| self.floord(&kernel.helpers, region.index));
        let ranks = kernels.iter().filter_map(|kernel| kernel.ranks.as_ref());
        for helpers in ranks.flat_map(|ranks| ranks.helpers()) {
            self.floord(helpers, CType::Long);
            self.extremes |= [Helper::Min, Helper::Max].iter().any(|helper| helpers.contains(helper));
        }
        self.block(&region.body);
        verification.iter().for_each(|compared| self.block(&compared.body));
    }

    /// Notes the helpers of a function whose integers are of type `index`.
    fn floord(&mut self, helpers: &BTreeSet<Helper>, index: CType) {
        if helpers.contains(&Helper::Floord) {
            self.floord.insert(index.c_name());
        }
    }

    fn block(&mut self, block: &[Stmt<HostOp>]) {
        block.iter().for_each(|stmt| stmt.visit(&mut |op| self.operation(op)));
    }

    fn operation(&mut self, op: &HostOp) {
        match op {
            HostOp::Decline { conditions, .. } => {
                self.overlap |= conditions.iter().any(|one| matches!(one, Condition::Overlap(..)));
                self.writable |= conditions.iter().any(|one| matches!(one, Condition::Constant(..)));
            }
            HostOp::AllocateOnHost { .. } => self.host_memory = true,
            HostOp::Copy(copy) => self.box_copies |= matches!(copy.form, CopyForm::Slices { .. }),
            HostOp::Launch(launch) => self.extremes |= !launch.parts.is_empty(),
            HostOp::Size { .. }
            | HostOp::Allocate { .. }
            | HostOp::PointInto { .. }
            | HostOp::Free(_)
            | HostOp::FreeOnHost { .. }
            | HostOp::DeclareStructure { .. }
            | HostOp::FillStructure { .. }
            | HostOp::HoldConstants
            | HostOp::FillConstants { .. }
            | HostOp::Synchronise
            | HostOp::AllowShared { .. }
            | HostOp::Residency(_)
            | HostOp::BeginComparison { .. }
            | HostOp::Compare { .. } => {}
        }
    }
}

/// Returns the text before `definitions`.
pub fn text(file: &GpuFile, definitions: &str, language: &dyn Language) -> String {
    let (source, header) = (one_line(&file.source), &file.header);
    let mut text = format!("// Generated from {source} by c2cuda.\n#include \"{header}\"\n\n");
    if file.regions.is_empty() && file.residency.is_none() {
        text.push_str("// All regions stay on the host.\n");
        return text;
    }
    let needs = Needs::of(file);
    text.push_str(language.include());
    text.push_str(&includes(file, &needs));
    let mut add = |is_needed: bool, part: &str| {
        if is_needed {
            text.push_str(&language.spelled(part));
        }
    };
    add(!file.regions.is_empty(), helpers::CHECK);
    add(needs.overlap, helpers::OVERLAP);
    add(needs.writable, helpers::WRITABLE);
    add(needs.host_memory, helpers::HOST_MEMORY);
    add(needs.box_copies, helpers::BOX_COPY);
    add(needs.extremes, language.extremes());
    if let Some(residency) = &file.residency {
        add(true, &residency::text(residency, file));
    }
    text.push_str(if needs.verification { comparison::TEXT } else { "" });
    text.push_str(if needs.bounds { language.bound() } else { "" });
    text.push_str(if needs.warp_sums { language.warp_sum() } else { "" });
    for (operator, in_order) in &needs.shared_sums {
        text.push_str(&match in_order {
            true => sum_in_order(*operator, language),
            false => shared_sum(*operator, language),
        });
    }
    needs.floord.iter().for_each(|index| text.push_str(&helpers::floord(index)));
    for ctype in [CType::Float, CType::Double] {
        if definitions.contains(scop::c_text::of_bits(ctype)) {
            text.push_str(&helpers::number_of_bits(ctype));
        }
    }
    text.push_str(&complex::text(&file.complex, language));
    text
}

/// Returns the function that combines the values of a warp.
fn shared_sum(operator: ReductionOp, language: &dyn Language) -> String {
    let (name, exchange) = (language.own(partial::function(operator, false)), language.exchange());
    let choose = |comparison: &str| {
        format!(
            " {{\n        const Number other = {exchange};\n        value = other {comparison} value ? other : value;\n    }}"
        )
    };
    let step = match operator {
        ReductionOp::Sum => format!("\n        value += {exchange};"),
        ReductionOp::Product => format!("\n        value *= {exchange};"),
        ReductionOp::BitAnd => format!("\n        value &= {exchange};"),
        ReductionOp::BitOr => format!("\n        value |= {exchange};"),
        ReductionOp::BitXor => format!("\n        value ^= {exchange};"),
        ReductionOp::Min => choose("<"),
        ReductionOp::Max => choose(">"),
        ReductionOp::And => format!("\n        value = value && {exchange};"),
        ReductionOp::Or => format!("\n        value = value || {exchange};"),
    };
    format!(
        "\n// Combines the values of the 32 threads along x.\ntemplate <class Number> static __device__ inline Number \
         {name}(Number value)\n{{\n    for (int lanes = 16; lanes > 0; lanes /= 2){step}\n    return value;\n}}\n"
    )
}

/// Returns the function that adds the numbers of a warp, or multiplies by them, one after the other.
fn sum_in_order(operator: ReductionOp, language: &dyn Language) -> String {
    let (name, value) = (language.own(partial::function(operator, true)), language.value_of_lane());
    let operator = if operator == ReductionOp::Product { "*=" } else { "+=" };
    format!(
        "\n// Combines the values of the 32 threads along x with a result, one after the other. The result of the first \
         thread counts.\ntemplate <class Number> static __device__ inline Number {name}(Number result, Number value)\n\
         {{\n#pragma unroll\n    for (int lane = 0; lane < 32; lane++)\n        result {operator} {value};\n    return \
         result;\n}}\n"
    )
}

fn includes(file: &GpuFile, needs: &Needs) -> String {
    let Needs { residency, verification, .. } = *needs;
    let headers = [
        (file.complex.needs_limits(), "float.h"),
        (needs.math || verification, "math.h"),
        (needs.writable, "errno.h"),
        (residency, "malloc.h"),
        (residency, "pthread.h"),
        (true, "stddef.h"),
        (needs.overlap || needs.writable, "stdint.h"),
        (true, "stdio.h"),
        (true, "stdlib.h"),
        (needs.memory_copies || verification, "string.h"),
        (needs.writable, "sys/mman.h"),
        (needs.writable, "sys/uio.h"),
        (needs.writable, "unistd.h"),
        (residency, "algorithm"),
        (verification, "atomic"),
        (residency || verification, "map"),
        (needs.constants || verification || residency, "mutex"),
        (residency, "set"),
        (verification, "thread"),
        (verification || residency, "utility"),
        (verification || residency, "vector"),
    ];
    let needed = headers.iter().filter(|(is_needed, _)| *is_needed);
    needed.map(|(_, header)| format!("#include <{header}>\n")).collect()
}
