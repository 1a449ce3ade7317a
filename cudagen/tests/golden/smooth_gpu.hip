// Generated from smooth.c by c2cuda.
#include "smooth_gpu.h"

#include <hip/hip_runtime.h>
#include <stddef.h>
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
    hip_check(hipMalloc(&dev_u, dev_u_bytes));
    float *dev_v = NULL;
    hip_check(hipMalloc(&dev_v, dev_v_bytes));

    hip_check(hipMemcpy(dev_u, u, dev_u_bytes, hipMemcpyHostToDevice));
    for (long t = 0; t < steps; t++) {
        hipLaunchKernelGGL(smooth_scop0_kernel0, dim3(2), dim3(64), 0, 0, dev_u, dev_v, weight);
        hip_check(hipGetLastError());
        hip_check(hipMemcpy(v, dev_v, dev_v_bytes, hipMemcpyDeviceToHost));
        *first = v[1] * 0.5f;  // line 12
        hipLaunchKernelGGL(smooth_scop0_kernel1, dim3(2), dim3(64), 0, 0, t, dev_u, dev_v, *first);
        hip_check(hipGetLastError());
    }
    hip_check(hipMemcpy(u, dev_u, dev_u_bytes, hipMemcpyDeviceToHost));
    hip_check(hipMemcpy(v, dev_v, dev_v_bytes, hipMemcpyDeviceToHost));

    hip_check(hipFree(dev_u));
    hip_check(hipFree(dev_v));
}
