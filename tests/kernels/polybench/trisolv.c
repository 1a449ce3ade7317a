/* Solves L x = b with a lower triangular L
 *
 * Usage: trisolv [n]
 */
#include "suite.h"

#define _PB_N n

/* Its diagonal is dominant, so that x stays small. */
static void init_array(int n, DATA_TYPE L[n][n], DATA_TYPE x[n], DATA_TYPE b[n])
{
    for (int i = 0; i < n; i++) {
        x[i] = SCALAR_VAL(-999.0);
        b[i] = fraction('b', i, 0);
        for (int j = 0; j < i; j++)
            L[i][j] = fraction('L', i, j);
        L[i][i] = fraction('L', i, i) + n;
    }
}

static void print_array(int n, DATA_TYPE x[n])
{
    print_1d("x", n, x);
}

static void kernel_trisolv(int n, DATA_TYPE L[n][n], DATA_TYPE x[n], DATA_TYPE b[n])
{
    int i, j;

#pragma scop
    for (i = 0; i < _PB_N; i++) {
        x[i] = b[i];
        for (j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    void *L = array_2d(n, n);
    void *x = array_1d(n);
    void *b = array_1d(n);

    init_array(n, L, x, b);
    kernel_trisolv(n, L, x, b);
    print_array(n, x);

    free(L);
    free(x);
    free(b);
    return 0;
}
