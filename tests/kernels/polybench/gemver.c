/* B = A + u1 v1' + u2 v2',  x = beta B' y + z,  w = alpha B x
 *
 * Usage: gemver [n]
 */
#include "suite.h"

#define _PB_N n

static void init_array(int n, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE A[n][n], DATA_TYPE u1[n],
                       DATA_TYPE v1[n], DATA_TYPE u2[n], DATA_TYPE v2[n], DATA_TYPE w[n], DATA_TYPE x[n],
                       DATA_TYPE y[n], DATA_TYPE z[n])
{
    *alpha = SCALAR_VAL(1.5);
    *beta = SCALAR_VAL(1.2);
    for (int i = 0; i < n; i++) {
        u1[i] = fraction('u', i, 1);
        u2[i] = fraction('u', i, 2);
        v1[i] = fraction('v', i, 1);
        v2[i] = fraction('v', i, 2);
        y[i] = fraction('y', i, 0);
        z[i] = fraction('z', i, 0);
        x[i] = SCALAR_VAL(0.0);
        w[i] = SCALAR_VAL(0.0);
        for (int j = 0; j < n; j++)
            A[i][j] = fraction('A', i, j);
    }
}

static void print_array(int n, DATA_TYPE A[n][n], DATA_TYPE x[n], DATA_TYPE w[n])
{
    print_2d("A", n, n, A);
    print_1d("x", n, x);
    print_1d("w", n, w);
}

static void kernel_gemver(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[n][n], DATA_TYPE u1[n],
                          DATA_TYPE v1[n], DATA_TYPE u2[n], DATA_TYPE v2[n], DATA_TYPE w[n], DATA_TYPE x[n],
                          DATA_TYPE y[n], DATA_TYPE z[n])
{
    int i, j;

#pragma scop
    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_N; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];

    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_N; j++)
            x[i] = x[i] + beta * A[j][i] * y[j];

    for (i = 0; i < _PB_N; i++)
        x[i] = x[i] + z[i];

    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_N; j++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    DATA_TYPE alpha, beta;
    void *A = array_2d(n, n);
    void *u1 = array_1d(n);
    void *v1 = array_1d(n);
    void *u2 = array_1d(n);
    void *v2 = array_1d(n);
    void *w = array_1d(n);
    void *x = array_1d(n);
    void *y = array_1d(n);
    void *z = array_1d(n);

    init_array(n, &alpha, &beta, A, u1, v1, u2, v2, w, x, y, z);
    kernel_gemver(n, alpha, beta, A, u1, v1, u2, v2, w, x, y, z);
    print_array(n, A, x, w);

    free(A);
    free(u1);
    free(v1);
    free(u2);
    free(v2);
    free(w);
    free(x);
    free(y);
    free(z);
    return 0;
}
