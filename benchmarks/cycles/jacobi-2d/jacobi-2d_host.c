#include "jacobi-2d_gpu.h"
/* Jacobi iteration on a square: each point becomes the mean of itself and its four neighbours; B holds the new values
 * until all are computed. The boundary stays.
 *
 * Usage: jacobi-2d [n [steps]]      (by default 512 16)
 */
#include "../bench.h"

static void jacobi_2d(int n, int steps, float (*restrict A)[n], float (*restrict B)[n])
{
    if (!jacobi_2d_jacobi_2d_scop0(n, steps, &A[0][0], &B[0][0])) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = B[i][j];
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 512);
    int steps = size(argc, argv, 2, 16);
    size_t points = (size_t)n * n;
    void *A = drawn_floats(points, 1);
    void *B = zero_floats(points);

    start_clock();
    jacobi_2d(n, steps, A, B);
    stop_clock();
    print_floats("A", points, A);

    free(A);
    free(B);
    return 0;
}
