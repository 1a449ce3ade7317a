void product(int n, int m, int p, float C[n][p], float A[n][m], float B[m][p])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++)
            for (int k = 0; k < m; k++)
                C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
