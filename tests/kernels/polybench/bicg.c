/* s = A' r,  q = A p
 *
 * Usage: bicg [m [n]]
 */
#include "suite.h"

#define _PB_M m
#define _PB_N n

static void init_array(int m, int n, DATA_TYPE A[n][m], DATA_TYPE r[n], DATA_TYPE p[m])
{
    for (int i = 0; i < m; i++)
        p[i] = fraction('p', i, 0);
    for (int i = 0; i < n; i++) {
        r[i] = fraction('r', i, 0);
        for (int j = 0; j < m; j++)
            A[i][j] = fraction('A', i, j);
    }
}

static void print_array(int m, int n, DATA_TYPE s[m], DATA_TYPE q[n])
{
    print_1d("s", m, s);
    print_1d("q", n, q);
}

static void kernel_bicg(int m, int n, DATA_TYPE A[n][m], DATA_TYPE s[m], DATA_TYPE q[n], DATA_TYPE p[m],
                        DATA_TYPE r[n])
{
    int i, j;

#pragma scop
    for (i = 0; i < _PB_M; i++)
        s[i] = 0;
    for (i = 0; i < _PB_N; i++) {
        q[i] = SCALAR_VAL(0.0);
        for (j = 0; j < _PB_M; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int m = size(argc, argv, 1, 116);
    int n = size(argc, argv, 2, 124);
    void *A = array_2d(n, m);
    void *s = array_1d(m);
    void *q = array_1d(n);
    void *p = array_1d(m);
    void *r = array_1d(n);

    init_array(m, n, A, r, p);
    kernel_bicg(m, n, A, s, q, p, r);
    print_array(m, n, s, q);

    free(A);
    free(s);
    free(q);
    free(p);
    free(r);
    return 0;
}
