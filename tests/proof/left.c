/* Each thread reads what those before it copy. */
void left(int n, int m, double a[n][m], double b[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 2; j < m; j++)
            b[i][j] = a[i][j - 1] + a[i][j - 2];
#pragma endscop
}
