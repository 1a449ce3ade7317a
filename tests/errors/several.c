#include <stdio.h>

void two(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        printf("%g\n", a[i]);
        a[i] = b[n * i];
    }
#pragma endscop

#pragma scop
    for (int i = 0; i < n; i += n)
        a[i] = 0.0;
#pragma endscop
}
