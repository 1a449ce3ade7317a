/* C = alpha A B + beta C with a symmetric A of which the lower triangle is stored
 *
 * Usage: symm [m [n]]
 */
#include "suite.h"

#define _PB_M m
#define _PB_N n

static void init_array(int m, int n, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE C[m][n], DATA_TYPE A[m][m],
                       DATA_TYPE B[m][n])
{
    *alpha = SCALAR_VAL(1.5);
    *beta = SCALAR_VAL(1.2);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            C[i][j] = fraction('C', i, j);
            B[i][j] = fraction('B', i, j);
        }
        for (int j = 0; j < m; j++)
            A[i][j] = j <= i ? fraction('A', i, j) : SCALAR_VAL(-999.0);
    }
}

static void print_array(int m, int n, DATA_TYPE C[m][n])
{
    print_2d("C", m, n, C);
}

static void kernel_symm(int m, int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[m][n], DATA_TYPE A[m][m],
                        DATA_TYPE B[m][n])
{
    int i, j, k;
    DATA_TYPE temp2;

#pragma scop
    for (i = 0; i < _PB_M; i++)
        for (j = 0; j < _PB_N; j++) {
            temp2 = 0;
            for (k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 60);
    int n = size(argc, argv, 2, 80);
    DATA_TYPE alpha, beta;
    void *C = array_2d(m, n);
    void *A = array_2d(m, m);
    void *B = array_2d(m, n);

    init_array(m, n, &alpha, &beta, C, A, B);
    kernel_symm(m, n, alpha, beta, C, A, B);
    print_array(m, n, C);

    free(C);
    free(A);
    free(B);
    return 0;
}
