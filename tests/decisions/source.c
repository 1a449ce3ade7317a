/* options: --scheduler-options=--algorithm source */

/* Two loops that could be a wavefront stay on the host, because there is a parallel loop in them. */
void parallel_below(int n, double a[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int t = 1; t < n; t++)
        for (int i = 1; i < n; i++) {
            a[t][i] = a[t][i - 1] + a[t - 1][i];
            for (int j = 0; j < n; j++)
                c[i][j] += a[t][i] * j;
        }
#pragma endscop
}

/* A wavefront through two loops of the three: the innermost is one kernel's own. */
void two_of_three(int n, double a[restrict n][n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 0; k < 3; k++)
                a[i][j] = a[i - 1][j] * 0.5 + a[i][j - 1] * 0.25 + k;
#pragma endscop
}
