/* A window moves along `x` from one tile of the inner loop to the next. */
void window(int n, int m, float y[restrict n], float x[restrict n + m], float w[restrict m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            y[i] += x[i + k] * w[k];
#pragma endscop
}
