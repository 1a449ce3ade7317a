// threadIdx and its kin, one set per operating system thread: the scheduler writes them
// whenever another CUDA thread takes over.
#pragma once

// To the linker they have names of ours: nvcc's are no symbols, so a program's C files may have
// variables of these names.
extern __thread uint3 threadIdx __asm__("cudasim_thread_index");
extern __thread uint3 blockIdx __asm__("cudasim_block_index");
extern __thread dim3 blockDim __asm__("cudasim_block_extent");
extern __thread dim3 gridDim __asm__("cudasim_grid_extent");
enum { warpSize = 32 };
