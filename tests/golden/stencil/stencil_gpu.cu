// Generated from stencil.c by c2cuda.
#include "stencil_gpu.h"

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

// The bound of a loop, as a value that nvcc does not look into. From the smallest of several bounds it would compute
// the number of iterations as the largest of three numbers, and ptxas of CUDA 12.5 to 13.3 would drop a sign in that.
static __device__ inline int cuda_bound(int bound)
{
    asm("" : "+r"(bound));
    return bound;
}

// stencil.c:16: A[i][j] = (A[i - 1][j] + A[i][j - 1]) * 0.5;
__global__ void stencil_a288e2_scop0_kernel0(int n, int c0, int lower_x, double *__restrict__ A)
{
    const int bx = blockIdx.x + lower_x;
    const int tx = threadIdx.x;
    const int j = 32 * bx + tx;
    for (int c2 = max(max(max(2, 32 * bx + 1), 32 * c0), 32 * c0 - 32 * bx + 1),
            cuda_end_c2 =
            cuda_bound(min(min(min(2 * n, 32 * bx + n + 31), 32 * c0 + n - 32 * bx + 31),
            32 * c0 + 62)); c2 <= cuda_end_c2; c2++) {
        const int i = c2 - 32 * bx - tx;
        if (j >= 1 && j <= n && c2 > j && c2 >= 32 * c0 + tx && 32 * bx + n + tx >= c2
                && 32 * c0 + tx >= c2 - 31) {
            A[(ptrdiff_t)i * (n + 1) + j] =
                (A[(ptrdiff_t)(i - 1) * (n + 1) + j] + A[(ptrdiff_t)i * (n + 1) + j - 1]) * 0.5;
        }
        __syncthreads();
    }
}

extern "C" int stencil_a288e2_scop0(int n, double *A)
{
    // Index expressions must not overflow `int`.
    if (n < -357000000 || n > 357000000)
        return 0;
    // For these sizes, the host is faster.
    if (n <= 220)
        return 0;
    const size_t dev_A_bytes = sizeof(double) * max(n + 1, 0) * max(n + 1, 0);

    double *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));

    if (n >= 1) {
        cuda_check(cudaMemcpy2D(dev_A + n + 1, sizeof(double) * (n + 1), A + n + 1,
            sizeof(double) * (n + 1), sizeof(double), n, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(dev_A + 1, A + 1, sizeof(double) * n, cudaMemcpyHostToDevice));
        for (int c0 = 0; c0 <= n / 16; c0++) {
            if (min(c0 + 1, 2 * ((n + 32) / 32) - c0 - 1) > 0) {
                stencil_a288e2_scop0_kernel0<<<min(c0 + 1, 2 * ((n + 32) / 32) - c0 - 1), 32>>>(n,
                    c0, max(0, c0 - (n + 32) / 32 + 1), dev_A);
                cuda_check(cudaGetLastError());
            }
        }
        cuda_check(cudaMemcpy2D(A + n + 1 + 1, sizeof(double) * (n + 1), dev_A + n + 1 + 1,
            sizeof(double) * (n + 1), sizeof(double) * n, n, cudaMemcpyDeviceToHost));
    }

    cuda_check(cudaFree(dev_A));
    return 1;
}
