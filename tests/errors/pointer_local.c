void scale(int n, int m, double a[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = a[i];
        for (int j = 0; j < m; j++)
            row[j] *= 2.0;
    }
#pragma endscop
}
