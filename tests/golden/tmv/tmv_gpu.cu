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

// tmv.c:25: x[i] = 0;
// tmv.c:27: x[i] += a[j][i] * y[j];
__global__ void tmv_scop0_kernel0(float *__restrict__ x, const float *__restrict__ a,
        const float *__restrict__ y)
{
    float private_x;
    __shared__ float shared_y[32];
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int i = 128 * bx + tx;
    for (int c1 = 0; c1 < 19; c1++) {
        if (tx < 32 && 32 * c1 + tx < 600)
            shared_y[tx] = y[32 * c1 + tx];
        __syncthreads();
        if (i < 600) {
            if (c1 == 0)
                private_x = 0;  // line 25
            for (int j = 32 * c1; j < min(600, 32 * c1 + 32); j++)
                private_x += a[j * 600 + i] * shared_y[j - 32 * c1];  // line 27
        }
        __syncthreads();
    }
    if (i < 600)
        x[i] = private_x;
}

extern "C" void tmv_scop0(float *x, const float *a, const float *y)
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
    tmv_scop0_kernel0<<<5, 128>>>(dev_x, dev_a, dev_y);
    cuda_check(cudaGetLastError());
    cuda_check(cudaMemcpy(x, dev_x, dev_x_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_x));
    cuda_check(cudaFree(dev_a));
    cuda_check(cudaFree(dev_y));
}
