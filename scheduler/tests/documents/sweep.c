/* A sweep of Gauss and Seidel's method: a wavefront through three loops. */
void sweep(int steps, int n, double A[n + 2][n + 2])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) * 0.2;
#pragma endscop
}
