#include <stdlib.h>

/* The length is computed in 32 bits: for n = 2^30 + 4 there are four elements. */
void pick(unsigned n, const int *restrict place, int m, int y[restrict m])
{
    int *x = malloc(n * 4u);
#pragma scop
    for (int i = 0; i < m; i++)
        y[i] = x[place[i]];
#pragma endscop
    free(x);
}
