#include <stdlib.h>

void noise(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = rand() / (double)RAND_MAX;
#pragma endscop
}
