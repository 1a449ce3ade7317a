//! Names that CUDA's runtime library gives its functions.
//!
//! Generated files call these functions. A program that has something else under such a name is linked with that
//! instead.

/// The functions that generated files call, and those by which nvcc starts kernels.
const CALLED: &[&str] = &[
    "cudaFree",
    "cudaFuncSetAttribute",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaLaunchKernel",
    "cudaLaunchKernelExC",
    "cudaMalloc",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpy3D",
    "cudaMemcpyToSymbol",
    "cudaStreamSynchronize",
];

/// With this begin the names of functions that nvcc calls for its own purposes.
const INTERNAL: &str = "__cuda";

/// True if no program may have something else of this name, as the linker sees it.
pub fn is_runtime_function(name: &str) -> bool {
    CALLED.contains(&name) || name.starts_with(INTERNAL)
}
