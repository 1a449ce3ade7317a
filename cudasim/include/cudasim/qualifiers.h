// The words that CUDA adds to C++.
//
// Shared memory is thread-local storage: an operating system thread runs one block at a
// time, so each has the one copy that its block shares.  The checker finds the variables,
// their names and sizes in the executable's symbol table, as its only TLS symbols.
#pragma once

// The library writes `__attribute__((__noinline__))` there, before the word is a macro.
#include <memory>

#define __CUDACC__ 1
#define __CUDASIM__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

#define __shared__ static __thread

// rewrite-cuda writes these: for `extern __shared__ T x[]` (which names the launch's dynamic
// shared memory), for a `__device__` that qualifies a variable, and for the `__constant__` of
// a `const` variable.
#define __cudasim_dynamic_shared__ __thread
extern "C" __thread __attribute__((aligned(1024))) char cudasim_dynamic_shared[];
#define __cudasim_device_variable__ __attribute__((section("cudasim_device")))

#define __cudasim_read_only__
#define __constant__ __attribute__((section("cudasim_constant")))
#define __managed__ __attribute__((section("cudasim_managed")))

// Code of ours that is compiled into the user's file, but is no business of the checker and the
// profiler.
#if __has_attribute(no_sanitize_coverage)
#define CUDASIM_UNCHECKED __attribute__((no_sanitize("thread", "bounds"), no_sanitize_coverage))
#else
#define CUDASIM_UNCHECKED __attribute__((no_sanitize("thread", "bounds")))
#endif
