/* options: --scheduler-options=--fusion cycles */

/* Statements that do not depend on each other in a cycle have kernels of their own, though one for all would be better. */
void sums(int n, double a[restrict n][n], double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += a[i][j] * a[j][i];
        b[i] = s;
    }
#pragma endscop
}
