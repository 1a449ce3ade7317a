/* Only the host writes the border, in each round; kernels write in between. */
void borders(int n, int rounds, double *restrict a, double *restrict b)
{
#pragma scop
    for (int t = 0; t < rounds; t++) {
        a[0] = (double)((long double)b[0] + t);
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1] + a[i];
        for (int i = 1; i < n; i++)
            a[i] = b[i] * 0.5;
        b[0] = (double)((long double)a[1] * 1.1L);
    }
#pragma endscop
}
