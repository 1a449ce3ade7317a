// Generated from mri-q.c by c2cuda.
#include "mri-q_gpu.h"

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

// mri-q.c:17: phi_mag[k] = phi_r[k] * phi_r[k] + phi_i[k] * phi_i[k];
__global__ void mri_q_mri_q_scop0_kernel0(int samples, const float *__restrict__ phi_r,
        const float *__restrict__ phi_i, float *__restrict__ phi_mag)
{
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int k = 128 * bx + tx;
    if (k < samples)
        phi_mag[k] = phi_r[k] * phi_r[k] + phi_i[k] * phi_i[k];
}

// mri-q.c:19: float sum_r = 0.0f;
// mri-q.c:20: float sum_i = 0.0f;
// mri-q.c:22: float angle = TWO_PI * (kx[k] * x[v] + ky[k] * y[v] + kz[k] * z[v]); sum ...
// mri-q.c:26: q_r[v] = sum_r;
// mri-q.c:27: q_i[v] = sum_i;
__global__ void mri_q_mri_q_scop0_kernel1(int voxels, int samples,
        const float *__restrict__ phi_mag, const float *__restrict__ kx,
        const float *__restrict__ x, const float *__restrict__ ky, const float *__restrict__ y,
        const float *__restrict__ kz, const float *__restrict__ z, float *__restrict__ q_r,
        float *__restrict__ q_i)
{
    __shared__ float shared_phi_mag[32];
    float private_sum_r;
    float private_sum_i;
    __shared__ float shared_kx[32];
    float private_x;
    __shared__ float shared_ky[32];
    float private_y;
    __shared__ float shared_kz[32];
    float private_z;
    const int bx = blockIdx.x;
    const int tx = threadIdx.x;
    const int v = 128 * bx + tx;
    if (samples >= 1 && v < voxels) {
        private_x = x[v];
        private_y = y[v];
        private_z = z[v];
    }
    for (int c1 = 0; c1 < max(1, (samples + 31) >> 5); c1++) {
        if (tx < 32 && 32 * c1 < samples) {
            if (tx < 32 && 32 * c1 + tx < samples)
                shared_phi_mag[tx] = phi_mag[32 * c1 + tx];
            if (tx < 32 && 32 * c1 + tx < samples)
                shared_kx[tx] = kx[32 * c1 + tx];
            if (tx < 32 && 32 * c1 + tx < samples)
                shared_ky[tx] = ky[32 * c1 + tx];
            if (tx < 32 && 32 * c1 + tx < samples)
                shared_kz[tx] = kz[32 * c1 + tx];
        }
        __syncthreads();
        if (v < voxels) {
            if (c1 == 0) {
                private_sum_r = 0.0f;  // line 19
                private_sum_i = 0.0f;  // line 20
            }
            for (int k = 32 * c1; k < min(samples, 32 * c1 + 32); k++) {
                const float angle =
                    6.2831853071795864769f * (shared_kx[k - 32 * c1] * private_x
                    + shared_ky[k - 32 * c1] * private_y + shared_kz[k - 32 * c1] * private_z);
                private_sum_r += shared_phi_mag[k - 32 * c1] * cosf(angle);  // line 22
                private_sum_i += shared_phi_mag[k - 32 * c1] * sinf(angle);
            }
            if (32 * c1 >= samples - 32) {
                if (32 * c1 < samples)
                    q_r[v] = private_sum_r;  // line 26
                else if (c1 == 0)
                    q_r[v] = private_sum_r;  // line 26
                if (32 * c1 < samples)
                    q_i[v] = private_sum_i;  // line 27
                else if (c1 == 0)
                    q_i[v] = private_sum_i;  // line 27
            }
        }
        __syncthreads();
    }
}

extern "C" int mri_q_mri_q_scop0(int voxels, int samples, const float *phi_r, const float *phi_i,
        float *phi_mag, const float *kx, const float *x, const float *ky, const float *y,
        const float *kz, const float *z, float *q_r, float *q_i)
{
    // Index expressions must not overflow `int`.
    if (voxels < -2140000000 || voxels > 2140000000 || samples < -2140000000
            || samples > 2140000000)
        return 0;
    const size_t dev_phi_r_bytes = sizeof(float) * max(samples, 0);
    const size_t dev_phi_i_bytes = sizeof(float) * max(samples, 0);
    const size_t dev_phi_mag_bytes = sizeof(float) * max(samples, 0);
    const size_t dev_kx_bytes = sizeof(float) * max(samples, 0);
    const size_t dev_x_bytes = sizeof(float) * max(voxels, 0);
    const size_t dev_ky_bytes = sizeof(float) * max(samples, 0);
    const size_t dev_y_bytes = sizeof(float) * max(voxels, 0);
    const size_t dev_kz_bytes = sizeof(float) * max(samples, 0);
    const size_t dev_z_bytes = sizeof(float) * max(voxels, 0);
    const size_t dev_q_r_bytes = sizeof(float) * max(voxels, 0);
    const size_t dev_q_i_bytes = sizeof(float) * max(voxels, 0);
    // The dependences are those of arrays that do not overlap.
    if (cuda_overlap(phi_mag, dev_phi_mag_bytes, q_r, dev_q_r_bytes)
            || cuda_overlap(phi_mag, dev_phi_mag_bytes, q_i, dev_q_i_bytes)
            || cuda_overlap(q_r, dev_q_r_bytes, q_i, dev_q_i_bytes))
        return 0;

    float *dev_phi_r = NULL;
    cuda_check(cudaMalloc(&dev_phi_r, dev_phi_r_bytes));
    float *dev_phi_i = NULL;
    cuda_check(cudaMalloc(&dev_phi_i, dev_phi_i_bytes));
    float *dev_phi_mag = NULL;
    cuda_check(cudaMalloc(&dev_phi_mag, dev_phi_mag_bytes));
    float *dev_kx = NULL;
    cuda_check(cudaMalloc(&dev_kx, dev_kx_bytes));
    float *dev_x = NULL;
    cuda_check(cudaMalloc(&dev_x, dev_x_bytes));
    float *dev_ky = NULL;
    cuda_check(cudaMalloc(&dev_ky, dev_ky_bytes));
    float *dev_y = NULL;
    cuda_check(cudaMalloc(&dev_y, dev_y_bytes));
    float *dev_kz = NULL;
    cuda_check(cudaMalloc(&dev_kz, dev_kz_bytes));
    float *dev_z = NULL;
    cuda_check(cudaMalloc(&dev_z, dev_z_bytes));
    float *dev_q_r = NULL;
    cuda_check(cudaMalloc(&dev_q_r, dev_q_r_bytes));
    float *dev_q_i = NULL;
    cuda_check(cudaMalloc(&dev_q_i, dev_q_i_bytes));

    if (samples >= 1) {
        cuda_check(cudaMemcpy(dev_phi_r, phi_r, dev_phi_r_bytes, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(dev_phi_i, phi_i, dev_phi_i_bytes, cudaMemcpyHostToDevice));
        if (voxels >= 1) {
            cuda_check(cudaMemcpy(dev_kx, kx, dev_kx_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_x, x, dev_x_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_ky, ky, dev_ky_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_y, y, dev_y_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_kz, kz, dev_kz_bytes, cudaMemcpyHostToDevice));
            cuda_check(cudaMemcpy(dev_z, z, dev_z_bytes, cudaMemcpyHostToDevice));
        }
        mri_q_mri_q_scop0_kernel0<<<(samples - 1) / 128 + 1, 128>>>(samples, dev_phi_r, dev_phi_i,
            dev_phi_mag);
        cuda_check(cudaGetLastError());
    }
    if (voxels >= 1) {
        mri_q_mri_q_scop0_kernel1<<<(voxels - 1) / 128 + 1, 128>>>(voxels, samples, dev_phi_mag,
            dev_kx, dev_x, dev_ky, dev_y, dev_kz, dev_z, dev_q_r, dev_q_i);
        cuda_check(cudaGetLastError());
        cuda_check(cudaMemcpy(q_i, dev_q_i, dev_q_i_bytes, cudaMemcpyDeviceToHost));
        cuda_check(cudaMemcpy(q_r, dev_q_r, dev_q_r_bytes, cudaMemcpyDeviceToHost));
    }
    if (samples >= 1) {
        cuda_check(cudaMemcpy(phi_mag, dev_phi_mag, dev_phi_mag_bytes, cudaMemcpyDeviceToHost));
    }

    cuda_check(cudaFree(dev_phi_r));
    cuda_check(cudaFree(dev_phi_i));
    cuda_check(cudaFree(dev_phi_mag));
    cuda_check(cudaFree(dev_kx));
    cuda_check(cudaFree(dev_x));
    cuda_check(cudaFree(dev_ky));
    cuda_check(cudaFree(dev_y));
    cuda_check(cudaFree(dev_kz));
    cuda_check(cudaFree(dev_z));
    cuda_check(cudaFree(dev_q_r));
    cuda_check(cudaFree(dev_q_i));
    return 1;
}
