/* Four by four points of a product for each thread, in registers: a full tile has a nest of its own. */
void full(int n, double a[n][n], double b[n][n], double c[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
