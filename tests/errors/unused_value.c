void check(int n, const double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] == 0.0;
        b[i] = a[i];
    }
#pragma endscop
}
