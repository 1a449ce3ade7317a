void wavefront(int n, double A[n + 1][n + 1])
{
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1]) * 0.5;
#pragma endscop
}
