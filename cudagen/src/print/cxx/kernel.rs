//! Kernels as C++.

use scop::c_text::Dialect;

use crate::code::stmt::{Plain, Stmt};
use crate::kernel::program::{
    Argument, ArgumentForm, Declared, KernelOp, KernelProgram, Level, PositionFunction,
};
use crate::kernel::ranks::Found;
use crate::print::cxx::language::Language;
use crate::print::layout;

/// Returns the definition of a kernel, with a comment before it.
pub fn definition(kernel: &KernelProgram, language: &dyn Language) -> String {
    let arguments: Vec<String> = kernel.arguments.iter().map(argument).collect();
    let mut text = String::new();
    for line in &kernel.origin {
        text.push_str(&format!("// {}\n", line.trim_end()));
    }
    layout::wrap(&format!("__global__ void {}({})", kernel.name, arguments.join(", ")), 0, &mut text);
    text.push_str("{\n");
    text.push_str(&layout::render(&block(&kernel.body, language), 1));
    text.push_str("}\n");
    text
}

fn argument(argument: &Argument) -> String {
    let name = &argument.name;
    match &argument.form {
        ArgumentForm::Value(ctype) => format!("{} {name}", Dialect::Cxx.type_name(*ctype)),
        ArgumentForm::Structure(structure) => format!("const {structure} {name}"),
        ArgumentForm::Pointer { ctype, written } => {
            let qualifier = if *written { "" } else { "const " };
            format!("{qualifier}{} *__restrict__ {name}", Dialect::Cxx.type_name(*ctype))
        }
    }
}

fn block(block: &[Stmt<KernelOp>], language: &dyn Language) -> Vec<Plain> {
    block.iter().flat_map(|stmt| stmt.spelled(&|op| vec![spelled(op, language)])).collect()
}

fn spelled(op: &KernelOp, language: &dyn Language) -> Plain {
    match op {
        KernelOp::SharedMemory { name, alignment } => {
            let aligned = language.aligned(*alignment);
            Plain::declare(name, format!("extern __shared__ {aligned} unsigned char {name}[];"))
        }
        KernelOp::Part { buffer, all, start } => part(buffer, all, *start),
        KernelOp::Shared(buffer) => declared("__shared__ ", buffer),
        KernelOp::Private(buffer) => declared("", buffer),
        KernelOp::Coordinate { ctype, name, level, axis, lower } => {
            let builtin = match level {
                Level::Block => "blockIdx",
                Level::Thread => "threadIdx",
            };
            let plus = lower.as_ref().map_or(String::new(), |lower| format!(" + {lower}"));
            Plain::declare(name, format!("const {ctype} {name} = {builtin}.{axis}{plus};"))
        }
        KernelOp::Rank { first } => {
            let (rank, plus) =
                (language.own("rank"), first.as_ref().map_or(String::new(), |first| format!(" + {first}")));
            Plain::declare(&rank, format!("const long {rank} = blockIdx.x{plus};"))
        }
        KernelOp::Located { ctype, name, before, found } => {
            let rank = before.iter().fold(language.own("rank"), |rank, calls| format!("{rank} - {calls}"));
            let value = match found {
                Found::Searched(search) => {
                    let arguments = [&rank].into_iter().chain(&search.parameters);
                    format!("{}({})", search.name, arguments.cloned().collect::<Vec<_>>().join(", "))
                }
                Found::Consecutive(None) => rank,
                Found::Consecutive(Some(lower)) => format!("{rank} + ({lower})"),
            };
            Plain::declare(name, format!("const {ctype} {name} = {value};"))
        }
        KernelOp::Barrier => Plain::line("__syncthreads();"),
        KernelOp::Bounded(bounded) => {
            Plain::Loop { head: language.bounded_loop(bounded), body: block(&bounded.body, language) }
        }
    }
}

/// Returns `__shared__ double shared_A[16][33];`.
fn declared(memory: &str, buffer: &Declared) -> Plain {
    let (ctype, name) = (Dialect::Cxx.type_name(buffer.ctype), &buffer.name);
    Plain::declare(name, format!("{memory}{ctype} {name}{};", brackets(&buffer.extents)))
}

/// Returns `double (*const shared_A)[33] = (double (*)[33])(shared_memory + 4096);`.
fn part(buffer: &Declared, all: &str, start: u64) -> Plain {
    let (ctype, name) = (Dialect::Cxx.type_name(buffer.ctype), &buffer.name);
    let address = if start == 0 { all.to_owned() } else { format!("({all} + {start})") };
    let row = brackets(buffer.extents.get(1..).unwrap_or_default());
    let text = if row.is_empty() {
        format!("{ctype} *const {name} = ({ctype} *){address};")
    } else {
        format!("{ctype} (*const {name}){row} = ({ctype} (*){row}){address};")
    };
    Plain::declare(name, text)
}

/// Returns `[16][33]`.
fn brackets(sizes: &[u32]) -> String {
    sizes.iter().map(|size| format!("[{size}]")).collect()
}

/// Returns the definition of a position function.
pub fn position(function: &PositionFunction) -> String {
    let PositionFunction { name, buffer, coordinates, value } = function;
    let parameters: Vec<String> = coordinates.iter().map(|name| format!("int {name}")).collect();
    format!(
        "// The position in {buffer}, which has no gaps.\n\
         static __device__ __forceinline__ int {name}({})\n{{\n    return {value};\n}}\n",
        parameters.join(", ")
    )
}
