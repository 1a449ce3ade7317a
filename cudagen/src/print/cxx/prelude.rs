//! What stands at the top of the CUDA source: includes, the check of every CUDA call, and small functions that are
//! used.

use std::collections::BTreeSet;

use scop::CType;
use scop::c_text::Helper;

use crate::host::residency;
use crate::host::verification;
use crate::model::comments::one_line;
use crate::model::complex::Complex;

/// What the file's functions need.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// CUDA is called.
    pub cuda: bool,
    /// The types for which `floord` is called.
    pub floord: BTreeSet<&'static str>,
    /// Bounds of loops in kernels are kept from the compiler.
    pub hidden_bounds: bool,
    /// The threads of a warp add to one element.
    pub warp_sums: bool,
    /// Address ranges are compared.
    pub overlap: bool,
    /// Memory is asked whether it may be written.
    pub writable: bool,
    /// The host needs memory of its own.
    pub host_memory: bool,
    /// Boxes of three dimensions are copied.
    pub box_copies: bool,
    /// Arrays stay on the device.
    pub stays: bool,
    /// Regions share constant memory.
    pub constants: bool,
    /// The host copies memory of its own.
    pub memory_copies: bool,
    /// Mathematical functions are called.
    pub math: bool,
    /// Regions are compared with their translation.
    pub verification: bool,
    /// The types of infinities and NaNs that are used.
    pub bits: Vec<CType>,
    /// What is computed with complex numbers.
    pub complex: Complex,
}

impl Needs {
    /// Notes the helpers of a function whose integers are of type `index`.
    pub fn add(&mut self, helpers: &BTreeSet<Helper>, index: CType) {
        if helpers.contains(&Helper::Floord) {
            self.floord.insert(index.c_name());
        }
    }
}

const CHECK: &str = r#"
// Ends the program if a CUDA call failed.
static void cuda_check_at(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

#define cuda_check(call) cuda_check_at((call), #call, __FILE__, __LINE__)
"#;

const OVERLAP: &str = r#"
// True if two address ranges have a byte in common. Nothing is at a null pointer.
static bool cuda_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    return a && b && a_start < b_start + b_bytes && b_start < a_start + a_bytes && a_bytes > 0 && b_bytes > 0;
}
"#;

const WRITABLE: &str = r#"
// True unless a page of memory is constant. A byte of each is read and written as it is, by the system, which says if
// it cannot. Where there is no memory, nothing uses it.
static bool cuda_writable(const void *start, size_t bytes)
{
    const uintptr_t page = 4096, end = (uintptr_t)start + bytes;
    for (uintptr_t next = (uintptr_t)start; next < end;) {
        char values[256];
        iovec here[256], there[256];
        int count = 0;
        for (; count < 256 && next < end; next = (next / page + 1) * page, count++) {
            here[count] = {values + count, 1};
            there[count] = {(void *)next, 1};
        }
        const ssize_t read = process_vm_readv(getpid(), here, count, there, count, 0);
        if (read < 0 && errno != EFAULT)
            return true;
        const int found = read > 0 ? (int)read : 0;
        if (found > 0) {
            const ssize_t written = process_vm_writev(getpid(), here, found, there, found, 0);
            if (written < found && (written >= 0 || errno == EFAULT))
                return false;
        }
        if (found < count)
            next = ((uintptr_t)there[found].iov_base / page + 1) * page;
    }
    return true;
}
"#;

const BOUND: &str = r#"
// The bound of a loop, as a value that nvcc does not look into. From the smallest of several bounds it would compute
// the number of iterations as the largest of three numbers, and ptxas of CUDA 12.5 to 13.3 would drop a sign in that.
static __device__ inline int cuda_bound(int bound)
{
    asm("" : "+r"(bound));
    return bound;
}
"#;

const WARP_SUM: &str = r#"
// Adds what the active threads of a warp contribute to one element, by one atomic operation if all are active. For sums
// of 32 bits nvcc does that by itself.
static __device__ inline void cuda_add(unsigned long long *to, unsigned long long value)
{
    const unsigned active = __activemask();
    if (active == 0xffffffffu) {
        for (int lanes = 16; lanes > 0; lanes /= 2)
            value += __shfl_down_sync(active, value, lanes);
        if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32 != 0)
            return;
    }
    atomicAdd(to, value);
}
"#;

const HOST_MEMORY: &str = r#"
// Memory on the host, or the end of the program.
static void *cuda_host_memory(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}
"#;

const BOX_COPY: &str = r#"
// Copies rows of `width` bytes, so many of each of some slices. Rows are `pitch` bytes apart and slices `height` rows,
// on both sides.
static void cuda_copy_box(void *to, const void *from, size_t pitch, size_t height, size_t width, size_t rows,
    size_t slices, cudaMemcpyKind way)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)from, pitch, pitch, height);
    copy.dstPtr = make_cudaPitchedPtr(to, pitch, pitch, height);
    copy.extent = make_cudaExtent(width, rows, slices);
    copy.kind = way;
    cuda_check(cudaMemcpy3D(&copy));
}
"#;

/// The text before the first kernel.
pub fn text(header: &str, file: &str, needs: &Needs) -> String {
    let mut text = format!("// Generated from {} by c2cuda.\n#include \"{header}\"\n\n", one_line(file));
    if !needs.cuda {
        text.push_str("// All regions stay on the host.\n");
        return text;
    }
    if needs.complex.needs_limits() {
        text.push_str("#include <float.h>\n");
    }
    if needs.math || needs.verification {
        text.push_str("#include <math.h>\n");
    }
    text.push_str(if needs.writable { "#include <errno.h>\n" } else { "" });
    text.push_str("#include <stddef.h>\n");
    if needs.overlap || needs.writable {
        text.push_str("#include <stdint.h>\n");
    }
    text.push_str("#include <stdio.h>\n#include <stdlib.h>\n");
    text.push_str(if needs.memory_copies || needs.verification { "#include <string.h>\n" } else { "" });
    text.push_str(if needs.writable { "#include <sys/uio.h>\n#include <unistd.h>\n" } else { "" });
    text.push_str(if needs.stays { "#include <algorithm>\n" } else { "" });
    text.push_str(if needs.verification { "#include <atomic>\n" } else { "" });
    text.push_str(if needs.stays { "#include <iterator>\n" } else { "" });
    text.push_str(if needs.stays || needs.verification { "#include <map>\n" } else { "" });
    text.push_str(if needs.constants || needs.verification { "#include <mutex>\n" } else { "" });
    text.push_str(if needs.verification {
        "#include <thread>\n#include <utility>\n#include <vector>\n"
    } else {
        ""
    });
    text.push_str(CHECK);
    text.push_str(if needs.overlap { OVERLAP } else { "" });
    text.push_str(if needs.writable { WRITABLE } else { "" });
    text.push_str(if needs.host_memory { HOST_MEMORY } else { "" });
    text.push_str(if needs.box_copies { BOX_COPY } else { "" });
    text.push_str(if needs.stays { residency::RUNTIME } else { "" });
    text.push_str(if needs.verification { verification::RUNTIME } else { "" });
    text.push_str(if needs.hidden_bounds { BOUND } else { "" });
    text.push_str(if needs.warp_sums { WARP_SUM } else { "" });
    for index in &needs.floord {
        text.push_str(&floord(index));
    }
    for &ctype in &needs.bits {
        text.push_str(&number_of_bits(ctype));
    }
    text.push_str(&needs.complex.text());
    text
}

fn number_of_bits(ctype: CType) -> String {
    let bits = if ctype == CType::Float { "unsigned int" } else { "unsigned long long" };
    let name = scop::c_text::of_bits(ctype);
    format!(
        "\n// The number with these bits.\n\
         static __host__ __device__ inline {ctype} {name}({bits} bits)\n\
         {{\n    union {{\n        {bits} bits;\n        {ctype} number;\n    }} both = {{bits}};\n    return both.number;\n}}\n"
    )
}

fn floord(index: &str) -> String {
    format!(
        "\n// a / b rounded towards minus infinity, for a positive b.\n\
         static __host__ __device__ inline {index} floord({index} a, {index} b)\n\
         {{\n    return a / b - (a % b < 0);\n}}\n"
    )
}
