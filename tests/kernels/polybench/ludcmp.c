/* Solves A x = b: A = L U in place, L y = b, U x = y
 *
 * Usage: ludcmp [n]
 */
#include "suite.h"

#define _PB_N n

/* Its diagonal is dominant, so that no pivot is small. */
static void init_array(int n, DATA_TYPE A[n][n], DATA_TYPE b[n])
{
    for (int i = 0; i < n; i++) {
        b[i] = fraction('b', i, 0);
        for (int j = 0; j < n; j++)
            A[i][j] = fraction('A', i, j) + (i == j ? n : 0);
    }
}

static void print_array(int n, DATA_TYPE A[n][n], DATA_TYPE x[n], DATA_TYPE y[n])
{
    print_2d("A", n, n, A);
    print_1d("x", n, x);
    print_1d("y", n, y);
}

static void kernel_ludcmp(int n, DATA_TYPE A[n][n], DATA_TYPE b[n], DATA_TYPE x[n], DATA_TYPE y[n])
{
    int i, j, k;
    DATA_TYPE w;

#pragma scop
    for (i = 0; i < _PB_N; i++) {
        for (j = 0; j < i; j++) {
            w = A[i][j];
            for (k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (j = i; j < _PB_N; j++) {
            w = A[i][j];
            for (k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }

    for (i = 0; i < _PB_N; i++) {
        w = b[i];
        for (j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }

    for (i = _PB_N - 1; i >= 0; i--) {
        w = y[i];
        for (j = i + 1; j < _PB_N; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    void *A = array_2d(n, n);
    void *b = array_1d(n);
    void *x = array_1d(n);
    void *y = array_1d(n);

    init_array(n, A, b);
    kernel_ludcmp(n, A, b, x, y);
    print_array(n, A, x, y);

    free(A);
    free(b);
    free(x);
    free(y);
    return 0;
}
