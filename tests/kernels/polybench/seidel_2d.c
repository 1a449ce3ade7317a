/* Gauss-Seidel iteration in a plane: means of nine
 *
 * Usage: seidel_2d [n [tsteps]]
 */
#include "suite.h"

#define _PB_N n
#define _PB_TSTEPS tsteps

static void init_array(int n, DATA_TYPE A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = fraction('A', i, j);
}

static void print_array(int n, DATA_TYPE A[n][n])
{
    print_2d("A", n, n, A);
}

static void kernel_seidel_2d(int tsteps, int n, DATA_TYPE A[n][n])
{
    int t, i, j;

#pragma scop
    for (t = 0; t <= _PB_TSTEPS - 1; t++)
        for (i = 1; i <= _PB_N - 2; i++)
            for (j = 1; j <= _PB_N - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                          SCALAR_VAL(9.0);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 80);
    int tsteps = size(argc, argv, 2, 10);
    void *A = array_2d(n, n);

    init_array(n, A);
    kernel_seidel_2d(tsteps, n, A);
    print_array(n, A);

    free(A);
    return 0;
}
