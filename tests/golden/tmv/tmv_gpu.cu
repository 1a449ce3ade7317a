// Generated from tmv.c by c2cuda.
#include "tmv_gpu.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <mutex>

// Ends the program if a CUDA call failed.
static void cuda_check_at(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

#define cuda_check(call) cuda_check_at((call), #call, __FILE__, __LINE__)

// What kernels of tmv_7cefd6_scop0 read in constant memory.
struct tmv_7cefd6_scop0_constants {
    float y[600];
};

// Constant memory, for one region at a time.
union CudaConstants {
    tmv_7cefd6_scop0_constants tmv_7cefd6_scop0;
};
static __constant__ CudaConstants cuda_constants;
static std::mutex cuda_constants_lock;

// tmv.c:25: x[i] = 0;
// tmv.c:27: x[i] += a[j][i] * y[j];
__global__ void tmv_7cefd6_scop0_kernel0(float *__restrict__ x, const float *__restrict__ a)
{
    float private_x;
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int i = 128 * bx + tx;
    if (i < 600) {
        private_x = 0;  // line 25
        for (int c1 = 0; c1 < 19; c1++) {
            #pragma unroll 16
            for (int j = 32 * c1; j < min(600, 32 * c1 + 32); j++)
                private_x += a[j * 600 + i] * cuda_constants.tmv_7cefd6_scop0.y[j];  // line 27
        }
        x[i] = private_x;
    }
}

extern "C" void tmv_7cefd6_scop0(float *x, const float *a, const float *y)
{
    const size_t dev_x_bytes = sizeof(float) * 600;
    const size_t dev_a_bytes = sizeof(float) * 600 * 600;

    float *dev_x = NULL;
    cuda_check(cudaMalloc(&dev_x, dev_x_bytes));
    float *dev_a = NULL;
    cuda_check(cudaMalloc(&dev_a, dev_a_bytes));
    const std::lock_guard<std::mutex> cuda_constants_held(cuda_constants_lock);

    cuda_check(cudaMemcpy(dev_a, a, dev_a_bytes, cudaMemcpyHostToDevice));
    cuda_check(cudaMemcpyToSymbol(cuda_constants, y, sizeof(tmv_7cefd6_scop0_constants::y),
        offsetof(tmv_7cefd6_scop0_constants, y)));
    tmv_7cefd6_scop0_kernel0<<<5, 128>>>(dev_x, dev_a);
    cuda_check(cudaGetLastError());
    cuda_check(cudaMemcpy(x, dev_x, dev_x_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_x));
    cuda_check(cudaFree(dev_a));
}
