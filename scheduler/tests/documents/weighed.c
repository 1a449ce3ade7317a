void weighed(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n], double x[restrict n][n])
{
#pragma scop
    for (int i = 1; i < n - 4; i++)
        for (int j = 1; j < n - 4; j++) {
            c[i][j] = x[j - 1][i] + x[j][i] * x[j + 1][i] + x[j + 2][i] + x[j + 3][i] + x[j + 4][i];
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}
