/* A histogram by hand. Each block counts its share in shared memory, and adds its counts to those in global memory at
 * the end.
 *
 * Usage: histogram_hand [n]      (by default 1000000)
 */
#include <algorithm>

#include "../bench.h"
#include "../device.h"

constexpr int BINS = 256;
constexpr int BLOCK = 256;
constexpr int MOST_BLOCKS = 1024;

__global__ void histogram_of_blocks(int n, const int *__restrict__ bin, int *__restrict__ count)
{
    __shared__ int own[BINS];
    for (int b = threadIdx.x; b < BINS; b += BLOCK)
        own[b] = 0;
    __syncthreads();
#pragma unroll 4
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < (unsigned)n; i += gridDim.x * BLOCK)
        atomicAdd(&own[bin[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += BLOCK)
        if (own[b] != 0)
            atomicAdd(&count[b], own[b]);
}

static void histogram(int n, const int *bin, int *count)
{
    int *dev_bin = to_device(n, bin);
    int *dev_count = on_device<int>(BINS);
    CHECK(cudaMemset(dev_count, 0, BINS * sizeof *dev_count));
    histogram_of_blocks<<<std::min(blocks(n, BLOCK), MOST_BLOCKS), BLOCK>>>(n, dev_bin, dev_count);
    CHECK(cudaGetLastError());
    to_host(BINS, count, dev_count);
    CHECK(cudaFree(dev_bin));
    CHECK(cudaFree(dev_count));
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    float *drawn = drawn_floats(n, 1);
    int *bin = (int *)allocate(n * sizeof *bin);
    for (int i = 0; i < n; i++)
        bin[i] = (int)(drawn[i] * drawn[i] * BINS);

    int count[BINS];
    start_clock();
    histogram(n, bin, count);
    stop_clock();
    double counts[BINS];
    for (int b = 0; b < BINS; b++)
        counts[b] = count[b];
    print_doubles("counts", BINS, counts);

    free(drawn);
    free(bin);
    return 0;
}
