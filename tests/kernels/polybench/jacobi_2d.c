/* Jacobi's iteration in a plane: means of five
 *
 * Usage: jacobi_2d [n [tsteps]]
 */
#include "suite.h"

#define _PB_N n
#define _PB_TSTEPS tsteps

static void init_array(int n, DATA_TYPE A[n][n], DATA_TYPE B[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = fraction('A', i, j);
            B[i][j] = fraction('B', i, j);
        }
}

static void print_array(int n, DATA_TYPE A[n][n], DATA_TYPE B[n][n])
{
    print_2d("A", n, n, A);
    print_2d("B", n, n, B);
}

static void kernel_jacobi_2d(int tsteps, int n, DATA_TYPE A[n][n], DATA_TYPE B[n][n])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < _PB_TSTEPS; t++) {
        for (i = 1; i < _PB_N - 1; i++)
            for (j = 1; j < _PB_N - 1; j++)
                B[i][j] = SCALAR_VAL(0.2) * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (i = 1; i < _PB_N - 1; i++)
            for (j = 1; j < _PB_N - 1; j++)
                A[i][j] = SCALAR_VAL(0.2) * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 90);
    int tsteps = size(argc, argv, 2, 10);
    void *A = array_2d(n, n);
    void *B = array_2d(n, n);

    init_array(n, A, B);
    kernel_jacobi_2d(tsteps, n, A, B);
    print_array(n, A, B);

    free(A);
    free(B);
    return 0;
}
