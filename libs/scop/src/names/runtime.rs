//! Names of functions in the runtime libraries of CUDA and HIP.
//!
//! Generated files call these functions. If a program defines one of these names itself, the calls are linked
//! with that definition instead.

/// The functions that generated files call, and those that nvcc and hipcc use to launch kernels.
const CALLED: &[&str] = &[
    "cudaFree",
    "cudaFuncSetAttribute",
    "cudaGetDevice",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaLaunchKernel",
    "cudaLaunchKernelExC",
    "cudaMalloc",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpy3D",
    "cudaMemcpyToSymbol",
    "cudaSetDevice",
    "cudaStreamSynchronize",
    "hipFree",
    "hipFuncSetAttribute",
    "hipGetDevice",
    "hipGetErrorString",
    "hipGetLastError",
    "hipLaunchKernel",
    "hipMalloc",
    "hipMemcpy",
    "hipMemcpy2D",
    "hipMemcpy3D",
    "hipMemcpyToSymbol",
    "hipSetDevice",
    "hipStreamSynchronize",
];

/// The prefixes of functions that the compilers call for their own purposes.
const INTERNAL: [&str; 2] = ["__cuda", "__hip"];

/// True if no program may use this name, as the linker sees it, for anything else.
pub fn is_runtime_function(name: &str) -> bool {
    CALLED.contains(&name) || INTERNAL.iter().any(|prefix| name.starts_with(prefix))
}
