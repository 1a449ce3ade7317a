/* C = alpha (A B' + B A') + beta C, lower triangle
 *
 * Usage: syr2k [n [m]]
 */
#include "suite.h"

#define _PB_N n
#define _PB_M m

static void init_array(int n, int m, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE C[n][n], DATA_TYPE A[n][m],
                       DATA_TYPE B[n][m])
{
    *alpha = SCALAR_VAL(1.5);
    *beta = SCALAR_VAL(1.2);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            C[i][j] = fraction('C', i, j);
        for (int k = 0; k < m; k++) {
            A[i][k] = fraction('A', i, k);
            B[i][k] = fraction('B', i, k);
        }
    }
}

static void print_array(int n, DATA_TYPE C[n][n])
{
    print_2d("C", n, n, C);
}

static void kernel_syr2k(int n, int m, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[n][n], DATA_TYPE A[n][m],
                         DATA_TYPE B[n][m])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_N; i++) {
        for (j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (k = 0; k < _PB_M; k++)
            for (j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 80);
    int m = size(argc, argv, 2, 60);
    DATA_TYPE alpha, beta;
    void *C = array_2d(n, n);
    void *A = array_2d(n, m);
    void *B = array_2d(n, m);

    init_array(n, m, &alpha, &beta, C, A, B);
    kernel_syr2k(n, m, alpha, beta, C, A, B);
    print_array(n, C);

    free(C);
    free(A);
    free(B);
    return 0;
}
