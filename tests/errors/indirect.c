void gather(int n, double *restrict a, const double *restrict b, const int *restrict where)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[where[i]];
#pragma endscop
}
