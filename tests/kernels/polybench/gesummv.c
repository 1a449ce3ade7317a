/* y = alpha A x + beta B x
 *
 * Usage: gesummv [n]
 */
#include "suite.h"

#define _PB_N n

static void init_array(int n, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE A[n][n], DATA_TYPE B[n][n],
                       DATA_TYPE x[n])
{
    *alpha = SCALAR_VAL(1.5);
    *beta = SCALAR_VAL(1.2);
    for (int i = 0; i < n; i++) {
        x[i] = fraction('x', i, 0);
        for (int j = 0; j < n; j++) {
            A[i][j] = fraction('A', i, j);
            B[i][j] = fraction('B', i, j);
        }
    }
}

static void print_array(int n, DATA_TYPE y[n])
{
    print_1d("y", n, y);
}

static void kernel_gesummv(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[n][n], DATA_TYPE B[n][n],
                           DATA_TYPE tmp[n], DATA_TYPE x[n], DATA_TYPE y[n])
{
    int i, j;

#pragma scop
    for (i = 0; i < _PB_N; i++) {
        tmp[i] = SCALAR_VAL(0.0);
        y[i] = SCALAR_VAL(0.0);
        for (j = 0; j < _PB_N; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 90);
    DATA_TYPE alpha, beta;
    void *A = array_2d(n, n);
    void *B = array_2d(n, n);
    void *tmp = array_1d(n);
    void *x = array_1d(n);
    void *y = array_1d(n);

    init_array(n, &alpha, &beta, A, B, x);
    kernel_gesummv(n, alpha, beta, A, B, tmp, x, y);
    print_array(n, y);

    free(A);
    free(B);
    free(tmp);
    free(x);
    free(y);
    return 0;
}
