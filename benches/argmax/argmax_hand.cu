/* The largest of many numbers and its first place by hand. Every thread compares its share, the lanes of a warp
 * exchange pairs of a number and its place, the warps of a block meet in shared memory; a second launch does the same
 * with the pairs of the blocks. Of equal numbers, the one with the smaller place counts.
 *
 * Usage: argmax_hand [n]      (by default 1000000)
 */
#include <algorithm>
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr int WARP = 32;
constexpr int BLOCK = 256;
constexpr int MOST_BLOCKS = 1024;

struct Best {
    float value;
    int place;
};

__device__ Best better(Best one, Best other)
{
    bool is_other = other.value > one.value || (other.value == one.value && other.place < one.place);
    return is_other ? other : one;
}

__device__ Best of_warp(Best best)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        Best other;
        other.value = __shfl_down_sync(0xffffffffu, best.value, distance);
        other.place = __shfl_down_sync(0xffffffffu, best.place, distance);
        best = better(best, other);
    }
    return best;
}

/* The best of a block's threads, in its first thread. */
__device__ Best of_block(Best best)
{
    __shared__ Best of_warps[BLOCK / WARP];
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    best = of_warp(best);
    if (lane == 0)
        of_warps[warp] = best;
    __syncthreads();
    if (warp == 0)
        best = of_warp(of_warps[lane % (BLOCK / WARP)]);
    return best;
}

__global__ void argmax_of_blocks(int n, const float *__restrict__ a, Best *__restrict__ partial)
{
    Best best = {a[0], 0};
#pragma unroll 4
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < (unsigned)n; i += gridDim.x * BLOCK) {
        float own = a[i];
        if (own > best.value)
            best = {own, (int)i};
    }
    best = of_block(best);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = best;
}

__global__ void argmax_of_all(int count, const Best *__restrict__ partial, Best *__restrict__ all)
{
    Best best = partial[0];
    for (int i = threadIdx.x; i < count; i += BLOCK)
        best = better(best, partial[i]);
    best = of_block(best);
    if (threadIdx.x == 0)
        *all = best;
}

static Best argmax(int n, const float *a)
{
    int count = std::min(blocks(n, BLOCK), MOST_BLOCKS);
    float *dev_a = to_device(n, a);
    Best *dev_partial = on_device<Best>(count);
    Best *dev_all = on_device<Best>(1);
    argmax_of_blocks<<<count, BLOCK>>>(n, dev_a, dev_partial);
    CHECK(cudaGetLastError());
    argmax_of_all<<<1, BLOCK>>>(count, dev_partial, dev_all);
    CHECK(cudaGetLastError());
    Best best;
    to_host(1, &best, dev_all);
    CHECK(cudaFree(dev_a));
    CHECK(cudaFree(dev_partial));
    CHECK(cudaFree(dev_all));
    return best;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    float *a = drawn_floats(n, 1);

    start_clock();
    Best best = argmax(n, a);
    stop_clock();
    double both[2] = {best.value, (double)best.place};
    print_doubles("argmax", 2, both);

    free(a);
    return 0;
}
