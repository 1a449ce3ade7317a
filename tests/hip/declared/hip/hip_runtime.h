// What generated HIP uses of HIP, declared for a compiler of C++ that only looks whether names and types fit.
#pragma once

#include <math.h>
#include <stddef.h>

#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __forceinline__ inline __attribute__((always_inline))

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
extern const int warpSize;

// ---- In kernels --------------------------------------------------------------------------------

void __syncthreads();
unsigned long long __ballot(int predicate);
int __popcll(unsigned long long bits);
unsigned long long __shfl_down(unsigned long long value, unsigned lanes, int width = warpSize);
template <typename Number> Number __shfl(Number value, int lane, int width = warpSize);
template <typename Number> Number __shfl_xor(Number value, int lanes, int width = warpSize);

unsigned atomicAdd(unsigned *address, unsigned value);
unsigned atomicAnd(unsigned *address, unsigned value);
unsigned atomicOr(unsigned *address, unsigned value);
unsigned atomicXor(unsigned *address, unsigned value);
unsigned long long atomicAdd(unsigned long long *address, unsigned long long value);
unsigned long long atomicAnd(unsigned long long *address, unsigned long long value);
unsigned long long atomicOr(unsigned long long *address, unsigned long long value);
unsigned long long atomicXor(unsigned long long *address, unsigned long long value);

int min(int a, int b);
int max(int a, int b);
long min(long a, long b);
long max(long a, long b);

// ---- On the host -------------------------------------------------------------------------------

enum [[nodiscard]] hipError_t { hipSuccess = 0, hipErrorOutOfMemory = 2 };
enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize = 8 };
typedef struct ihipStream_t *hipStream_t;

const char *hipGetErrorString(hipError_t error);
hipError_t hipGetLastError();
hipError_t hipGetDevice(int *device);
hipError_t hipSetDevice(int device);
hipError_t hipMalloc(void **pointer, size_t bytes);
hipError_t hipFree(void *pointer);
hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
    hipMemcpyKind kind);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipFuncSetAttribute(const void *kernel, hipFuncAttribute attribute, int value);

template <class T> hipError_t hipMalloc(T **pointer, size_t bytes)
{
    return hipMalloc((void **)pointer, bytes);
}

#define HIP_SYMBOL(variable) variable
template <class T>
hipError_t hipMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
    hipMemcpyKind kind = hipMemcpyHostToDevice);

struct hipExtent {
    size_t width, height, depth;
};
struct hipPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct hipMemcpy3DParms {
    hipPitchedPtr srcPtr, dstPtr;
    hipExtent extent;
    hipMemcpyKind kind;
};
hipExtent make_hipExtent(size_t width, size_t height, size_t depth);
hipPitchedPtr make_hipPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height);
hipError_t hipMemcpy3D(const hipMemcpy3DParms *parameters);

// HIP has a macro that comes to `kernel<<<grid, block, bytes, stream>>>(arguments)`.
template <class... Parameter, class... Argument>
void hipLaunchKernelGGL(void (*kernel)(Parameter...), dim3 grid, dim3 block, unsigned bytes, hipStream_t stream,
    Argument... arguments)
{
    (void)grid, (void)block, (void)bytes, (void)stream;
    kernel(arguments...);
}
