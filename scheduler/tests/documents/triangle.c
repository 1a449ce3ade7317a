void triangle(int n, const double l[restrict n][n], const double b[restrict n], double x[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / l[i][i];
    }
#pragma endscop
}
