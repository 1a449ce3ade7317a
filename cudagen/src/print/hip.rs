//! The HIP printer. HIP's names are those of CUDA with another prefix. The other differences:
//!
//! - A macro, `hipLaunchKernelGGL`, launches kernels; all its arguments are written out. Programs include the runtime
//!   library's header.
//! - A variable in constant memory is passed as `HIP_SYMBOL`, and a kernel by its address.
//! - The number of threads of a warp is `warpSize`, which is known only when the kernel runs. It is 64 on most AMD
//!   GPUs for computing.
//! - On the host, `min` and `max` exist only for `int`.
//! - hipcc compiles loops to the minimum of several bounds correctly, so they are printed as they are.

use crate::host::operation::Launch;
use crate::kernel::program::BoundedLoop;
use crate::print::cxx::language::Language;

/// HIP C++, compiled by hipcc.
pub struct Hip;

impl Language for Hip {
    fn name(&self) -> &'static str {
        "HIP"
    }

    fn prefix(&self) -> &'static str {
        "hip"
    }

    fn compiler(&self) -> &'static str {
        "__HIPCC__"
    }

    fn include(&self) -> &'static str {
        "#include <hip/hip_runtime.h>\n"
    }

    fn out_of_memory(&self) -> &'static str {
        "hipErrorOutOfMemory"
    }

    /// HIP's results are `nodiscard`.
    fn forget_error(&self) -> &'static str {
        "(void)hipGetLastError()"
    }

    fn launch(&self, launch: &Launch, grid: &[Option<String>; 3], arguments: &[String]) -> String {
        let block = launch.block.map(|size| size.map(|size| size.to_string()));
        let (kernel, bytes) = (&launch.kernel, launch.dynamic_bytes);
        let arguments: String = arguments.iter().map(|argument| format!(", {argument}")).collect();
        format!("hipLaunchKernelGGL({kernel}, {}, {}, {bytes}, 0{arguments});", dim3(grid), dim3(&block))
    }

    fn kernel_address(&self, kernel: &str) -> String {
        format!("(const void *){kernel}")
    }

    fn symbol(&self, variable: &str) -> String {
        format!("HIP_SYMBOL({variable})")
    }

    fn aligned(&self, bytes: u64) -> String {
        format!("__attribute__((aligned({bytes})))")
    }

    fn bounded_loop(&self, bounded: &BoundedLoop) -> String {
        let BoundedLoop { ctype, iterator, first, counted, comparison, bound, step, .. } = bounded;
        format!("for ({ctype} {iterator} = {first}; {counted} {comparison} {bound}; {step})")
    }

    fn bound(&self) -> &'static str {
        ""
    }

    fn warp_sum(&self) -> &'static str {
        WARP_SUM
    }

    fn exchange(&self) -> &'static str {
        "__shfl_xor(value, lanes, 32)"
    }

    fn value_of_lane(&self) -> &'static str {
        "__shfl(value, lane, 32)"
    }

    fn extremes(&self) -> &'static str {
        EXTREMES
    }
}

/// Returns `dim3(x, y)`.
fn dim3(sizes: &[Option<String>; 3]) -> String {
    let used = sizes.iter().rposition(Option::is_some).map_or(1, |last| last + 1);
    let sizes: Vec<&str> = sizes.iter().take(used).map(|size| size.as_deref().unwrap_or("1")).collect();
    format!("dim3({})", sizes.join(", "))
}

const WARP_SUM: &str = r#"
// Adds what the active threads of a warp contribute to one element, by one atomic operation if all are active.
static __device__ inline void hip_add(unsigned long long *to, unsigned long long value)
{
    if (__popcll(__ballot(1)) == warpSize) {
        for (int lanes = warpSize / 2; lanes > 0; lanes /= 2)
            value += __shfl_down(value, lanes);
        if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize != 0)
            return;
    }
    atomicAdd(to, value);
}
"#;

const EXTREMES: &str = r#"
// The smaller and the larger of two numbers, on the host: there HIP may have functions of `int` alone.
template <class T> static __host__ inline T min(T a, T b)
{
    return a < b ? a : b;
}

template <class T> static __host__ inline T max(T a, T b)
{
    return a > b ? a : b;
}
"#;
