// Generated from smooth.c by c2cuda.
#include "smooth_gpu.h"

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

// smooth.c:11: v[i] = u[i - 1] * weight;
__global__ void smooth_scop0_kernel0(const float *__restrict__ u, float *__restrict__ v,
        float weight)
{
    const long bx = blockIdx.x;
    const long tx = threadIdx.x;
    const long i = 64 * bx + tx;
    if (i >= 1 && i < 100)
        v[i] = u[i - 1] * weight;
}

// smooth.c:14: u[i] = v[i] + first + t;
__global__ void smooth_scop0_kernel1(long t, float *__restrict__ u, const float *__restrict__ v,
        float first)
{
    const long bx = blockIdx.x;
    const long tx = threadIdx.x;
    const long i = 64 * bx + tx;
    if (i >= 1 && i < 100)
        u[i] = v[i] + first + t;
}

extern "C" void smooth_scop0(long steps, float *u, float *v, float weight, float *first)
{
    const size_t dev_u_bytes = sizeof(float) * 100;
    const size_t dev_v_bytes = sizeof(float) * 100;

    float *dev_u = NULL;
    cuda_check(cudaMalloc(&dev_u, dev_u_bytes));
    float *dev_v = NULL;
    cuda_check(cudaMalloc(&dev_v, dev_v_bytes));

    cuda_check(cudaMemcpy(dev_u, u, dev_u_bytes, cudaMemcpyHostToDevice));
    for (long t = 0; t < steps; t++) {
        smooth_scop0_kernel0<<<2, 64>>>(dev_u, dev_v, weight);
        cuda_check(cudaGetLastError());
        cuda_check(cudaMemcpy(v, dev_v, dev_v_bytes, cudaMemcpyDeviceToHost));
        *first = v[1] * 0.5f;  // line 12
        smooth_scop0_kernel1<<<2, 64>>>(t, dev_u, dev_v, *first);
        cuda_check(cudaGetLastError());
    }
    cuda_check(cudaMemcpy(u, dev_u, dev_u_bytes, cudaMemcpyDeviceToHost));
    cuda_check(cudaMemcpy(v, dev_v, dev_v_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_u));
    cuda_check(cudaFree(dev_v));
}
