#include "gauss-seidel_gpu.h"
/* Gauss-Seidel iteration on a square: each point becomes the mean of itself and its eight neighbours, in place, so
 * that four of them are new already. The boundary stays.
 *
 * Usage: gauss-seidel [n [steps]]      (by default 256 10)
 */
#include "../bench.h"

static void gauss_seidel(int n, int steps, float (*A)[n])
{
    if (!gauss_seidel_gauss_seidel_scop0(n, steps, &A[0][0])) {
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0f;
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 256);
    int steps = size(argc, argv, 2, 10);
    size_t points = (size_t)n * n;
    void *A = drawn_floats(points, 1);

    start_clock();
    gauss_seidel(n, steps, A);
    stop_clock();
    print_floats("A", points, A);

    free(A);
    return 0;
}
