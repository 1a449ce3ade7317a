/* D = alpha A B C + beta D (2mm)
 *
 * Usage: two_mm [ni [nj [nk [nl]]]]
 */
#include "suite.h"

#define _PB_NI ni
#define _PB_NJ nj
#define _PB_NK nk
#define _PB_NL nl

static void init_array(int ni, int nj, int nk, int nl, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE A[ni][nk],
                       DATA_TYPE B[nk][nj], DATA_TYPE C[nj][nl], DATA_TYPE D[ni][nl])
{
    *alpha = SCALAR_VAL(1.5);
    *beta = SCALAR_VAL(1.2);
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < nk; k++)
            A[i][k] = fraction('A', i, k);
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k][j] = fraction('B', k, j);
    for (int j = 0; j < nj; j++)
        for (int l = 0; l < nl; l++)
            C[j][l] = fraction('C', j, l);
    for (int i = 0; i < ni; i++)
        for (int l = 0; l < nl; l++)
            D[i][l] = fraction('D', i, l);
}

static void print_array(int ni, int nl, DATA_TYPE D[ni][nl])
{
    print_2d("D", ni, nl, D);
}

static void kernel_2mm(int ni, int nj, int nk, int nl, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE tmp[ni][nj],
                       DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj], DATA_TYPE C[nj][nl], DATA_TYPE D[ni][nl])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_NI; i++)
        for (j = 0; j < _PB_NJ; j++) {
            tmp[i][j] = SCALAR_VAL(0.0);
            for (k = 0; k < _PB_NK; ++k)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (i = 0; i < _PB_NI; i++)
        for (j = 0; j < _PB_NL; j++) {
            D[i][j] *= beta;
            for (k = 0; k < _PB_NJ; ++k)
                D[i][j] += tmp[i][k] * C[k][j];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int ni = size(argc, argv, 1, 40);
    int nj = size(argc, argv, 2, 50);
    int nk = size(argc, argv, 3, 70);
    int nl = size(argc, argv, 4, 80);
    DATA_TYPE alpha, beta;
    void *tmp = array_2d(ni, nj);
    void *A = array_2d(ni, nk);
    void *B = array_2d(nk, nj);
    void *C = array_2d(nj, nl);
    void *D = array_2d(ni, nl);

    init_array(ni, nj, nk, nl, &alpha, &beta, A, B, C, D);
    kernel_2mm(ni, nj, nk, nl, alpha, beta, tmp, A, B, C, D);
    print_array(ni, nl, D);

    free(tmp);
    free(A);
    free(B);
    free(C);
    free(D);
    return 0;
}
