#include "gemm_gpu.h"
/* C = alpha * A * B + beta * C, for A of ni x nk and B of nk x nj numbers.
 *
 * Usage: gemm [ni [nj [nk]]]      (by default 256 256 256)
 */
#include "../bench.h"

#define ALPHA 1.5f
#define BETA 1.25f

static void gemm(int ni, int nj, int nk, const float (*restrict A)[nk], const float (*restrict B)[nj],
                 float (*restrict C)[nj])
{
    if (!gemm_scop0(ni, nj, nk, &C[0][0], &A[0][0], &B[0][0])) {
#pragma scop
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= BETA;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += ALPHA * A[i][k] * B[k][j];
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int ni = size(argc, argv, 1, 256);
    int nj = size(argc, argv, 2, 256);
    int nk = size(argc, argv, 3, 256);
    void *A = drawn_floats((size_t)ni * nk, 1);
    void *B = drawn_floats((size_t)nk * nj, 2);
    void *C = drawn_floats((size_t)ni * nj, 3);

    start_clock();
    gemm(ni, nj, nk, A, B, C);
    stop_clock();
    print_floats("C", (size_t)ni * nj, C);

    free(A);
    free(B);
    free(C);
    return 0;
}
