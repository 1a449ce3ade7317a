/* The scalar product by hand, with the sum in the order of the sequential program, so that the bits are the same. One
 * lane adds, a rounding after the other, which sets the time: n times the latency of an addition. Nothing else may
 * delay it, so one block does it all: its other threads load the factors in coalesced pieces and leave the products in
 * shared memory, one piece ahead of the lane.
 *
 * Usage: dot_ordered_hand [n]      (by default 1000000)
 */
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr int WARP = 32;
/* The first warp adds, the others load. */
constexpr int LOADERS = 256;
constexpr int PIECE = 1024;
constexpr int SHARE = PIECE / LOADERS;

/* Adds up `count` values in their order. */
__device__ double sum_of(double sum, const double *values, int count)
{
    int pairs = count / 2;
    const double2 *pair = reinterpret_cast<const double2 *>(values);
#pragma unroll 16
    for (int i = 0; i < pairs; i++) {
        double2 both = pair[i];
        sum += both.x;
        sum += both.y;
    }
    return count % 2 ? sum + values[count - 1] : sum;
}

/* What a loader brings from global memory: its factors of one piece. */
struct Share {
    double a[SHARE], b[SHARE];

    __device__ void load(unsigned n, unsigned first, const double *__restrict__ from_a, const double *__restrict__ from_b)
    {
#pragma unroll
        for (int k = 0; k < SHARE; k++) {
            unsigned i = first + k * LOADERS + (threadIdx.x - WARP);
            bool is_inside = i < n;
            a[k] = is_inside ? from_a[i] : 0.0;
            b[k] = is_inside ? from_b[i] : 0.0;
        }
    }

    __device__ void store_products(double *piece) const
    {
#pragma unroll
        for (int k = 0; k < SHARE; k++)
            piece[k * LOADERS + (threadIdx.x - WARP)] = a[k] * b[k];
    }
};

__global__ void __launch_bounds__(WARP + LOADERS)
    ordered_dot(unsigned n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ total)
{
    __shared__ __align__(16) double pieces[2][PIECE];
    bool loads = threadIdx.x >= WARP;
    Share share;
    double sum = 0.0;

    if (loads)
        share.load(n, 0, a, b);
    for (unsigned first = 0, buffer = 0; first < n; first += PIECE, buffer ^= 1) {
        if (loads)
            share.store_products(pieces[buffer]);
        /* One barrier a piece is enough: the other buffer is written after the next one. */
        __syncthreads();
        if (loads)
            share.load(n, first + PIECE, a, b);
        else if (threadIdx.x == 0)
            sum = sum_of(sum, pieces[buffer], min((unsigned)PIECE, n - first));
    }
    if (threadIdx.x == 0)
        *total = sum;
}

static double dot(int n, const double *a, const double *b)
{
    double *dev_a = to_device(n, a);
    double *dev_b = to_device(n, b);
    double *dev_total = on_device<double>(1);
    ordered_dot<<<1, WARP + LOADERS>>>(n, dev_a, dev_b, dev_total);
    CHECK(cudaGetLastError());
    double total;
    to_host(1, &total, dev_total);
    for (double *memory : {dev_a, dev_b, dev_total})
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
