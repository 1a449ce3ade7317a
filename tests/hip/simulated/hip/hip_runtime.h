// HIP's names for what cudasim has under CUDA's, so that generated HIP runs on the CPU. Warps are of 32 threads there.
#pragma once

#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipGetDevice cudaGetDevice
#define hipSetDevice cudaSetDevice

#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMemcpy cudaMemcpy
#define hipMemcpy2D cudaMemcpy2D
#define hipMemcpyKind cudaMemcpyKind
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipStreamSynchronize cudaStreamSynchronize

#define hipMemcpy3DParms cudaMemcpy3DParms
#define make_hipPitchedPtr make_cudaPitchedPtr
#define make_hipExtent make_cudaExtent
#define hipMemcpy3D cudaMemcpy3D

#define HIP_SYMBOL(variable) variable
#define hipMemcpyToSymbol cudaMemcpyToSymbol

#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipLaunchKernelGGL(kernel, grid, block, bytes, stream, ...) \
    cudasim::launcher(CUDASIM_KERNEL(kernel), cudasim::Shape(grid, block, bytes, stream))(__VA_ARGS__)

#define __ballot(predicate) ((unsigned long long)__ballot_sync(__activemask(), predicate))
#define __shfl(value, lane, width) __shfl_sync(__activemask(), value, lane, width)
#define __shfl_xor(value, lanes, width) __shfl_xor_sync(__activemask(), value, lanes, width)
#define __shfl_down(value, lanes) __shfl_down_sync(__activemask(), value, lanes)
