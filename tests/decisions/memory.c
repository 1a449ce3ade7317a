/* options: --gpulocalizer-options=--shared-memory 9000 */

/* One of two buffers for an array fits. */
void square(int n, double c[restrict n][n], double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * a[k][j];
#pragma endscop
}

/* One of two arrays fits. */
void product(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
