/* Each warp reads columns of `a`, and each element twice. */
void transposed(int n, float c[restrict n][n], float a[restrict n][n + 1], float b[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = a[j][i] + a[j][i + 1] + b[i][j] + b[i][j];
#pragma endscop
}
