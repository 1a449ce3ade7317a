/* What it includes would be part of the function, at a place that offsets in this file do not tell. */
int total(int n, int *a)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma endscop
#include <limits.h>
    return sum;
}
