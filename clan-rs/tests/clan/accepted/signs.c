/* Remainders of negative numbers, and conversions of what may not fit. */
void signs(int n, int m, unsigned u, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] += a[(i - 4) % 3 + 5];
    for (int i = 0; i < n; i++)
        a[(unsigned)(i - m)] += 1;
    for (int i = 0; i < (int)u; i++)
        a[i] -= 1;
#pragma endscop
}
