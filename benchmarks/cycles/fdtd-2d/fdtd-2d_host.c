#include "fdtd-2d_gpu.h"
/* Electromagnetic waves in a plane (finite differences in the time domain): the electric field has the components ex
 * and ey on the edges of nx x ny cells, the magnetic field hz stands in their middles. A source drives the lower
 * edge.
 *
 * Usage: fdtd-2d [nx [ny [steps]]]      (by default 384 512 10)
 */
#include "../bench.h"

static void fdtd_2d(int nx, int ny, int steps, const float *restrict source, float (*restrict ex)[ny + 1],
                    float (*restrict ey)[ny], float (*restrict hz)[ny])
{
    if (!fdtd_2d_fdtd_2d_scop0(nx, ny, steps, source, &ey[0][0], &hz[0][0], &ex[0][0])) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < ny; j++)
            ey[0][j] = source[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++)
                ey[i][j] = ey[i][j] - 0.5f * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++)
                ex[i][j] = ex[i][j] - 0.5f * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < ny; j++)
                hz[i][j] = hz[i][j] - 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int nx = size(argc, argv, 1, 384);
    int ny = size(argc, argv, 2, 512);
    int steps = size(argc, argv, 3, 10);
    size_t ex_count = (size_t)nx * (ny + 1);
    size_t ey_count = (size_t)(nx + 1) * ny;
    size_t hz_count = (size_t)nx * ny;
    float *source = drawn_floats(steps, 1);
    void *ex = drawn_floats(ex_count, 2);
    void *ey = drawn_floats(ey_count, 3);
    void *hz = drawn_floats(hz_count, 4);

    start_clock();
    fdtd_2d(nx, ny, steps, source, ex, ey, hz);
    stop_clock();
    print_floats("ex", ex_count, ex);
    print_floats("ey", ey_count, ey);
    print_floats("hz", hz_count, hz);

    free(source);
    free(ex);
    free(ey);
    free(hz);
    return 0;
}
