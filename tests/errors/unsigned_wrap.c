void difference(unsigned n, double *restrict d, const double *restrict a)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        d[i] = a[i] - a[i - 1u];
#pragma endscop
}
