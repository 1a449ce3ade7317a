/* G = (A B) (C D) (3mm)
 *
 * Usage: three_mm [ni [nj [nk [nl [nm]]]]]
 */
#include "suite.h"

#define _PB_NI ni
#define _PB_NJ nj
#define _PB_NK nk
#define _PB_NL nl
#define _PB_NM nm

static void init_array(int ni, int nj, int nk, int nl, int nm, DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj],
                       DATA_TYPE C[nj][nm], DATA_TYPE D[nm][nl])
{
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < nk; k++)
            A[i][k] = fraction('A', i, k);
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k][j] = fraction('B', k, j);
    for (int j = 0; j < nj; j++)
        for (int m = 0; m < nm; m++)
            C[j][m] = fraction('C', j, m);
    for (int m = 0; m < nm; m++)
        for (int l = 0; l < nl; l++)
            D[m][l] = fraction('D', m, l);
}

static void print_array(int ni, int nl, DATA_TYPE G[ni][nl])
{
    print_2d("G", ni, nl, G);
}

static void kernel_3mm(int ni, int nj, int nk, int nl, int nm, DATA_TYPE E[ni][nj], DATA_TYPE A[ni][nk],
                       DATA_TYPE B[nk][nj], DATA_TYPE F[nj][nl], DATA_TYPE C[nj][nm], DATA_TYPE D[nm][nl],
                       DATA_TYPE G[ni][nl])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_NI; i++)
        for (j = 0; j < _PB_NJ; j++) {
            E[i][j] = SCALAR_VAL(0.0);
            for (k = 0; k < _PB_NK; ++k)
                E[i][j] += A[i][k] * B[k][j];
        }
    for (i = 0; i < _PB_NJ; i++)
        for (j = 0; j < _PB_NL; j++) {
            F[i][j] = SCALAR_VAL(0.0);
            for (k = 0; k < _PB_NM; ++k)
                F[i][j] += C[i][k] * D[k][j];
        }
    for (i = 0; i < _PB_NI; i++)
        for (j = 0; j < _PB_NL; j++) {
            G[i][j] = SCALAR_VAL(0.0);
            for (k = 0; k < _PB_NJ; ++k)
                G[i][j] += E[i][k] * F[k][j];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int ni = size(argc, argv, 1, 40);
    int nj = size(argc, argv, 2, 50);
    int nk = size(argc, argv, 3, 60);
    int nl = size(argc, argv, 4, 70);
    int nm = size(argc, argv, 5, 80);
    void *E = array_2d(ni, nj);
    void *A = array_2d(ni, nk);
    void *B = array_2d(nk, nj);
    void *F = array_2d(nj, nl);
    void *C = array_2d(nj, nm);
    void *D = array_2d(nm, nl);
    void *G = array_2d(ni, nl);

    init_array(ni, nj, nk, nl, nm, A, B, C, D);
    kernel_3mm(ni, nj, nk, nl, nm, E, A, B, F, C, D, G);
    print_array(ni, nl, G);

    free(E);
    free(A);
    free(B);
    free(F);
    free(C);
    free(D);
    free(G);
    return 0;
}
