/* The clock of CUDA programs: prints how many seconds passed, and how many of them without allocations and transfers.
 *
 * The linker lets calls of cudaMalloc, cudaFree, cudaMemcpy, cudaMemcpy2D and cudaMemcpy3D come here (--wrap). Each
 * first waits for the kernels before it, whose time would else be part of its own. It would have waited anyhow, as none
 * of them is asynchronous.
 */
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

#include "bench.h"

using Clock = std::chrono::steady_clock;

static Clock::time_point start;
static double apart;

static double since(Clock::time_point earlier)
{
    return std::chrono::duration<double>(Clock::now() - earlier).count();
}

/* What happens while it lives is counted apart. */
struct Apart {
    Clock::time_point begin;

    Apart()
    {
        cudaDeviceSynchronize();
        begin = Clock::now();
    }

    ~Apart()
    {
        apart += since(begin);
    }
};

extern "C" {

cudaError_t __real_cudaMalloc(void **memory, size_t bytes);
cudaError_t __real_cudaFree(void *memory);
cudaError_t __real_cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t __real_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t __real_cudaMemcpy3D(const cudaMemcpy3DParms *copy);

cudaError_t __wrap_cudaMalloc(void **memory, size_t bytes)
{
    Apart clock;
    return __real_cudaMalloc(memory, bytes);
}

cudaError_t __wrap_cudaFree(void *memory)
{
    Apart clock;
    return __real_cudaFree(memory);
}

/* A copy on the device is part of the computation. */
cudaError_t __wrap_cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDeviceToDevice)
        return __real_cudaMemcpy(to, from, bytes, kind);
    Apart clock;
    return __real_cudaMemcpy(to, from, bytes, kind);
}

cudaError_t __wrap_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDeviceToDevice)
        return __real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
    Apart clock;
    return __real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t __wrap_cudaMemcpy3D(const cudaMemcpy3DParms *copy)
{
    if (copy->kind == cudaMemcpyDeviceToDevice)
        return __real_cudaMemcpy3D(copy);
    Apart clock;
    return __real_cudaMemcpy3D(copy);
}

/* The first call of CUDA makes the context, which takes longer than many a program. */
void start_clock(void)
{
    __real_cudaFree(nullptr);
    cudaDeviceSynchronize();
    apart = 0.0;
    start = Clock::now();
}

void stop_clock(void)
{
    cudaDeviceSynchronize();
    double seconds = since(start);
    fprintf(stderr, "seconds %.9f, without transfers %.9f\n", seconds, seconds - apart);
}
}
