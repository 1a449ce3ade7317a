// Generated from fill.c by c2cuda.
#include "fill_gpu.h"

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

// fill.c:8: a[i][j] = i;
__global__ void fill_scop0_kernel0(int *__restrict__ a)
{
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int j = tx;
    a[ty * 10 + j] = ty;
}

extern "C" void fill_scop0(int *a)
{
    const size_t dev_a_bytes = sizeof(int) * 10 * 10;

    int *dev_a = NULL;
    hip_check(hipMalloc(&dev_a, dev_a_bytes));

    hipLaunchKernelGGL(fill_scop0_kernel0, dim3(1), dim3(10, 10), 0, 0, dev_a);
    hip_check(hipGetLastError());
    hip_check(hipMemcpy(a, dev_a, dev_a_bytes, hipMemcpyDeviceToHost));

    hip_check(hipFree(dev_a));
}
