void clamp(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = ({ double t = b[i]; t > 1.0 ? 1.0 : t; });
#pragma endscop
}
