/* x1 = x1 + A y1,  x2 = x2 + A' y2
 *
 * Usage: mvt [n]
 */
#include "suite.h"

#define _PB_N n

static void init_array(int n, DATA_TYPE x1[n], DATA_TYPE x2[n], DATA_TYPE y_1[n], DATA_TYPE y_2[n],
                       DATA_TYPE A[n][n])
{
    for (int i = 0; i < n; i++) {
        x1[i] = fraction('x', i, 1);
        x2[i] = fraction('x', i, 2);
        y_1[i] = fraction('y', i, 1);
        y_2[i] = fraction('y', i, 2);
        for (int j = 0; j < n; j++)
            A[i][j] = fraction('A', i, j);
    }
}

static void print_array(int n, DATA_TYPE x1[n], DATA_TYPE x2[n])
{
    print_1d("x1", n, x1);
    print_1d("x2", n, x2);
}

static void kernel_mvt(int n, DATA_TYPE x1[n], DATA_TYPE x2[n], DATA_TYPE y_1[n], DATA_TYPE y_2[n],
                       DATA_TYPE A[n][n])
{
    int i, j;

#pragma scop
    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_N; j++)
            x1[i] = x1[i] + A[i][j] * y_1[j];
    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_N; j++)
            x2[i] = x2[i] + A[j][i] * y_2[j];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    void *x1 = array_1d(n);
    void *x2 = array_1d(n);
    void *y_1 = array_1d(n);
    void *y_2 = array_1d(n);
    void *A = array_2d(n, n);

    init_array(n, x1, x2, y_1, y_2, A);
    kernel_mvt(n, x1, x2, y_1, y_2, A);
    print_array(n, x1, x2);

    free(x1);
    free(x2);
    free(y_1);
    free(y_2);
    free(A);
    return 0;
}
