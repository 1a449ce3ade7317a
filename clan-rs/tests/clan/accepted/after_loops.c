void used(int n, int m, double *restrict a, int *restrict last)
{
    int i, j = 4;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = 0;
    a[i] = 1;
    for (i = n; i > 2; i -= 3)
        for (j = i; j < m; j++)
            a[j] = i;
    last[0] = i;
    last[1] = j;
#pragma endscop
}

int kept(unsigned n, float *restrict a)
{
    unsigned i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j != i; j++)
            a[j] = 0;
#pragma endscop
    return i + j;
}

int seen;

void by_others(long n, float *restrict a)
{
#pragma scop
    for (seen = 0; seen < n; seen++)
        a[seen] = 0;
    int end = seen;
    for (seen = 1; seen <= 3; seen++)
        a[seen] += end;
#pragma endscop
}
