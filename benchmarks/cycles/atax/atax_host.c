#include "atax_gpu.h"
/* y = A' (A x), for A of m x n numbers.
 *
 * Usage: atax [m [n]]      (by default 1024 1200)
 */
#include "../bench.h"

static void atax(int m, int n, const double (*restrict A)[n], const double *restrict x, double *restrict y,
                 double *restrict tmp)
{
    if (!atax_scop0(m, n, y, tmp, &A[0][0], x)) {
#pragma scop
    for (int j = 0; j < n; j++)
        y[j] = 0.0;
    for (int i = 0; i < m; i++) {
        tmp[i] = 0.0;
        for (int j = 0; j < n; j++)
            tmp[i] += A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * tmp[i];
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 1024);
    int n = size(argc, argv, 2, 1200);
    void *A = drawn_doubles((size_t)m * n, 1);
    double *x = drawn_doubles(n, 2);
    double *y = zero_doubles(n);
    double *tmp = zero_doubles(m);

    start_clock();
    atax(m, n, A, x, y, tmp);
    stop_clock();
    print_doubles("y", n, y);

    free(A);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
