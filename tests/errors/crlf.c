void relax(int n, double a[n][n], const int skip[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (skip[i])
            continue;
        for (int j = 1; j < n; j++)
            a[i][j] = 0.5 * (a[i][j] + a[i][j - 1]);
    }
#pragma endscop
}
