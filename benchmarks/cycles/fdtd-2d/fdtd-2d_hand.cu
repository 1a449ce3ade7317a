/* Finite differences in the time domain by hand. One kernel does a whole time step: each block computes the electric
 * field of its cells and of the edges beyond them that the magnetic field of its cells needs, keeps both in shared
 * memory, and goes on to the magnetic field. What the neighbours read is therefore never overwritten, but goes to a
 * second set of arrays.
 *
 * Usage: fdtd-2d_hand [nx [ny [steps]]]      (by default 384 512 10)
 */
#include <initializer_list>
#include <utility>

#include "../bench.h"
#include "../device.h"

constexpr int BLOCK_X = 32, BLOCK_Y = 8;

struct Fields {
    float *ex, *ey, *hz;
};

__global__ void advance(int nx, int ny, const float *__restrict__ source, const float *__restrict__ old_ex,
                        const float *__restrict__ old_ey, const float *__restrict__ old_hz,
                        float *__restrict__ new_ex, float *__restrict__ new_ey, float *__restrict__ new_hz)
{
    __shared__ float hz[BLOCK_Y + 2][BLOCK_X + 2];
    __shared__ float ex[BLOCK_Y][BLOCK_X + 1];
    __shared__ float ey[BLOCK_Y + 1][BLOCK_X];
    int first_i = blockIdx.y * BLOCK_Y, first_j = blockIdx.x * BLOCK_X;
    int x = threadIdx.x, y = threadIdx.y;
    int i = first_i + y, j = first_j + x;

    for (int row = y; row < BLOCK_Y + 2; row += BLOCK_Y) {
        for (int column = x; column < BLOCK_X + 2; column += BLOCK_X) {
            int hi = first_i + row - 1, hj = first_j + column - 1;
            if (hi >= 0 && hi < nx && hj >= 0 && hj < ny)
                hz[row][column] = old_hz[(size_t)hi * ny + hj];
        }
    }
    __syncthreads();

    for (int column = x; column < BLOCK_X + 1; column += BLOCK_X) {
        int ej = first_j + column;
        if (i < nx && ej <= ny) {
            float value = old_ex[(size_t)i * (ny + 1) + ej];
            ex[y][column] = ej >= 1 && ej < ny ? value - 0.5f * (hz[y + 1][column + 1] - hz[y + 1][column]) : value;
        }
    }
    for (int row = y; row < BLOCK_Y + 1; row += BLOCK_Y) {
        int ei = first_i + row;
        if (ei <= nx && j < ny) {
            float value = ei == 0 ? *source : old_ey[(size_t)ei * ny + j];
            ey[row][x] = ei >= 1 && ei < nx ? value - 0.5f * (hz[row + 1][x + 1] - hz[row][x + 1]) : value;
        }
    }
    __syncthreads();

    if (i < nx && j < ny) {
        new_ex[(size_t)i * (ny + 1) + j] = ex[y][x];
        new_ey[(size_t)i * ny + j] = ey[y][x];
        new_hz[(size_t)i * ny + j] = hz[y + 1][x + 1] - 0.7f * (ex[y][x + 1] - ex[y][x] + ey[y + 1][x] - ey[y][x]);
    }
}

/* The last column of ex and the last row of ey never change and are in both sets from the beginning. */
static void fdtd_2d(int nx, int ny, int steps, const float *source, float *ex, float *ey, float *hz)
{
    size_t ex_count = (size_t)nx * (ny + 1), ey_count = (size_t)(nx + 1) * ny, hz_count = (size_t)nx * ny;
    float *dev_source = to_device(steps, source);
    Fields now = {to_device(ex_count, ex), to_device(ey_count, ey), to_device(hz_count, hz)};
    Fields next = {on_device<float>(ex_count), on_device<float>(ey_count), on_device<float>(hz_count)};
    CHECK(cudaMemcpy2D(next.ex + ny, (ny + 1) * sizeof(float), now.ex + ny, (ny + 1) * sizeof(float), sizeof(float), nx,
                       cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(next.ey + hz_count, now.ey + hz_count, ny * sizeof(float), cudaMemcpyDeviceToDevice));

    dim3 grid(blocks(ny, BLOCK_X), blocks(nx, BLOCK_Y)), block(BLOCK_X, BLOCK_Y);
    for (int t = 0; t < steps; t++) {
        advance<<<grid, block>>>(nx, ny, dev_source + t, now.ex, now.ey, now.hz, next.ex, next.ey, next.hz);
        CHECK(cudaGetLastError());
        std::swap(now, next);
    }
    to_host(ex_count, ex, now.ex);
    to_host(ey_count, ey, now.ey);
    to_host(hz_count, hz, now.hz);
    for (float *memory : {dev_source, now.ex, now.ey, now.hz, next.ex, next.ey, next.hz})
        CHECK(cudaFree(memory));
}

int main(int argc, char **argv)
{
    int nx = size(argc, argv, 1, 384);
    int ny = size(argc, argv, 2, 512);
    int steps = size(argc, argv, 3, 10);
    size_t ex_count = (size_t)nx * (ny + 1), ey_count = (size_t)(nx + 1) * ny, hz_count = (size_t)nx * ny;
    float *source = drawn_floats(steps, 1);
    float *ex = drawn_floats(ex_count, 2);
    float *ey = drawn_floats(ey_count, 3);
    float *hz = drawn_floats(hz_count, 4);

    start_clock();
    fdtd_2d(nx, ny, steps, source, ex, ey, hz);
    stop_clock();
    print_floats("ex", ex_count, ex);
    print_floats("ey", ey_count, ey);
    print_floats("hz", hz_count, hz);

    for (float *memory : {source, ex, ey, hz})
        free(memory);
    return 0;
}
