void spread(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i * i] = b[i];
#pragma endscop
}
