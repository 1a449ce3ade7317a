void stencil(int n, double *restrict a, const double *restrict b)
{
#pragma scop
#define WEIGHT 0.25
    for (int i = 0; i < n; i++)
        a[i] = WEIGHT * b[i];
#pragma endscop
}
