/* The scalar product by hand. Every thread sums up its share, the lanes of a warp by shuffles, the warps of a block
 * through shared memory; a second launch does the same with the sums of the blocks. The sum is grouped otherwise
 * than in the sequential program, but always in the same way.
 *
 * Usage: dot_hand [n]      (by default 1000000)
 */
#include <algorithm>
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr int WARP = 32;
constexpr int BLOCK = 256;
constexpr int MOST_BLOCKS = 1024;

__device__ double sum_of_warp(double value)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

/* The sum of the values of a block's threads, in its first thread. */
__device__ double sum_of_block(double value)
{
    __shared__ double of_warps[BLOCK / WARP];
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    value = sum_of_warp(value);
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads();
    return warp == 0 ? sum_of_warp(lane < BLOCK / WARP ? of_warps[lane] : 0.0) : 0.0;
}

__global__ void dot_of_blocks(int n, const double *__restrict__ a, const double *__restrict__ b,
                              double *__restrict__ partial)
{
    double sum = 0.0;
#pragma unroll 4
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < (unsigned)n; i += gridDim.x * BLOCK)
        sum += a[i] * b[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__global__ void sum_up(int count, const double *__restrict__ partial, double *__restrict__ total)
{
    double sum = 0.0;
    for (int i = threadIdx.x; i < count; i += BLOCK)
        sum += partial[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
        *total = sum;
}

static double dot(int n, const double *a, const double *b)
{
    int count = std::min(blocks(n, BLOCK), MOST_BLOCKS);
    double *dev_a = to_device(n, a);
    double *dev_b = to_device(n, b);
    double *dev_partial = on_device<double>(count);
    double *dev_total = on_device<double>(1);
    dot_of_blocks<<<count, BLOCK>>>(n, dev_a, dev_b, dev_partial);
    CHECK(cudaGetLastError());
    sum_up<<<1, BLOCK>>>(count, dev_partial, dev_total);
    CHECK(cudaGetLastError());
    double total;
    to_host(1, &total, dev_total);
    for (double *memory : {dev_a, dev_b, dev_partial, dev_total})
        CHECK(cudaFree(memory));
    return total;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    double *a = drawn_doubles(n, 1);
    double *b = drawn_doubles(n, 2);

    start_clock();
    double sum = dot(n, a, b);
    stop_clock();
    print_doubles("sum", 1, &sum);

    free(a);
    free(b);
    return 0;
}
