void column(int n, double A[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            A[j][i] = 1.0;
#pragma endscop
}
