/* The rows of a cube times a matrix, in place
 *
 * Usage: doitgen [nq [nr [np]]]
 */
#include "suite.h"

#define _PB_NQ nq
#define _PB_NR nr
#define _PB_NP np

static void init_array(int nq, int nr, int np, DATA_TYPE A[nr][nq][np], DATA_TYPE C4[np][np])
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++)
            for (int p = 0; p < np; p++)
                A[r][q][p] = fraction('A', r * nq + q, p);
    for (int s = 0; s < np; s++)
        for (int p = 0; p < np; p++)
            C4[s][p] = fraction('C', s, p);
}

static void print_array(int nq, int nr, int np, DATA_TYPE A[nr][nq][np])
{
    print_3d("A", nr, nq, np, A);
}

static void kernel_doitgen(int nq, int nr, int np, DATA_TYPE A[nr][nq][np], DATA_TYPE C4[np][np],
                           DATA_TYPE sum[np])
{
    int r, q, p, s;

#pragma scop
    for (r = 0; r < _PB_NR; r++)
        for (q = 0; q < _PB_NQ; q++) {
            for (p = 0; p < _PB_NP; p++) {
                sum[p] = SCALAR_VAL(0.0);
                for (s = 0; s < _PB_NP; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (p = 0; p < _PB_NP; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int nq = size(argc, argv, 1, 20);
    int nr = size(argc, argv, 2, 25);
    int np = size(argc, argv, 3, 30);
    void *A = array_3d(nr, nq, np);
    void *C4 = array_2d(np, np);
    void *sum = array_1d(np);

    init_array(nq, nr, np, A, C4);
    kernel_doitgen(nq, nr, np, A, C4, sum);
    print_array(nq, nr, np, A);

    free(A);
    free(C4);
    free(sum);
    return 0;
}
