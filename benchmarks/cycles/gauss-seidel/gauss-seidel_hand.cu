/* Gauss-Seidel iteration by hand: a wavefront of tiles that runs through all sweeps at once.
 *
 * Inner points are counted from 0: row i, column j, sweep t. In the coordinates p = i + t and s = i + j + 2t no
 * dependence points backwards, so boxes of them are tiles, and the tiles of one sweep each whose numbers t + P + S
 * are equal do not depend on each other: they are one launch. In a tile, a parallelogram of the square, every lane
 * of a warp owns a row and stays one value of s behind the lane above it. The other warps help to bring the tile to
 * shared memory and back, row by row so that lines are whole.
 *
 * Usage: gauss-seidel_hand [n [steps]]      (by default 256 10)
 */
#include <algorithm>

#include "../bench.h"
#include "../device.h"

constexpr int ROWS = 32, WIDTH = 64;
constexpr int WARPS = 4;

/* Row r of the tile holds, in place q + 2, the point of row r - 1 whose s is q beyond the tile's first. So the row
 * above stands one place to the left of this one, and the row below one to the right. */
typedef float Tile[ROWS + 2][WIDTH + 4];

/* Applies a function to the places of the tile that are in the square, rows to warps and columns to lanes. The tile
 * begins at `first_i` and `first_j`, counted with the boundary. */
template <class Function>
__device__ void for_places(int n, int first_i, int first_j, Function function)
{
    for (int r = threadIdx.y; r < ROWS + 2; r += WARPS) {
        int i = first_i + r;
        for (int place = threadIdx.x; place < WIDTH + 4; place += 32) {
            int j = first_j - r + place;
            if (i >= 0 && i < n && j >= 0 && j < n)
                function(r, place, i, j);
        }
    }
}

/* The tiles of a wave: y counts the sweeps from `first_t`, x counts P from where that sweep begins. */
__global__ void advance(int n, int wave, int first_t, float *A)
{
    __shared__ Tile tile;
    int inner = n - 2;
    int t = first_t + blockIdx.y;
    int P = first_t / ROWS + blockIdx.x, S = wave - t - P;
    int row = P * ROWS - t;
    int column = S * WIDTH - 2 * t - row;
    if (row + ROWS <= 0 || row >= inner || column + WIDTH <= 0 || column - ROWS + 1 >= inner)
        return;

    /* The corners that no point of the tile reads may be written by other tiles of the wave. */
    for_places(n, row, column, [&](int r, int place, int i, int j) {
        if ((r > 0 || place < WIDTH + 2) && (r <= ROWS || place >= 2))
            tile[r][place] = A[(size_t)i * n + j];
    });
    __syncthreads();

    if (threadIdx.y == 0) {
        int lane = threadIdx.x;
        int i = row + lane;
        for (int step = 0; step < WIDTH + ROWS - 1; step++) {
            int q = step - lane;
            int j = column - lane + q;
            if (q >= 0 && q < WIDTH && i >= 0 && i < inner && j >= 0 && j < inner) {
                const float *above = &tile[lane][q + 1], *below = &tile[lane + 2][q + 3];
                float *here = &tile[lane + 1][q + 2];
                *here = (above[-1] + above[0] + above[1] + here[-1] + here[0] + here[1] + below[-1] + below[0]
                         + below[1]) / 9.0f;
            }
            __syncwarp();
        }
    }
    __syncthreads();

    for_places(n, row, column, [&](int r, int place, int i, int j) {
        bool is_own = r >= 1 && r <= ROWS && place >= 2 && place < WIDTH + 2;
        if (is_own && i >= 1 && i <= inner && j >= 1 && j <= inner)
            A[(size_t)i * n + j] = tile[r][place];
    });
}

/* The first and the last wave in which a sweep has tiles. */
static int first_wave(int t)
{
    return t + t / ROWS + 2 * t / WIDTH;
}

static int last_wave(int t, int inner)
{
    return t + (t + inner - 1) / ROWS + (2 * t + 2 * inner - 2) / WIDTH;
}

static void gauss_seidel(int n, int steps, float *A)
{
    int inner = n - 2;
    if (inner < 1)
        return;
    size_t points = (size_t)n * n;
    float *dev_A = to_device(points, A);
    int first_t = 0, last_t = 0;
    for (int wave = 0; wave <= last_wave(steps - 1, inner); wave++) {
        while (last_wave(first_t, inner) < wave)
            first_t++;
        while (last_t + 1 < steps && first_wave(last_t + 1) <= wave)
            last_t++;
        int columns = (last_t + inner - 1) / ROWS - first_t / ROWS + 1;
        advance<<<dim3(columns, last_t - first_t + 1), dim3(32, WARPS)>>>(n, wave, first_t, dev_A);
        CHECK(cudaGetLastError());
    }
    to_host(points, A, dev_A);
    CHECK(cudaFree(dev_A));
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 256);
    int steps = size(argc, argv, 2, 10);
    size_t points = (size_t)n * n;
    float *A = drawn_floats(points, 1);

    start_clock();
    gauss_seidel(n, steps, A);
    stop_clock();
    print_floats("A", points, A);

    free(A);
    return 0;
}
