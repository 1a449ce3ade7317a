#include <stdio.h>

void trace(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] *= 2.0;
        fprintf(stderr, "a[%d] = %f\n", i, a[i]);
    }
#pragma endscop
}
