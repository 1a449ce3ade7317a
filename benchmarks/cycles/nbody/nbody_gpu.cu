// Generated from nbody.c by c2cuda.
#include "nbody_gpu.h"

#include <math.h>
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

// nbody.c:14: float ax = 0.0f;
// nbody.c:15: float ay = 0.0f;
// nbody.c:16: float az = 0.0f;
// nbody.c:18: float dx = body[j][0] - body[i][0]; float dy = body[j][1] - body[i][1]; ...
// nbody.c:27: accel[i][0] = ax;
// nbody.c:28: accel[i][1] = ay;
// nbody.c:29: accel[i][2] = az;
__global__ void nbody_simulate_scop0_kernel0(int n, const float *__restrict__ body,
        float *__restrict__ accel)
{
    float private_ax;
    float private_ay;
    float private_az;
    float private_body;
    float private_body_2;
    float private_body_3;
    __shared__ float shared_body[32][4];
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int i = 128 * bx + tx;
    if (i < n) {
        private_body = body[(ptrdiff_t)i * 4];
        private_body_2 = body[(ptrdiff_t)i * 4 + 1];
        private_body_3 = body[(ptrdiff_t)i * 4 + 2];
    }
    for (int c2 = 0; c2 <= (n - 1) / 32; c2++) {
        if (128 * c2 + tx < 4 * n)
            shared_body[tx / 4][tx % 4] = body[(ptrdiff_t)(32 * c2 + tx / 4) * 4 + tx % 4];
        __syncthreads();
        if (i < n) {
            if (c2 == 0) {
                private_ax = 0.0f;  // line 14
                private_ay = 0.0f;  // line 15
                private_az = 0.0f;  // line 16
            }
            for (int j = 32 * c2; j < min(n, 32 * c2 + 32); j++) {
                const float dx = shared_body[j - 32 * c2][0] - private_body;
                const float dy = shared_body[j - 32 * c2][1] - private_body_2;
                const float dz = shared_body[j - 32 * c2][2] - private_body_3;
                const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
                const float pull = shared_body[j - 32 * c2][3] * (inverse * inverse * inverse);
                private_ax += pull * dx;  // line 18
                private_ay += pull * dy;
                private_az += pull * dz;
            }
            if (32 * c2 >= n - 32) {
                accel[(ptrdiff_t)i * 3] = private_ax;  // line 27
                accel[(ptrdiff_t)i * 3 + 1] = private_ay;  // line 28
                accel[(ptrdiff_t)i * 3 + 2] = private_az;  // line 29
            }
        }
        __syncthreads();
    }
}

// nbody.c:33: velocity[i][axis] = (velocity[i][axis] + accel[i][axis] * TIME_STEP) * D ...
// nbody.c:34: body[i][axis] += velocity[i][axis] * TIME_STEP;
__global__ void nbody_simulate_scop0_kernel1(int n, float *__restrict__ body,
        const float *__restrict__ accel, float *__restrict__ velocity)
{
    float private_velocity;
    const int by = blockIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = 160 * by + ty;
    if (i < n) {
        private_velocity = velocity[(ptrdiff_t)i * 4 + tx];
        private_velocity = (private_velocity + accel[(ptrdiff_t)i * 3 + tx] * 0.001f) * 0.995f;
        body[(ptrdiff_t)i * 4 + tx] += private_velocity * 0.001f;  // line 34
        velocity[(ptrdiff_t)i * 4 + tx] = private_velocity;
    }
}

extern "C" int nbody_simulate_scop0(int n, int steps, float *body, float *accel, float *velocity)
{
    // Index expressions must not overflow `int`.
    if (n < -536000000 || n > 536000000 || steps < -536000000 || steps > 536000000)
        return 0;
    const size_t dev_body_bytes = sizeof(float) * max(n, 0) * 4;
    const size_t dev_accel_bytes = sizeof(float) * max(n, 0) * 3;
    const size_t dev_velocity_bytes = sizeof(float) * max(n, 0) * 4;
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(body, dev_body_bytes, accel, dev_accel_bytes)
            || cuda_overlap(body, dev_body_bytes, velocity, dev_velocity_bytes)
            || cuda_overlap(accel, dev_accel_bytes, velocity, dev_velocity_bytes))
        return 0;

    float *dev_body = NULL;
    cuda_check(cudaMalloc(&dev_body, dev_body_bytes));
    float *dev_accel = NULL;
    cuda_check(cudaMalloc(&dev_accel, dev_accel_bytes));
    float *dev_velocity = NULL;
    cuda_check(cudaMalloc(&dev_velocity, dev_velocity_bytes));

    if (n >= 1 && steps >= 1) {
        cuda_check(cudaMemcpy(dev_body, body, sizeof(float) * n * 4, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy2D(dev_velocity, sizeof(float) * 4, velocity, sizeof(float) * 4,
            sizeof(float) * 3, n, cudaMemcpyHostToDevice));
    }
    if (n >= 1) {
        for (int t = 0; t < steps; t++) {
            nbody_simulate_scop0_kernel0<<<(n - 1) / 128 + 1, 128>>>(n, dev_body, dev_accel);
            cuda_check(cudaGetLastError());
            nbody_simulate_scop0_kernel1<<<dim3(1, (n - 1) / 160 + 1), dim3(3, 160)>>>(n, dev_body,
                dev_accel, dev_velocity);
            cuda_check(cudaGetLastError());
        }
        if (steps >= 1) {
            cuda_check(cudaMemcpy2D(velocity, sizeof(float) * 4, dev_velocity, sizeof(float) * 4,
                sizeof(float) * 3, n, cudaMemcpyDeviceToHost));
            cuda_check(cudaMemcpy(accel, dev_accel, dev_accel_bytes, cudaMemcpyDeviceToHost));
            cuda_check(cudaMemcpy2D(body, sizeof(float) * 4, dev_body, sizeof(float) * 4,
                sizeof(float) * 3, n, cudaMemcpyDeviceToHost));
        }
    }

    cuda_check(cudaFree(dev_body));
    cuda_check(cudaFree(dev_accel));
    cuda_check(cudaFree(dev_velocity));
    return 1;
}
