/* Without strict aliasing the floats may be the integers. */
__attribute__((noinline, optimize("O2", "no-strict-aliasing"))) void mix(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
#pragma endscop
}
