//! Names that the runtime libraries of CUDA and HIP give their functions.
//!
//! Generated files call these functions. A program that has something else under such a name is linked with that
//! instead.

/// The functions that generated files call, and those by which nvcc and hipcc start kernels.
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
    "hipFree",
    "hipFuncSetAttribute",
    "hipGetErrorString",
    "hipGetLastError",
    "hipLaunchKernel",
    "hipMalloc",
    "hipMemcpy",
    "hipMemcpy2D",
    "hipMemcpy3D",
    "hipMemcpyToSymbol",
    "hipStreamSynchronize",
];

/// With one of these begin the names of functions that the compilers call for their own purposes.
const INTERNAL: [&str; 2] = ["__cuda", "__hip"];

/// True if no program may have something else of this name, as the linker sees it.
pub fn is_runtime_function(name: &str) -> bool {
    CALLED.contains(&name) || INTERNAL.iter().any(|prefix| name.starts_with(prefix))
}
