// Generated from jacobi-2d.c by c2cuda.
#include "jacobi-2d_gpu.h"

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

// jacobi-2d.c:14: B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[ ...
__global__ void jacobi_2d_jacobi_2d_scop0_kernel0(int n, const float *__restrict__ A,
        float *__restrict__ B)
{
    __shared__ float shared_A[18][34];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 16 * by + ty;
    const int j = 32 * bx + tx;
    for (int c3 = ty; c3 < 18; c3 += 16)
        for (int c4 = tx; c4 < 34; c4 += 32)
            if (16 * by + c3 >= 1 && 16 * by + c3 <= n && 32 * bx + c4 >= 1 && 32 * bx + c4 <= n)
                shared_A[c3][c4] = A[(ptrdiff_t)(16 * by + c3 - 1) * n + 32 * bx + c4 - 1];
    __syncthreads();
    if (i < n - 1 && i >= 1 && j < n - 1 && j >= 1) {
        B[(ptrdiff_t)i * n + j] =
            0.2f * (shared_A[ty + 1][tx + 1] + shared_A[ty + 1][tx] + shared_A[ty + 1][tx + 2]
            + shared_A[ty + 2][tx + 1] + shared_A[ty][tx + 1]);
    }
}

// jacobi-2d.c:17: A[i][j] = B[i][j];
__global__ void jacobi_2d_jacobi_2d_scop0_kernel1(int n, float *__restrict__ A,
        const float *__restrict__ B)
{
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 16 * by + ty;
    const int j = 32 * bx + tx;
    if (i < n - 1 && i >= 1 && j < n - 1 && j >= 1)
        A[(ptrdiff_t)i * n + j] = B[(ptrdiff_t)i * n + j];
}

extern "C" int jacobi_2d_jacobi_2d_scop0(int n, int steps, float *A, float *B)
{
    // Index expressions must not overflow `int`.
    if (n < -2140000000 || n > 2140000000 || steps < -2140000000 || steps > 2140000000)
        return 0;
    const size_t dev_A_bytes = sizeof(float) * max(n, 0) * max(n, 0);
    const size_t dev_B_bytes = sizeof(float) * max(n - 2, 0) * max(n, 0);
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(A, dev_A_bytes, B + n, dev_B_bytes))
        return 0;

    float *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));
    float *dev_B = NULL;
    cuda_check(cudaMalloc(&dev_B, dev_B_bytes));

    if (n >= 3 && steps >= 1)
        cuda_check(cudaMemcpy(dev_A, A, sizeof(float) * n * n, cudaMemcpyHostToDevice));
    if (n >= 3) {
        for (int t = 0; t < steps; t++) {
            jacobi_2d_jacobi_2d_scop0_kernel0<<<dim3((n - 2) / 32 + 1, (n - 2) / 16 + 1),
                dim3(32, 16)>>>(n, dev_A, dev_B - n);
            cuda_check(cudaGetLastError());
            jacobi_2d_jacobi_2d_scop0_kernel1<<<dim3((n - 2) / 32 + 1, (n - 2) / 16 + 1),
                dim3(32, 16)>>>(n, dev_A, dev_B - n);
            cuda_check(cudaGetLastError());
        }
        if (steps >= 1) {
            cuda_check(cudaMemcpy2D(B + n + 1, sizeof(float) * n, dev_B + 1, sizeof(float) * n,
                sizeof(float) * (n - 2), n - 2, cudaMemcpyDeviceToHost));
            cuda_check(cudaMemcpy2D(A + n + 1, sizeof(float) * n, dev_A + n + 1, sizeof(float) * n,
                sizeof(float) * (n - 2), n - 2, cudaMemcpyDeviceToHost));
        }
    }

    cuda_check(cudaFree(dev_A));
    cuda_check(cudaFree(dev_B));
    return 1;
}
