/* y = A' (A x)
 *
 * Usage: atax [m [n]]
 */
#include "suite.h"

#define _PB_M m
#define _PB_N n

static void init_array(int m, int n, DATA_TYPE A[m][n], DATA_TYPE x[n])
{
    for (int i = 0; i < n; i++)
        x[i] = fraction('x', i, 0);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = fraction('A', i, j);
}

static void print_array(int n, DATA_TYPE y[n])
{
    print_1d("y", n, y);
}

static void kernel_atax(int m, int n, DATA_TYPE A[m][n], DATA_TYPE x[n], DATA_TYPE y[n], DATA_TYPE tmp[m])
{
    int i, j;

#pragma scop
    for (i = 0; i < _PB_N; i++)
        y[i] = 0;
    for (i = 0; i < _PB_M; i++) {
        tmp[i] = SCALAR_VAL(0.0);
        for (j = 0; j < _PB_N; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (j = 0; j < _PB_N; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 116);
    int n = size(argc, argv, 2, 124);
    void *A = array_2d(m, n);
    void *x = array_1d(n);
    void *y = array_1d(n);
    void *tmp = array_1d(m);

    init_array(m, n, A, x);
    kernel_atax(m, n, A, x, y, tmp);
    print_array(n, y);

    free(A);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
