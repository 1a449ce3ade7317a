void zero(int n, double a[n][n])
{
    for (int i = 0; i < n; i++)
#pragma scop
        for (int j = 0; j < n; j++)
            a[i][j] = 0.0;
#pragma endscop
}
