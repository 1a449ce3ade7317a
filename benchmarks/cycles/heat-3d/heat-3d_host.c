#include "heat-3d_gpu.h"
/* Heat flow in a cube: each point exchanges heat with its six neighbours, in each time step once from A to B and once
 * back. The boundary keeps its temperature.
 *
 * Usage: heat-3d [n [steps]]      (by default 64 8)
 */
#include "../bench.h"

static void heat_3d(int n, int steps, double (*restrict A)[n][n], double (*restrict B)[n][n])
{
    if (!heat_3d_heat_3d_scop0(n, steps, &A[0][0][0], &B[0][0][0])) {
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k])
                                 + 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k])
                                 + 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k])
                                 + 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k])
                                 + 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
    }
#pragma endscop
    }
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 64);
    int steps = size(argc, argv, 2, 8);
    size_t points = (size_t)n * n * n;
    void *A = drawn_doubles(points, 1);
    void *B = drawn_doubles(points, 1);

    start_clock();
    heat_3d(n, steps, A, B);
    stop_clock();
    print_doubles("A", points, A);
    print_doubles("B", points, B);

    free(A);
    free(B);
    return 0;
}
