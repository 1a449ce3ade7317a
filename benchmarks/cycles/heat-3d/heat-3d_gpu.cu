// Generated from heat-3d.c by c2cuda.
#include "heat-3d_gpu.h"

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

// Copies rows of `width` bytes, so many of each of some slices. Rows are `pitch` bytes apart and slices `height` rows, on both sides.
static void cuda_copy_box(void *to, const void *from, size_t pitch, size_t height, size_t width, size_t rows,
    size_t slices, cudaMemcpyKind way)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)from, pitch, pitch, height);
    copy.dstPtr = make_cudaPitchedPtr(to, pitch, pitch, height);
    copy.extent = make_cudaExtent(width, rows, slices);
    copy.kind = way;
    cuda_check(cudaMemcpy3D(&copy));
}

// heat-3d.c:15: B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k] ...
__global__ void heat_3d_heat_3d_scop0_kernel0(int n, const double *__restrict__ A,
        double *__restrict__ B)
{
    __shared__ double shared_A[6][6][34];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int bz = blockIdx.z;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int tz = threadIdx.z;
    const int i = 4 * bz + tz;
    const int j = 4 * by + ty;
    const int k = 32 * bx + tx;
    for (int c4 = tz; c4 < 6; c4 += 4) {
        for (int c5 = ty; c5 < 6; c5 += 4) {
            for (int c6 = tx; c6 < 34; c6 += 32) {
                if (4 * bz + c4 >= 1 && 4 * bz + c4 <= n && 4 * by + c5 >= 1 && 4 * by + c5 <= n
                        && 32 * bx + c6 >= 1 && 32 * bx + c6 <= n) {
                    shared_A[c4][c5][c6] =
                        A[((ptrdiff_t)(4 * bz + c4 - 1) * n + 4 * by + c5 - 1) * n + 32 * bx + c6
                        - 1];
                }
            }
        }
    }
    __syncthreads();
    if (i < n - 1 && i >= 1 && j < n - 1 && j >= 1 && k < n - 1 && k >= 1) {
        B[((ptrdiff_t)i * n + j) * n + k] =
            0.125 * (shared_A[tz + 2][ty + 1][tx + 1] - 2.0 * shared_A[tz + 1][ty + 1][tx + 1]
            + shared_A[tz][ty + 1][tx + 1])
            + 0.125 * (shared_A[tz + 1][ty + 2][tx + 1] - 2.0 * shared_A[tz + 1][ty + 1][tx + 1]
            + shared_A[tz + 1][ty][tx + 1])
            + 0.125 * (shared_A[tz + 1][ty + 1][tx + 2] - 2.0 * shared_A[tz + 1][ty + 1][tx + 1]
            + shared_A[tz + 1][ty + 1][tx]) + shared_A[tz + 1][ty + 1][tx + 1];
    }
}

// heat-3d.c:21: A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k] ...
__global__ void heat_3d_heat_3d_scop0_kernel1(int n, double *__restrict__ A,
        const double *__restrict__ B)
{
    __shared__ double shared_B[6][6][34];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int bz = blockIdx.z;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int tz = threadIdx.z;
    const int i = 4 * bz + tz;
    const int j = 4 * by + ty;
    const int k = 32 * bx + tx;
    for (int c4 = tz; c4 < 6; c4 += 4) {
        for (int c5 = ty; c5 < 6; c5 += 4) {
            for (int c6 = tx; c6 < 34; c6 += 32) {
                if (4 * bz + c4 >= 1 && 4 * bz + c4 <= n && 4 * by + c5 >= 1 && 4 * by + c5 <= n
                        && 32 * bx + c6 >= 1 && 32 * bx + c6 <= n) {
                    shared_B[c4][c5][c6] =
                        B[((ptrdiff_t)(4 * bz + c4 - 1) * n + 4 * by + c5 - 1) * n + 32 * bx + c6
                        - 1];
                }
            }
        }
    }
    __syncthreads();
    if (i < n - 1 && i >= 1 && j < n - 1 && j >= 1 && k < n - 1 && k >= 1) {
        A[((ptrdiff_t)i * n + j) * n + k] =
            0.125 * (shared_B[tz + 2][ty + 1][tx + 1] - 2.0 * shared_B[tz + 1][ty + 1][tx + 1]
            + shared_B[tz][ty + 1][tx + 1])
            + 0.125 * (shared_B[tz + 1][ty + 2][tx + 1] - 2.0 * shared_B[tz + 1][ty + 1][tx + 1]
            + shared_B[tz + 1][ty][tx + 1])
            + 0.125 * (shared_B[tz + 1][ty + 1][tx + 2] - 2.0 * shared_B[tz + 1][ty + 1][tx + 1]
            + shared_B[tz + 1][ty + 1][tx]) + shared_B[tz + 1][ty + 1][tx + 1];
    }
}

extern "C" int heat_3d_heat_3d_scop0(int n, int steps, double *A, double *B)
{
    // Index expressions must not overflow `int`.
    if (n < -2140000000 || n > 2140000000 || steps < -2140000000 || steps > 2140000000)
        return 0;
    const size_t dev_A_bytes = sizeof(double) * max(n, 0) * max(n, 0) * max(n, 0);
    const size_t dev_B_bytes = sizeof(double) * max(n, 0) * max(n, 0) * max(n, 0);
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(A, dev_A_bytes, B, dev_B_bytes))
        return 0;

    double *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));
    double *dev_B = NULL;
    cuda_check(cudaMalloc(&dev_B, dev_B_bytes));

    if (n >= 3 && steps >= 1) {
        cuda_check(cudaMemcpy(dev_A, A, sizeof(double) * n * n * n, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(dev_B, B, sizeof(double) * n * n, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(dev_B + (ptrdiff_t)(n - 1) * n * n, B + (ptrdiff_t)(n - 1) * n * n,
            sizeof(double) * n * n, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy2D(dev_B + (ptrdiff_t)n * n, sizeof(double) * n * n,
            B + (ptrdiff_t)n * n, sizeof(double) * n * n, sizeof(double) * n, n - 2,
            cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy2D(dev_B + (ptrdiff_t)(n + n - 1) * n, sizeof(double) * n * n,
            B + (ptrdiff_t)(n + n - 1) * n, sizeof(double) * n * n, sizeof(double) * n, n - 2,
            cudaMemcpyHostToDevice));
        cuda_copy_box(dev_B + (ptrdiff_t)(n + 1) * n, B + (ptrdiff_t)(n + 1) * n,
            sizeof(double) * n, n, sizeof(double), n - 2, n - 2, cudaMemcpyHostToDevice);
        cuda_copy_box(dev_B + (ptrdiff_t)(n + 1) * n + n - 1, B + (ptrdiff_t)(n + 1) * n + n - 1,
            sizeof(double) * n, n, sizeof(double), n - 2, n - 2, cudaMemcpyHostToDevice);
    }
    if (n >= 3) {
        for (int t = 0; t < steps; t++) {
            heat_3d_heat_3d_scop0_kernel0<<<dim3((n - 2) / 32 + 1, (n + 2) / 4, (n + 2) / 4),
                dim3(32, 4, 4)>>>(n, dev_A, dev_B);
            cuda_check(cudaGetLastError());
            heat_3d_heat_3d_scop0_kernel1<<<dim3((n - 2) / 32 + 1, (n + 2) / 4, (n + 2) / 4),
                dim3(32, 4, 4)>>>(n, dev_A, dev_B);
            cuda_check(cudaGetLastError());
        }
        if (steps >= 1) {
            cuda_copy_box(B + (ptrdiff_t)(n + 1) * n + 1, dev_B + (ptrdiff_t)(n + 1) * n + 1,
                sizeof(double) * n, n, sizeof(double) * (n - 2), n - 2, n - 2,
                cudaMemcpyDeviceToHost);
            cuda_copy_box(A + (ptrdiff_t)(n + 1) * n + 1, dev_A + (ptrdiff_t)(n + 1) * n + 1,
                sizeof(double) * n, n, sizeof(double) * (n - 2), n - 2, n - 2,
                cudaMemcpyDeviceToHost);
        }
    }

    cuda_check(cudaFree(dev_A));
    cuda_check(cudaFree(dev_B));
    return 1;
}
