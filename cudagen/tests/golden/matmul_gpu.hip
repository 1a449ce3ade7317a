// Generated from matmul.c by c2cuda.
#include "matmul_gpu.h"

#include <hip/hip_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the program if a HIP call failed.
static void hip_check_at(hipError_t error, const char *call, const char *file, int line)
{
    if (error == hipSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, hipGetErrorString(error));
    exit(1);
}

#define hip_check(call) hip_check_at((call), #call, __FILE__, __LINE__)

// True if two address ranges have a byte in common. A range at a null pointer is empty.
static bool hip_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;
    return a && b && a_start < b_start + b_bytes && b_start < a_start + a_bytes && a_bytes > 0 && b_bytes > 0;
}

// The smaller and the larger of two numbers, on the host: there HIP may have functions of `int` alone.
template <class T> static __host__ inline T min(T a, T b)
{
    return a < b ? a : b;
}

template <class T> static __host__ inline T max(T a, T b)
{
    return a > b ? a : b;
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
    if (hip_overlap(C, dev_C_bytes, A, dev_A_bytes))
        return 0;

    double *dev_C = NULL;
    hip_check(hipMalloc(&dev_C, dev_C_bytes));
    double *dev_A = NULL;
    hip_check(hipMalloc(&dev_A, dev_A_bytes));

    hip_check(hipMemcpy(dev_C, C, dev_C_bytes, hipMemcpyHostToDevice));
    hip_check(hipMemcpy(dev_A, A, dev_A_bytes, hipMemcpyHostToDevice));
    if ((n + 15) >> 4 > 0) {
        for (long hip_first_y = 0, hip_blocks_y = (n + 15) >> 4; hip_first_y < hip_blocks_y;
                hip_first_y += 65535) {
            hipLaunchKernelGGL(matmul_scop0_kernel0,
                dim3((n + 15) >> 4, min(hip_blocks_y - hip_first_y, 65535L)), dim3(16, 16), 0, 0, n,
                hip_first_y, dev_C, dev_A);
            hip_check(hipGetLastError());
        }
    }
    hip_check(hipMemcpy(C, dev_C, dev_C_bytes, hipMemcpyDeviceToHost));

    hip_check(hipFree(dev_C));
    hip_check(hipFree(dev_A));
    return 1;
}
