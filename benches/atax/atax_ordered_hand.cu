/* y = A' (A x) by hand, with every sum in the order of the sequential program, so that the bits are the same. A block
 * owns a few sums. Its threads load the terms of all of them in coalesced pieces and leave the products in shared
 * memory; one lane for each sum adds them up in order. While it does, the next piece is on its way to registers.
 *
 * Usage: atax_ordered_hand [m [n]]      (by default 1024 1200)
 */
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

/* A block owns SUMS sums, and has TERMS terms of each in shared memory at a time. */
constexpr int SUMS = 8;
constexpr int TERMS = 128;
constexpr int THREADS = 256;
/* How many of these terms a thread loads. */
constexpr int SHARE = SUMS * TERMS / THREADS;

/* Adds up the terms of every sum of the block: `factors(sum, term)` loads the two factors of one of them. ABREAST
 * consecutive lanes ask for the same term of consecutive sums, and the next ones for the next term. The result is
 * valid in the first SUMS threads, each of which has one sum.
 *
 * What lies beyond the last term is a zero in shared memory: it changes no bit, because a sum that begins with +0.0
 * is never -0.0. */
template <int ABREAST, class Factors>
__device__ double ordered_sum(int terms, Factors factors)
{
    /* Each row is read by one lane, in pairs. This length spreads both those pairs and the stores over all banks. */
    __shared__ __align__(16) double pieces[2][SUMS][TERMS + 2];
    /* Multiplied only when they are stored: a product here would wait for the loads. */
    double2 loaded[SHARE];
    auto sum_of = [](int share) {
        int place = share * THREADS + threadIdx.x;
        return place % ABREAST + place / (ABREAST * TERMS) * ABREAST;
    };
    auto term_of = [](int share) {
        int place = share * THREADS + threadIdx.x;
        return place / ABREAST % TERMS;
    };
    auto load = [&](int first) {
#pragma unroll
        for (int share = 0; share < SHARE; share++) {
            int term = first + term_of(share);
            loaded[share] = term < terms ? factors(sum_of(share), term) : make_double2(0.0, 0.0);
        }
    };

    double sum = 0.0;
    load(0);
    for (int first = 0, buffer = 0; first < terms; first += TERMS, buffer ^= 1) {
#pragma unroll
        for (int share = 0; share < SHARE; share++)
            pieces[buffer][sum_of(share)][term_of(share)] = loaded[share].x * loaded[share].y;
        /* One barrier a piece is enough: the other buffer is written after the next one. */
        __syncthreads();
        load(first + TERMS);
        if (threadIdx.x < SUMS) {
            const double2 *row = reinterpret_cast<const double2 *>(pieces[buffer][threadIdx.x]);
#pragma unroll 8
            for (int pair = 0; pair < TERMS / 2; pair++) {
                double2 values = row[pair];
                sum += values.x;
                sum += values.y;
            }
        }
    }
    return sum;
}

__global__ void __launch_bounds__(THREADS)
    times_rows(int m, int n, const double *__restrict__ A, const double *__restrict__ x, double *__restrict__ tmp)
{
    int first = blockIdx.x * SUMS;
    double sum = ordered_sum<1>(n, [&](int row, int j) {
        int i = min(first + row, m - 1);
        return make_double2(A[(size_t)i * n + j], x[j]);
    });
    int i = first + threadIdx.x;
    if (threadIdx.x < SUMS && i < m)
        tmp[i] = sum;
}

__global__ void __launch_bounds__(THREADS)
    times_columns(int m, int n, const double *__restrict__ A, const double *__restrict__ tmp, double *__restrict__ y)
{
    int first = blockIdx.x * SUMS;
    /* Eight columns are two whole sectors of a row. */
    double sum = ordered_sum<8>(m, [&](int column, int i) {
        int j = min(first + column, n - 1);
        return make_double2(A[(size_t)i * n + j], tmp[i]);
    });
    int j = first + threadIdx.x;
    if (threadIdx.x < SUMS && j < n)
        y[j] = sum;
}

static void atax(int m, int n, const double *A, const double *x, double *y)
{
    double *dev_A = to_device((size_t)m * n, A);
    double *dev_x = to_device(n, x);
    double *dev_tmp = on_device<double>(m);
    double *dev_y = on_device<double>(n);
    times_rows<<<blocks(m, SUMS), THREADS>>>(m, n, dev_A, dev_x, dev_tmp);
    CHECK(cudaGetLastError());
    times_columns<<<blocks(n, SUMS), THREADS>>>(m, n, dev_A, dev_tmp, dev_y);
    CHECK(cudaGetLastError());
    to_host(n, y, dev_y);
    for (double *memory : {dev_A, dev_x, dev_tmp, dev_y})
        CHECK(cudaFree(memory));
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 1024);
    int n = size(argc, argv, 2, 1200);
    double *A = drawn_doubles((size_t)m * n, 1);
    double *x = drawn_doubles(n, 2);
    double *y = zero_doubles(n);

    start_clock();
    atax(m, n, A, x, y);
    stop_clock();
    print_doubles("y", n, y);

    for (double *memory : {A, x, y})
        free(memory);
    return 0;
}
