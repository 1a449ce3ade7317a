/* Jacobi iteration by hand. A block brings a tile to shared memory and computes several time steps there before it
 * writes the middle back: with each step the ring of points that lack a neighbour grows by one, and the
 * neighbouring blocks compute those again (overlapped tiling). So the square passes through global memory once in
 * FUSED steps, back and forth between two arrays.
 *
 * Usage: jacobi-2d_hand [n [steps]]      (by default 512 16)
 */
#include <algorithm>
#include <utility>

#include "../bench.h"
#include "../device.h"

constexpr int FUSED = 4;
constexpr int TILE_X = 64, TILE_Y = 32;
constexpr int BLOCK_X = TILE_X, BLOCK_Y = 8, ROWS = TILE_Y / BLOCK_Y;
constexpr int MIDDLE_X = TILE_X - 2 * FUSED, MIDDLE_Y = TILE_Y - 2 * FUSED;

__global__ void advance(int n, int steps, const float *__restrict__ old_A, float *__restrict__ new_A)
{
    __shared__ float tile[TILE_Y][TILE_X];
    int x = threadIdx.x;
    int j = blockIdx.x * MIDDLE_X - FUSED + x;
    int first_i = blockIdx.y * MIDDLE_Y - FUSED;

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        int y = threadIdx.y + row * BLOCK_Y, i = first_i + y;
        if (i >= 0 && i < n && j >= 0 && j < n)
            tile[y][x] = old_A[(size_t)i * n + j];
    }
    __syncthreads();

    for (int ring = 1; ring <= steps; ring++) {
        float next[ROWS] = {};
        bool changes[ROWS];
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            int y = threadIdx.y + row * BLOCK_Y, i = first_i + y;
            changes[row] = x >= ring && x < TILE_X - ring && y >= ring && y < TILE_Y - ring && i >= 1 && i < n - 1
                           && j >= 1 && j < n - 1;
            if (changes[row])
                next[row] = 0.2f * (tile[y][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y + 1][x] + tile[y - 1][x]);
        }
        __syncthreads();
#pragma unroll
        for (int row = 0; row < ROWS; row++)
            if (changes[row])
                tile[threadIdx.y + row * BLOCK_Y][x] = next[row];
        __syncthreads();
    }

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        int y = threadIdx.y + row * BLOCK_Y, i = first_i + y;
        if (x >= FUSED && x < TILE_X - FUSED && y >= FUSED && y < TILE_Y - FUSED && i < n && j < n)
            new_A[(size_t)i * n + j] = tile[y][x];
    }
}

static void jacobi_2d(int n, int steps, float *A)
{
    size_t points = (size_t)n * n;
    float *dev_A = to_device(points, A);
    float *dev_next = on_device<float>(points);
    dim3 grid(blocks(n, MIDDLE_X), blocks(n, MIDDLE_Y)), block(BLOCK_X, BLOCK_Y);
    for (int done = 0; done < steps; done += FUSED) {
        advance<<<grid, block>>>(n, std::min(FUSED, steps - done), dev_A, dev_next);
        CHECK(cudaGetLastError());
        std::swap(dev_A, dev_next);
    }
    to_host(points, A, dev_A);
    CHECK(cudaFree(dev_A));
    CHECK(cudaFree(dev_next));
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 512);
    int steps = size(argc, argv, 2, 16);
    size_t points = (size_t)n * n;
    float *A = drawn_floats(points, 1);

    start_clock();
    jacobi_2d(n, steps, A);
    stop_clock();
    print_floats("A", points, A);

    free(A);
    return 0;
}
