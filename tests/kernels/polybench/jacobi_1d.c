/* Jacobi's iteration on a line: means of three
 *
 * Usage: jacobi_1d [n [tsteps]]
 */
#include "suite.h"

#define _PB_N n
#define _PB_TSTEPS tsteps

static void init_array(int n, DATA_TYPE A[n], DATA_TYPE B[n])
{
    for (int i = 0; i < n; i++) {
        A[i] = fraction('A', i, 0);
        B[i] = fraction('B', i, 0);
    }
}

static void print_array(int n, DATA_TYPE A[n], DATA_TYPE B[n])
{
    print_1d("A", n, A);
    print_1d("B", n, B);
}

static void kernel_jacobi_1d(int tsteps, int n, DATA_TYPE A[n], DATA_TYPE B[n])
{
    int t, i;

#pragma scop
    for (t = 0; t < _PB_TSTEPS; t++) {
        for (i = 1; i < _PB_N - 1; i++)
            B[i] = SCALAR_VAL(0.33333) * (A[i - 1] + A[i] + A[i + 1]);
        for (i = 1; i < _PB_N - 1; i++)
            A[i] = SCALAR_VAL(0.33333) * (B[i - 1] + B[i] + B[i + 1]);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    int tsteps = size(argc, argv, 2, 40);
    void *A = array_1d(n);
    void *B = array_1d(n);

    init_array(n, A, B);
    kernel_jacobi_1d(tsteps, n, A, B);
    print_array(n, A, B);

    free(A);
    free(B);
    return 0;
}
