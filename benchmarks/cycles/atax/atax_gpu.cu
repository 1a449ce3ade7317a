// Generated from atax.c by c2cuda.
#include "atax_gpu.h"

#include <stddef.h>
#include <stdint.h>
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

// True if two address ranges have a byte in common.
static bool cuda_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    return a_start < b_start + b_bytes && b_start < a_start + a_bytes && a_bytes > 0 && b_bytes > 0;
}

// atax.c:14: tmp[i] = 0.0;
// atax.c:16: tmp[i] += A[i][j] * x[j];
__global__ void atax_scop0_kernel0(int m, int n, double *__restrict__ tmp,
        const double *__restrict__ A, const double *__restrict__ x)
{
    double private_tmp;
    __shared__ double shared_x[32];
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int i = 128 * bx + tx;
    for (int c1 = 0; c1 < max(1, (n + 31) >> 5); c1++) {
        if (tx < 32 && 32 * c1 < n && (tx < 32 && 32 * c1 + tx < n))
            shared_x[tx] = x[32 * c1 + tx];
        __syncthreads();
        if (i < m) {
            if (c1 == 0)
                private_tmp = 0.0;  // line 14
            for (int j = 32 * c1; j < min(n, 32 * c1 + 32); j++)
                private_tmp += A[(ptrdiff_t)i * n + j] * shared_x[j - 32 * c1];  // line 16
        }
        __syncthreads();
    }
    if (i < m)
        tmp[i] = private_tmp;
}

// atax.c:12: y[j] = 0.0;
// atax.c:18: y[j] += A[i][j] * tmp[i];
__global__ void atax_scop0_kernel1(int m, int n, double *__restrict__ y,
        const double *__restrict__ tmp, const double *__restrict__ A)
{
    double private_y;
    __shared__ double shared_tmp[32];
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int j = 128 * bx + tx;
    for (int c1 = 0; c1 < max(1, (m + 31) >> 5); c1++) {
        if (tx < 32 && 32 * c1 < m && (tx < 32 && 32 * c1 + tx < m))
            shared_tmp[tx] = tmp[32 * c1 + tx];
        __syncthreads();
        if (j < n) {
            if (c1 == 0)
                private_y = 0.0;  // line 12
            for (int i = 32 * c1; i < min(m, 32 * c1 + 32); i++)
                private_y += A[(ptrdiff_t)i * n + j] * shared_tmp[i - 32 * c1];  // line 18
        }
        __syncthreads();
    }
    if (j < n)
        y[j] = private_y;
}

extern "C" int atax_scop0(int m, int n, double *y, double *tmp, const double *A, const double *x)
{
    // Index expressions must not overflow `int`.
    if (m < -2140000000 || m > 2140000000 || n < -2140000000 || n > 2140000000)
        return 0;
    const size_t dev_y_bytes = sizeof(double) * max(n, 0);
    const size_t dev_tmp_bytes = sizeof(double) * max(m, 0);
    const size_t dev_A_bytes = sizeof(double) * max(m, 0) * max(n, 0);
    const size_t dev_x_bytes = sizeof(double) * max(n, 0);
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(y, dev_y_bytes, tmp, dev_tmp_bytes))
        return 0;

    double *dev_y = NULL;
    cuda_check(cudaMalloc(&dev_y, dev_y_bytes));
    double *dev_tmp = NULL;
    cuda_check(cudaMalloc(&dev_tmp, dev_tmp_bytes));
    double *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));
    double *dev_x = NULL;
    cuda_check(cudaMalloc(&dev_x, dev_x_bytes));

    if (m >= 1 && n >= 1) {
        cuda_check(cudaMemcpy(dev_A, A, dev_A_bytes, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(dev_x, x, dev_x_bytes, cudaMemcpyHostToDevice));
    }
    if (m >= 1) {
        atax_scop0_kernel0<<<(m - 1) / 128 + 1, 128>>>(m, n, dev_tmp, dev_A, dev_x);
        cuda_check(cudaGetLastError());
    }
    if (n >= 1) {
        atax_scop0_kernel1<<<(n - 1) / 128 + 1, 128>>>(m, n, dev_y, dev_tmp, dev_A);
        cuda_check(cudaGetLastError());
    }
    if (m >= 1)
        cuda_check(cudaMemcpy(tmp, dev_tmp, dev_tmp_bytes, cudaMemcpyDeviceToHost));
    if (n >= 1)
        cuda_check(cudaMemcpy(y, dev_y, dev_y_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_y));
    cuda_check(cudaFree(dev_tmp));
    cuda_check(cudaFree(dev_A));
    cuda_check(cudaFree(dev_x));
    return 1;
}
