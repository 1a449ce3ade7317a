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
    __shared__ float shared_a[2][128][32];
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 32 * bx + tx;
    for (int c1 = -1; c1 < 5; c1++) {
        if (ty >= 1 && c1 < 4) {
            for (int c2 = ty - 1; c2 < 128; c2 += 16)
                if (i < 600 && 128 * c1 + c2 < 472)
                    shared_a[(c1 + 1) % 2][c2][tx] = a[(128 * c1 + c2 + 128) * 600 + i];
        } else if (ty == 0 && i < 600 && c1 >= 0) {
            if (c1 == 0)
                private_x = 0;  // line 25
            #pragma unroll 16
            for (int j = 128 * c1; j < min(600, 128 * c1 + 128); j++) {
                private_x += shared_a[c1 % 2][j - 128 * c1][tx]
                    * cuda_constants.tmv_7cefd6_scop0.y[j];
            }
        }
        if (c1 < 4)
            __syncthreads();
    }
    if (ty == 0 && i < 600)
        x[i] = private_x;
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
    tmv_7cefd6_scop0_kernel0<<<19, dim3(32, 17)>>>(dev_x, dev_a);
    cuda_check(cudaGetLastError());
    cuda_check(cudaMemcpy(x, dev_x, dev_x_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_x));
    cuda_check(cudaFree(dev_a));
}
