// Generated from gemm.c by c2cuda.
#include "gemm_gpu.h"

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

// gemm.c:16: C[i][j] *= BETA;
// gemm.c:19: C[i][j] += ALPHA * A[i][k] * B[k][j];
__global__ void gemm_scop0_kernel0(int ni, int nj, int nk, float *__restrict__ C,
        const float *__restrict__ A, const float *__restrict__ B)
{
    float private_C[4][4];
    __shared__ float shared_A[64][16];
    __shared__ float shared_B[16][80];
    const int bx = blockIdx.x;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    #pragma unroll
    for (int c2 = 0; c2 < 4; c2++) {
        if (c2 <= ((ni - ty - 1) >> 4) - 4 * by) {
            #pragma unroll
            for (int c3 = 0; c3 < 4; c3++) {
                if (c3 <= ((nj - tx - 1) >> 4) - 4 * bx) {
                    private_C[c2][c3] =
                        C[(ptrdiff_t)(64 * by + 16 * c2 + ty) * nj + 64 * bx + 16 * c3 + tx];
                }
            }
        }
    }
    for (int c2 = 0; c2 < max(1, (nk + 15) >> 4); c2++) {
        if (16 * c2 < nk) {
            for (int c3 = ty; c3 < 64; c3 += 16)
                if (16 * c2 + tx < nk && 64 * by + c3 < ni)
                    shared_A[c3][tx] = A[(ptrdiff_t)(64 * by + c3) * nk + 16 * c2 + tx];
            for (int c4 = tx; c4 < 64; c4 += 16)
                if (16 * c2 + ty < nk && 64 * bx + c4 < nj)
                    shared_B[ty][c4] = B[(ptrdiff_t)(16 * c2 + ty) * nj + 64 * bx + c4];
        }
        __syncthreads();
        if (c2 == 0) {
            if (((ni - ty - 1) >> 4) - 4 * by >= 3 && ((nj - tx - 1) >> 4) - 4 * bx >= 3) {
                #pragma unroll
                for (int c4 = 0; c4 < 4; c4++) {
                    #pragma unroll
                    for (int c5 = 0; c5 < 4; c5++) {
                        private_C[c4][c5] *= 1.25f;  // line 16
                        if (nk >= 1)
                            private_C[c4][c5] += 1.5f * shared_A[16 * c4 + ty][0]
                                * shared_B[0][16 * c5 + tx];
                    }
                }
            } else {
                #pragma unroll
                for (int c4 = 0; c4 < 4; c4++) {
                    if (c4 <= ((ni - ty - 1) >> 4) - 4 * by) {
                        #pragma unroll
                        for (int c5 = 0; c5 < 4; c5++) {
                            if (c5 <= ((nj - tx - 1) >> 4) - 4 * bx) {
                                private_C[c4][c5] *= 1.25f;  // line 16
                                if (nk >= 1)
                                    private_C[c4][c5] += 1.5f * shared_A[16 * c4 + ty][0]
                                        * shared_B[0][16 * c5 + tx];
                            }
                        }
                    }
                }
            }
        }
        if (((ni - ty - 1) >> 4) - 4 * by >= 3 && ((nj - tx - 1) >> 4) - 4 * bx >= 3) {
            for (int k = max(1, 16 * c2); k < min(nk, 16 * c2 + 16); k++) {
                #pragma unroll
                for (int c4 = 0; c4 < 4; c4++) {
                    #pragma unroll
                    for (int c5 = 0; c5 < 4; c5++) {
                        private_C[c4][c5] += 1.5f * shared_A[16 * c4 + ty][k - 16 * c2] * shared_B[k
                            - 16 * c2][16 * c5 + tx];
                    }
                }
            }
        } else {
            for (int k = max(1, 16 * c2); k < min(nk, 16 * c2 + 16); k++) {
                #pragma unroll
                for (int c4 = 0; c4 < 4; c4++) {
                    if (c4 <= ((ni - ty - 1) >> 4) - 4 * by) {
                        #pragma unroll
                        for (int c5 = 0; c5 < 4; c5++) {
                            if (c5 <= ((nj - tx - 1) >> 4) - 4 * bx) {
                                private_C[c4][c5] += 1.5f * shared_A[16 * c4 + ty][k - 16 * c2]
                                    * shared_B[k - 16 * c2][16 * c5 + tx];
                            }
                        }
                    }
                }
            }
        }
        __syncthreads();
    }
    #pragma unroll
    for (int c2 = 0; c2 < 4; c2++) {
        if (c2 <= ((ni - ty - 1) >> 4) - 4 * by) {
            #pragma unroll
            for (int c3 = 0; c3 < 4; c3++) {
                if (c3 <= ((nj - tx - 1) >> 4) - 4 * bx) {
                    C[(ptrdiff_t)(64 * by + 16 * c2 + ty) * nj + 64 * bx + 16 * c3 + tx] =
                        private_C[c2][c3];
                }
            }
        }
    }
}

extern "C" int gemm_scop0(int ni, int nj, int nk, float *C, const float *A, const float *B)
{
    // Index expressions must not overflow `int`.
    if (ni < -2140000000 || ni > 2140000000 || nj < -2140000000 || nj > 2140000000
            || nk < -2140000000 || nk > 2140000000)
        return 0;
    const size_t dev_C_bytes = sizeof(float) * max(ni, 0) * max(nj, 0);
    const size_t dev_A_bytes = sizeof(float) * max(ni, 0) * max(nk, 0);
    const size_t dev_B_bytes = sizeof(float) * max(nk, 0) * max(nj, 0);
    // CUDA has no larger grids.
    if ((ni - 1) / 64 + 1 > 65535)
        return 0;

    float *dev_C = NULL;
    cuda_check(cudaMalloc(&dev_C, dev_C_bytes));
    float *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));
    float *dev_B = NULL;
    cuda_check(cudaMalloc(&dev_B, dev_B_bytes));

    if (ni >= 1 && nj >= 1) {
        cuda_check(cudaMemcpy(dev_C, C, dev_C_bytes, cudaMemcpyHostToDevice));
        if (nk >= 1) {
            cuda_check(cudaMemcpy(dev_A, A, dev_A_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_B, B, dev_B_bytes, cudaMemcpyHostToDevice));
        }
        gemm_scop0_kernel0<<<dim3((nj - 1) / 64 + 1, (ni - 1) / 64 + 1), dim3(16, 16)>>>(ni, nj, nk,
            dev_C, dev_A, dev_B);
        cuda_check(cudaGetLastError());
        cuda_check(cudaMemcpy(C, dev_C, dev_C_bytes, cudaMemcpyDeviceToHost));
    }

    cuda_check(cudaFree(dev_C));
    cuda_check(cudaFree(dev_A));
    cuda_check(cudaFree(dev_B));
    return 1;
}
