// Generated from fill.c by c2cuda.
#include "fill_gpu.h"

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
    cuda_check(cudaMalloc(&dev_a, dev_a_bytes));

    fill_scop0_kernel0<<<1, dim3(10, 10)>>>(dev_a);
    cuda_check(cudaGetLastError());
    cuda_check(cudaMemcpy(a, dev_a, dev_a_bytes, cudaMemcpyDeviceToHost));

    cuda_check(cudaFree(dev_a));
}
