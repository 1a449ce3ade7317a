/* A = L L' for a positive definite A; L takes the place of the lower triangle
 *
 * Usage: cholesky [n]
 */
#include "suite.h"

#define _PB_N n

static void init_array(int n, DATA_TYPE A[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            A[i][j] = A[j][i] = fraction('A', i, j);
        A[i][i] = fraction('A', i, i) + n;
    }
}

static void print_array(int n, DATA_TYPE A[n][n])
{
    print_2d("A", n, n, A);
}

static void kernel_cholesky(int n, DATA_TYPE A[n][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_N; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = SQRT_FUN(A[i][i]);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    void *A = array_2d(n, n);

    init_array(n, A);
    kernel_cholesky(n, A);
    print_array(n, A);

    free(A);
    return 0;
}
