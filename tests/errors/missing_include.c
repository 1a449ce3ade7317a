#include "no_such_header.h"

void scale(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= FACTOR;
#pragma endscop
}
