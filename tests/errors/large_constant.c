#include <stddef.h>

void reverse(size_t n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (size_t i = n - 1; i != (size_t)-1; i--)
        a[i] = b[n - 1 - i];
    for (size_t i = 0; i < 18446744073709551615u; i++)
        a[i] = 0.0;
#pragma endscop
}
