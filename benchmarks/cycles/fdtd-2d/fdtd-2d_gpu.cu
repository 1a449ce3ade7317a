// Generated from fdtd-2d.c by c2cuda.
#include "fdtd-2d_gpu.h"

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

// fdtd-2d.c:21: ex[i][j] = ex[i][j] - 0.5f * (hz[i][j] - hz[i][j - 1]);
__global__ void fdtd_2d_fdtd_2d_scop0_kernel0(int nx, int ny, const float *__restrict__ hz,
        float *__restrict__ ex)
{
    __shared__ float shared_hz[16][33];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 16 * by + ty;
    const int j = 32 * bx + tx;
    for (int c4 = tx; c4 < 33; c4 += 32)
        if (i < nx && 32 * bx + c4 >= 1 && 32 * bx + c4 <= ny)
            shared_hz[ty][c4] = hz[(ptrdiff_t)i * ny + 32 * bx + c4 - 1];
    __syncthreads();
    if (i < nx && j >= 1 && j < ny) {
        ex[(ptrdiff_t)i * (ny + 1) + j] = ex[(ptrdiff_t)i * (ny + 1) + j]
            - 0.5f * (shared_hz[ty][tx + 1] - shared_hz[ty][tx]);
    }
}

// fdtd-2d.c:18: ey[i][j] = ey[i][j] - 0.5f * (hz[i][j] - hz[i - 1][j]);
__global__ void fdtd_2d_fdtd_2d_scop0_kernel1(int nx, int ny, float *__restrict__ ey,
        const float *__restrict__ hz)
{
    __shared__ float shared_hz_2[17][32];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 16 * by + ty;
    const int j = 32 * bx + tx;
    for (int c3 = ty; c3 < 17; c3 += 16)
        if (j < ny && 16 * by + c3 >= 1 && 16 * by + c3 <= nx)
            shared_hz_2[c3][tx] = hz[(ptrdiff_t)(16 * by + c3 - 1) * ny + j];
    __syncthreads();
    if (i >= 1 && i < nx && j < ny) {
        ey[(ptrdiff_t)i * ny + j] = ey[(ptrdiff_t)i * ny + j]
            - 0.5f * (shared_hz_2[ty + 1][tx] - shared_hz_2[ty][tx]);
    }
}

// fdtd-2d.c:15: ey[0][j] = source[t];
// fdtd-2d.c:24: hz[i][j] = hz[i][j] - 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - e ...
__global__ void fdtd_2d_fdtd_2d_scop0_kernel2(int nx, int ny, int t,
        const float *__restrict__ source, float *__restrict__ ey, float *__restrict__ hz,
        const float *__restrict__ ex)
{
    __shared__ float shared_ex[16][33];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int j = 32 * bx + tx;
    const int i = 16 * by + ty;
    if (16 * by < nx)
        for (int c4 = tx; c4 < 33; c4 += 32)
            if (i < nx && 32 * bx + c4 <= ny)
                shared_ex[ty][c4] = ex[(ptrdiff_t)i * (ny + 1) + 32 * bx + c4];
    __syncthreads();
    if (j < ny) {
        if (ty == 0 && by == 0)
            ey[j] = source[t];  // line 15
        if (i < nx) {
            hz[(ptrdiff_t)i * ny + j] = hz[(ptrdiff_t)i * ny + j]
                - 0.7f * (shared_ex[ty][tx + 1] - shared_ex[ty][tx]
                + ey[(ptrdiff_t)(i + 1) * ny + j] - ey[(ptrdiff_t)i * ny + j]);
        }
    }
}

extern "C" int fdtd_2d_fdtd_2d_scop0(int nx, int ny, int steps, const float *source, float *ey,
        float *hz, float *ex)
{
    // Index expressions must not overflow `int`.
    if (nx < -2140000000 || nx > 2140000000 || ny < -2140000000 || ny > 2140000000
            || steps < -2140000000 || steps > 2140000000)
        return 0;
    const size_t dev_source_bytes = sizeof(float) * max(steps, 0);
    const size_t dev_ey_bytes = sizeof(float) * max(1, nx + 1) * max(ny, 0);
    const size_t dev_hz_bytes = sizeof(float) * max(nx, 0) * max(ny, 0);
    const size_t dev_ex_bytes = sizeof(float) * max(nx, 0) * max(ny + 1, 0);
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(ey, dev_ey_bytes, hz, dev_hz_bytes)
            || cuda_overlap(ey, dev_ey_bytes, ex, dev_ex_bytes)
            || cuda_overlap(hz, dev_hz_bytes, ex, dev_ex_bytes))
        return 0;

    float *dev_source = NULL;
    cuda_check(cudaMalloc(&dev_source, dev_source_bytes));
    float *dev_ey = NULL;
    cuda_check(cudaMalloc(&dev_ey, dev_ey_bytes));
    float *dev_hz = NULL;
    cuda_check(cudaMalloc(&dev_hz, dev_hz_bytes));
    float *dev_ex = NULL;
    cuda_check(cudaMalloc(&dev_ex, dev_ex_bytes));

    if (ny >= 1 && steps >= 1) {
        cuda_check(cudaMemcpy(dev_source, source, dev_source_bytes, cudaMemcpyHostToDevice));
        if (nx > 0) {
            cuda_check(cudaMemcpy(dev_ey + ny, ey + ny, sizeof(float) * nx * ny,
                cudaMemcpyHostToDevice));
        }
        if (nx >= 1) {
            cuda_check(cudaMemcpy(dev_hz, hz, dev_hz_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_ex, ex, sizeof(float) * nx * (ny + 1),
                cudaMemcpyHostToDevice));
        }
    }
    if (ny >= 1) {
        for (int t = 0; t < steps; t++) {
            if (nx >= 1 && ny >= 2) {
                fdtd_2d_fdtd_2d_scop0_kernel0<<<dim3((ny - 1) / 32 + 1, (nx - 1) / 16 + 1),
                    dim3(32, 16)>>>(nx, ny, dev_hz, dev_ex);
                cuda_check(cudaGetLastError());
            }
            if (nx >= 2) {
                fdtd_2d_fdtd_2d_scop0_kernel1<<<dim3((ny - 1) / 32 + 1, (nx - 1) / 16 + 1),
                    dim3(32, 16)>>>(nx, ny, dev_ey, dev_hz);
                cuda_check(cudaGetLastError());
            }
            fdtd_2d_fdtd_2d_scop0_kernel2<<<dim3((ny - 1) / 32 + 1, max(1, ((nx - 1) >> 4) + 1)),
                dim3(32, 16)>>>(nx, ny, t, dev_source, dev_ey, dev_hz, dev_ex);
            cuda_check(cudaGetLastError());
        }
        if (nx >= 1 && steps >= 1) {
            if (ny - 1 > 0) {
                cuda_check(cudaMemcpy2D(ex + 1, sizeof(float) * (ny + 1), dev_ex + 1,
                    sizeof(float) * (ny + 1), sizeof(float) * (ny - 1), nx,
                    cudaMemcpyDeviceToHost));
            }
            cuda_check(cudaMemcpy(hz, dev_hz, dev_hz_bytes, cudaMemcpyDeviceToHost));
        }
        if (steps >= 1) {
            cuda_check(cudaMemcpy(ey, dev_ey, sizeof(float) * max(1, nx) * ny,
                cudaMemcpyDeviceToHost));
        }
    }

    cuda_check(cudaFree(dev_source));
    cuda_check(cudaFree(dev_ey));
    cuda_check(cudaFree(dev_hz));
    cuda_check(cudaFree(dev_ex));
    return 1;
}
