#include <stddef.h>

void reverse(size_t n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (size_t i = n - 1; i >= 0; i--)
        a[i] = b[n - 1 - i];
#pragma endscop
}
