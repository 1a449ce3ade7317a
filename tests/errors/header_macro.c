#include "helpers.h"

void pick(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = SQUARE_AT(b, i);
#pragma endscop
}
