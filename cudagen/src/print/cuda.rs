//! The CUDA printer.

use crate::host::operation::Launch;
use crate::kernel::program::BoundedLoop;
use crate::print::cxx::language::Language;

/// CUDA C++, compiled by nvcc.
pub struct Cuda;

impl Language for Cuda {
    fn name(&self) -> &'static str {
        "CUDA"
    }

    fn prefix(&self) -> &'static str {
        "cuda"
    }

    fn compiler(&self) -> &'static str {
        "__CUDACC__"
    }

    fn include(&self) -> &'static str {
        ""
    }

    fn out_of_memory(&self) -> &'static str {
        "cudaErrorMemoryAllocation"
    }

    fn forget_error(&self) -> &'static str {
        "cudaGetLastError()"
    }

    fn launch(&self, launch: &Launch, grid: &[Option<String>; 3], arguments: &[String]) -> String {
        let block = launch.block.map(|size| size.map(|size| size.to_string()));
        let bytes =
            if launch.dynamic_bytes > 0 { format!(", {}", launch.dynamic_bytes) } else { String::new() };
        let (grid, block, arguments) = (dim3(grid), dim3(&block), arguments.join(", "));
        format!("{}<<<{grid}, {block}{bytes}>>>({arguments});", launch.kernel)
    }

    fn kernel_address(&self, kernel: &str) -> String {
        kernel.to_owned()
    }

    fn symbol(&self, variable: &str) -> String {
        variable.to_owned()
    }

    fn aligned(&self, bytes: u64) -> String {
        format!("__align__({bytes})")
    }

    /// nvcc computes the number of iterations up to the minimum of several bounds as the maximum of their
    /// complements, such as `-n` for `n - 1`. For GPUs of compute capability 9.0 and 10.x, ptxas of CUDA 12.5 to 13.3
    /// combines `max(max(a, -n), b)` into one instruction and drops the sign. On an H200, the loop over
    /// `i <= min(min(n - 1, x), 31)` ended early. The origin of the bound is therefore hidden from the compiler.
    fn bounded_loop(&self, bounded: &BoundedLoop) -> String {
        let BoundedLoop { ctype, iterator, first, counted, comparison, bound, step, .. } = bounded;
        format!(
            "for ({ctype} {iterator} = {first}, cuda_end_{iterator} = cuda_bound({bound}); {counted} {comparison} \
             cuda_end_{iterator}; {step})"
        )
    }

    fn bound(&self) -> &'static str {
        BOUND
    }

    fn warp_sum(&self) -> &'static str {
        WARP_SUM
    }

    fn exchange(&self) -> &'static str {
        "__shfl_xor_sync(0xffffffffu, value, lanes)"
    }

    fn value_of_lane(&self) -> &'static str {
        "__shfl_sync(0xffffffffu, value, lane)"
    }

    fn extremes(&self) -> &'static str {
        ""
    }
}

/// Returns `dim3(x, y)`, or a plain number if only x is more than one.
fn dim3(sizes: &[Option<String>; 3]) -> String {
    let used = sizes.iter().rposition(Option::is_some).map_or(1, |last| last + 1);
    let sizes: Vec<&str> = sizes.iter().take(used).map(|size| size.as_deref().unwrap_or("1")).collect();
    if used == 1 { sizes.concat() } else { format!("dim3({})", sizes.join(", ")) }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// An axis without a size before one with a size is printed as 1.
    #[test]
    fn an_axis_without_a_size_has_one() {
        let size = |size: &str| Some(size.to_owned());
        assert_eq!(dim3(&[None, None, None]), "1");
        assert_eq!(dim3(&[size("n"), None, None]), "n");
        assert_eq!(dim3(&[None, size("n"), None]), "dim3(1, n)");
        assert_eq!(dim3(&[size("n"), None, size("m")]), "dim3(n, 1, m)");
    }
}
