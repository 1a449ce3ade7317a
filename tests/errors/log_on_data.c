#include <stdio.h>

void scale(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (b[i] < 0.0)
            printf("negative at %d\n", i);
        a[i] = 2.0 * b[i];
    }
#pragma endscop
}
