/* y = A' (A x) by hand, both halves along the rows of A. In the first a warp sums up a row, lane by lane, and then by
 * shuffles. In the second a block owns 32 columns, and each of its warps every 32nd row; the partial sums meet in
 * shared memory. Sums are grouped otherwise than in the sequential program.
 *
 * Usage: atax_hand [m [n]]      (by default 1024 1200)
 */
#include <initializer_list>

#include "../bench.h"
#include "../device.h"

constexpr int WARP = 32;
constexpr int ROWS = 8;
constexpr int GROUPS = 32;

__device__ double sum_of_warp(double value)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void times_rows(int m, int n, const double *__restrict__ A, const double *__restrict__ x,
                           double *__restrict__ tmp)
{
    int i = blockIdx.x * ROWS + threadIdx.y;
    if (i >= m)
        return;
    const double *row = A + (size_t)i * n;
    double sum = 0.0;
#pragma unroll 4
    for (int j = threadIdx.x; j < n; j += WARP)
        sum += row[j] * x[j];
    sum = sum_of_warp(sum);
    if (threadIdx.x == 0)
        tmp[i] = sum;
}

__global__ void times_columns(int m, int n, const double *__restrict__ A, const double *__restrict__ tmp,
                              double *__restrict__ y)
{
    /* Written by rows and read by columns. */
    __shared__ double partial[GROUPS][WARP + 1];
    int j = blockIdx.x * WARP + threadIdx.x;
    double sum = 0.0;
    if (j < n) {
#pragma unroll 4
        for (int i = threadIdx.y; i < m; i += GROUPS)
            sum += A[(size_t)i * n + j] * tmp[i];
    }
    partial[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = sum_of_warp(partial[threadIdx.x][threadIdx.y]);
    int column = blockIdx.x * WARP + threadIdx.y;
    if (threadIdx.x == 0 && column < n)
        y[column] = sum;
}

static void atax(int m, int n, const double *A, const double *x, double *y)
{
    double *dev_A = to_device((size_t)m * n, A);
    double *dev_x = to_device(n, x);
    double *dev_tmp = on_device<double>(m);
    double *dev_y = on_device<double>(n);
    times_rows<<<blocks(m, ROWS), dim3(WARP, ROWS)>>>(m, n, dev_A, dev_x, dev_tmp);
    CHECK(cudaGetLastError());
    times_columns<<<blocks(n, WARP), dim3(WARP, GROUPS)>>>(m, n, dev_A, dev_tmp, dev_y);
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
