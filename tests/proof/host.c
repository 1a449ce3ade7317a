/* One element comes home in each round, and goes back. */
void host(int n, double a[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        a[k][k] = (double)((long double)a[k][k] * 1.0000001L);
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
#pragma endscop
}
