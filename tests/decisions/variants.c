/* options: --scheduler-options=--assume n=2048 --assume steps=100 */
/* A product in place, of which each row waits until it is no longer needed: a copy of the old values costs less. */
void large_product(int n, double a[n][n], double b[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i + 1; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
#pragma endscop
}

/* Here the nest is parallel along j, and one pass is cheaper than a copy and a pass. */
void large_shift(int n, double b[n][n])
{
#pragma scop
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = 0.5 * (b[i][j] + b[i + 1][j]);
#pragma endscop
}

/* Many steps pay for filling both halves and for storing what the host sees. */
void many_steps(int n, int steps, float a[n][n], float b[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25f * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}

/* Two steps do not. */
void two_steps(int n, float a[n][n], float b[n][n])
{
#pragma scop
    for (int t = 0; t < 2; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25f * (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}
