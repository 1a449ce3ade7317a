// threadIdx and its kin, one set per operating system thread: the scheduler writes them
// whenever another CUDA thread takes over.
#pragma once

extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread dim3 blockDim;
extern __thread dim3 gridDim;
enum { warpSize = 32 };
