constexpr void zero(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}

#define EVALUATED constexpr
EVALUATED int sum(int n, const int *a)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    return s;
}
