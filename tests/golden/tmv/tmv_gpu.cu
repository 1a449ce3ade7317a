// Generated from tmv.c by c2cuda.
#include "tmv_gpu.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program if a CUDA call failed.
static void cuda_check_at(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
}

#define cuda_check(call) cuda_check_at((call), #call, __FILE__, __LINE__)

// Combines the values of the 32 threads along x with a result, one after the other. The result of the first thread counts.
template <class Number> static __device__ inline Number cuda_sum_in_order(Number result, Number value)
{
#pragma unroll
    for (int lane = 0; lane < 32; lane++)
        result += __shfl_sync(0xffffffffu, value, lane);
    return result;
}

// tmv.c:25: x[i] = 0;
// tmv.c:27: x[i] += a[j][i] * y[j];
__global__ void tmv_7cefd6_scop0_kernel0(float *__restrict__ x, const float *__restrict__ a,
        const float *__restrict__ y)
{
    float private_x;
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 4 * bx + ty;
    for (int c1 = 0; c1 < 19; c1++) {
        const int j = 32 * c1 + tx;
        private_x = -0.0f;
        if (j < 600) {
            if (tx == 0 && c1 == 0)
                x[i] = 0;  // line 25
            private_x += a[j * 600 + i] * y[j];  // line 27
        }
        private_x = cuda_sum_in_order(tx == 0 ? x[i] : private_x, private_x);
        if (tx == 0)
            x[i] = private_x;
    }
}

extern "C" void tmv_7cefd6_scop0(float *x, const float *a, const float *y)
{
    const size_t dev_x_bytes = sizeof(float) * 600;
    const size_t dev_a_bytes = sizeof(float) * 600 * 600;
    const size_t dev_y_bytes = sizeof(float) * 600;

    float *dev_x = NULL;
    cuda_check(cudaMalloc(&dev_x, dev_x_bytes));
    float *dev_a = NULL;
    cuda_check(cudaMalloc(&dev_a, dev_a_bytes));
    float *dev_y = NULL;
    cuda_check(cudaMalloc(&dev_y, dev_y_bytes));

    cuda_check(cudaMemcpy(dev_a, a, dev_a_bytes, cudaMemcpyHostToDevice));
    cuda_check(cudaMemcpy(dev_y, y, dev_y_bytes, cudaMemcpyHostToDevice));
    tmv_7cefd6_scop0_kernel0<<<150, dim3(32, 4)>>>(dev_x, dev_a, dev_y);
    cuda_check(cudaGetLastError());
    cuda_check(cudaMemcpy(x, dev_x, dev_x_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_x));
    cuda_check(cudaFree(dev_a));
    cuda_check(cudaFree(dev_y));
}
