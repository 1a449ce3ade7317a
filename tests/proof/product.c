/* Tiles of two matrices in shared memory, and a sum in a register. */
void product(int n, double a[n][n], double b[n][n], double c[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] *= 0.5;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}
