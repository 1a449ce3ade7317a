/* Prefix sums by hand. A block owns a chunk: a first launch adds up each, a second one scans the sums of the chunks,
 * and a third one scans each chunk from there. In a block, every thread has eight neighbouring numbers, which come from
 * and go to global memory through shared memory, so that all accesses are coalesced. The sums are grouped otherwise
 * than in the sequential program.
 *
 * Usage: prefix_sum_hand [n]      (by default 1000000)
 */
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr int WARP = 32;
constexpr int BLOCK = 256;
constexpr int SHARE = 8;
constexpr int CHUNK = BLOCK * SHARE;

/* The sum of the values of all earlier threads of a block, and of all of them. */
__device__ double before_in_block(double value, double *all)
{
    __shared__ double of_warps[BLOCK / WARP];
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    double sum = value;
    for (int distance = 1; distance < WARP; distance *= 2) {
        double other = __shfl_up_sync(0xffffffffu, sum, distance);
        if (lane >= distance)
            sum += other;
    }
    if (lane == WARP - 1)
        of_warps[warp] = sum;
    __syncthreads();
    double before = 0.0;
    *all = 0.0;
    for (int other = 0; other < BLOCK / WARP; other++) {
        if (other == warp)
            before = *all;
        *all += of_warps[other];
    }
    __syncthreads();
    return before + (sum - value);
}

__global__ void add_up(int n, const double *__restrict__ a, double *__restrict__ total)
{
    double sum = 0.0, all;
#pragma unroll
    for (int k = 0; k < SHARE; k++) {
        unsigned i = blockIdx.x * CHUNK + k * BLOCK + threadIdx.x;
        if (i < (unsigned)n)
            sum += a[i];
    }
    before_in_block(sum, &all);
    if (threadIdx.x == 0)
        total[blockIdx.x] = all;
}

/* Replaces the sum of each chunk by that of all earlier ones; the sum of all follows. */
__global__ void scan_totals(int count, double *__restrict__ total)
{
    double before = 0.0;
    for (int first = 0; first < count; first += BLOCK) {
        int c = first + threadIdx.x;
        double own = c < count ? total[c] : 0.0, all;
        double sum = before + before_in_block(own, &all);
        if (c < count)
            total[c] = sum;
        before += all;
    }
    if (threadIdx.x == 0)
        total[count] = before;
}

/* A free place after every 16 numbers keeps neighbouring shares in different banks. */
__device__ int place(int number)
{
    return number + number / 16;
}

__global__ void scan_chunks(int n, const double *__restrict__ a, const double *__restrict__ total,
                            double *__restrict__ b)
{
    __shared__ double values[CHUNK + CHUNK / 16];
    unsigned first = blockIdx.x * CHUNK;
#pragma unroll
    for (int k = 0; k < SHARE; k++) {
        int own = k * BLOCK + threadIdx.x;
        values[place(own)] = first + own < (unsigned)n ? a[first + own] : 0.0;
    }
    __syncthreads();
    double sums[SHARE], sum = 0.0, all;
#pragma unroll
    for (int k = 0; k < SHARE; k++) {
        sum += values[place(threadIdx.x * SHARE + k)];
        sums[k] = sum;
    }
    double before = total[blockIdx.x] + before_in_block(sum, &all);
#pragma unroll
    for (int k = 0; k < SHARE; k++)
        values[place(threadIdx.x * SHARE + k)] = before + sums[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SHARE; k++) {
        int own = k * BLOCK + threadIdx.x;
        if (first + own < (unsigned)n)
            b[first + own] = values[place(own)];
    }
}

static double prefix_sum(int n, const double *a, double *b)
{
    int count = blocks(n, CHUNK);
    double *dev_a = to_device(n, a);
    double *dev_b = on_device<double>(n);
    double *dev_total = on_device<double>(count + 1);
    add_up<<<count, BLOCK>>>(n, dev_a, dev_total);
    CHECK(cudaGetLastError());
    scan_totals<<<1, BLOCK>>>(count, dev_total);
    CHECK(cudaGetLastError());
    scan_chunks<<<count, BLOCK>>>(n, dev_a, dev_total, dev_b);
    CHECK(cudaGetLastError());
    double sum;
    to_host(1, &sum, dev_total + count);
    to_host(n, b, dev_b);
    for (double *memory : {dev_a, dev_b, dev_total})
        CHECK(cudaFree(memory));
    return sum;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    double *a = drawn_doubles(n, 1);
    double *b = (double *)allocate(sizeof(double) * n);

    start_clock();
    double sum = prefix_sum(n, a, b);
    stop_clock();
    print_doubles("sum", 1, &sum);
    print_doubles("sums", n, b);

    free(a);
    free(b);
    return 0;
}
