/* The smallest and the largest of many numbers by hand. Every thread compares its share, the lanes of a warp exchange
 * values, the warps of a block meet in shared memory; a second launch does the same with the values of the blocks.
 *
 * Usage: extremes_hand [n]      (by default 1000000)
 */
#include <algorithm>
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr int WARP = 32;
constexpr int BLOCK = 256;
constexpr int MOST_BLOCKS = 1024;

__device__ int2 of_warp(int2 value)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        value.x = min(value.x, __shfl_down_sync(0xffffffffu, value.x, distance));
        value.y = max(value.y, __shfl_down_sync(0xffffffffu, value.y, distance));
    }
    return value;
}

/* The extremes of the values of a block's threads, in its first thread. */
__device__ int2 of_block(int2 value)
{
    __shared__ int2 of_warps[BLOCK / WARP];
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    value = of_warp(value);
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = of_warp(of_warps[lane % (BLOCK / WARP)]);
    return value;
}

__global__ void extremes_of_blocks(int n, const int *__restrict__ a, int2 *__restrict__ partial)
{
    int first = a[0];
    int2 value = make_int2(first, first);
#pragma unroll 4
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < (unsigned)n; i += gridDim.x * BLOCK) {
        int own = a[i];
        value.x = min(value.x, own);
        value.y = max(value.y, own);
    }
    value = of_block(value);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = value;
}

__global__ void extremes_of_all(int count, const int2 *__restrict__ partial, int2 *__restrict__ both)
{
    int2 value = partial[0];
    for (int i = threadIdx.x; i < count; i += BLOCK) {
        int2 own = partial[i];
        value.x = min(value.x, own.x);
        value.y = max(value.y, own.y);
    }
    value = of_block(value);
    if (threadIdx.x == 0)
        *both = value;
}

static int2 extremes(int n, const int *a)
{
    int count = std::min(blocks(n, BLOCK), MOST_BLOCKS);
    int *dev_a = to_device(n, a);
    int2 *dev_partial = on_device<int2>(count);
    int2 *dev_both = on_device<int2>(1);
    extremes_of_blocks<<<count, BLOCK>>>(n, dev_a, dev_partial);
    CHECK(cudaGetLastError());
    extremes_of_all<<<1, BLOCK>>>(count, dev_partial, dev_both);
    CHECK(cudaGetLastError());
    int2 both;
    to_host(1, &both, dev_both);
    CHECK(cudaFree(dev_a));
    CHECK(cudaFree(dev_partial));
    CHECK(cudaFree(dev_both));
    return both;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    float *drawn = drawn_floats(n, 1);
    int *a = (int *)allocate(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (int)(drawn[i] * 65536.0f) * 4096 - 100000000;

    start_clock();
    int2 found = extremes(n, a);
    stop_clock();
    double both[2] = {(double)found.x, (double)found.y};
    print_doubles("extremes", 2, both);

    free(drawn);
    free(a);
    return 0;
}
