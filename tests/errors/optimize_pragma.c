/* Overflow is defined from here on. */
#pragma GCC optimize("-fwrapv")
void next(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
#pragma endscop
}
