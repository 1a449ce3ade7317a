/* B = alpha A' B with a lower triangular A that has ones on its diagonal
 *
 * Usage: trmm [m [n]]
 */
#include "suite.h"

#define _PB_M m
#define _PB_N n

static void init_array(int m, int n, DATA_TYPE *alpha, DATA_TYPE A[m][m], DATA_TYPE B[m][n])
{
    *alpha = SCALAR_VAL(1.5);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            A[i][j] = j < i ? fraction('A', i, j) : SCALAR_VAL(1.0);
        for (int j = 0; j < n; j++)
            B[i][j] = fraction('B', i, j);
    }
}

static void print_array(int m, int n, DATA_TYPE B[m][n])
{
    print_2d("B", m, n, B);
}

static void kernel_trmm(int m, int n, DATA_TYPE alpha, DATA_TYPE A[m][m], DATA_TYPE B[m][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_M; i++)
        for (j = 0; j < _PB_N; j++) {
            for (k = i + 1; k < _PB_M; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 60);
    int n = size(argc, argv, 2, 80);
    DATA_TYPE alpha;
    void *A = array_2d(m, m);
    void *B = array_2d(m, n);

    init_array(m, n, &alpha, A, B);
    kernel_trmm(m, n, alpha, A, B);
    print_array(m, n, B);

    free(A);
    free(B);
    return 0;
}
