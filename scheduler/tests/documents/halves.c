/* The kernel reads the first and the last quarter of `x`. */
void halves(int n, float y[restrict n], float x[restrict 4 * n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[i] + x[i + 3 * n];
#pragma endscop
}
