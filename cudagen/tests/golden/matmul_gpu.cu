// Generated from matmul.c by c2cuda.
#include "matmul_gpu.h"

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

// True if two address ranges have a byte in common. A range at a null pointer is empty.
static bool cuda_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    return a && b && a_start < b_start + b_bytes && b_start < a_start + a_bytes && a_bytes > 0 && b_bytes > 0;
}

// matmul.c:7: C[n * i + j] += A[i][k] * A[k][j];
__global__ void matmul_scop0_kernel0(int n, int lower_y, double *__restrict__ C,
        const double *__restrict__ A)
{
    __shared__ double shared_A[16][16];
    __shared__ double shared_A_2[16][16];
    double private_C;
    const int bx = blockIdx.x;
    const int by = blockIdx.y + lower_y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 16 * by + ty;
    const int j = 16 * bx + tx;
    if (i < n && j < n)
        private_C = C[(ptrdiff_t)i * n + j];
    for (int c2 = 0; c2 < (n + 15) >> 4; c2++) {
        if (i < n && 16 * c2 + tx < n)
            shared_A[ty][tx] = A[(ptrdiff_t)i * n + 16 * c2 + tx];
        if (16 * c2 + ty < n && j < n)
            shared_A_2[ty][tx] = A[(ptrdiff_t)(16 * c2 + ty) * n + j];
        __syncthreads();
        if (i < n && j < n)
            for (int c3 = 0; c3 < min(16, n - 16 * c2); c3++)
                private_C += shared_A[ty][c3] * shared_A_2[c3][tx];
        __syncthreads();
    }
    if (i < n && j < n)
        C[(ptrdiff_t)i * n + j] = private_C;
}

extern "C" int matmul_scop0(int n, double *C, const double *A)
{
    // Index expressions must not overflow `int`.
    if (n < -1070000000 || n > 1070000000)
        return 0;
    const size_t dev_C_bytes = sizeof(double) * max(n, 0) * max(n, 0);
    const size_t dev_A_bytes = sizeof(double) * max(n, 0) * max(n, 0);
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(C, dev_C_bytes, A, dev_A_bytes))
        return 0;

    double *dev_C = NULL;
    cuda_check(cudaMalloc(&dev_C, dev_C_bytes));
    double *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));

    cuda_check(cudaMemcpy(dev_C, C, dev_C_bytes, cudaMemcpyHostToDevice));
    cuda_check(cudaMemcpy(dev_A, A, dev_A_bytes, cudaMemcpyHostToDevice));
    if ((n + 15) >> 4 > 0) {
        for (long cuda_first_y = 0, cuda_blocks_y = (n + 15) >> 4; cuda_first_y < cuda_blocks_y;
                cuda_first_y += 65535) {
            matmul_scop0_kernel0<<<dim3((n + 15) >> 4, min(cuda_blocks_y - cuda_first_y, 65535L)),
                dim3(16, 16)>>>(n, cuda_first_y, dev_C, dev_A);
            cuda_check(cudaGetLastError());
        }
    }
    cuda_check(cudaMemcpy(C, dev_C, dev_C_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_C));
    cuda_check(cudaFree(dev_A));
    return 1;
}
