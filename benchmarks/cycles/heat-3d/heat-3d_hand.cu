/* Heat flow by hand. A thread owns a column of the cube and goes up plane by plane: the points below and above are in
 * its registers, those beside it in a plane in shared memory, so a point is read from global memory about once.
 * Several blocks share a column's height, so that small cubes have enough of them too.
 *
 * Usage: heat-3d_hand [n [steps]]      (by default 64 8)
 */
#include <algorithm>

#include "../bench.h"
#include "../device.h"

constexpr int BLOCK_X = 32, BLOCK_Y = 8, PLANES = 16;

__global__ void advance(int n, const double *__restrict__ before, double *__restrict__ after)
{
    __shared__ double plane[BLOCK_Y + 2][BLOCK_X + 2];
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int k = blockIdx.x * BLOCK_X + x, j = blockIdx.y * BLOCK_Y + y;
    int first = blockIdx.z * PLANES + 1, end = min(first + PLANES, n - 1);
    bool is_inner = j < n - 1 && k < n - 1;
    size_t layer = (size_t)n * n;
    size_t at = first * layer + (size_t)j * n + k;

    double below = 0.0, here = 0.0;
    if (is_inner) {
        below = before[at - layer];
        here = before[at];
    }
    for (int i = first; i < end; i++, at += layer) {
        double above = 0.0;
        if (is_inner) {
            above = before[at + layer];
            plane[y][x] = here;
            if (y == 1)
                plane[0][x] = before[at - n];
            if (y == BLOCK_Y || j == n - 2)
                plane[y + 1][x] = before[at + n];
            if (x == 1)
                plane[y][0] = before[at - 1];
            if (x == BLOCK_X || k == n - 2)
                plane[y][x + 1] = before[at + 1];
        }
        __syncthreads();
        if (is_inner)
            after[at] = 0.125 * (above - 2.0 * here + below)
                        + 0.125 * (plane[y + 1][x] - 2.0 * here + plane[y - 1][x])
                        + 0.125 * (plane[y][x + 1] - 2.0 * here + plane[y][x - 1]) + here;
        __syncthreads();
        below = here;
        here = above;
    }
}

static void heat_3d(int n, int steps, double *A, double *B)
{
    int inner = n - 2;
    if (inner < 1)
        return;
    size_t points = (size_t)n * n * n;
    double *dev_A = to_device(points, A);
    double *dev_B = to_device(points, B);
    dim3 grid(blocks(inner, BLOCK_X), blocks(inner, BLOCK_Y), blocks(inner, PLANES)), block(BLOCK_X, BLOCK_Y);
    for (int t = 0; t < steps; t++) {
        advance<<<grid, block>>>(n, dev_A, dev_B);
        CHECK(cudaGetLastError());
        advance<<<grid, block>>>(n, dev_B, dev_A);
        CHECK(cudaGetLastError());
    }
    to_host(points, A, dev_A);
    to_host(points, B, dev_B);
    CHECK(cudaFree(dev_A));
    CHECK(cudaFree(dev_B));
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 64);
    int steps = size(argc, argv, 2, 8);
    size_t points = (size_t)n * n * n;
    double *A = drawn_doubles(points, 1);
    double *B = drawn_doubles(points, 1);

    start_clock();
    heat_3d(n, steps, A, B);
    stop_clock();
    print_doubles("A", points, A);
    print_doubles("B", points, B);

    free(A);
    free(B);
    return 0;
}
