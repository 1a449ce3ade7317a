// Generated from gauss-seidel.c by c2cuda.
#include "gauss-seidel_gpu.h"

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

// gauss-seidel.c:14: A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] ...
__global__ void gauss_seidel_gauss_seidel_scop0_kernel0(int n, int steps, int c0, int lower_x,
        int lower_y, float *__restrict__ A)
{
    __shared__ float shared_A[48][38];
    const int bx = blockIdx.x + lower_x;
    const int by = blockIdx.y + lower_y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    if (16 * bx + n >= 32 * by - 12 && 16 * by + n + steps >= 16 * bx - 13
            && 32 * by + n >= 16 * bx - 27 && c0 >= by + bx && 16 * by + 16 * bx + steps > 16 * c0
            && 16 * c0 + n >= 32 * by + 16 * bx - 13 && 16 * c0 + n >= 16 * by + 24 * bx - 14
            && 16 * c0 + n >= 32 * bx - 29) {
        for (int c1 =
                max(max(ty, 16 * c0 + ty - 32 * by - 16 * bx + 16),
                16 * c0 + (ty + 15) % 16 - 32 * bx + 1); c1 < min(33, 32 * bx - 16 * c0 + 32);
                c1 += 16) {
            for (int c2 =
                    max(max(max(max(tx, 16 * c0 + (tx + 1) % 16 - 32 * bx + 31),
                    16 * c0 + (tx + 15) % 16 - 32 * by - 16 * bx + 1),
                    30 - (62 - tx - c1) % 16 - c1), c1 - (c1 - tx + 30) % 16 - 2);
                    c2 <= min(min(min(47, 32 * by + 16 * bx - 16 * c0 + 46), c1 + 32), 64 - c1);
                    c2 += 16) {
                if (16 * c0 + n >= 32 * by + 16 * bx + c1 - 15
                        && 16 * c0 + n >= 32 * bx + c2 - 30) {
                    shared_A[c2][c1] =
                        A[(ptrdiff_t)(32 * by + 16 * bx + c1 - 16 * c0 - 16) * n + 32 * bx + c2
                        - 16 * c0 - 31];
                }
            }
        }
    }
    __syncthreads();
    if (c0 >= by + bx && 2 * by + bx >= c0 && 16 * by + 16 * bx + steps > 16 * c0
            && 16 * c0 + n >= 32 * by + 16 * bx - 13) {
        for (int c3 =
                max(max(max(max(max(max(64 * by - 2 * n + 5, 32 * bx - n + 2),
                32 * by + 16 * bx - n + 2), 16 * c0), 32 * c0 - 32 * by - 16 * bx + 1),
                32 * c0 - 32 * bx + 1), 64 * c0 - 64 * by - 64 * bx + 3);
                c3 <= min(min(min(min(min(min(min(min(min(min(3 * n + 4 * steps - 10,
                2 * steps + 32 * by + n + 26), 64 * by + n + 56), 2 * steps + 16 * bx + n + 11),
                32 * bx + 29), 16 * by + 16 * bx + steps + 29), 32 * by + 16 * bx + 44),
                32 * c0 + n - 32 * by - 16 * bx + 43), 16 * c0 + 45),
                3 * n + 64 * c0 - 64 * by - 64 * bx + 54), 32 * c0 + n - 32 * bx + 58); c3++) {
            if (n + c3 >= 2 * tx + 32 * bx + 2 && n + c3 >= 2 * ty + 32 * by + 16 * bx + tx + 2
                    && 2 * ty + 32 * by + 16 * bx + tx > c3 && 2 * tx + 32 * bx > c3
                    && 16 * by + 16 * bx + steps + tx + ty > c3 && c3 >= 16 * c0 + tx + ty
                    && 16 * c0 + tx + ty >= c3 - 15) {
                shared_A[2 * tx + 16 * c0 - c3 + 31][2 * ty + 16 * c0 + tx - c3 + 16] =
                    (shared_A[2 * tx + 16 * c0 - c3 + 30][2 * ty + 16 * c0 + tx - c3 + 15]
                    + shared_A[2 * tx + 16 * c0 - c3 + 31][2 * ty + 16 * c0 + tx - c3 + 15]
                    + shared_A[2 * tx + 16 * c0 - c3 + 32][2 * ty + 16 * c0 + tx - c3 + 15]
                    + shared_A[2 * tx + 16 * c0 - c3 + 30][2 * ty + 16 * c0 + tx - c3 + 16]
                    + shared_A[2 * tx + 16 * c0 - c3 + 31][2 * ty + 16 * c0 + tx - c3 + 16]
                    + shared_A[2 * tx + 16 * c0 - c3 + 32][2 * ty + 16 * c0 + tx - c3 + 16]
                    + shared_A[2 * tx + 16 * c0 - c3 + 30][2 * ty + 16 * c0 + tx - c3 + 17]
                    + shared_A[2 * tx + 16 * c0 - c3 + 31][2 * ty + 16 * c0 + tx - c3 + 17]
                    + shared_A[2 * tx + 16 * c0 - c3 + 32][2 * ty + 16 * c0 + tx - c3 + 17]) / 9.0f;
            }
            __syncthreads();
        }
    }
    __syncthreads();
    if (c0 >= by + bx && 16 * by + 16 * bx + steps > 16 * c0) {
        for (int c1 =
                max(max(max(max(max(16 * c0 + (steps + ty + 15) % 16 - 16 * by - 16 * bx - steps
                + 17, (ty + 15) % 16 + 1), 16 * c0 + (ty + 15) % 16 - 32 * by - 16 * bx + 17),
                16 * c0 + tx - 32 * bx - (tx - ty + 17) % 16 + 17),
                16 * c0 + (2 * steps + n + ty + 12) % 16 - 2 * steps - 32 * by - n + 20),
                32 * bx + (n + ty + 12) % 16 - 16 * c0 - n - 12);
                c1 < min(min(min(32, 16 * c0 + n - 32 * by - 16 * bx + 15),
                32 * bx - 16 * c0 - tx + 31), 16 * c0 + n - 32 * bx + 45); c1 += 16) {
            for (int c2 =
                    max(max(max(16 * c0 + tx - 32 * bx + 32,
                    32 * c0 + (2 * steps + tx + c1 + 15) % 16 - 2 * steps - 32 * by - 32 * bx - c1
                    + 49), 32 - (48 - tx - c1) % 16 - c1), c1 - (c1 - tx + 16) % 16);
                    c2 <= min(min(16 * c0 + n - 32 * bx + 29, c1 + 30), 62 - c1); c2 += 16) {
                A[(ptrdiff_t)(32 * by + 16 * bx + c1 - 16 * c0 - 16) * n + 32 * bx + c2 - 16 * c0
                    - 31] = shared_A[c2][c1];
            }
        }
    }
}

extern "C" int gauss_seidel_gauss_seidel_scop0(int n, int steps, float *A)
{
    // Index expressions must not overflow `int`.
    if (n < -22600000 || n > 22600000 || steps < -22600000 || steps > 22600000)
        return 0;
    const size_t dev_A_bytes = sizeof(float) * max(n, 0) * max(n, 0);

    float *dev_A = NULL;
    cuda_check(cudaMalloc(&dev_A, dev_A_bytes));

    if (n >= 3 && steps >= 1) {
        cuda_check(cudaMemcpy(dev_A, A, sizeof(float) * n * n, cudaMemcpyHostToDevice));
        for (int c0 = 0; c0 < (3 * n + 4 * steps + 6) / 16; c0++) {
            if (min(min(c0 - (c0 + 1) / 2 + 1, (n + steps - 3) / 8 - (c0 + 1) / 2 + 1),
                    (n + steps - 3) / 8 + (2 * steps + n + 12) / 16 - c0) > 0
                    && (8 * c0 >= n + steps - 2 && 8 * c0 <= n + steps + 5 && (c0 + 1) % 2 == 0
                    ? (c0 - 1) / 2
                    : min(c0 / 2 + 1,
                    (n + steps - 3) / 16 - ((8 * c0 - n - steps + 2) >> 4))) > 0) {
                gauss_seidel_gauss_seidel_scop0_kernel0<<<dim3(min(min(c0 - (c0 + 1) / 2 + 1,
                    (n + steps - 3) / 8 - (c0 + 1) / 2 + 1),
                    (n + steps - 3) / 8 + (2 * steps + n + 12) / 16 - c0), 8 * c0 >= n + steps - 2
                    && 8 * c0 <= n + steps + 5 && (c0 + 1) % 2 == 0 ? (c0 - 1) / 2
                    : min(c0 / 2 + 1, (n + steps - 3) / 16 - ((8 * c0 - n - steps + 2) >> 4))),
                    dim3(16, 16)>>>(n, steps, c0,
                    max((c0 + 1) / 2, c0 - (2 * steps + n + 12) / 16 + 1),
                    max(0, ((8 * c0 - n - steps + 2) >> 4) + 1), dev_A);
                cuda_check(cudaGetLastError());
            }
        }
        cuda_check(cudaMemcpy2D(A + n + 1, sizeof(float) * n, dev_A + n + 1, sizeof(float) * n,
            sizeof(float) * (n - 2), n - 2, cudaMemcpyDeviceToHost));
    }

    cuda_check(cudaFree(dev_A));
    return 1;
}
