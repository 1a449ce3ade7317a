#include "helpers.h"

void running(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = accumulate(a[i]);
#pragma endscop
}
