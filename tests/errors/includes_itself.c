#ifndef K
#define K 2
#define NAME twice
#include "includes_itself.c"
#undef K
#undef NAME
#define K 3
#define NAME thrice
#endif

void NAME(int n, double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= K;
#pragma endscop
}
