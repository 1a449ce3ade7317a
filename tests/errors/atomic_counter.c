#include <stdatomic.h>

atomic_int hits;

void tally(int n, const int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        hits += a[i];
#pragma endscop
}
