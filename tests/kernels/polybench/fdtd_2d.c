/* Electromagnetic waves in a plane by finite differences in the time domain
 *
 * Usage: fdtd_2d [nx [ny [tmax]]]
 */
#include "suite.h"

#define _PB_NX nx
#define _PB_NY ny
#define _PB_TMAX tmax

static void init_array(int tmax, int nx, int ny, DATA_TYPE ex[nx][ny], DATA_TYPE ey[nx][ny],
                       DATA_TYPE hz[nx][ny], DATA_TYPE _fict_[tmax])
{
    for (int t = 0; t < tmax; t++)
        _fict_[t] = fraction('f', t, 0);
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            ex[i][j] = fraction('x', i, j);
            ey[i][j] = fraction('y', i, j);
            hz[i][j] = fraction('z', i, j);
        }
}

static void print_array(int nx, int ny, DATA_TYPE ex[nx][ny], DATA_TYPE ey[nx][ny], DATA_TYPE hz[nx][ny])
{
    print_2d("ex", nx, ny, ex);
    print_2d("ey", nx, ny, ey);
    print_2d("hz", nx, ny, hz);
}

static void kernel_fdtd_2d(int tmax, int nx, int ny, DATA_TYPE ex[nx][ny], DATA_TYPE ey[nx][ny],
                           DATA_TYPE hz[nx][ny], DATA_TYPE _fict_[tmax])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < _PB_TMAX; t++) {
        for (j = 0; j < _PB_NY; j++)
            ey[0][j] = _fict_[t];
        for (i = 1; i < _PB_NX; i++)
            for (j = 0; j < _PB_NY; j++)
                ey[i][j] = ey[i][j] - SCALAR_VAL(0.5) * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < _PB_NX; i++)
            for (j = 1; j < _PB_NY; j++)
                ex[i][j] = ex[i][j] - SCALAR_VAL(0.5) * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < _PB_NX - 1; i++)
            for (j = 0; j < _PB_NY - 1; j++)
                hz[i][j] = hz[i][j] - SCALAR_VAL(0.7) * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int nx = size(argc, argv, 1, 60);
    int ny = size(argc, argv, 2, 80);
    int tmax = size(argc, argv, 3, 20);
    void *ex = array_2d(nx, ny);
    void *ey = array_2d(nx, ny);
    void *hz = array_2d(nx, ny);
    void *_fict_ = array_1d(tmax);

    init_array(tmax, nx, ny, ex, ey, hz, _fict_);
    kernel_fdtd_2d(tmax, nx, ny, ex, ey, hz, _fict_);
    print_array(nx, ny, ex, ey, hz);

    free(ex);
    free(ey);
    free(hz);
    free(_fict_);
    return 0;
}
