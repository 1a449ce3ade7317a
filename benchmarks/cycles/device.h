/* What the hand-written CUDA programs share: checked calls and memory of the device. */
#ifndef DEVICE_H
#define DEVICE_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if a CUDA call failed. */
#define CHECK(call) check_at((call), #call, __FILE__, __LINE__)

inline void check_at(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

template <class T>
T *on_device(size_t count)
{
    T *memory = nullptr;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    return memory;
}

/* A copy on the device of an array of the host. */
template <class T>
T *to_device(size_t count, const T *values)
{
    T *memory = on_device<T>(count);
    CHECK(cudaMemcpy(memory, values, count * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <class T>
void to_host(size_t count, T *values, const T *memory)
{
    CHECK(cudaMemcpy(values, memory, count * sizeof(T), cudaMemcpyDeviceToHost));
}

/* How many blocks of `size` hold `count`. */
__host__ __device__ constexpr int blocks(int count, int size)
{
    return (count + size - 1) / size;
}

#endif
