/* A = Q R by the modified method of Gram and Schmidt
 *
 * Usage: gramschmidt [m [n]], n <= m
 */
#include "suite.h"

#define _PB_M m
#define _PB_N n

/* The diagonal keeps the columns well apart. */
static void init_array(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = fraction('A', i, j) + (i == j ? n : 0);
            Q[i][j] = SCALAR_VAL(0.0);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            R[i][j] = SCALAR_VAL(0.0);
}

static void print_array(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n])
{
    print_2d("A", m, n, A);
    print_2d("R", n, n, R);
    print_2d("Q", m, n, Q);
}

static void kernel_gramschmidt(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n])
{
    int i, j, k;
    DATA_TYPE nrm;

#pragma scop
    for (k = 0; k < _PB_N; k++) {
        nrm = SCALAR_VAL(0.0);
        for (i = 0; i < _PB_M; i++)
            nrm += A[i][k] * A[i][k];
        R[k][k] = SQRT_FUN(nrm);
        for (i = 0; i < _PB_M; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (j = k + 1; j < _PB_N; j++) {
            R[k][j] = SCALAR_VAL(0.0);
            for (i = 0; i < _PB_M; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (i = 0; i < _PB_M; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 60);
    int n = size(argc, argv, 2, 50);
    void *A = array_2d(m, n);
    void *R = array_2d(n, n);
    void *Q = array_2d(m, n);

    init_array(m, n, A, R, Q);
    kernel_gramschmidt(m, n, A, R, Q);
    print_array(m, n, A, R, Q);

    free(A);
    free(R);
    free(Q);
    return 0;
}
