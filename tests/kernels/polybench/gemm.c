/* C = alpha A B + beta C
 *
 * Usage: gemm [ni [nj [nk]]]
 */
#include "suite.h"

#define _PB_NI ni
#define _PB_NJ nj
#define _PB_NK nk

static void init_array(int ni, int nj, int nk, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE C[ni][nj],
                       DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj])
{
    *alpha = SCALAR_VAL(1.5);
    *beta = SCALAR_VAL(1.2);
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++)
            C[i][j] = fraction('C', i, j);
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < nk; k++)
            A[i][k] = fraction('A', i, k);
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k][j] = fraction('B', k, j);
}

static void print_array(int ni, int nj, DATA_TYPE C[ni][nj])
{
    print_2d("C", ni, nj, C);
}

static void kernel_gemm(int ni, int nj, int nk, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[ni][nj],
                        DATA_TYPE A[ni][nk], DATA_TYPE B[nk][nj])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_NI; i++) {
        for (j = 0; j < _PB_NJ; j++)
            C[i][j] *= beta;
        for (k = 0; k < _PB_NK; k++) {
            for (j = 0; j < _PB_NJ; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int ni = size(argc, argv, 1, 60);
    int nj = size(argc, argv, 2, 70);
    int nk = size(argc, argv, 3, 80);
    DATA_TYPE alpha, beta;
    void *C = array_2d(ni, nj);
    void *A = array_2d(ni, nk);
    void *B = array_2d(nk, nj);

    init_array(ni, nj, nk, &alpha, &beta, C, A, B);
    kernel_gemm(ni, nj, nk, alpha, beta, C, A, B);
    print_array(ni, nj, C);

    free(C);
    free(A);
    free(B);
    return 0;
}
