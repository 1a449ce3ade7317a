/* The heat equation in a cube, by explicit steps
 *
 * Usage: heat_3d [n [tsteps]]
 */
#include "suite.h"

#define _PB_N n
#define _PB_TSTEPS tsteps

static void init_array(int n, DATA_TYPE A[n][n][n], DATA_TYPE B[n][n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                A[i][j][k] = B[i][j][k] = fraction('A', i * n + j, k);
}

static void print_array(int n, DATA_TYPE A[n][n][n], DATA_TYPE B[n][n][n])
{
    print_3d("A", n, n, n, A);
    print_3d("B", n, n, n, B);
}

static void kernel_heat_3d(int tsteps, int n, DATA_TYPE A[n][n][n], DATA_TYPE B[n][n][n])
{
    int t, i, j, k;

#pragma scop
    for (t = 1; t <= _PB_TSTEPS; t++) {
        for (i = 1; i < _PB_N - 1; i++) {
            for (j = 1; j < _PB_N - 1; j++) {
                for (k = 1; k < _PB_N - 1; k++) {
                    B[i][j][k] =
                        SCALAR_VAL(0.125) * (A[i + 1][j][k] - SCALAR_VAL(2.0) * A[i][j][k] + A[i - 1][j][k]) +
                        SCALAR_VAL(0.125) * (A[i][j + 1][k] - SCALAR_VAL(2.0) * A[i][j][k] + A[i][j - 1][k]) +
                        SCALAR_VAL(0.125) * (A[i][j][k + 1] - SCALAR_VAL(2.0) * A[i][j][k] + A[i][j][k - 1]) +
                        A[i][j][k];
                }
            }
        }
        for (i = 1; i < _PB_N - 1; i++) {
            for (j = 1; j < _PB_N - 1; j++) {
                for (k = 1; k < _PB_N - 1; k++) {
                    A[i][j][k] =
                        SCALAR_VAL(0.125) * (B[i + 1][j][k] - SCALAR_VAL(2.0) * B[i][j][k] + B[i - 1][j][k]) +
                        SCALAR_VAL(0.125) * (B[i][j + 1][k] - SCALAR_VAL(2.0) * B[i][j][k] + B[i][j - 1][k]) +
                        SCALAR_VAL(0.125) * (B[i][j][k + 1] - SCALAR_VAL(2.0) * B[i][j][k] + B[i][j][k - 1]) +
                        B[i][j][k];
                }
            }
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 20);
    int tsteps = size(argc, argv, 2, 10);
    void *A = array_3d(n, n, n);
    void *B = array_3d(n, n, n);

    init_array(n, A, B);
    kernel_heat_3d(tsteps, n, A, B);
    print_array(n, A, B);

    free(A);
    free(B);
    return 0;
}
